/**
 * Decides who sees customers' names, addresses, emails and phones in the back office, and the placeholder for others.
 */
import { canUse } from '#app/office/page-parts.ts'
import type { ShipmentState } from '#domain/ordering/orders/orders.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'

export type CustomerFields = {
  /** Whether these roles see customers. */
  readonly isShown: boolean
  /** The value, or the text that takes its place. */
  show(value: string): string
}

/** Returns the customer fields for staff with these roles. Used by every page, file and response with customer data. */
export function customerFieldsFor(roles: readonly StaffRole[]): CustomerFields {
  const isShown = staffCan(roles, 'customers.read')
  return { isShown, show: (value) => (isShown ? value : hiddenText) }
}

const hiddenText = 'Hidden for your role'

/** An order as far as it decides who sees where its parcels go. */
type Shipped = {
  fulfillment: string
  releasedAt: Temporal.Instant | null
  shipments: readonly { state: ShipmentState }[]
}

/** The same for one parcel, such as on its packing slip. */
export function slipShown(
  order: Omit<Shipped, 'shipments'>,
  parcel: { state: ShipmentState },
  roles: readonly StaffRole[],
): boolean {
  return shipToShown({ ...order, shipments: [parcel] }, roles)
}

/**
 * Whether these roles see the address that parcels go to. Those who pack see the address of a customer only while a parcel
 * is to be packed; the address of a shop or pickup location is no customer's.
 */
export function shipToShown({ fulfillment, releasedAt, shipments }: Shipped, roles: readonly StaffRole[]): boolean {
  if (staffCan(roles, 'customers.read') || fulfillment !== 'home') return true
  const isToPack = shipments.some(({ state }) => state === 'processed' || state === 'pending-pickup')
  return canUse(roles, 'ship-to') && releasedAt !== null && isToPack
}
