/** Limits on staff concessions, across all kinds, as used in the office. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { makePlacedOrder, must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { findCatalogIds } from '#domain/catalog/catalog/catalog.server.ts'
import { draftCoupon, scheduleCoupon } from '#domain/catalog/coupons/coupons.server.ts'
import { couponDraftForm } from '#domain/catalog/coupons/coupons.ts'
import { filesInRows } from '#domain/kernel/files/files.testing.ts'
import { releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { schedulePayLater } from '#domain/catalog/payment-offers/payment-offers.server.ts'
import { payLaterForm } from '#domain/catalog/payment-offers/payment-offers.ts'
import { adjustPay, decideAdjustment } from '#domain/installer-portal/payouts/payouts.server.ts'
import {
  approveGuarantee,
  fileGuaranteeRequest,
  findGuarantee,
  guaranteeForm,
  refuseGuarantee,
} from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { schedulePriceList, uploadPriceList } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { draftPromotion, schedulePromotion } from '#domain/catalog/promotions/promotions.server.ts'
import { promotionDraftForm } from '#domain/catalog/promotions/promotions.ts'
import { decideRefund, refundOrder } from '#domain/ordering/refunds/refunds.server.ts'
import { changeSettings } from '#domain/kernel/settings/settings.server.ts'
import { addApiClient, listAudit, recordAct, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { readConfig } from '#platform/config.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { firstPlacedOrder } from '#tests/support/database.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { listConcessionRequests } from './concessions.server.ts'

const [port = 0] = await freePorts(3)

async function makeCharged(store: TestStore): Promise<{ orderId: number; totalCents: number }> {
  const placed = await makePlacedOrder(store)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, placed.orderId)
  return placed
}

function refund(store: TestStore, orderId: number, amountCents: number, actor: Actor) {
  const why = { reason: 'late', bearer: 'store', note: null, lowerReason: null, hasHandlingFee: false } as const
  const key = newId()
  return refundOrder(store, { ...why, lines: [], amountCents, orderId, actor, key, agreedCents: null, isFresh: true })
}

/** Files a price guarantee request about an order, and returns its id. */
async function fileGuarantee(store: TestStore, orderId: number): Promise<number> {
  const config = readConfig({ DATABASE_URL: 'postgres://nobody@localhost/none' })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const form = guaranteeForm.parse({
    competitor: 'Other Tires',
    link: 'https://othertires.com/alltide',
    price: '20.00',
    shipping: '1',
    seenOn: '11/20/2026',
    orderNumber: `S-${orderId}`,
  })
  const deps = {
    ...store,
    config: config.value,
    files: filesInRows,
    rateLimits: createRateLimits(store),
  }
  return must(await fileGuaranteeRequest(deps, form, { isOwn: true, networkKey: 'network-1', file: null })).id
}

test('a price guarantee and refunds on an order count together, and amounts over the limit need a second approval', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makeCharged(store)
  const support = await signInStaff(store, 'support')
  const finance = await signInStaff(store, 'finance')
  expect(must(await refund(store, orderId, 74_000, support)).state).toBe('approved')
  const id = await fileGuarantee(store, orderId)
  const approve = (by: Actor, differenceCents: number) => approveGuarantee(store, { id, differenceCents, by })

  expect(must(await approve(support, 1_001))).toEqual({ state: 'requested' })
  expect(await findGuarantee(store, id)).toMatchObject({
    state: 'open',
    approvalRequest: { amountCents: 1_001, requestedBy: 'support@store.example' },
  })
  // Retries by the requester, or by a colleague without the permission, don't approve the request.
  expect(must(await approve(support, 1_001))).toEqual({ state: 'requested' })
  expect(must(await approve(await signInStaff(store, 'support', 'kim'), 1_001))).toEqual({ state: 'requested' })
  expect(await findGuarantee(store, id)).toMatchObject({ state: 'open', refund: null })
  // A larger amount than requested needs a new request.
  expect(must(await approve(finance, 1_002))).toEqual({ state: 'requested' })
  expect(must(await approve(await signInStaff(store, 'manager'), 1_002))).toEqual({ state: 'approved' })

  const { entries } = await listAudit(store, {
    actor: null,
    act: 'guarantee.approved',
    subject: null,
    from: null,
    until: null,
    before: null,
  })
  expect(entries.map(({ actor }) => actor)).toEqual(['manager@store.example'])
  expect(await listConcessionRequests(store.db, 10)).toEqual([])
})

