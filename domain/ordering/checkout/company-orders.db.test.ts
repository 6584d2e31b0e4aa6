/** Tests the price, PO number, and recorded order of company purchases. */
import { expect, test } from 'vitest'
import { storeFile } from '#domain/kernel/files/files.server.ts'
import { changePoRule, changeRole } from '#domain/customers/companies/companies.server.ts'
import { companyRoleFor } from '#domain/ordering/orders/account-orders.sql.server.ts'
import { listCompanyOrders } from '#domain/ordering/orders/orders.server.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { placeOrder, quoteCart, readDetails } from './checkout.server.ts'
import {
  agreeTo,
  asOwner,
  makePaidCart,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  type TestStore,
} from './checkout.testing.ts'

const [port = 0] = await freePorts(3)

async function certify(
  { db, clock }: TestStore,
  companyId: string,
  { state = 'IL', expiresOn = '2027-06-30', status = 'accepted' } = {},
): Promise<void> {
  const isDecided = status !== 'waiting'
  const pdf = { contentType: 'application/pdf', bytes: Buffer.from('%PDF') }
  const fileKey = await db.transaction().execute((tx) => storeFile(tx, pdf, clock.now()))
  await db
    .insertInto('company_exemption')
    .values({
      id: newId(),
      company_id: companyId,
      state_code: state,
      certificate_number: 'E-1',
      expires_on: expiresOn,
      state: status,
      sent_at: clock.now(),
      decided_at: isDecided ? clock.now() : null,
      decided_by: isDecided ? 'test' : null,
      file_name: 'e.pdf',
      file_key: fileKey,
    })
    .execute()
}

test.for([
  ['a valid certificate of the state', {}, true, 0],
  ['one that expires today', { expiresOn: '2026-11-20' }, true, 0],
  ['one that expired yesterday', { expiresOn: '2026-11-19' }, false, 1],
  ['one of another state', { state: 'CA' }, false, 0],
  ['one that staff has not looked at', { status: 'waiting' }, false, 0],
  ['one that was refused', { status: 'refused' }, false, 0],
] as const)('with %s %j the order is free of sales tax: %s', async ([, certificate, isFree, notes]) => {
  await using open = await openTestStore(port)
  const store = await asOwner(open)
  const cart = await makeReadyCart(store)
  const { contact } = await readDetails(store, cart.id)
  const taxed = await quoteCart(store, cart, contact)
  await certify(store, store.companyId, certificate)
  const quote = await quoteCart(store, cart, contact)
  const [before, after] = [taxed.breakdown?.totals, quote.breakdown?.totals]
  expect(before?.taxCents).toBeGreaterThan(0)
  expect(after?.taxCents).toBe(isFree ? 0 : before?.taxCents)
  expect(after?.tireFeeCents).toEqual(before?.tireFeeCents)
  expect(after?.fetCents).toEqual(before?.fetCents)
  expect(after?.tireFeeCents).toBeGreaterThan(0)
  expect(quote.notes.filter((note) => note.includes('certificate'))).toHaveLength(notes)
  if (isFree) expect(quote.breakdown?.explain.map(({ detail }) => detail)).toContain('Exemption certificate on file')
})

test('the order records the company, and its owners and viewers can see it', async () => {
  await using open = await openTestStore(port)
  const store = await asOwner(open)
  const input = await makePaidCart(store, { fulfillment: 'home' })
  const { orderId } = must(await placeOrder(store, input))
  const all = await listCompanyOrders(store, { companyId: store.companyId, accountId: null })
  expect(all.orders.map(({ id, placedBy, poNumber }) => [id, placedBy, poNumber])).toEqual([[orderId, 'Olga', 'PO-7']])
  expect((await listCompanyOrders(store, { companyId: store.companyId, accountId: newId() })).orders).toEqual([])
  expect(await companyRoleFor(store, store.accountId, orderId)).toBe('owner')
  expect(await companyRoleFor(store, newId(), orderId)).toBeUndefined()
  const other = await asOwner(open, 'otto@other.example')
  expect(await companyRoleFor(store, other.accountId, orderId)).toBeUndefined()
})

test('an order without the required PO number is refused, and with one it is placed', async () => {
  await using open = await openTestStore(port)
  const store = await asOwner(open)
  const input = await makePaidCart(store, { fulfillment: 'home' })
  await changePoRule(store, store.accountId, { rule: 'required', mask: 'PO-####' })
  expect(await placeOrder(store, input)).toMatchObject({ reason: 'incomplete', detail: { step: 'po-number' } })
  await store.db.updateTable('cart_billing').set({ po_number: 'po-1234' }).where('cart_id', '=', input.cartId).execute()
  expect(await placeOrder(store, input)).toMatchObject({ ok: true })
})

test('a viewer cannot buy, whatever was agreed before', async () => {
  await using open = await openTestStore(port)
  const store = await asOwner(open)
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  // The last owner can't leave, so add another one first.
  const second = newId()
  await store.db
    .insertInto('account')
    .values({ id: second, email: 'otto@acme.example', name: null, created_at: store.clock.now() })
    .execute()
  await store.db
    .insertInto('company_member')
    .values({ account_id: second, company_id: store.companyId, role: 'owner', joined_at: store.clock.now() })
    .execute()
  must(await changeRole(store, second, { accountId: store.accountId, role: 'viewer' }))
  expect(await placeOrder(store, input)).toMatchObject({
    reason: 'problem',
    detail: { problems: [{ kind: 'viewer' }] },
  })
})
