import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makePlacedOrder, openTestStore, type TestStore } from '#domain/checkout/checkout.testing.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { searchOrders } from './office-search.server.ts'

const [port = 0] = await freePorts(3)

/** Copies an order `count` times, each a minute older than the one before: placing so many would take minutes. */
async function copyOrder(store: TestStore, orderId: number, count: number): Promise<void> {
  await store.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into sales_order overriding system value
      select (jsonb_populate_record(o, jsonb_build_object(
        'id', o.id + n, 'cart_id', gen_random_uuid(), 'placed_at', o.placed_at - make_interval(mins => n),
        'email', to_char(n, 'FM00000') || o.email))).*
      from sales_order o, generate_series(1, ${count}::int) n where o.id = ${orderId}`.execute(tx)
  })
}

test('of more matches than are read at once, the newest are found', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makePlacedOrder(store, { fulfillment: 'home' })
  const { lastName, firstName, phone } = await store.db
    .selectFrom('sales_order')
    .select(['last_name as lastName', 'first_name as firstName', 'phone'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  await copyOrder(store, orderId, 1_500)
  const newest = Array.from({ length: 10 }, (_, index) => orderId + index)
  for (const text of [lastName, lastName.slice(0, 2), `${firstName} ${lastName}`, phone, phone.slice(0, 4)])
    expect(
      (await searchOrders(store, text)).map(({ id }) => id),
      text,
    ).toEqual(newest)
  // Few match: they are read by their own index.
  expect((await searchOrders(store, '00007')).map(({ id }) => id)).toEqual([orderId + 7])
  // In the order of their emails, the oldest come last, too; in the reverse one, they would be read first.
  expect((await searchOrders(store, '001')).map(({ id }) => id)).toEqual(
    Array.from({ length: 10 }, (_, index) => orderId + 100 + index),
  )
  // Whole values come before those that only begin with them, even newer ones.
  await sql`update sales_order set last_name = last_name || 'son' where id = ${orderId}`.execute(store.db)
  expect((await searchOrders(store, lastName)).map(({ id }) => id)).toEqual(newest.map((id) => id + 1))
  expect((await searchOrders(store, `${lastName}s`)).map(({ id }) => id)).toEqual([orderId])
})
