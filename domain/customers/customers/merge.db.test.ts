/**
 * Tests the staff actions on customers (merge and undo, mark as different, block, and note). Each requires permission,
 * applies once, and is logged.
 */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { accountOf } from '#domain/customers/accounts/accounts.testing.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import {
  asAccount,
  makePaidCart,
  makePlacedOrder,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { listAudit } from '#domain/kernel/staff/staff.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  blockCustomer,
  customerParts,
  findBlock,
  findCustomer,
  findCustomerByEmail,
  isBlockedBuyer,
  keepApart,
  listCustomerNotes,
  listCustomers,
  listMerges,
  listPossibleDuplicates,
  mergeCustomers,
  noteCustomer,
  unblockCustomer,
  undoCustomerMerge,
  type Customer,
} from './customers.server.ts'

const [port = 0] = await freePorts(3)

async function find(store: TestStore, email: string): Promise<Customer> {
  const found = await findCustomerByEmail(store, email)
  if (!found) throw new Error(`No customer has the email ${email}.`)
  return found
}

async function makeCustomer(store: TestStore, email: string): Promise<Customer> {
  await makePlacedOrder(store, { fulfillment: 'home', email })
  return find(store, email)
}

const actsOf = async (store: TestStore, subject: string) =>
  (await listAudit(store, { actor: null, act: null, subject, from: null, until: null, before: null })).entries
    .map(({ act }) => act)
    .toReversed()

test('two customers are merged into one, and apart again with the orders placed since', async () => {
  await using store = await openTestStore(port)
  const [dana, other] = [await makeCustomer(store, 'dana@example.net'), await makeCustomer(store, 'dana.r@example.net')]
  const { mergeId } = must(await mergeCustomers(store, desk, { id: dana.id, otherId: other.id }))
  const merged = await find(store, 'DANA.R@example.net')
  expect(merged).toMatchObject({
    id: dana.id,
    ids: [dana.id, other.id],
    emails: ['dana@example.net', 'dana.r@example.net'],
  })
  expect(await findCustomer(store, other.id)).toEqual(merged)
  expect(await listPossibleDuplicates(store, merged)).toEqual([])
  store.clock.set(store.clock.now().add({ hours: 1 }))
  await makeCustomer(store, 'dana.r@example.net')
  expect((await find(store, 'dana@example.net')).activeAt).toEqual(store.clock.now())
  expect(await mergeCustomers(store, desk, { id: dana.id, otherId: other.id })).toMatchObject({
    reason: 'customer-not-found',
  })
  expect(must(await undoCustomerMerge(store, desk, mergeId))).toEqual({ otherId: other.id })
  expect(await find(store, 'dana.r@example.net')).toMatchObject({ id: other.id, ids: [other.id] })
  expect(await undoCustomerMerge(store, desk, mergeId)).toMatchObject({ reason: 'merge-not-found' })
  expect(await actsOf(store, 'dana@example.net')).toEqual(['customer.merged', 'customer.unmerged'])
})

test('a merge is undone for 30 days, and only after the merges that followed it', async () => {
  await using store = await openTestStore(port)
  const [a, b, c] = [
    await makeCustomer(store, 'a@example.net'),
    await makeCustomer(store, 'b@example.net'),
    await makeCustomer(store, 'c@example.net'),
  ]
  const first = must(await mergeCustomers(store, desk, { id: b.id, otherId: a.id }))
  const second = must(await mergeCustomers(store, desk, { id: c.id, otherId: b.id }))
  expect((await find(store, 'a@example.net')).id).toBe(c.id)
  expect(await undoCustomerMerge(store, desk, first.mergeId)).toMatchObject({ reason: 'merged-again' })
  must(await undoCustomerMerge(store, desk, second.mergeId))
  expect((await find(store, 'a@example.net')).id).toBe(b.id)
  expect((await listMerges(store, b.id)).map(({ id, email }) => ({ id, email }))).toEqual([
    { id: first.mergeId, email: 'a@example.net' },
  ])
  store.clock.set(store.clock.now().add({ hours: 24 * 30 }))
  expect(await undoCustomerMerge(store, desk, first.mergeId)).toMatchObject({ reason: 'too-late' })
  expect(await listMerges(store, b.id)).toEqual([])
})

