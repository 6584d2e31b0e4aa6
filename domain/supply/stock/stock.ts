/** Stock as the office sees it, and the rules of adjusting it. Safe in the browser. */
import { z } from 'zod'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export { purchaseOrderForms } from './purchase-order-forms.ts'
export {
  purchaseOrderNumber,
  purchaseOrderStateNames,
  purchaseOrderStates,
  type PurchaseOrderState,
} from './purchase-orders.ts'

export { supplierForm, supplierVersionForm } from './supplier-form.ts'

export { ageOf, type Lot } from './dot-lots.ts'
export { outstandingUnits, receiptForm } from './receiving.ts'
export { reorderPointForm, suggestedUnits } from './reorder-points.ts'
export * from './stock-orders.ts'
export * from './supplier-returns.ts'

/** The stock pool. Units are held by the store, or by a supplier that ships regionally or nationwide. */
export const stockPools = ['on-hand', 'local', 'nationwide'] as const
export type StockPool = (typeof stockPools)[number]

export const stockPoolNames: Readonly<Record<StockPool, string>> = {
  'on-hand': 'On hand',
  local: 'Local',
  nationwide: 'Nationwide',
}

export const adjustmentReasons = ['count', 'damaged', 'lost', 'found', 'returned'] as const
export type AdjustmentReason = (typeof adjustmentReasons)[number]

/** Reasons for stock changes. Deliveries of stock orders use `received`, and returns to suppliers `supplier-return`. */
export type StockChangeReason = AdjustmentReason | 'received' | 'supplier-return'

export const adjustmentReasonNames: Readonly<Record<AdjustmentReason, string>> = {
  count: 'Count',
  damaged: 'Damaged',
  lost: 'Lost',
  found: 'Found',
  returned: 'Return to stock',
}

export const stockChangeReasonNames: Readonly<Record<StockChangeReason, string>> = {
  ...adjustmentReasonNames,
  received: 'Received',
  'supplier-return': 'Returned to supplier',
}

/** One tire's units in one warehouse, available and allocated to orders that haven't left. */
export type WarehouseUnits = { free: number; allocated: number }

/**
 * Returns the change in available stock for a reason. `units` is the shelf count including allocated units; for other
 * reasons it is the number damaged, lost, found or returned. Refuses with `none` for zero units (except in a count),
 * and `below-allocated` if fewer units would remain than orders need.
 */
export function adjustmentOf(
  { free, allocated }: WarehouseUnits,
  reason: AdjustmentReason,
  units: number,
): Outcome<number, Refused<'none'> | Refused<'below-allocated', WarehouseUnits>> {
  if (reason !== 'count' && units === 0) return refused('none')
  const change = changeOf({ free, allocated }, reason, units)
  return free + change < 0 ? refused('below-allocated', { free, allocated }) : ok(change)
}

function changeOf({ free, allocated }: WarehouseUnits, reason: AdjustmentReason, units: number): number {
  if (reason === 'count') return units - (free + allocated)
  return reason === 'damaged' || reason === 'lost' ? -units : units
}

const unitsMessage = 'Enter 0 to 100,000 units.'

const warehouseField = z.coerce
  .number('Choose a warehouse.')
  .int('Choose a warehouse.')
  .min(1, 'Choose a warehouse.')
  .max(32_767, 'Choose a warehouse.')

const noteField = z
  .string()
  .trim()
  .max(400, 'Please keep this under 400 characters.')
  .default('')
  .transform((text) => text || null)

/** The stock adjustment form. */
export const adjustmentForm = z.object({
  key: z.uuid('Load this page again.').describe('A new UUID per adjustment'),
  warehouse: warehouseField,
  reason: z.enum(adjustmentReasons, 'Choose a reason.'),
  units: z
    .string(unitsMessage)
    .trim()
    .regex(/^\d{1,6}$/, unitsMessage)
    .transform(Number)
    .pipe(z.int(unitsMessage).max(100_000, unitsMessage)),
  note: noteField,
})

/** The stock transfer form. */
export const transferForm = z.object({
  key: z.uuid('Load this page again.').describe('A new UUID per transfer'),
  transferFrom: warehouseField,
  transferTo: warehouseField,
  transferUnits: z
    .string('Enter 1 to 100,000 units.')
    .trim()
    .regex(/^\d{1,6}$/, 'Enter 1 to 100,000 units.')
    .transform(Number)
    .refine((units) => units >= 1 && units <= 100_000, 'Enter 1 to 100,000 units.')
    .meta({ formUnit: 'number' }),
  transferNote: noteField,
})

/** The most tires that one submission moves out of a closing warehouse. */
export const maxEmptied = 5_000

/** The form that moves everything out of a closing warehouse. */
export const emptyForm = z.object({ emptyTo: warehouseField })

/** The stock list query, where a tire must match all words. `warehouse`: the code of one that has units. */
export type StockQuery = { words: readonly string[]; pool: StockPool | null; warehouse?: string | undefined }

/** The most words that a search uses. */
const mostWords = 5

/** Splits a search into words. Each is part of a SKU, brand, model, or size such as 225/65R17. */
export function stockWords(text: string): string[] {
  return text.replaceAll('\0', '').trim().slice(0, 80).split(/\s+/).filter(Boolean).slice(0, mostWords)
}
