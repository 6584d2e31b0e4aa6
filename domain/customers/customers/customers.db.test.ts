/** Tests that customers exist once per email with their account and orders, and that partial data finds them. */
import { expect, test } from 'vitest'
import { deleteAccount } from '#domain/operations/personal-data/personal-data.server.ts'
import { findVerifiedAccounts } from '#domain/customers/accounts/accounts.server.ts'
import { accountOf } from '#domain/customers/accounts/accounts.testing.ts'
import {
  asAccount,
  asOwner,
  makePlacedOrder,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { enterTransfer } from '#domain/payments/ledger/ledger.server.ts'
import { cancelOrder, releaseOrder, summarizeOrders, type OrderSummary } from '#domain/ordering/orders/orders.server.ts'
import { refundOrder } from '#domain/ordering/refunds/refunds.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  findCustomer,
  findCustomerByEmail,
  keepCustomer,
  listCustomers,
  listPossibleDuplicates,
  type Customer,
} from './customers.server.ts'
import type { CustomerView } from './customers.ts'

const [port = 0] = await freePorts(3)

const order = (store: TestStore, email: string) => makePlacedOrder(store, { fulfillment: 'home', email })

async function find(store: TestStore, email: string): Promise<Customer> {
  const found = await findCustomerByEmail(store, email)
  if (!found) throw new Error(`No customer has the email ${email}.`)
  return found
}

async function summaryOf(store: TestStore, { ids, emails }: Customer): Promise<OrderSummary> {
  const accountIds = (await findVerifiedAccounts(store, emails)).map(({ id }) => id)
  const [summary] = await summarizeOrders(store.db, [{ customerIds: ids, accountIds }], store.clock.now())
  if (!summary) throw new Error('A customer has a summary.')
  return summary
}

async function emailsIn(store: TestStore, view: CustomerView, text = ''): Promise<string[]> {
  const { customers } = await listCustomers(store, { view, text }, { after: null, limit: 1_000 })
  return customers.map(({ email }) => email)
}

test('orders with one email in any case are one customer, with the contact given last', async () => {
  await using store = await openTestStore(port)
  await order(store, 'Owen@example.net')
  const first = await find(store, 'owen@example.net')
  expect(first).toMatchObject({ name: 'Dana Reyes', city: 'Chicago', state: 'IL', zip: '60614' })
  store.clock.set(store.clock.now().add({ hours: 1 }))
  const { orderId } = await order(store, 'owen@EXAMPLE.net')
  expect(await find(store, 'owen@example.net')).toEqual({ ...first, activeAt: store.clock.now() })
  expect(await summaryOf(store, first)).toMatchObject({ orders: 2, openOrders: 2, tires: 8, last: { id: orderId } })
})

test('total spent excludes canceled orders and refunds', async () => {
  await using store = await openTestStore(port)
  const kept = await order(store, 'owen@example.net')
  const canceled = await order(store, 'owen@example.net')
  must(await cancelOrder(store, { orderId: canceled.orderId, actor: 'shopper' }))
  const customer = await find(store, 'owen@example.net')
  expect(await summaryOf(store, customer)).toMatchObject({
    orders: 2,
    openOrders: 1,
    spentCents: kept.totalCents,
    tires: 4,
    canceledTires: 4,
  })
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, kept.orderId)
  const why = { reason: 'late', bearer: 'carrier', note: null, lowerReason: null, hasHandlingFee: false } as const
  const asked = { ...why, lines: [], amountCents: 1_500, agreedCents: null, isFresh: true }
  must(await refundOrder(store, { ...asked, orderId: kept.orderId, actor: desk, key: newId() }))
  expect(await summaryOf(store, customer)).toMatchObject({ spentCents: kept.totalCents - 1_500 })
})

test('an order of an account counts for its customer, whatever email it was placed with', async () => {
  await using store = await openTestStore(port)
  const { accountId } = await accountOf(store, 'owen@example.net')
  store.clock.set(store.clock.now().add({ hours: 1 }))
  const guest = await order(store, 'ann@example.net')
  const own = await order(asAccount(store, accountId), 'ann@example.net')
  const [owen, ann] = [await find(store, 'owen@example.net'), await find(store, 'ann@example.net')]
  expect(await summaryOf(store, owen)).toMatchObject({ orders: 1, spentCents: own.totalCents })
  expect(await summaryOf(store, ann)).toMatchObject({ orders: 1, spentCents: guest.totalCents })
  expect(owen.activeAt).toEqual(store.clock.now())
})