test('of concurrent merges in both directions, one succeeds', async () => {
  await using store = await openTestStore(port)
  const [a, b] = [await makeCustomer(store, 'a@example.net'), await makeCustomer(store, 'b@example.net')]
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, (_, index) => {
      const [id, otherId] = index % 2 === 0 ? [a.id, b.id] : [b.id, a.id]
      return mergeCustomers(store, desk, { id, otherId })
    }),
  )
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
})

test('the database refuses a customer who is merged into a merged one', async () => {
  await using store = await openTestStore(port)
  const [a, b, c] = [
    await makeCustomer(store, 'a@example.net'),
    await makeCustomer(store, 'b@example.net'),
    await makeCustomer(store, 'c@example.net'),
  ]
  must(await mergeCustomers(store, desk, { id: b.id, otherId: a.id }))
  const broken = await store.db
    .updateTable('customer')
    .set({ merged_into: a.id })
    .where('id', '=', c.id)
    .execute()
    .then(() => undefined, violatedConstraint)
  expect(broken).toBe('customer_merged_once')
})

test('customers marked as different people are no longer possible duplicates', async () => {
  await using store = await openTestStore(port)
  const [a, b] = [await makeCustomer(store, 'a@example.net'), await makeCustomer(store, 'b@example.net')]
  must(await keepApart(store, desk, { id: b.id, otherId: a.id }))
  expect(await listPossibleDuplicates(store, a)).toEqual([])
  await makeCustomer(store, 'a@example.net')
  expect(await listPossibleDuplicates(store, a)).toEqual([])
})

test('a blocked customer places no order, as a guest, signed in or under a merged email, until unblocked', async () => {
  await using store = await openTestStore(port)
  const customer = await makeCustomer(store, 'dana@example.net')
  const other = await makeCustomer(store, 'dana.r@example.net')
  const { accountId } = await accountOf(store, 'dana@example.net')
  must(await mergeCustomers(store, desk, { id: customer.id, otherId: other.id }))
  must(await blockCustomer(store, desk, { id: customer.id, reason: 'Chargebacks' }))
  expect(await findBlock(store, customer.ids)).toMatchObject({ reason: 'Chargebacks', blockedBy: 'desk' })
  for (const [as, email, phone] of [
    [store, 'DANA@example.net', '312 555 0101'],
    [store, 'dana.r@example.net', '312 555 0102'],
    [asAccount(store, accountId), 'someone.else@example.net', '312 555 0103'],
    // As people write the phone of their blocked orders.
    [store, 'new.name@example.net', '+1 (312) 555-0188'],
  ] as const) {
    const input = await makePaidCart(as, { fulfillment: 'home', email, phone })
    expect(await placeOrder(as, input), email).toMatchObject({ ok: false, reason: 'refused-online' })
    const { state } = await store.db
      .selectFrom('payment')
      .select('state')
      .where('cart_id', '=', input.cartId)
      .executeTakeFirstOrThrow()
    expect(state).toBe('voided')
  }
  // Other customers can still order.
  await makePlacedOrder(store, { fulfillment: 'home', email: 'ann@example.net', phone: '312 555 0104' })
  const { customers } = await listCustomers(store, { view: 'blocked', text: '' }, { after: null, limit: 10 })
  expect(customers.map(({ id }) => id)).toEqual([customer.id])
  must(await unblockCustomer(store, desk, customer.id))
  must(await unblockCustomer(store, desk, customer.id))
  expect(await makePlacedOrder(store, { fulfillment: 'home', email: 'dana@example.net' })).toMatchObject({
    orderId: expect.any(Number) as number,
  })
  expect(await actsOf(store, 'dana@example.net')).toEqual(['customer.merged', 'customer.blocked', 'customer.unblocked'])
})

