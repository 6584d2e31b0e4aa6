/** Stock orders and their forms. A stock order is a purchase order for our warehouses. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { emptyOr, optionalText, rowFields } from '#platform/form-fields.ts'
import { parseDollars } from '#platform/money.ts'
import type { Transitions } from '#platform/transitions.ts'

export const stockOrderStates = ['draft', 'sending', 'sent', 'partly-received', 'received', 'canceled'] as const
export type StockOrderState = (typeof stockOrderStates)[number]

export const stockOrderStateNames: Readonly<Record<StockOrderState, string>> = {
  draft: 'Draft',
  sending: 'Sending',
  sent: 'Sent',
  'partly-received': 'Partly received',
  received: 'Received',
  canceled: 'Canceled',
}

/** The states that follow each state, as the trigger `stock_order_life` has them. */
export const stockOrderLife: Transitions<StockOrderState> = {
  draft: ['sending', 'sent', 'canceled'],
  sending: ['draft', 'sent', 'canceled'],
  sent: ['partly-received', 'received', 'canceled'],
  'partly-received': ['received', 'canceled'],
  received: [],
  canceled: [],
}

/** "SPO-1001". Purchase orders for a shopper's order are PO-5001. */
export function stockOrderNumber(id: number): string {
  return `SPO-${id}`
}

/** In lines of one order. */
export const maxStockOrderLines = 100
/** The maximum units in one line. */
export const maxLineUnits = 10_000
/** In cents of one tire. */
const maxUnitCents = 1_000_000

type Money = { quantity: number; unitCostCents: number }

/** Returns the total cost of the lines in cents. */
export function costOfLines(lines: readonly Money[]): number {
  return lines.reduce((sum, { quantity, unitCostCents }) => sum + quantity * unitCostCents, 0)
}

/** Returns how many cents an order is below its supplier's minimum; 0 without a minimum. */
export function belowMinimum(totalCents: number, minimumOrderCents: number | null): number {
  return Math.max(0, (minimumOrderCents ?? 0) - totalCents)
}

/** Returns the day on which an order sent on `day` is expected, after the supplier's lead time in days. */
export function expectedDay(day: Temporal.PlainDate, leadDays: number): Temporal.PlainDate {
  return day.add({ days: leadDays })
}

/** A typed line. The supplier’s price applies without a cost. */
export type TypedLine = { sku: string; quantity: number; unitCostCents: number | null }

const dayMessage = 'Enter a day, such as 12/31/2026.'
const expectedField = emptyOr(z.iso.date(dayMessage)).describe('Follows from the supplier’s lead time if left out')

export const idField = (message: string) => z.coerce.number(message).int(message).min(1, message).max(32_767, message)

export const versionField = z.coerce.number().int().min(0).max(2_000_000_000).default(0)

const addHint = 'Enter one tire per line: SKU, quantity, and the unit cost if it differs.'

export const addField = z
  .string()
  .max(10_000, 'Add fewer tires at a time.')
  .default('')
  .transform((text, context): TypedLine[] => {
    const rows = text.split('\n').map((row) => row.trim())
    const filled = rows.flatMap((row, index) => (row === '' ? [] : [{ row, no: index + 1 }]))
    if (filled.length > maxStockOrderLines)
      context.addIssue({ code: 'custom', message: `An order has up to ${countOf(maxStockOrderLines, 'line')}.` })
    return filled.slice(0, maxStockOrderLines).flatMap(({ row, no }) => {
      const line = typedLine(row)
      if (line !== undefined) return [line]
      context.addIssue({ code: 'custom', message: `Line ${no}: ${row.slice(0, 60)}. ${addHint}` })
      return []
    })
  })
  .describe('Tires to add, one per line: SKU, quantity, and the unit cost in dollars if it differs')

/** Reads "KEST-100001 8 84.50", separated by spaces, tabs, commas or semicolons; otherwise undefined. */
function typedLine(row: string): TypedLine | undefined {
  const [, sku, units = '', cost] =
    /^([^\s,;]{1,60})[\s,;]{1,9}(\d{1,5})(?:[\s,;]{1,9}(\S{1,20}))?[\s,;]{0,9}$/.exec(row.slice(0, 120)) ?? []
  const quantity = unitsOf(units)
  const unitCostCents = cost === undefined ? null : centsOf(cost)
  if (sku === undefined || quantity === undefined || quantity === 0 || unitCostCents === undefined) return undefined
  return { sku, quantity, unitCostCents }
}

function unitsOf(text: string): number | undefined {
  const units = /^\d{1,5}$/.test(text) ? Number(text) : undefined
  return units !== undefined && units <= maxLineUnits ? units : undefined
}

function centsOf(text: string): number | undefined {
  const cents = parseDollars(text.slice(0, 20))
  return cents !== undefined && cents > 0 && cents <= maxUnitCents ? cents : undefined
}

/** The form of a new order. `expectedOn` follows from the supplier's lead time if it is empty. */
export const newStockOrderForm = z.object({
  key: z.uuid('Load this page again.').describe('A new UUID per order'),
  supplier: idField('Choose a supplier.'),
  warehouse: idField('Choose a warehouse.'),
  expectedOn: expectedField,
  add: addField,
  note: optionalText(400),
})

/** A line of a draft with the fields `quantity-7` and `cost-7`, for the tire with id 7. */
export type EditedLine = { itemId: number; quantity: number; unitCostCents: number }

/** The draft form, with existing lines and tires to add. A quantity of 0 removes a line. */
export const draftStockOrderForm = z
  .looseObject({
    version: versionField,
    expectedOn: expectedField,
    lines: rowFields<unknown>({ key: 'itemId', fields: { quantity: 'number', cost: 'cents' } }).optional(),
    add: addField,
    note: optionalText(400),
  })
  .transform(({ version, expectedOn, add, note, ...rest }, context) => {
    const lines: EditedLine[] = []
    for (const [name, value] of Object.entries(rest).slice(0, 4 * maxStockOrderLines)) {
      const id = /^quantity-(\d{1,9})$/.exec(name)?.[1]
      if (id === undefined) continue
      const [quantity, unitCostCents] = [unitsOf(textOf(value)), centsOf(textOf(rest[`cost-${id}`]))]
      if (quantity === undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'Enter 0 to 10,000 units. 0 removes the line.' })
      if (unitCostCents === undefined)
        context.addIssue({ code: 'custom', path: [`cost-${id}`], message: 'Enter a unit cost up to $10,000.' })
      if (quantity !== undefined && unitCostCents !== undefined)
        lines.push({ itemId: Number(id), quantity, unitCostCents })
    }
    return { version, expectedOn, add, note, lines }
  })

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, 40) : ''
}

/** How often an order can be sent electronically. */
export const maxStockOrderSendings = 99

/** The form that sends a draft, or marks it as sent. */
export const stockOrderVersionForm = z.object({ version: versionField })

/** The form that cancels an order or its outstanding units. */
export const cancelStockOrderForm = z.object({
  version: versionField,
  reason: z
    .string('Enter why it is canceled.')
    .trim()
    .min(1, 'Enter why it is canceled.')
    .max(400, 'Please keep this under 400 characters.'),
})
