import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { payOnTerms, placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import {
  agreeTo,
  asOwner,
  makePlacedOrder,
  makeReadyCart,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { setFleetPackets, setTerms } from '#domain/customers/companies/companies.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { changeFleetPacket } from './fleet-packet.server.ts'
import { searchOrders } from './office-search.server.ts'

const [port = 0] = await freePorts(3)

const find = (store: TestStore, text: string, byCustomer = true) =>
  searchOrders(store, text, { byCustomer, limit: 10, jobOrders: [] })

/** Copies an order `count` times, each a minute older than the last, because placing so many would take minutes. */
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

test('finds the newest orders if there are more matches than the limit', async () => {
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
      (await find(store, text)).map(({ id }) => id),
      text,
    ).toEqual(newest)
  // A rare match is read through its own index.
  expect((await find(store, '00007')).map(({ id }) => id)).toEqual([orderId + 7])
  // In the order of their emails, the oldest come last, too; in the reverse one, they would be read first.
  expect((await find(store, '001')).map(({ id }) => id)).toEqual(
    Array.from({ length: 10 }, (_, index) => orderId + 100 + index),
  )
  // Whole values come before those that only begin with them, even newer ones.
  await sql`update sales_order set last_name = last_name || 'son' where id = ${orderId}`.execute(store.db)
  expect((await find(store, lastName)).map(({ id }) => id)).toEqual(newest.map((id) => id + 1))
  expect((await find(store, `${lastName}s`))[0]?.id).toBe(orderId)
})

/** A placed order of a fleet with a VIN and a license plate, a PO number and a tracking number. */
async function placeFleetOrder(store: TestStore) {
  const owner = await asOwner(store)
  must(await setTerms(store, { id: owner.companyId, terms: { netDays: 30, creditLimitCents: 5_000_000 }, by: desk }))
  must(await setFleetPackets(store, { id: owner.companyId, hasFleetPackets: true, by: desk }))
  const cart = await makeReadyCart(owner)
  const { totalCents, ...input } = await agreeTo(owner, cart)
  must(await payOnTerms(owner, { id: cart.id }, totalCents))
  const { orderId } = must(await placeOrder(owner, input))
  const packet = { unit: '117', driver: 'Ray Ortiz', plate: 'PK44902', plateState: 'IL' }
  must(await changeFleetPacket(store, owner.accountId, { orderId, packet, vin: '1HGCM82633A004352' }))
  return orderId
}

test('an order is found by any part of what a caller remembers, and with a typo in the name', async () => {
  await using store = await openTestStore(port)
  const orderId = await placeFleetOrder(store)
  const { first, last, email, phone, zip, company, po, sku, shop } = await readFacts(store, orderId)
  const swapped = (name: string) => `${name.slice(0, 1)}${name.charAt(2)}${name.charAt(1)}${name.slice(3)}`
  const digits = String(orderId)
  const seenByAll = [`S-${digits}`, `s${digits}`, digits, digits.slice(0, 5), digits.slice(-4), sku, sku.toLowerCase()]
  const seenByFew = [
    last,
    last.slice(1),
    swapped(last),
    `${first} ${swapped(last)}`,
    `${swapped(first)} ${last}`,
    email,
    email.slice(2),
    email.slice(0, 4),
    phone.slice(-4),
    phone.slice(-7),
    `(${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6)}`,
    `+1 ${phone.slice(0, 3)}.${phone.slice(3, 6)}.${phone.slice(6)}`,
    zip,
    company.slice(2),
    po,
    po.slice(1),
    'PK44902',
    'pk 449',
    '1HGCM82633A004352',
    '3A004352',
    '4352',
    shop.slice(1),
  ]
  for (const text of [...seenByAll, ...seenByFew])
    expect(
      (await find(store, text)).map(({ id }) => id),
      text,
    ).toContain(orderId)
  for (const text of seenByAll)
    expect(
      (await find(store, text, false)).map(({ id }) => id),
      text,
    ).toContain(orderId)
  for (const text of seenByFew.filter((each) => !digits.endsWith(each)))
    expect(
      (await find(store, text, false)).map(({ id }) => id),
      text,
    ).not.toContain(orderId)
})

async function readFacts({ db }: TestStore, orderId: number) {
  const { rows } = await sql<
    Record<'first' | 'last' | 'email' | 'phone' | 'zip' | 'company' | 'po' | 'sku' | 'shop', string>
  >`
    select first_name as first, last_name as last, sales_order.email, sales_order.phone, sales_order.zip, company.name as company, billing ->> 'poNumber' as po,
      (select sku from order_line join item on item.id = item_id where order_id = sales_order.id limit 1) as sku, shop.name as shop
    from sales_order join company on company.id = company_id join shop on shop.id = shop_id where sales_order.id = ${orderId}`.execute(
    db,
  )
  const [facts] = rows
  if (!facts) throw new Error('There is no order.')
  return facts
}