test('orders don’t commit after a concurrent block', async () => {
  await using store = await openTestStore(port)
  const customer = await makeCustomer(store, 'dana@example.net')
  const inputs = []
  for (let count = 0; count < 4; count += 1)
    inputs.push(await makePaidCart(store, { fulfillment: 'home', email: 'dana@example.net' }))
  const [blocked, ...placed] = await Promise.all([
    blockCustomer(store, desk, { id: customer.id, reason: 'Fraud' }),
    ...inputs.map((input) => placeOrder(store, input)),
  ])
  expect(blocked.ok).toBe(true)
  const refused = placed.filter((outcome) => !outcome.ok)
  expect(refused.every((outcome) => !outcome.ok && outcome.reason === 'refused-online')).toBe(true)
  const late = await makePaidCart(store, { fulfillment: 'home', email: 'dana@example.net' })
  expect(await placeOrder(store, late)).toMatchObject({ reason: 'refused-online' })
})

test('orders with the same phone don’t commit after a concurrent block', async () => {
  await using store = await openTestStore(port)
  const customer = await makeCustomer(store, 'dana@example.net')
  const inputs = []
  for (let count = 0; count < 4; count += 1)
    inputs.push(await makePaidCart(store, { fulfillment: 'home', email: `new${count}@example.net` }))
  // An order that has written its customer and not committed yet.
  const wrote = Promise.withResolvers<undefined>()
  const goOn = Promise.withResolvers<undefined>()
  const order = store.db.transaction().execute(async (tx) => {
    const at = store.clock.now()
    const contact = { name: 'Ann Lee', phone: '3125550188', city: 'Chicago', state: 'IL', zip: '60614' }
    const parts = customerParts({ ...contact, customerId: newId(), email: 'ann@example.net', accountId: null, at })
    await sql`with ${parts} select from known`.execute(tx)
    wrote.resolve(undefined)
    await goOn.promise
    return isBlockedBuyer(tx, { email: 'ann@example.net', phone: '3125550188', accountId: null })
  })
  await wrote.promise
  let isBlocked = false
  const blocking = blockCustomer(store, desk, { id: customer.id, reason: 'Fraud' }).then((outcome) => {
    isBlocked = true
    return outcome
  })
  await eventually('the block waits', async () => {
    const { rows } = await sql<{ waits: boolean }>`
      select exists (select from pg_locks where locktype = 'advisory' and not granted) as waits`.execute(store.db)
    return rows[0]?.waits ? true : undefined
  })
  expect(isBlocked).toBe(false)
  goOn.resolve(undefined)
  expect(await order).toBe(false)
  must(await blocking)
  const placed = await Promise.all(inputs.map((input) => placeOrder(store, input)))
  expect(placed.map((outcome) => !outcome.ok && outcome.reason)).toEqual(inputs.map(() => 'refused-online'))
})

test('a note is added once per form, and only by roles that may', async () => {
  await using store = await openTestStore(port)
  const { id, ids } = await makeCustomer(store, 'dana@example.net')
  const support = await signInStaff(store, 'support')
  const note = { id, body: ' Call after 5 PM. ', once: newId() }
  for (let count = 0; count < 3; count += 1) must(await noteCustomer(store, support, note))
  expect(await listCustomerNotes(store, ids)).toMatchObject([
    { body: 'Call after 5 PM.', author: 'support@store.example' },
  ])
  expect(await noteCustomer(store, support, { ...note, body: ' ', once: newId() })).toMatchObject({
    reason: 'no-words',
  })
  expect(await noteCustomer(store, await signInStaff(store, 'finance'), { ...note, once: newId() })).toMatchObject({
    reason: 'not-allowed',
  })
  for (const act of [
    mergeCustomers(store, support, { id, otherId: id }),
    keepApart(store, support, { id, otherId: id }),
    undoCustomerMerge(store, support, newId()),
    blockCustomer(store, support, { id, reason: 'No' }),
    unblockCustomer(store, support, id),
  ])
    expect(await act).toMatchObject({ reason: 'not-allowed' })
})
