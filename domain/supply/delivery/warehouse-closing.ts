/** States, forms and open work for closing a warehouse. */
import { z } from 'zod'
import { emptyOr } from '#platform/form-fields.ts'

/**
 * A `scheduled` warehouse starts closing on a set day. A `closing` one is excluded from new orders and may have open
 * work. A `closed` one has no open work. All warehouses of a retired supplier are `retired`.
 */
export type WarehouseState = 'open' | 'scheduled' | 'closing' | 'closed' | 'retired'

/** Returns the state of a warehouse by its stored dates. */
export function warehouseStateOf(of: {
  isSupplierRetired: boolean
  isRetired: boolean
  closesOn: string | null
  closedAt: Temporal.Instant | null
}): WarehouseState {
  if (of.isSupplierRetired) return 'retired'
  if (of.closedAt !== null) return 'closed'
  if (of.isRetired) return 'closing'
  return of.closesOn === null ? 'open' : 'scheduled'
}

/** Kinds of open work in a warehouse, in display order. */
export const openWorkKinds = ['parcels', 'pickups', 'holds', 'stock-orders', 'units'] as const
export type OpenWork = Readonly<Record<(typeof openWorkKinds)[number], number>>

/** How many days ahead a closing can be planned. */
export const maxClosingDays = 365

const version = z.coerce.number().int().min(0).default(0)

/** The closing form, which takes effect now or at the start of a day. */
export const closingForm = z
  .object({
    version,
    when: z.enum(['now', 'day'], 'Choose when it closes.').default('now'),
    day: emptyOr(z.iso.date('Enter a day such as 12/31/2026.')),
  })
  .superRefine(({ when, day }, issues) => {
    if (when === 'day' && day === null) issues.addIssue({ code: 'custom', path: ['day'], message: 'Enter the day.' })
  })
  .transform(({ when, day, ...rest }) => ({ ...rest, on: when === 'day' ? day : null }))

/** The form of a button that only has the version its page was shown with. */
export const closingVersionForm = z.object({ version })