test('an account is a customer after email verification, and no longer after deletion without orders', async () => {
  await using store = await openTestStore(port)
  const { accountId } = await accountOf(store, 'owen@example.net')
  const customer = await find(store, 'owen@example.net')
  expect(await findCustomer(store, customer.id)).toEqual(customer)
  await deleteAccount(store, accountId)
  expect(await findCustomer(store, customer.id)).toBeUndefined()
  const again = await accountOf(store, 'owen@example.net')
  await order(asAccount(store, again.accountId), 'owen@example.net')
  await deleteAccount(store, again.accountId)
  expect(await summaryOf(store, await find(store, 'owen@example.net'))).toMatchObject({ orders: 1 })
})

test('orders and accounts with the same email are one customer, even concurrently', async () => {
  await using store = await openTestStore(port)
  await Promise.all([
    ...Array.from({ length: 10 }, () =>
      keepCustomer(store.db, { email: 'owen@example.net', name: null, at: store.clock.now() }),
    ),
    order(store, 'owen@example.net'),
    order(store, 'OWEN@example.net'),
  ])
  expect(await summaryOf(store, await find(store, 'owen@example.net'))).toMatchObject({ orders: 2 })
})

test('pages follow one another without a gap, last active first', async () => {
  await using store = await openTestStore(port)
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    store.clock.set(store.clock.now().add({ minutes: 1 }))
    await keepCustomer(store.db, { email: `${name}@pages.example`, name, at: store.clock.now() })
  }
  // Two of the same moment.
  await keepCustomer(store.db, { email: 'f@pages.example', name: 'f', at: store.clock.now() })
  const read: string[] = []
  for (let after: Parameters<typeof listCustomers>[2]['after'] = null; ;) {
    const page = await listCustomers(store, { view: 'all', text: '' }, { after, limit: 2 })
    read.push(...page.customers.map(({ email }) => email))
    after = page.next
    if (!after) break
  }
  const all = await emailsIn(store, 'all')
  expect(read).toEqual(all)
  expect(all.slice(0, 2).toSorted()).toEqual(['e@pages.example', 'f@pages.example'])
  expect(all.slice(2, 6)).toEqual(['d', 'c', 'b', 'a'].map((name) => `${name}@pages.example`))
})

test('a customer is found by parts of the name, email, phone and ZIP', async () => {
  await using store = await openTestStore(port)
  await order(store, 'owen.park@example.net')
  for (const text of ['eyes', 'dana r', 'OWEN.park@ex', 'park@example.n', '0188', '(312) 555-0188', '60614'])
    expect(await emailsIn(store, 'all', text), text).toContain('owen.park@example.net')
  for (const text of ['zzz', '%', 'park@example.com', '9999'])
    expect(await emailsIn(store, 'all', text), text).toEqual([])
})

test('each view lists its matching customers', async () => {
  await using store = await openTestStore(port)
  const old = await emailsIn(store, 'all')
  const withCredit = await emailsIn(store, 'credit')
  store.clock.set(store.clock.now().add({ hours: 24 * 30 }))
  const { accountId } = await accountOf(store, 'credit@example.net')
  await asOwner(store, 'olga@acme.example')
  await keepCustomer(store.db, { email: 'olga@acme.example', name: 'Olga', at: store.clock.now() })
  const { orderId } = await order(store, 'guest@example.net')
  await enterTransfer(store.db, {
    orderId,
    reason: 'referral',
    at: store.clock.now(),
    entries: [
      { account: 'referral-rewards', cents: 2_500 },
      { account: 'store-credit', cents: -2_500, ownerId: accountId },
    ],
  })
  expect((await emailsIn(store, 'new')).toSorted()).toEqual([
    'credit@example.net',
    'guest@example.net',
    'olga@acme.example',
  ])
  expect(old).not.toContain('guest@example.net')
  expect(await emailsIn(store, 'credit')).toEqual(['credit@example.net', ...withCredit])
  expect(await emailsIn(store, 'company')).toContain('olga@acme.example')
  expect(await emailsIn(store, 'company')).not.toContain('guest@example.net')
})

test('two customers with the same name and phone are possible duplicates', async () => {
  await using store = await openTestStore(port)
  await order(store, 'dana@example.net')
  expect(await emailsIn(store, 'duplicates')).toEqual([])
  await order(store, 'dana.r@example.net')
  expect((await emailsIn(store, 'duplicates')).toSorted()).toEqual(['dana.r@example.net', 'dana@example.net'])
  const [other] = await listPossibleDuplicates(store, await find(store, 'dana@example.net'))
  expect(other?.email).toBe('dana.r@example.net')
})