test('an approval needs a person with a recent sign-in, and a refused claim of money ends its request', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makeCharged(store)
  const support = await signInStaff(store, 'support')
  const finance = await signInStaff(store, 'finance')
  must(await refund(store, orderId, 75_000, support))
  const id = await fileGuarantee(store, orderId)
  must(await approveGuarantee(store, { id, differenceCents: 500, by: support }))
  const identity = { issuer: 'https://id.example' }
  const client = { name: 'Approver', clientId: 'approver', role: 'finance' }
  const program = must(await addApiClient({ ...store, identity }, desk, client))
  const scopes = ['guarantees.decide', 'refunds.approve']
  const by = { via: 'api', name: client.name, clientId: program.id, scopes } as const
  expect(await approveGuarantee(store, { id, differenceCents: 500, by })).toMatchObject({ reason: 'not-fresh' })
  store.clock.set(store.clock.now().add({ minutes: 11 }))
  expect(await approveGuarantee(store, { id, differenceCents: 500, by: finance })).toMatchObject({
    reason: 'not-fresh',
  })
  expect(await listConcessionRequests(store.db, 10)).toMatchObject([{ kind: 'price-guarantee', reference: String(id) }])
  must(await refuseGuarantee(store, { id, reason: 'Not the same tire.', by: support }))
  expect(await listConcessionRequests(store.db, 10)).toEqual([])
})

test('one person gives at most the daily limit over all orders, and tomorrow as much again', async () => {
  await using store = await openTestStore(port)
  const support = await signInStaff(store, 'support')
  await setLimits(store, { dailyAlone: 1_000 })
  const [first, second] = [await makeCharged(store), await makeCharged(store)]
  must(await refund(store, first.orderId, 600, support))
  expect(await refund(store, second.orderId, 401, support)).toMatchObject({ reason: 'over-your-limit' })
  must(await refund(store, second.orderId, 400, support))
  expect(await refund(store, first.orderId, 1, support)).toMatchObject({ reason: 'over-your-limit' })
  // Each person has a separate limit.
  must(await refund(store, first.orderId, 1, await signInStaff(store, 'support', 'kim')))
  store.clock.set(store.clock.now().add({ hours: 25 }))
  must(await refund(store, first.orderId, 1_000, await signInStaff(store, 'support', 'support')))
})

test('programs and the person who added them share one limit, and a program requests nothing above it', async () => {
  await using store = await openTestStore(port)
  await setLimits(store, { dailyAlone: 1_000 })
  const { orderId } = await makeCharged(store)
  const owner = await signInStaff(store, 'owner')
  const identity = { issuer: 'https://id.example' }
  const programOf = async (name: string): Promise<Actor> => {
    const { id } = must(await addApiClient({ ...store, identity }, owner, { name, clientId: name, role: 'finance' }))
    return { via: 'api', name, clientId: id, scopes: ['refunds.make'] }
  }
  const [first, second] = [await programOf('First'), await programOf('Second')]
  must(await refund(store, orderId, 600, first))
  for (const by of [first, second])
    expect(await refund(store, orderId, 401, by), by.name).toMatchObject({ reason: 'over-your-limit' })
  must(await refund(store, orderId, 400, second))
  expect(await refund(store, orderId, 1, first)).toMatchObject({ reason: 'over-your-limit' })
  expect(await listConcessionRequests(store.db, 10)).toEqual([])
  // The owner needs a second person, too.
  expect(must(await refund(store, orderId, 1, owner)).state).toBe('draft')
})

test('of ten concurrent refunds, those within the person’s daily limit succeed', async () => {
  await using store = await openTestStore(port)
  const support = await signInStaff(store, 'support')
  await setLimits(store, { dailyAlone: 1_000 })
  const orders: { orderId: number }[] = []
  for (let count = 0; count < 4; count += 1) orders.push(await makeCharged(store))
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, index) => refund(store, orders[index % 4]?.orderId ?? 0, 250, support)),
  )
  expect(made.filter(({ ok: isMade }) => isMade)).toHaveLength(4)
  const { given } = await store.db
    .selectFrom('concession')
    .select(({ fn }) => fn.sum<number>('amount_cents').as('given'))
    .where('state', '=', 'given')
    // Excludes the demo's past orders, which already had concessions.
    .where('order_id', '>=', firstPlacedOrder)
    .executeTakeFirstOrThrow()
  expect(given).toBe(1_000)
})

