/** Small makers for tests: carts, orders and confirmed appointments. */
import type { Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { confirmHold, holdSlot, type BookingDeps } from './booking.server.ts'

const made = '2026-11-20T16:00:00Z'

export async function makeCart(db: Database): Promise<string> {
  const id = newId()
  await db.insertInto('cart').values({ id, created_at: made, updated_at: made }).execute()
  return id
}

/** An order of the cart that is to be installed at the shop; returns its number. */
export async function makeOrder(db: Database, cartId: string, shopId: number): Promise<number> {
  const customer = newId()
  await db.insertInto('customer').values({ id: customer, email: `${customer}@example.com`, created_at: made }).execute()
  const { id } = await db
    .insertInto('sales_order')
    .values({
      customer_id: customer,
      cart_id: cartId,
      state: 'confirmed',
      placed_at: made,
      cancel_until: '2026-11-20T16:30:00Z',
      fulfilment: 'shop',
      shop_id: shopId,
      first_name: 'Dana',
      last_name: 'Ruiz',
      address1: '1 Sample St',
      city: 'Chicago',
      state_code: 'IL',
      zip: '60614',
      email: 'dana@example.com',
      phone: '3125550142',
      phone_type: 'mobile',
      ship_to_name: 'Halsted Tire',
      ship_to_street: '100 Sample Ave',
      ship_to_city: 'Chicago',
      ship_to_state: 'IL',
      ship_to_zip: '60614',
      billing: '{}',
      breakdown: '{}',
      terms_accepted_at: made,
      tire_fee_cents: 0,
      fet_cents: 0,
      tax_cents: 0,
      total_cents: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A confirmed appointment of a new cart and order. */
export async function makeBooking(deps: BookingDeps, input: Omit<Parameters<typeof holdSlot>[1], 'cartId'>): Promise<{ bookingId: string; cartId: string; orderId: number }> {
  const cartId = await makeCart(deps.db)
  const hold = await holdSlot(deps, { ...input, cartId })
  if (!hold.ok) throw new Error(hold.reason)
  const orderId = await makeOrder(deps.db, cartId, input.shopId)
  const confirmed = await confirmHold(deps, { cartId, orderId })
  if (!confirmed.ok) throw new Error(confirmed.reason)
  return { bookingId: confirmed.value.id, cartId, orderId }
}
