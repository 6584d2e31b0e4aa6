import { expect, test } from 'vitest'
import { claimGuestOrders, countGuestOrders, listAccountOrders, orderAccessOf } from './orders.server.ts'
import type { Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'

/** The guest email with the most sample orders, and how many. */
async function busiestEmail(db: Database): Promise<{ email: string; orders: number }> {
  const row = await db
    .selectFrom('sales_order')
    .innerJoin('customer', 'customer.id', 'sales_order.customer_id')
    .innerJoin('cart', 'cart.id', 'sales_order.cart_id')
    .where('cart.account_id', 'is', null)
    .select(({ fn }) => ['customer.email', fn.countAll<number>().as('orders')])
    .groupBy('customer.email')
    .orderBy('orders', 'desc')
    .orderBy('customer.email')
    .limit(1)
    .executeTakeFirstOrThrow()
  return row
}

async function addAccount(db: Database, email: string, isVerified: boolean): Promise<string> {
  const id = newId()
  await db
    .insertInto('account')
    .values({
      id,
      email: email.toLowerCase(),
      email_verified_at: isVerified ? smallDataMadeAt : null,
      name: 'Dana',
      created_at: smallDataMadeAt,
    })
    .execute()
  return id
}

test('a verified email claims the guest orders placed with it, once', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db }
  const { email, orders } = await busiestEmail(database.db)
  await database.db.updateTable('customer').set({ email: email.toUpperCase() }).where('email', '=', email).execute()
  const accountId = await addAccount(database.db, email, true)
  expect(await listAccountOrders(deps, accountId)).toEqual({ orders: [], hasMore: false })
  expect(await countGuestOrders(deps, accountId)).toEqual(orders)
  expect(await claimGuestOrders(deps, accountId)).toEqual(orders)
  expect(await countGuestOrders(deps, accountId)).toBe(0)
  expect(await claimGuestOrders(deps, accountId)).toBe(0)
  const listed = await listAccountOrders(deps, accountId)
  expect(listed.orders).toHaveLength(orders)
  const [first] = listed.orders
  expect(first?.tires[0]).toMatch(/^\d+ .+/)
  expect(await orderAccessOf(deps, accountId, first?.id ?? 0)).toBe('own')
})

test('an unverified email can’t claim orders, and claimed orders belong to their account', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db }
  const { email, orders } = await busiestEmail(database.db)
  const stranger = await addAccount(database.db, email, false)
  expect(await countGuestOrders(deps, stranger)).toBe(0)
  expect(await claimGuestOrders(deps, stranger)).toBe(0)
  const owner = await addAccount(database.db, email, true)
  expect(await claimGuestOrders(deps, owner)).toBe(orders)
  await database.db.updateTable('account').set({ email_verified_at: null }).where('id', '=', owner).execute()
  await database.db
    .updateTable('account')
    .set({ email_verified_at: smallDataMadeAt })
    .where('id', '=', stranger)
    .execute()
  expect(await claimGuestOrders(deps, stranger)).toBe(0)
  const [order] = (await listAccountOrders(deps, owner)).orders
  expect(await orderAccessOf(deps, stranger, order?.id ?? 0)).toBeUndefined()
})

test('orders are paged newest first, without repeats', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db }
  const accountId = await addAccount(database.db, 'dana@example.com', true)
  const all = await database.db
    .selectFrom('sales_order')
    .select(['id', 'cart_id'])
    .orderBy('id', 'desc')
    .limit(25)
    .execute()
  await database.db
    .updateTable('cart')
    .set({ account_id: accountId })
    .where(
      'id',
      'in',
      all.map((order) => order.cart_id),
    )
    .execute()
  const first = await listAccountOrders(deps, accountId)
  const second = await listAccountOrders(deps, accountId, first.orders.at(-1)?.id)
  expect(first.orders.length).toBe(Math.min(20, all.length))
  expect(first.hasMore).toBe(all.length > 20)
  expect([...first.orders, ...second.orders].map(({ id }) => id)).toEqual(all.map(({ id }) => id))
})
