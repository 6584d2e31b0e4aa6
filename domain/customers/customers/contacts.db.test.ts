/** Tests customers added by staff, and contact changes with identity, permissions, and history. */
import { expect, test } from 'vitest'
import { accountOf } from '#domain/customers/accounts/accounts.testing.ts'
import { decideErasure, requestErasure } from '#domain/operations/personal-data/personal-data.server.ts'
import { makePlacedOrder, must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { listAudit } from '#domain/kernel/staff/staff.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  addCustomer,
  blockCustomer,
  changeContact,
  findContact,
  findCustomer,
  findCustomerByEmail,
  listContactChanges,
  listPastEmails,
  listPossibleDuplicates,
} from './customers.server.ts'
import { newCustomerForm } from './customers.ts'

const [port = 0] = await freePorts(3)

const ada = { name: 'Ada Lane', email: 'ada@example.net', phone: '3125550142', isOther: false }

async function add(store: TestStore, contact: Partial<typeof ada> = {}): Promise<string> {
  return must(await addCustomer(store, desk, { ...ada, ...contact })).id
}

async function versionOf(store: TestStore, id: string): Promise<number> {
  const contact = await findContact(store, id)
  if (!contact) throw new Error('The customer is gone.')
  return contact.version
}

test('a customer whom staff added gets the order and the account with their email', async () => {
  await using store = await openTestStore(port)
  const id = await add(store)
  expect(await findCustomerByEmail(store, 'ADA@example.net')).toMatchObject({
    id,
    name: 'Ada Lane',
    phone: '3125550142',
  })
  await makePlacedOrder(store, { fulfillment: 'home', email: 'Ada@example.net' })
  await accountOf(store, 'ada@example.net')
  expect((await findCustomerByEmail(store, 'ada@example.net'))?.id).toBe(id)
  expect(await findContact(store, id)).toMatchObject({ name: 'Dana Reyes', hasAccount: true, version: 2 })
})

test('rejects a known email and shows a known phone first, even for concurrent forms', async () => {
  await using store = await openTestStore(port)
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => addCustomer(store, desk, { ...ada, isOther: true })),
  )
  const added = outcomes.filter((outcome) => outcome.ok)
  expect(added).toHaveLength(1)
  const id = added[0]?.ok ? added[0].value.id : ''
  for (const outcome of outcomes.filter((each) => !each.ok))
    expect(outcome).toMatchObject({ reason: 'email-taken', detail: { customer: { id } } })
  const other = { ...ada, email: 'ada.l@example.net' }
  expect(await addCustomer(store, desk, other)).toMatchObject({
    reason: 'same-phone',
    detail: { customers: [{ id, email: 'ada@example.net' }] },
  })
  const otherId = await add(store, { ...other, name: 'ADA LANE', isOther: true })
  const otherCustomer = await findCustomer(store, otherId)
  if (!otherCustomer) throw new Error('The customer is gone.')
  const duplicates = await listPossibleDuplicates(store, otherCustomer)
  expect(duplicates.map((each) => each.id)).toEqual([id])
})

test('a changed contact records its previous values apart from the audit log', async () => {
  await using store = await openTestStore(port)
  const support = await signInStaff(store, 'support')
  const id = await add(store)
  const changed = { id, version: 1, name: 'Ada Lane', email: 'ada.lane@example.net', phone: null }
  must(await changeContact(store, support, changed))
  expect(await findContact(store, id)).toMatchObject({ email: 'ada.lane@example.net', phone: null, version: 2 })
  expect(await changeContact(store, support, { ...changed, phone: '3125550143' })).toMatchObject({
    reason: 'changed-meanwhile',
  })
  // The same values, also in other capitals, are no change.
  must(await changeContact(store, support, { ...changed, version: 2 }))
  expect(await listContactChanges(store, [id])).toMatchObject([
    {
      before: { name: 'Ada Lane', email: 'ada@example.net', phone: '3125550142' },
      after: { email: 'ada.lane@example.net', phone: null },
      by: 'support@store.example',
    },
  ])
  const { entries } = await listAudit(store, {
    actor: null,
    act: null,
    subject: `customer ${id}`,
    from: null,
    until: null,
    before: null,
  })
  expect(entries.map(({ act, after }) => ({ act, after }))).toEqual([
    { act: 'customer.contact-changed', after: { changed: 'email, phone' } },
    { act: 'customer.added', after: null },
  ])
  expect(JSON.stringify(entries)).not.toContain('ada')
})