test('pay adjustments of a shop count together, and those over the limit need a second approval', async () => {
  await using store = await openTestStore(port)
  await makePlacedOrder(store)
  const { id: shopId } = await store.db.selectFrom('shop').select('id').orderBy('id').executeTakeFirstOrThrow()
  const finance = await signInStaff(store, 'finance')
  const adjust = (amountCents: number) =>
    adjustPay(store, finance, {
      shopId,
      jobPayId: null,
      kind: 'adjustment',
      amountCents,
      reason: 'By phone',
      submission: newId(),
    })
  const states = (await Promise.all(Array.from({ length: 20 }, () => adjust(10_000)))).map((each) => must(each).state)
  expect(states.toSorted()).toEqual(['approved', ...Array<string>(19).fill('proposed')])
  const proposed = must(await adjust(10_000))
  const decide = (by: Actor) => decideAdjustment(store, by, { shopId, id: proposed.id, isApproved: true })
  expect(await decide(finance)).toMatchObject({ reason: 'own-proposal' })
  must(await decide(await signInStaff(store, 'manager')))
  // An amount approved by a second person doesn't count toward the first person's weekly limit.
  expect(must(await adjust(-1)).state).toBe('proposed')
  store.clock.set(store.clock.now().add({ hours: 7 * 24 + 1 }))
  const later = must(
    await adjustPay(store, await signInStaff(store, 'finance', 'fay'), {
      shopId,
      jobPayId: null,
      kind: 'adjustment',
      amountCents: 10_000,
      reason: 'By phone',
      submission: newId(),
    }),
  )
  expect(later.state).toBe('approved')
})

/** Each kind of public price cut, with one within and one far beyond the limits. */
const priceCuts: Readonly<
  Record<string, (store: TestStore, by: Actor, percent: number) => Promise<(by: Actor) => Promise<{ state: string }>>>
> = {
  async coupon(store, by, percent) {
    const form = couponDraftForm.parse({
      formKey: randomUUID(),
      code: `save-${percent}`,
      name: 'A coupon',
      kind: 'Percentage',
      amount: String(percent),
      fundedBy: 'store',
      stacks: 'yes',
      usesMost: '1000',
      personMost: '1',
    })
    const id = must(await draftCoupon(store, by, form))
    return async (actor) => must(await scheduleCoupon(store, actor, { id, version: 1, ...times(store) }))
  },
  async promotion(store, by, percent) {
    const form = promotionDraftForm.parse({
      formKey: randomUUID(),
      name: 'A promotion',
      headline: 'A promotion',
      kind: 'Percentage',
      amount: String(percent),
      fundedBy: 'store',
    })
    const planId = must(await draftPromotion(store, by, form))
    return async (actor) => must(await schedulePromotion(store, actor, { planId, version: 1, ...times(store) }))
  },
  async 'payment offer'(store, _by, percent) {
    const draft = (formKey: string) => ({
      ...payLaterForm.parse({
        formKey,
        method: 'klarna',
        percent: String(percent),
        fundedBy: 'lender',
        startsAt: `20${50 + percent}-01-01T00:00`,
        endsAt: `20${50 + percent}-01-02T00:00`,
      }),
    })
    await Promise.resolve()
    return async (actor) => must(await schedulePayLater(store, actor, draft(randomUUID())))
  },
}

const times = ({ clock }: TestStore) => ({
  startsAt: clock.now().add({ hours: 1 }),
  endsAt: clock.now().add({ hours: 2 }),
})

test.each(Object.keys(priceCuts))('a %s far below the minimum margin needs a second person', async (kind) => {
  await using store = await openTestStore(port)
  const make = priceCuts[kind]
  if (!make) throw new Error('No such kind.')
  const sales = await signInStaff(store, 'sales')
  const manager = await signInStaff(store, 'manager')
  expect(await (await make(store, sales, 5))(sales)).toMatchObject({ state: 'scheduled' })
  const deep = await make(store, sales, kind === 'payment offer' ? 25 : 99)
  expect(await deep(sales)).toMatchObject({ state: 'requested' })
  expect(await deep(await signInStaff(store, 'sales', 'sol'))).toMatchObject({ state: 'requested' })
  expect(await deep(manager)).toMatchObject({ state: 'scheduled' })
  // A manager does not approve their own.
  const own = await make(store, manager, kind === 'payment offer' ? 30 : 98)
  expect(await own(manager)).toMatchObject({ state: 'requested' })
})

