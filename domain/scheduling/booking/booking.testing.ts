/** Test fixtures for a bookable shop, carts, orders and confirmed appointments. */
import { fourTires, makeShop } from '#domain/scheduling/installers/installers.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { confirmHold, holdSlot, offerTimes, type BookingDeps } from './booking.server.ts'

/** 10 in the morning of Friday, November 20, 2026 in Chicago. */
const made = '2026-11-20T16:00:00Z'
export const installation = { tires: fourTires, arrivesOn: Temporal.PlainDate.from('2026-11-23') }
export const at = (wall: string) => Temporal.ZonedDateTime.from(`${wall}[America/Chicago]`).toInstant()
export const tuesday = (time: string) => ({ start: at(`2026-11-24T${time}`) })

type HoldInput = Parameters<typeof holdSlot>[1]
type OneBay = Awaited<ReturnType<typeof oneBay>>

/** A database with one shop, by default with one bay and one drop-off place, and a manual clock. */
export async function oneBay(shop: Parameters<typeof makeShop>[1] = {}) {
  const database = await createTestDatabase()
  const { db } = database
  const clock = fixedClock(made)
  const deps = { db, clock }
  const shopId = await makeShop(db, { bays: 1, dropOffs: 1, ...shop })
  const hold = async (choice: HoldInput['choice'], cartId?: string, over: Partial<HoldInput> = {}) =>
    holdSlot(deps, { ...installation, shopId, choice, cartId: cartId ?? (await makeCart(db)), ...over })
  return { ...database, deps, clock, shopId, hold }
}

/** A connection pool large enough for many simultaneous requests. */
export function crowdOf(url: string, size: number): { db: Database } & AsyncDisposable {
  const db = createDatabase(url, { size })
  return { db, [Symbol.asyncDispose]: () => db.destroy() }
}

/** The booking of a hold that must succeed. */
export async function held(outcome: ReturnType<typeof holdSlot>) {
  const result = await outcome
  if (!result.ok) throw new Error(result.reason)
  return result.value
}

/** The free times a shopper is offered on Tuesday. */
export async function offered({ deps, shopId }: OneBay) {
  const times = await offerTimes(deps, { ...installation, shopId })
  if (!times.ok) throw new Error(times.reason)
  const day = times.value.days.find((candidate) => candidate.date.toString() === '2026-11-24')
  return {
    free: day?.times.filter((time) => time.free).length,
    dropOffs: day?.dropOffs.filter((dropOff) => dropOff.free).map((dropOff) => dropOff.window),
    state: day?.state,
  }
}

/** One line such as "held confirmed customer" per change of a booking. */
export async function history(db: Database, bookingId: string) {
  const events = await db
    .selectFrom('booking_event')
    .select(['from_state', 'to_state', 'actor'])
    .where('booking_id', '=', bookingId)
    .orderBy('id')
    .execute()
  return events.map((event) => `${event.from_state} ${event.to_state} ${event.actor}`)
}

/** All bookings that occupy a slot. */
export async function live(db: Database) {
  return db
    .selectFrom('booking')
    .select(['id', 'bay_id', 'state', 'cart_id'])
    .where('state', 'in', ['held', 'confirmed'])
    .execute()
}

export async function makeCart(db: Database): Promise<string> {
  const id = newId()
  await db.insertInto('cart').values({ id, created_at: made, updated_at: made }).execute()
  return id
}

/** Creates an order of the cart with installation at the shop; returns its number. */
export async function makeOrder(db: Database, cartId: string, shopId: number): Promise<number> {
  const customer = newId()
  await db
    .insertInto('customer')
    .values({ id: customer, email: `${customer}@example.com`, created_at: made })
    .execute()
  const { id } = await db
    .insertInto('sales_order')
    .values({
      customer_id: customer,
      cart_id: cartId,
      state: 'confirmed',
      placed_at: made,
      cancel_until: '2026-11-20T16:30:00Z',
      fulfillment: 'shop',
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

/** A confirmed appointment with a new cart and order. */
export async function makeBooking(
  deps: BookingDeps,
  input: Omit<Parameters<typeof holdSlot>[1], 'cartId'>,
): Promise<{ bookingId: string; cartId: string; orderId: number }> {
  const cartId = await makeCart(deps.db)
  const hold = await holdSlot(deps, { ...input, cartId })
  if (!hold.ok) throw new Error(hold.reason)
  const orderId = await makeOrder(deps.db, cartId, input.shopId)
  const confirmed = await confirmHold(deps, { cartId, orderId })
  if (!confirmed.ok) throw new Error(confirmed.reason)
  return { bookingId: confirmed.value.id, cartId, orderId }
}