test('of two concurrent saves, the second is shown the change', async () => {
  await using store = await openTestStore(port)
  const id = await add(store)
  const outcomes = await Promise.all(
    ['3125550150', '3125550151', '3125550152'].map((phone) => changeContact(store, desk, { id, version: 1, phone })),
  )
  expect(outcomes.map((outcome) => (outcome.ok ? 'saved' : outcome.reason)).toSorted()).toEqual([
    'changed-meanwhile',
    'changed-meanwhile',
    'saved',
  ])
})

test('one of two customers gets an email address that both request', async () => {
  await using store = await openTestStore(port)
  const one = await add(store)
  const other = await add(store, { email: 'bo@example.net', phone: '3125550160' })
  const email = 'both@example.net'
  const outcomes = await Promise.all([one, other].map((id) => changeContact(store, desk, { id, version: 1, email })))
  expect(outcomes.map((outcome) => (outcome.ok ? 'saved' : outcome.reason)).toSorted()).toEqual([
    'email-taken',
    'saved',
  ])
})

test('an order placed since makes a form out of date', async () => {
  await using store = await openTestStore(port)
  const id = await add(store)
  await makePlacedOrder(store, { fulfillment: 'home', email: 'ada@example.net', phone: '312 555 0177' })
  expect(await changeContact(store, desk, { id, version: 1, phone: '3125550143' })).toMatchObject({
    reason: 'changed-meanwhile',
  })
})

test('only the account owner can change its name and email', async () => {
  await using store = await openTestStore(port)
  await accountOf(store, 'owen@example.net')
  const id = (await findCustomerByEmail(store, 'owen@example.net'))?.id ?? ''
  const change = { id, version: await versionOf(store, id) }
  for (const typed of [{ email: 'thief@example.net' }, { name: 'Someone Else' }])
    expect(await changeContact(store, desk, { ...change, ...typed })).toMatchObject({ reason: 'account-owns' })
  must(await changeContact(store, desk, { ...change, phone: '3125550170' }))
})

test('support does not end a block with a new email or phone', async () => {
  await using store = await openTestStore(port)
  const id = await add(store)
  must(await blockCustomer(store, desk, { id, reason: 'Chargebacks' }))
  const [support, manager] = [await signInStaff(store, 'support'), await signInStaff(store, 'manager')]
  const change = { id, version: 1, email: 'new@example.net' }
  expect(await changeContact(store, support, change)).toMatchObject({ reason: 'blocked-contact' })
  must(await changeContact(store, manager, change))
  for (const role of ['warehouse', 'finance', 'catalog'] as const) {
    const by = await signInStaff(store, role)
    expect(await changeContact(store, by, { ...change, version: 2 })).toMatchObject({ reason: 'not-allowed' })
    expect(await addCustomer(store, by, { ...ada, email: 'x@example.net' })).toMatchObject({ reason: 'not-allowed' })
  }
})

test('erasing a customer erases what their contact was', async () => {
  await using store = await openTestStore(port)
  const [manager, owner] = [await signInStaff(store, 'manager'), await signInStaff(store, 'owner')]
  const id = await add(store)
  must(await changeContact(store, desk, { id, version: 1, email: 'ada.lane@example.net' }))
  expect(await listPastEmails(store.db, [id])).toEqual(['ada@example.net'])
  must(await requestErasure(store, manager, { id, reason: 'Asked by email' }))
  must(await decideErasure(store, owner, { id, isApproved: true }))
  expect(await listContactChanges(store, [id])).toEqual([])
  // The email is available for a different, new customer.
  expect(await add(store)).not.toBe(id)
})

test('rejects an unusable name or contact at its field', () => {
  for (const [typed, field] of [
    [{ ...ada, name: '  ' }, 'name'],
    [{ ...ada, name: '<b>Ada</b>' }, 'name'],
    [{ ...ada, name: 'A'.repeat(52) }, 'name'],
    [{ ...ada, email: 'ada' }, 'email'],
    [{ ...ada, email: `${'a'.repeat(250)}@example.net` }, 'email'],
    [{ ...ada, phone: '12' }, 'phone'],
    [{ ...ada, phone: '5'.repeat(4_000) }, 'phone'],
  ] as const) {
    const checked = newCustomerForm.safeParse({ ...typed, isOther: '' })
    expect(checked.error?.issues[0]?.path, field).toEqual([field])
  }
  expect(newCustomerForm.parse({ name: ' Ada Lane ', email: 'ADA@example.net', phone: '' })).toEqual({
    ...ada,
    phone: null,
  })
})
