/** Stock order deliveries and their form. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { allocate } from '#platform/money.ts'
import { dollars, emptyOr, optionalText, rowFields } from '#platform/form-fields.ts'
import { parseDotWeek } from '#platform/dot-week.ts'
import { mergeLots, type Lot } from './dot-lots.ts'

/** A tire’s units in a delivery, with DOT weeks for stocked units, damaged units, and units that won’t arrive. */
export type ReceivedLine = {
  itemId: number
  units: number
  lots: Lot[]
  damaged: number
  short: number
  reason: string | null
}

type Counts = { quantity: number; receivedUnits: number; damagedUnits: number; shortUnits: number; overUnits: number }

/** Returns how many of a line's units are still expected. */
export function outstandingUnits({ quantity, receivedUnits, damagedUnits, shortUnits, overUnits }: Counts): number {
  return Math.max(0, quantity + overUnits - receivedUnits - damagedUnits - shortUnits)
}

/** Splits a delivery's freight in cents by received units, without a remainder. The parts are in the order of `lines`. */
export function freightByLine(freightCents: number, lines: readonly Pick<ReceivedLine, 'units'>[]): number[] {
  return allocate(
    freightCents,
    lines.map(({ units }) => units),
  )
}

/** The maximum freight of a delivery, in cents. */
const maxFreightCents = 10_000_000

/** In DOT weeks of one line. */
const maxWeeks = 20
const unitsMessage = 'Enter 0 to 10,000 units.'
const weekMessage = 'is not a past DOT week. Enter four digits, such as 2326 for week 23 of 2026.'

/**
 * The form of a delivery, with the fields `units-7`, `weeks-7`, `damaged-7`, `short-7` and `reason-7` for the tire with
 * id 7. Empty fields are 0. `today` is the latest day of a DOT week.
 */
export function receiptForm(today: Temporal.PlainDate) {
  return z
    .looseObject({
      key: z.uuid('Load this page again.').describe('A new UUID per delivery'),
      lines: rowFields<unknown>({
        key: 'itemId',
        fields: { units: 'number', weeks: 'text', damaged: 'number', short: 'number', reason: 'text' },
      }).optional(),
      freight: emptyOr(dollars('Enter the freight in dollars, such as 120, up to $100,000.', maxFreightCents)).describe(
        'The freight of the delivery, which is added to the cost of the received units',
      ),
      overReason: optionalText(400).describe('Why more units arrived than were ordered'),
    })
    .transform(({ key, freight, overReason, ...rest }, context) => {
      const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
      const lines: ReceivedLine[] = []
      for (const name of Object.keys(rest).slice(0, 1_000)) {
        const id = /^units-(\d{1,9})$/.exec(name)?.[1]
        if (id === undefined) continue
        const text = (field: string) => textOf(rest[`${field}-${id}`])
        const [units, damaged, short] = (['units', 'damaged', 'short'] as const).map((field) => {
          const count = countOfText(text(field))
          if (count === undefined) fault(`${field}-${id}`, unitsMessage)
          return count ?? 0
        })
        const line = { itemId: Number(id), units: units ?? 0, damaged: damaged ?? 0, short: short ?? 0 }
        const lots = lotsOf(text('weeks'), line.units, today)
        const reason = text('reason').slice(0, 400) || null
        if (typeof lots === 'string') fault(`weeks-${id}`, lots)
        if (line.damaged + line.short > 0 && reason === null)
          fault(`reason-${id}`, 'Enter why units are damaged or missing.')
        if (line.units + line.damaged + line.short > 0)
          lines.push({ ...line, lots: typeof lots === 'string' ? [] : lots, reason })
      }
      return { key, freightCents: freight ?? 0, overReason, lines }
    })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, 400) : ''
}

function countOfText(text: string): number | undefined {
  if (text === '') return 0
  const count = /^\d{1,5}$/.test(text) ? Number(text) : undefined
  return count !== undefined && count <= 10_000 ? count : undefined
}

/** Reads "2326" for all units, or "2326 8, 2426 4"; otherwise an error message. */
function lotsOf(text: string, units: number, today: Temporal.PlainDate): Lot[] | string {
  if (text === '') return []
  const parts = text.split(/[,;]/).map((part) => part.trim())
  if (parts.length > maxWeeks) return `Enter up to ${maxWeeks} DOT weeks.`
  const lots: Lot[] = []
  for (const part of parts) {
    const [, digits = part, count] = /^(\d{4})(?:\s{1,3}(?:x\s?)?(\d{1,5}))?$/.exec(part) ?? []
    const week = parseDotWeek(digits, today)
    if (week === undefined) return `“${part.slice(0, 20)}” ${weekMessage}`
    if (count === undefined && parts.length > 1) return 'Enter the units of each week, such as 2326 8, 2426 4.'
    lots.push({ week, units: count === undefined ? units : Number(count) })
  }
  const sum = lots.reduce((total, lot) => total + lot.units, 0)
  if (sum !== units) return `The DOT weeks come to ${countOf(sum, 'unit')} instead of ${units}.`
  return mergeLots(lots).filter((lot) => lot.units > 0)
}
