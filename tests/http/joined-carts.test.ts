/**
 * Tests that the held time moves with the tires when carts are merged at sign-in, and that the emptied cart has no
 * holds.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { succeed } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
/** Two tires in stock, of one size. */
let tires: number[]
beforeAll(async () => {
  store = await startStore()
  const { rows } = await sql<{ ids: number[] }>`
    select array_agg(item.id order by item.id) as ids from item join size on size.id = item.size_id
    where item.active and size.slug = '225-65r17' and (select sum(on_hand) from stock where item_id = item.id) >= 40`.execute(
    store.database.db,
  )
  tires = rows[0]?.ids ?? []
})
afterAll(() => store[Symbol.asyncDispose]())

/** Puts four of a tire in the visitor's cart and holds the first free time at the nearest shop. Returns the cart's id. */
async function holdSlot(visitor: Visitor, itemId: number | undefined): Promise<string> {
  const post = (path: string, form: Record<string, string>) => visitor.ask(`${store.origin}${path}`, { form })
  await post('/zip', { zip: '60614', back: '/' })
  await post('/cart', { item: String(itemId), quantity: '4', axle: 'all' })
  type Shops = { shop: { id: number }; openings: { start: string }[] }[]
  const [near] = (await succeed(store, visitor, 'GET', '/cart/shops')) as Shops
  const chosen = { shopId: near?.shop.id, start: near?.openings[0]?.start }
  await succeed(store, visitor, 'POST', '/cart/hold', chosen)
  return visitor.cookie('sw_cart')?.value ?? ''
}

/** Returns the units held by the cart's appointment, by item. */
async function heldUnits(cartId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ itemId: number; units: number }>`
    select item_id as "itemId", sum(quantity)::int as units from stock_hold join booking on booking.id = booking_id
    where cart_id = ${cartId}::uuid and state = 'held' group by item_id`.execute(store.database.db)
  return Object.fromEntries(rows.map(({ itemId, units }) => [itemId, units]))
}

test('a time too short for the joined cart is released, and the shopper sees a notice', async () => {
  const shopper = createVisitor()
  await signInAt(store.origin, shopper, { email: 'noa@example.com' })
  const emptied = await holdSlot(shopper, tires[0])
  expect(await heldUnits(emptied)).toEqual({ [tires[0] ?? 0]: 4 })

  const guest = createVisitor()
  const before = await holdSlot(guest, tires[1])
  expect(await heldUnits(before)).toEqual({ [tires[1] ?? 0]: 4 })
  await signInAt(store.origin, guest, { email: 'noa@example.com' })
  const joined = guest.cookie('sw_cart')?.value ?? ''
  const { lines } = (await succeed(store, guest, 'GET', '/cart')) as { lines: { quantity: number }[] }
  expect(lines.map(({ quantity }) => quantity)).toEqual([4, 4])
  expect(await heldUnits(emptied)).toEqual({})
  expect(await heldUnits(before)).toEqual({})
  expect(await heldUnits(joined)).toEqual({})
  const { notes } = (await succeed(store, guest, 'GET', '/cart/price')) as { notes: string[] }
  expect(notes.join(' ')).toContain('is no longer reserved')
})
