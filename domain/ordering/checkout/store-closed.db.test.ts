import { expect, test } from 'vitest'
import { openCharge, findLivePayment } from '#domain/payments/payments/payments.server.ts'
import { closeStore, openStore, readStoreState } from '#domain/kernel/settings/settings.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { placeOrder } from './checkout.server.ts'
import { agreeTo, makePaidCart, makeReadyCart, must, openTestStore, untilWaiting } from './checkout.testing.ts'

const [port = 0] = await freePorts(3)

test('a store that isn’t open rejects orders and voids authorizations', async () => {
  await using store = await openTestStore(port)
  const { totalCents, ...input } = await makePaidCart(store)
  must(await closeStore(store, desk))
  const before = await store.db.selectFrom('sales_order').select('id').execute()
  expect(await placeOrder(store, input)).toMatchObject({ ok: false, reason: 'store-closed' })
  expect(await store.db.selectFrom('sales_order').select('id').execute()).toHaveLength(before.length)
  expect(await findLivePayment(store.db, input)).toBeUndefined()
  expect(await openCharge(store, { cartId: input.cartId, amountCents: totalCents, email: null })).toMatchObject({
    reason: 'store-closed',
  })
  must(await store.db.transaction().execute((tx) => openStore(tx, desk, store.clock.now())))
  expect(await openCharge(store, { cartId: input.cartId, amountCents: totalCents, email: null })).toMatchObject({
    ok: true,
  })
})

test('a store that closes between the check and the commit refuses the order in its transaction', async () => {
  await using store = await openTestStore(port)
  const input = await makePaidCart(store)
  let asked = 0
  // The buyer is staff at the check before the transaction, and no longer staff at commit.
  const isStaffHere = async () => (asked += 1) === 1
  must(await closeStore(store, desk))
  expect(await placeOrder({ ...store, isStaffHere }, input)).toMatchObject({ reason: 'store-closed' })
  expect(asked).toBe(2)
})

test('staff order in a store that is not open yet', async () => {
  await using store = await openTestStore(port)
  must(await closeStore(store, desk))
  const staff = { ...store, isStaffHere: async () => true }
  const cart = await makeReadyCart(store)
  const input = await agreeTo(staff, cart)
  const { clientSecret } = must(
    await openCharge(staff, { cartId: cart.id, amountCents: input.totalCents, email: null }),
  )
  await payWithFields(store.sandbox, clientSecret, '4242424242424242')
  expect(must(await placeOrder(staff, input)).isNew).toBe(true)
})

test('closing waits for an order in progress', async () => {
  await using store = await openTestStore(port)
  const input = await makePaidCart(store)
  const [atCommit, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const alongside = async () => {
    atCommit.resolve()
    await go.promise
  }
  const placing = placeOrder({ ...store, alongside }, input)
  await atCommit.promise
  const closing = closeStore(store, desk)
  await untilWaiting(store.db, 1)
  go.resolve()
  expect(must(await placing).isNew).toBe(true)
  must(await closing)
  expect((await readStoreState(store.db)).isOpen).toBe(false)
})
