/** Parses and validates the rows of a price list as staff write them. */
import { z } from 'zod'
import { PPM } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { Formula } from './price-list.ts'

export const priceListColumns = ['scope', 'target', 'kind', 'percent', 'amount', 'starts', 'ends'] as const

/** A valid row. `target` is still text, to be looked up in the catalog. `line` is its line in the file. */
export type PriceListRow = {
  readonly line: number
  readonly scope: (typeof scopes)[number]
  readonly target: string
  readonly formula: Formula
  readonly since: Temporal.Instant
  readonly until: Temporal.Instant | null
}

const scopes = ['every-tire', 'brand', 'line', 'size', 'item'] as const

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .transform((text, context) => {
    try {
      return Temporal.PlainDate.from(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'no day' })
      return z.NEVER
    }
  })
const percent = z.string().regex(/^\d{1,3}(\.\d{1,4})?$/)
const dollars = z.string().regex(/^\d{1,5}(\.\d{2})?$/)
const empty = z.literal('')

const cells = z.object({
  scope: z.enum(scopes),
  target: z.string().max(200),
  kind: z.enum(['percent-off', 'fixed', 'cost-plus']),
  percent: percent.or(empty),
  amount: dollars.or(empty),
  starts: day,
  ends: day.or(empty),
})

const expected: Record<(typeof priceListColumns)[number], string> = {
  scope: `one of ${scopes.join(', ')}`,
  target: 'the slug of the brand, brand/line, the size or the SKU',
  kind: 'percent-off, fixed or cost-plus',
  percent: 'a number from 0 to 100, such as 12.5',
  amount: 'dollars, such as 129.99',
  starts: 'a day, such as 2027-01-31',
  ends: 'the last day, such as 2027-12-31, or nothing',
}

/** Reads the rows of a file, starting on line 2; reports every error by its line. */
export function readPriceListRows(records: readonly Readonly<Record<string, string>>[]): {
  rows: PriceListRow[]
  faults: string[]
} {
  const faults: string[] = []
  const rows = records.flatMap((record, index): PriceListRow[] => {
    const line = index + 2
    const read = readRow(record)
    if ('faults' in read) {
      faults.push(...read.faults.map((fault) => `Line ${line}: ${fault}`))
      return []
    }
    return [{ line, ...read.row }]
  })
  return { rows, faults }
}

function readRow(record: Readonly<Record<string, string>>): { row: Omit<PriceListRow, 'line'> } | { faults: string[] } {
  const checked = cells.safeParse(
    Object.fromEntries(priceListColumns.map((name) => [name, (record[name] ?? '').trim()])),
  )
  if (!checked.success) {
    const names = new Set(checked.error.issues.map(({ path: [name] }) => name as (typeof priceListColumns)[number]))
    return { faults: [...names].map((name) => `${name} must be ${expected[name]}.`) }
  }
  const { scope, target, kind, starts, ends } = checked.data
  const ratePpm = checked.data.percent === '' ? null : Math.round(Number(checked.data.percent) * 10_000)
  const amountCents = checked.data.amount === '' ? null : Math.round(Number(checked.data.amount) * 100)
  const [since, until] = [startOf(starts), ends === '' ? null : startOf(ends.add({ days: 1 }))]
  const formula = formulaOf(kind, ratePpm, amountCents)
  const faults = [
    ...((scope === 'every-tire') === (target === '')
      ? []
      : [scope === 'every-tire' ? 'target must be empty.' : `target must be ${expected.target}.`]),
    ...(ratePpm !== null && ratePpm > PPM ? [`percent must be ${expected.percent}.`] : []),
    ...(formula ? [] : [wanted[kind]]),
    ...(until !== null && Temporal.Instant.compare(since, until) >= 0 ? ['ends must not be before starts.'] : []),
  ]
  return formula && faults.length === 0 ? { row: { scope, target, formula, since, until } } : { faults }
}

const wanted: Record<Formula['kind'], string> = {
  'percent-off': 'percent-off takes a percent and no amount.',
  fixed: 'fixed takes an amount above zero and no percent.',
  'cost-plus': 'cost-plus takes a percent, an amount or both.',
}

function formulaOf(kind: Formula['kind'], ratePpm: number | null, amountCents: number | null): Formula | null {
  if (kind === 'percent-off') return ratePpm !== null && amountCents === null ? { kind, ratePpm } : null
  if (kind === 'fixed')
    return ratePpm === null && amountCents !== null && amountCents > 0 ? { kind, amountCents } : null
  return ratePpm === null && amountCents === null
    ? null
    : { kind, ratePpm: ratePpm ?? 0, amountCents: amountCents ?? 0 }
}

/**
 * Returns rules for the same tires (by `tiresOf`) with overlapping dates. The database would refuse them without
 * identifying them.
 */
export function overlapsOf(rows: readonly PriceListRow[], tiresOf: (row: PriceListRow) => string): string[] {
  return [...Map.groupBy(rows, tiresOf).values()].flatMap((same) => {
    let longest: PriceListRow | undefined
    return same
      .toSorted((a, b) => Temporal.Instant.compare(a.since, b.since))
      .flatMap((row) => {
        const before = longest
        if (!before || endsLater(row, before)) longest = row
        const meets = before && (before.until === null || Temporal.Instant.compare(before.until, row.since) > 0)
        return meets ? [`Line ${row.line}: line ${before.line} is for the same tires on some of the same days.`] : []
      })
  })
}

function endsLater({ until }: PriceListRow, other: PriceListRow): boolean {
  return other.until !== null && (until === null || Temporal.Instant.compare(until, other.until) > 0)
}

function startOf(date: Temporal.PlainDate): Temporal.Instant {
  return date.toZonedDateTime(storeZone).toInstant()
}