test('a price list far below retail needs a second person', async () => {
  await using store = await openTestStore(port)
  const finance = await signInStaff(store, 'finance')
  const upload = async (percent: number) => {
    const file = new Blob([
      `scope,target,kind,percent,amount,starts,ends\nevery-tire,,percent-off,${percent},,2026-01-01,`,
    ])
    return must(
      await uploadPriceList({ ...store, findCatalogIds }, finance, {
        slug: 'fleets',
        formKey: randomUUID(),
        name: 'Next',
        file,
      }),
    )
  }
  const schedule = async (id: number, by: Actor, hours: number) =>
    must(await schedulePriceList(store, by, { id, startsAt: store.clock.now().add({ hours }), acceptsBelow: true }))
  expect(await schedule(await upload(5), finance, 1)).toEqual({ state: 'scheduled' })
  const deep = await upload(60)
  expect(await schedule(deep, finance, 2)).toEqual({ state: 'requested' })
  expect(await schedule(deep, await signInStaff(store, 'finance', 'fay'), 2)).toEqual({ state: 'requested' })
  expect(await schedule(deep, await signInStaff(store, 'owner'), 2)).toEqual({ state: 'scheduled' })
})

test('settings change only within ten minutes after a sign-in', async () => {
  await using store = await openTestStore(port)
  const owner = await signInStaff(store, 'owner')
  store.clock.set(store.clock.now().add({ minutes: 59 }))
  expect(await setLimits(store, { refundAlone: 10_000_000 }, owner)).toMatchObject({ reason: 'not-fresh' })
  expect(await setLimits(store, { refundAlone: 10_000_000 }, await signInStaff(store, 'owner', 'oona'))).toMatchObject({
    ok: true,
  })
})

test('the database refuses a concession beyond the limit that one person decided', async () => {
  await using store = await openTestStore(port)
  const { orderId } = await makeCharged(store)
  const finance = await signInStaff(store, 'finance')
  const { refundId, state } = must(await refund(store, orderId, 75_100, finance))
  expect(state).toBe('draft')
  const broken = await store.db
    .updateTable('concession')
    .set({ state: 'given', decided_by: finance.name, decided_at: store.clock.now() })
    .where('reference', '=', refundId)
    .execute()
    .then(() => undefined, violatedConstraint)
  expect(broken).toBe('concession_second_person')
  must(await decideRefund(store, { refundId, decision: 'approved', actor: await signInStaff(store, 'manager') }))
})

test('recording a concession without an authorization does not compile', () => {
  const about = { by: desk, subject: 'coupon 1', at: Temporal.Instant.from('2026-11-20T15:00:00Z') }
  // @ts-expect-error An authorization is missing.
  const coupon: Parameters<typeof recordAct>[1] = { ...about, act: 'coupon.scheduled' }
  // @ts-expect-error A fresh sign-in is missing.
  const settings: Parameters<typeof recordAct>[1] = { ...about, act: 'settings.changed' }
  const note: Parameters<typeof recordAct>[1] = { ...about, act: 'order.noted' }
  expect([coupon, settings, note].map(({ act }) => act)).toHaveLength(3)
})

/** Changes limits as an owner does; the other settings stay. */
function setLimits(store: TestStore, limits: Partial<{ refundAlone: number; dailyAlone: number }>, by: Actor = desk) {
  const configured = readConfig({ DATABASE_URL: 'postgres://nobody@localhost/none' })
  if (!configured.ok) throw new Error('The configuration of tests is wrong.')
  const { store: named } = configured.value
  const input = {
    name: named.name,
    phone: named.phone,
    email: named.email,
    returnAddress: named.address,
    accentColor: null,
    darkColor: null,
    refundAlone: 75_000,
    dailyAlone: 500_000,
    discountAlone: 300_000,
    quoteMarginFloor: 100_000,
    noShowPay: 1_500,
    payHoldHours: 46,
    payDisputeDays: 7,
    payAlone: 10_000,
    belowMap: 'refuse' as const,
    removeLogo: '' as const,
    seen: 0,
    ...limits,
  }
  return changeSettings({ ...store, configured: named }, by, { input, file: null })
}
