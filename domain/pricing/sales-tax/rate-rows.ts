/** Parses and validates the rows of a file of sales tax rates, as an operator writes them. */
import { z } from 'zod'

export const rateColumns = [
  'state',
  'zip',
  'starts',
  'ends',
  'state_percent',
  'county',
  'county_percent',
  'city',
  'city_percent',
  'special_percent',
  'source',
] as const

export const mostRateBytes = 7 * 1024 * 1024
export const mostRateRows = 60_000

/** A valid row. Without a ZIP it is the rate of the whole state. Days are YYYY-MM-DD, the last one included. */
export type RateRow = {
  readonly state: string
  readonly zip: string | null
  readonly startsOn: string
  readonly endsOn: string | null
  readonly statePpm: number
  readonly county: string | null
  readonly countyPpm: number
  readonly city: string | null
  readonly cityPpm: number
  readonly specialPpm: number
  readonly source: string
}

type Column = (typeof rateColumns)[number]

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine((text) => {
    try {
      Temporal.PlainDate.from(text)
      return true
    } catch {
      return false
    }
  })
const percent = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,4})?$/)
  .refine((text) => Number(text) <= 30)
  .transform((text) => Math.round(Number(text) * 10_000))
const nothing = z.literal('')
const rate = nothing.transform(() => 0).or(percent)
const name = z
  .string()
  .max(80)
  .transform((text) => text || null)

const cells = z.object({
  state: z.string().regex(/^[A-Z]{2}$/),
  zip: nothing.transform(() => null).or(z.string().regex(/^\d{5}$/)),
  starts: day,
  ends: nothing.transform(() => null).or(day),
  state_percent: percent,
  county: name,
  county_percent: rate,
  city: name,
  city_percent: rate,
  special_percent: rate,
  source: z.string().min(1).max(200),
})

const expected: Record<Column, string> = {
  state: 'two capital letters, such as TX',
  zip: 'five digits, or nothing for the whole state',
  starts: 'a day, such as 2027-01-31',
  ends: 'the last day, such as 2027-12-31, or nothing',
  state_percent: 'a number from 0 to 30, such as 6.25; 0 where there is no tax',
  county: 'at most 80 characters',
  county_percent: 'a number from 0 to 30, or nothing',
  city: 'at most 80 characters',
  city_percent: 'a number from 0 to 30, or nothing',
  special_percent: 'a number from 0 to 30, or nothing',
  source: 'where the rate is published, at most 200 characters',
}

type Numbered = RateRow & { readonly line: number }

/**
 * Parses a file's rows, starting on line 2, and reports every error by line. `stateOf` returns a ZIP code's state, or
 * undefined if unknown.
 */
export function readRateRows(
  records: readonly Readonly<Record<string, string>>[],
  stateOf: (zip: string) => string | undefined,
): { rows: RateRow[]; faults: string[] } {
  const faults: string[] = []
  const numbered: Numbered[] = []
  const rows: RateRow[] = []
  for (const [index, record] of records.entries()) {
    const line = index + 2
    const read = readRow(record, stateOf)
    if ('faults' in read) faults.push(...read.faults.map((fault) => `Line ${line}: ${fault}`))
    else {
      rows.push(read.row)
      numbered.push({ ...read.row, line })
    }
  }
  faults.push(...overlaps(numbered))
  return { rows, faults }
}

function readRow(
  record: Readonly<Record<string, string>>,
  stateOf: (zip: string) => string | undefined,
): { row: RateRow } | { faults: string[] } {
  const checked = cells.safeParse(
    Object.fromEntries(rateColumns.map((column) => [column, (record[column] ?? '').trim()])),
  )
  if (!checked.success) {
    const columns = new Set(checked.error.issues.map(({ path: [column] }) => column as Column))
    return { faults: [...columns].map((column) => `${column} must be ${expected[column]}.`) }
  }
  const { data } = checked
  const row: RateRow = {
    state: data.state,
    zip: data.zip,
    startsOn: data.starts,
    endsOn: data.ends,
    statePpm: data.state_percent,
    county: data.county,
    countyPpm: data.county_percent,
    city: data.city,
    cityPpm: data.city_percent,
    specialPpm: data.special_percent,
    source: data.source,
  }
  const faults = faultsOf(row, stateOf)
  return faults.length > 0 ? { faults } : { row }
}

function faultsOf(row: RateRow, stateOf: (zip: string) => string | undefined): string[] {
  const { zip, state, startsOn, endsOn, county, city } = row
  const isLocal = county !== null || city !== null || row.countyPpm + row.cityPpm + row.specialPpm > 0
  const faults: string[] = []
  if (endsOn !== null && endsOn < startsOn) faults.push('ends must not be before starts.')
  if (zip === null && isLocal) faults.push('a row without a ZIP is the rate of the state alone.')
  if (row.countyPpm > 0 && county === null) faults.push('county must name the county of its rate.')
  if (row.cityPpm > 0 && city === null) faults.push('city must name the city of its rate.')
  if (zip !== null) {
    const known = stateOf(zip)
    if (known === undefined) faults.push(`we do not know ZIP ${zip}.`)
    else if (known !== state) faults.push(`ZIP ${zip} is in ${known}, not in ${state}.`)
  }
  return faults
}

/** Returns rows of one location with overlapping dates. The database would refuse them without identifying them. */
function overlaps(rows: readonly Numbered[]): string[] {
  return [...Map.groupBy(rows, ({ state, zip }) => zip ?? state).values()].flatMap((same) => {
    let longest: Numbered | undefined
    return same
      .toSorted((a, b) => (a.startsOn < b.startsOn ? -1 : a.startsOn > b.startsOn ? 1 : a.line - b.line))
      .flatMap((row) => {
        const before = longest
        if (!before || endsLater(row, before)) longest = row
        return before && (before.endsOn === null || before.endsOn >= row.startsOn)
          ? [`Line ${row.line}: line ${before.line} is for the same place on some of the same days.`]
          : []
      })
  })
}

function endsLater({ endsOn }: RateRow, other: RateRow): boolean {
  return other.endsOn !== null && (endsOn === null || endsOn > other.endsOn)
}

/** A file's changes to the table, by location and start date. */
export type RateChanges = { added: number; removed: number; changed: number; same: number }

/** Compares a file's rows with the table's rows for its states. */
export function compareRates(before: readonly RateRow[], after: readonly RateRow[]): RateChanges {
  const keyOf = ({ state, zip, startsOn }: RateRow) => `${zip ?? state} ${startsOn}`
  const [was, becomes] = [before, after].map((rows) => new Map(rows.map((row) => [keyOf(row), row])))
  const changes: RateChanges = { added: 0, removed: 0, changed: 0, same: 0 }
  for (const [key, row] of becomes ?? []) {
    const old = was?.get(key)
    changes[old === undefined ? 'added' : isSame(old, row) ? 'same' : 'changed'] += 1
  }
  for (const key of was?.keys() ?? []) if (!becomes?.has(key)) changes.removed += 1
  return changes
}

function isSame(a: RateRow, b: RateRow): boolean {
  return (Object.keys(a) as (keyof RateRow)[]).every((key) => a[key] === b[key])
}
