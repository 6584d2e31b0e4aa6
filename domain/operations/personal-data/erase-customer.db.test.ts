/** Erasing a customer by two people, what stays, and the file of their data. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { accountOf } from '#domain/customers/accounts/accounts.testing.ts'
import { decideErasure, exportCustomer, requestErasure } from './personal-data.server.ts'
import {
  asAccount,
  makePlacedOrder,
  must,
  openTestStore,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { findCustomer, findCustomerByEmail, noteCustomer } from '#domain/customers/customers/customers.server.ts'
import { cancelOrder, readOrder } from '#domain/ordering/orders/orders.server.ts'
import { listAudit } from '#domain/kernel/staff/staff.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'

const [port = 0] = await freePorts(3)
const email = 'dana.reyes@example.net'

/** A customer with an account, a canceled order, a guest order, and a note. */
async function makeCustomer(store: TestStore) {
  const { accountId } = await accountOf(store, email)
  const own = await makePlacedOrder(asAccount(store, accountId), { fulfillment: 'home', email })
  const guest = await makePlacedOrder(store, { fulfillment: 'home', email })
  const customer = await findCustomerByEmail(store, email)
  if (!customer) throw new Error('The customer of a test is missing.')
  must(await noteCustomer(store, desk, { id: customer.id, body: 'Dana prefers mornings.', once: newId() }))
  return { id: customer.id, accountId, orderIds: [own.orderId, guest.orderId] }
}

async function cancelAll(store: TestStore, orderIds: readonly number[]): Promise<void> {
  for (const orderId of orderIds) must(await cancelOrder(store, { orderId, actor: 'shopper' }))
}

/** The tables with a row that contains `text` anywhere. */
async function tablesWith({ db }: TestStore, text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition order by 1`.execute(
    db,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: hits } = await sql`
      select from ${sql.table(name)} as entry where entry::text ilike ${`%${text}%`} limit 1`.execute(db)
    if (hits.length > 0) found.push(name)
  }
  return found
}

test('an erased customer is found nowhere by email, and their orders keep amounts and ZIP', async () => {
  await using store = await openTestStore(port)
  const { id, accountId, orderIds } = await makeCustomer(store)
  const [manager, owner] = [await signInStaff(store, 'manager'), await signInStaff(store, 'owner')]
  must(await requestErasure(store, manager, { id, reason: 'Asked by phone' }))
  expect(await decideErasure(store, owner, { id, isApproved: true })).toMatchObject({
    reason: 'orders-open',
    detail: { count: 2 },
  })
  await cancelAll(store, orderIds)
  expect(await decideErasure(store, manager, { id, isApproved: true })).toMatchObject({ reason: 'own-request' })
  const before = await readOrder(store.db, orderIds[0] ?? 0)
  must(await decideErasure(store, owner, { id, isApproved: true }))
  const after = await readOrder(store.db, orderIds[0] ?? 0)
  expect(after).toMatchObject({
    firstName: 'Erased',
    lastName: 'customer',
    totalCents: before?.totalCents,
    address: { zip: before?.address.zip, state: before?.address.state },
  })
  expect(await findCustomerByEmail(store, email)).toBeUndefined()
  expect(await findCustomer(store, id)).toMatchObject({ name: 'Erased customer', phone: null, zip: null })
  expect(await store.db.selectFrom('account').select('id').where('id', '=', accountId).execute()).toEqual([])
  // Staff actions, and data seen by fraud rules and the provider, remain.
  expect(await tablesWith(store, email)).toEqual(stays)
  expect(await decideErasure(store, owner, { id, isApproved: true })).toMatchObject({ reason: 'already-decided' })
})

const stays = ['audit_entry']

test('a request is declined by anyone who manages customers, and made once', async () => {
  await using store = await openTestStore(port)
  const { id } = await makeCustomer(store)
  const [manager, support] = [await signInStaff(store, 'manager'), await signInStaff(store, 'support')]
  expect(await requestErasure(store, support, { id, reason: 'Why' })).toMatchObject({ reason: 'not-allowed' })
  expect(await requestErasure(store, manager, { id, reason: ' ' })).toMatchObject({ reason: 'no-words' })
  for (let count = 0; count < 3; count += 1) must(await requestErasure(store, manager, { id, reason: 'By email' }))
  must(await decideErasure(store, manager, { id, isApproved: false }))
  const { entries } = await listAudit(store, {
    actor: null,
    act: null,
    subject: email,
    from: null,
    until: null,
    before: null,
  })
  expect(entries.map(({ act }) => act).toReversed()).toEqual([
    'customer.noted',
    'customer.erasure-requested',
    'customer.erasure-declined',
  ])
  expect(await findCustomerByEmail(store, email)).toMatchObject({ id })
})

test('the file has what the account and the email have, and needs a recent sign-in', async () => {
  await using store = await openTestStore(port)
  const { id, orderIds } = await makeCustomer(store)
  const manager = await signInStaff(store, 'manager')
  const { data } = must(await exportCustomer(store, manager, id))
  const text = JSON.stringify(data)
  for (const part of [email, '1430 N Halsted St', ...orderIds.map((orderId) => `S-${orderId}`)])
    expect(text, part).toContain(part)
  expect(text).not.toContain('prefers mornings')
  expect(await exportCustomer(store, await signInStaff(store, 'support'), id)).toMatchObject({ reason: 'not-allowed' })
  store.clock.set(store.clock.now().add({ minutes: 11 }))
  expect(await exportCustomer(store, manager, id)).toMatchObject({ reason: 'not-fresh' })
})
