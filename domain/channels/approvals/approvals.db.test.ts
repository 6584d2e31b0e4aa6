/** Orders above a limit, with pending requests, approvers, and concurrent or external changes. */
import { expect, test } from 'vitest'
import { addToCart, readCart } from '#domain/payments/cart/cart.server.ts'
import { installationFor, payOnTerms, placeOrder, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import {
  agreeTo,
  asAccount,
  asOwner,
  makeReadyCart,
  must,
  openTestStore,
  pickTire,
  untilWaiting,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { findChosenTime, holdSlot } from '#domain/scheduling/booking/booking.server.ts'
import {
  changeRole,
  removeMember,
  setMemberLimit,
  setRoleLimits,
  setTerms,
} from '#domain/customers/companies/companies.server.ts'
import { createPriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import {
  approveRequest,
  expireRequests,
  findApproval,
  listApprovals,
  refuseRequest,
  submitForApproval,
  withdrawRequest,
} from './approvals.server.ts'

const [port = 0] = await freePorts(3)

/** A company on net terms with an owner, a buyer, and an approving buyer, where buyers have a $100 spending limit. */
async function open(first: TestStore) {
  const owner = await asOwner({ ...first, priceLists: createPriceLists(first.db) })
  const { companyId } = owner
  must(await setTerms(owner, { by: desk, id: companyId, terms: { netDays: 30, creditLimitCents: 1_000_000 } }))
  const join = async (name: string) => {
    const at = first.clock.now()
    const accountId = newId()
    const email = `${name}@acme.example`
    await first.db.insertInto('account').values({ id: accountId, email, name, created_at: at }).execute()
    const member = { account_id: accountId, company_id: companyId, role: 'buyer', joined_at: at }
    await first.db.insertInto('company_member').values(member).execute()
    const grant = { account_id: accountId, type: 'Fleet', how: 'staff', granted_by: 'test', starts_at: at, id: newId() }
    await first.db.insertInto('account_grant').values(grant).execute()
    return { ...asAccount(owner, accountId), accountId }
  }
  const [buyer, approver] = [await join('bea'), await join('abe')]
  must(await setRoleLimits(owner, owner, { owner: null, buyer: 10_000 }))
  const limit = { by: 'own', cents: 500_000 } as const
  must(await setMemberLimit(owner, owner, { accountId: approver.accountId, limit, approves: true }))
  return { owner, buyer, approver, companyId }
}
type People = Awaited<ReturnType<typeof open>>

/** What the buyer submits, and the request it becomes. */
async function submit({ buyer }: People, options: Parameters<typeof makeReadyCart>[1] = { fulfillment: 'home' }) {
  const cart = await makeReadyCart(buyer, options)
  const { totalCents, ...input } = await agreeTo(buyer, cart)
  must(await payOnTerms(buyer, cart, totalCents))
  const refused = await placeOrder(buyer, input)
  expect(refused).toMatchObject({
    reason: 'needs-approval',
    detail: { limitCents: 10_000, totalCents, mayAsk: true },
  })
  const asked = must(await submitForApproval(buyer, input))
  if (!('requestId' in asked)) return expect.fail('An order above the limit was placed.')
  return { id: asked.requestId, input, totalCents, agreedPrice: input.agreedPrice }
}

const ordersOf = async ({ db }: TestStore, cartId: string) =>
  (await db.selectFrom('sales_order').select('id').where('cart_id', '=', cartId).execute()).length
const mails = async ({ db }: TestStore) =>
  (
    await db
      .selectFrom('message')
      .select(['kind', 'to_address'])
      .where('kind', 'like', 'approval-%')
      .orderBy('to_address')
      .execute()
  ).map(({ kind, to_address: to }) => [kind, to])

test('an order above the limit waits unchanged for an approver with a high enough limit', async () => {
  await using first = await openTestStore(port)
  const people = await open(first)
  const { owner, buyer, approver } = people
  const { id, input, totalCents } = await submit(people)
  expect(await mails(first)).toEqual([
    ['approval-requested', 'abe@acme.example'],
    ['approval-requested', 'olga@acme.example'],
  ])
  // A second submission returns the same request; tires added next go into a new cart.
  expect(must(await submitForApproval(buyer, input))).toEqual({ requestId: id })
  expect(await placeOrder(buyer, input)).toMatchObject({ reason: 'approval-waits' })
  const lines = [{ itemId: await pickTire(first), quantity: 1, axle: 'all' as const }]
  const added = must(await addToCart(buyer, { cartId: input.cartId, lines, zip: null, vehicle: null }))
  expect(added.cartId).not.toBe(input.cartId)
  expect((await readCart(buyer, input.cartId))?.lines[0]?.quantity).toBe(4)
  expect(await approveRequest(buyer, buyer.accountId, { id, agreedPrice: input.agreedPrice })).toMatchObject({
    reason: 'not-found',
  })
  const { orderId } = must(await approveRequest(approver, approver.accountId, { id, agreedPrice: input.agreedPrice }))
  const order = await first.db
    .selectFrom('sales_order')
    .select(['buyer_id', 'total_cents', 'company_id', 'billing'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  expect(order).toMatchObject({
    buyer_id: buyer.accountId,
    total_cents: totalCents,
    company_id: people.companyId,
    billing: { poNumber: 'PO-7' },
  })
  expect(must(await approveRequest(approver, approver.accountId, { id, agreedPrice: '' }))).toEqual({ orderId })
  expect(await approveRequest(owner, owner.accountId, { id, agreedPrice: '' })).toMatchObject({
    reason: 'decided',
    detail: { state: 'approved', by: 'abe', orderId },
  })
  expect((await listApprovals(first, buyer.accountId)).map(({ request }) => request.orderId)).toEqual([orderId])
  expect(await submitForApproval(buyer, input)).toMatchObject({ value: { orderId } })
})

test('of two concurrent approvers one places the order, and the other sees who did', async () => {
  await using first = await openTestStore(port)
  const people = await open(first)
  const { owner, approver } = people
  const { id, agreedPrice, input } = await submit(people)
  const outcomes = await Promise.all(
    [owner, approver, owner, approver].map((by) => approveRequest(by, by.accountId, { id, agreedPrice })),
  )
  expect(await ordersOf(first, input.cartId)).toBe(1)
  const placed = outcomes.filter(({ ok }) => ok)
  expect(placed.length).toBeGreaterThan(0)
  for (const outcome of outcomes) expect(outcome.ok ? 'decided' : outcome.reason).toBe('decided')
})

type Change = (people: People, asked: Awaited<ReturnType<typeof submit>>) => Promise<unknown>
const changes: [what: string, reason: string, change: Change][] = [
  [
    'the price',
    'price-changed',
    ({ buyer }, { input }) =>
      buyer.db
        .updateTable('cart_billing')
        .set({ updated_at: buyer.clock.now() })
        .where('cart_id', '=', input.cartId)
        .execute()
        .then(() =>
          buyer.db
            .updateTable('item')
            .set((eb) => ({ retail_cents: eb('retail_cents', '+', 100) }))
            .execute(),
        ),
  ],
  [
    'the credit',
    'net-terms-refused',
    ({ owner, companyId }) =>
      setTerms(owner, { by: desk, id: companyId, terms: { netDays: 30, creditLimitCents: 100 } }),
  ],
  [
    'the approver’s limit',
    'above-your-limit',
    ({ owner, approver: { accountId } }) =>
      setMemberLimit(owner, owner, { accountId, approves: true, limit: { by: 'own', cents: 10_001 } }),
  ],
  [
    'that the approver approves',
    'not-found',
    ({ owner, approver: { accountId } }) =>
      setMemberLimit(owner, owner, { accountId, approves: false, limit: { by: 'none' } }),
  ],
  ['the approver', 'not-found', ({ owner, approver }) => removeMember(owner, owner.accountId, approver.accountId)],
  ['the requester', 'requester-left', ({ owner, buyer }) => removeMember(owner, owner.accountId, buyer.accountId)],
]

test.for(changes)('while it waits, %s changes: %s, and no order', async ([, reason, change]) => {
  await using first = await openTestStore(port)
  const people = await open(first)
  const { approver, owner } = people
  const asked = await submit(people)
  await change(people, asked)
  const { id, agreedPrice } = asked
  expect(await approveRequest(approver, approver.accountId, { id, agreedPrice })).toMatchObject({ ok: false, reason })
  expect(await ordersOf(first, asked.input.cartId)).toBe(0)
  expect((await findApproval(owner, owner.accountId, id))?.request.state).toBe('waiting')
})

test('applies a limit lowered while the approval waits for the company’s lock', async () => {
  await using first = await openTestStore(port)
  const people = await open(first)
  const { approver, companyId } = people
  const { id, agreedPrice, input } = await submit(people)
  const other = await first.db.startTransaction().execute()
  await other.updateTable('company').set({ owner_order_limit_cents: 1 }).where('id', '=', companyId).execute()
  await other
    .updateTable('company_member')
    .set({ order_limit: 'own', order_limit_cents: 1 })
    .where('account_id', '=', approver.accountId)
    .execute()
  const approving = approveRequest(approver, approver.accountId, { id, agreedPrice })
  await untilWaiting(first.db, 1)
  await other.commit().execute()
  expect(await approving).toMatchObject({ reason: 'above-your-limit' })
  expect(await ordersOf(first, input.cartId)).toBe(0)
})

test('a time that lapsed is taken again if it is free, and said to be gone if it is not', async () => {
  await using first = await openTestStore(port)
  const people = await open(first)
  const { owner } = people
  const { id, agreedPrice, input } = await submit(people, { fulfillment: 'shop' })
  const held = (await findChosenTime(first, input.cartId))?.booking ?? expect.fail('No time is held.')
  const start = first.clock.now()
  const pass = (minutes: number) => first.clock.set(start.add({ minutes }))
  pass(11)
  const rival = await makeReadyCart(first, { fulfillment: 'home' })
  const target = must(await installationFor(first, rival, held.shopId))
  // Others take every bay that is free then, with carts like this one.
  for (let isFree = true; isFree;) {
    const { id: cartId } = await makeReadyCart(first, { fulfillment: 'home' })
    isFree = (
      await holdSlot(first, { cartId, shopId: held.shopId, choice: { start: held.start }, ...target, parcels: [] })
    ).ok
  }
  const approve = () => approveRequest(owner, owner.accountId, { id, agreedPrice })
  expect(await approve()).toMatchObject({ reason: 'slot-lost' })
  expect(await ordersOf(first, input.cartId)).toBe(0)
  pass(22)
  expect(await approve()).toMatchObject({ ok: true })
})

test('a returned, withdrawn, or expired request restores the cart and can’t be approved', async () => {
  await using first = await openTestStore(port)
  const people = await open(first)
  const { owner, buyer, approver } = people
  const one = await submit(people)
  expect(await refuseRequest(buyer, buyer.accountId, { id: one.id, reason: 'No' })).toMatchObject({
    reason: 'not-found',
  })
  must(await refuseRequest(approver, approver.accountId, { id: one.id, reason: 'Cheaper ones, please.' }))
  expect((await readCart(buyer, one.input.cartId))?.state).toBe('open')
  expect(await approveRequest(owner, owner.accountId, one)).toMatchObject({ reason: 'decided' })
  expect(await mails(first)).toContainEqual(['approval-refused', 'bea@acme.example'])

  const again = must(await submitForApproval(buyer, one.input))
  if (!('requestId' in again)) return expect.fail('It was placed.')
  expect(await withdrawRequest(owner, owner.accountId, again.requestId)).toMatchObject({ reason: 'not-found' })
  must(await withdrawRequest(buyer, buyer.accountId, again.requestId))
  expect((await readCart(buyer, one.input.cartId))?.state).toBe('open')

  const two = await submit(people)
  expect(await expireRequests(first)).toBe(0)
  first.clock.set(first.clock.now().add({ hours: 24 * 7 }))
  expect(await approveRequest(owner, owner.accountId, two)).toMatchObject({ reason: 'request-expired' })
  expect(await expireRequests(first)).toBe(1)
  expect(await expireRequests(first)).toBe(0)
  expect((await readCart(buyer, two.input.cartId))?.state).toBe('open')
  expect(await mails(first)).toContainEqual(['approval-expired', 'bea@acme.example'])
})

test('members can’t raise their own limits, and outsiders can’t see requests', async () => {
  await using first = await openTestStore(port)
  const people = await open(first)
  const { owner, buyer, approver, companyId } = people
  const { id, agreedPrice } = await submit(people)
  const stranger = await asOwner({ ...first, priceLists: createPriceLists(first.db) }, 'sol@other.example')
  expect(await findApproval(stranger, stranger.accountId, id)).toBeUndefined()
  expect(await approveRequest(stranger, stranger.accountId, { id, agreedPrice: 'x' })).toMatchObject({
    reason: 'not-found',
  })
  for (const by of [buyer, approver])
    expect(await setRoleLimits(by, by, { owner: null, buyer: null })).toMatchObject({ reason: 'not-allowed' })
  const staff = { staff: desk, companyId }
  for (const unknown of [newId(), 'no-id'])
    expect(await setRoleLimits(owner, { staff: desk, companyId: unknown }, { owner: null, buyer: 1 })).toMatchObject({
      reason: 'company-not-found',
    })
  must(await setRoleLimits(owner, staff, { owner: 20_000, buyer: 30_000 }))
  expect(await setRoleLimits(owner, owner, { owner: null, buyer: null })).toMatchObject({ reason: 'own-limit' })
  expect(
    await setMemberLimit(owner, owner, { accountId: owner.accountId, approves: false, limit: { by: 'none' } }),
  ).toMatchObject({ reason: 'own-limit' })
  expect(await changeRole(owner, owner.accountId, { accountId: owner.accountId, role: 'buyer' })).toMatchObject({
    reason: 'own-limit',
  })
  expect(await approveRequest(owner, owner.accountId, { id, agreedPrice })).toMatchObject({
    reason: 'above-your-limit',
  })
  must(
    await setMemberLimit(owner, staff, {
      accountId: approver.accountId,
      approves: true,
      limit: { by: 'own', cents: 1 },
    }),
  )
  const cart = await makeReadyCart(buyer, { fulfillment: 'home' })
  const { totalCents, ...input } = await agreeTo(buyer, cart)
  must(await payOnTerms(buyer, cart, totalCents))
  expect(await submitForApproval(buyer, input)).toMatchObject({ reason: 'no-approver' })
  expect((await readDetails(buyer, cart.id)).billing?.poNumber).toBe('PO-7')
})

test('an order above the limit is requested on net terms, not by card', async () => {
  await using first = await openTestStore(port)
  const people = await open(first)
  const cart = await makeReadyCart(people.buyer, { fulfillment: 'home' })
  const { totalCents: _, ...input } = await agreeTo(people.buyer, cart)
  expect(await submitForApproval(people.buyer, input)).toMatchObject({
    reason: 'needs-approval',
    detail: { mayAsk: false },
  })
})
