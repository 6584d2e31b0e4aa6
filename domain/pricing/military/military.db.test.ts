/** Military verifications, bound to the requesting account, one account per person, for a year. */
import { beforeAll, expect, test } from 'vitest'
import { readCart, setCoupon } from '#domain/payments/cart/cart.server.ts'
import {
  asAccount,
  agreeTo,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder, quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import { lockPriceBasis, readPriceBasis } from '#domain/ordering/checkout/price-basis.sql.server.ts'
import { changeTerms } from '#domain/kernel/settings/settings.server.ts'
import { selectState } from '#domain/kernel/settings/store-state.sql.server.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { newId } from '#platform/ids.ts'
import type { Database } from '#platform/db.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createFakeEligibility } from './military.testing.ts'
import {
  beginVerification,
  exportVerification,
  findVerification,
  finishVerification,
  forgetOldVerifications,
  removeVerification,
} from './military.server.ts'

let port = 0
beforeAll(async () => {
  ;[port = 0] = await freePorts(3)
})

const eligibility = createFakeEligibility({
  mia: { group: 'Service Member', subject: 'mia-at-provider' },
  ray: { group: 'Veteran', subject: 'ray-at-provider' },
})

async function openMilitary() {
  const store = await openTestStore(port)
  await store.db.deleteFrom('promotion').execute()
  return { ...store, eligibility, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}
type Store = Awaited<ReturnType<typeof openMilitary>>

async function addAccount(db: Database, clock: Store['clock']): Promise<string> {
  const id = newId()
  await db.insertInto('account').values({ id, name: 'Ann', created_at: clock.now() }).execute()
  return id
}

async function begin(store: Store, accountId: string): Promise<string> {
  const url = new URL(must(await beginVerification(store, { accountId, returnPath: '/cart' })))
  return url.searchParams.get('state') ?? ''
}

const finish = (store: Store, accountId: string, answer: Record<string, string>) =>
  finishVerification(store, { accountId, query: new URLSearchParams(answer) })

async function verify(store: Store, accountId: string, code = 'mia') {
  return finish(store, accountId, { state: await begin(store, accountId), code })
}

async function priced(store: Store, cartId: string) {
  const cart = await readCart(store, cartId)
  if (!cart) return expect.unreachable('no cart')
  return quoteCart(store, cart, (await readDetails(store, cartId)).contact)
}

test('an answer counts once, for the account that asked, within half an hour', async () => {
  await using store = await openMilitary()
  const [ann, bob] = [await addAccount(store.db, store.clock), await addAccount(store.db, store.clock)]
  const state = await begin(store, ann)
  expect(await finish(store, bob, { state, code: 'mia' })).toMatchObject({ reason: 'not-ours' })
  expect(await finish(store, ann, { state: 'x'.repeat(43), code: 'mia' })).toMatchObject({ reason: 'not-ours' })
  expect(must(await finish(store, ann, { state, code: 'mia' }))).toEqual({ returnPath: '/cart' })
  expect(await finish(store, ann, { state, code: 'mia' })).toMatchObject({ reason: 'not-ours' })
  const late = await begin(store, bob)
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  expect(await finish(store, bob, { state: late, code: 'ray' })).toMatchObject({ reason: 'not-ours' })
  expect(await findVerification(store, bob)).toBeUndefined()
})

test('an abandoned or failed verification has no effect', async () => {
  await using store = await openMilitary()
  const ann = await addAccount(store.db, store.clock)
  expect(await verify(store, ann, 'nobody')).toMatchObject({ reason: 'not-verified' })
  expect(await finish(store, ann, { state: await begin(store, ann), error: 'access_denied' })).toMatchObject({
    reason: 'declined',
  })
  expect(await findVerification(store, ann)).toBeUndefined()
  expect(await beginVerification({ ...store, eligibility: null }, { accountId: ann, returnPath: '/' })).toMatchObject({
    reason: 'not-offered',
  })
})

test('one person’s verification discounts one account, even with concurrent requests', async () => {
  await using store = await openMilitary()
  const accounts = [await addAccount(store.db, store.clock), await addAccount(store.db, store.clock)]
  const done = await Promise.all(accounts.map((accountId) => verify(store, accountId)))
  expect(done.filter(({ ok }) => ok)).toHaveLength(1)
  expect(done.find(({ ok }) => !ok)).toMatchObject({ reason: 'used-elsewhere' })
  const [winner, other] = done[0]?.ok ? accounts : accounts.toReversed()
  expect(must(await verify(store, winner ?? ''))).toEqual({ returnPath: '/cart' })
  // Removed there, it is free for the other one.
  expect(await removeVerification(store, winner ?? '')).toBe(true)
  expect(await removeVerification(store, winner ?? '')).toBe(false)
  must(await verify(store, other ?? ''))
})

test('it counts for a year, is exported, and is forgotten after that', async () => {
  await using store = await openMilitary()
  const [ann, bob] = [await addAccount(store.db, store.clock), await addAccount(store.db, store.clock)]
  const start = store.clock.now()
  must(await verify(store, ann))
  expect(await exportVerification(store.db, ann)).toEqual([
    { group: 'Service Member', verifiedAt: start.toString(), endsAt: expect.stringMatching(/^2027-11-/) },
  ])
  store.clock.set(start.add({ hours: 24 * 364 }))
  expect(await findVerification(store, ann)).toMatchObject({ group: 'Service Member' })
  store.clock.set(start.add({ hours: 24 * 366 }))
  expect(await findVerification(store, ann)).toBeUndefined()
  // Ended verifications don't block new ones.
  must(await verify(store, bob))
  expect(await exportVerification(store.db, ann)).toEqual([])
  expect(await forgetOldVerifications(store.db, store.clock.now().add({ hours: 24 * 400 }))).toBe(1)
  expect(await findVerification(store, bob)).toBeUndefined()
})

test('discounts 5% from the verified account’s tires, in the cart and order only', async () => {
  await using opened = await openMilitary()
  const ann = await addAccount(opened.db, opened.clock)
  const store = { ...opened, ...asAccount(opened, ann) }
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const before = await priced(store, cart.id)
  expect(before.military).toMatchObject({ state: 'open' })
  const basis = await readPriceBasis(store.db, { cartId: cart.id, accountId: ann })
  must(await verify(opened, ann))
  const after = await priced({ ...store, ...asAccount(store, ann) }, cart.id)
  const gross = after.breakdown?.totals.grossCents ?? 0
  expect(after.breakdown?.program.kind).toBe('military')
  expect(after.breakdown?.totals.programCents).toBe(Math.round((gross * 5) / 100))
  const saved = (before.breakdown?.totals.totalCents ?? 0) - (after.breakdown?.totals.totalCents ?? 0)
  expect(before.military).toEqual({ state: 'open', savesCents: saved })
  expect(after.military).toMatchObject({ state: 'used', discountCents: after.breakdown?.totals.programCents })
  // The price depends on it, so the committing transaction reads and locks it.
  const now = await readPriceBasis(store.db, { cartId: cart.id, accountId: ann })
  expect(now).not.toBe(basis)
  expect(now).toContain(`military_verification ${ann}`)
  const locked = await store.db.transaction().execute((tx) => lockPriceBasis(tx, { cartId: cart.id, accountId: ann }))
  expect(locked).toBe(now)
  // Guests pay what they paid.
  expect((await priced(opened, cart.id)).breakdown?.program.kind).toBe('none')
})

test('a changed percentage applies to new orders only', async () => {
  await using opened = await openMilitary()
  const ann = await addAccount(opened.db, opened.clock)
  must(await verify(opened, ann))
  const store = { ...opened, ...asAccount(opened, ann) }
  const place = async () => {
    const cart = await makeReadyCart(store, { fulfillment: 'home' })
    const { totalCents, ...input } = await agreeTo(store, cart)
    await payByCard(store, cart.id, totalCents)
    return must(await placeOrder(store, input)).orderId
  }
  const first = await place()
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  const { termsVersion: seen } = await selectState(store.db)
  const input = { values: { 'military-ppm': 80_000 }, startsAt: null, seen }
  must(await changeTerms(store, { via: 'command line', name: 'owner' }, { group: 'discounts', input }))
  await store.businessTerms.read()
  const orders = [await readOrder(store.db, first), await readOrder(store.db, await place())]
  const discounts = orders.map((order) => order?.breakdown.totals.programCents ?? 0)
  const gross = orders[0]?.breakdown.totals.grossCents ?? 0
  expect(discounts).toEqual([Math.round(gross * 0.05), Math.round(gross * 0.08)])
})

test('an order agreed with the discount is not placed once the verification is removed', async () => {
  await using opened = await openMilitary()
  const ann = await addAccount(opened.db, opened.clock)
  must(await verify(opened, ann))
  const store = { ...opened, ...asAccount(opened, ann) }
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  const { totalCents, ...agreed } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  await removeVerification(store, ann)
  expect(await placeOrder(store, agreed)).toMatchObject({ ok: false, reason: 'price-changed' })
  must(await verify(opened, ann))
  must(await placeOrder(store, agreed))
  const order = await store.db
    .selectFrom('sales_order')
    .select('total_cents')
    .where('cart_id', '=', cart.id)
    .executeTakeFirst()
  expect(order?.total_cents).toBe(totalCents)
})

test('a better coupon replaces the discount and shows the difference', async () => {
  await using opened = await openMilitary()
  const ann = await addAccount(opened.db, opened.clock)
  must(await verify(opened, ann))
  const store = { ...opened, ...asAccount(opened, ann) }
  const cart = await makeReadyCart(store, { fulfillment: 'home' })
  await setCoupon(store.db, cart.id, 1, store.clock.now())
  const { coupon, military, breakdown } = await priced(store, cart.id)
  expect(breakdown?.program).toMatchObject({ kind: 'coupon', id: 'WELCOME10' })
  const [first, second] = breakdown?.program.considered.map(({ totalCents }) => totalCents) ?? []
  const more = ((Math.max(first ?? 0, second ?? 0) - Math.min(first ?? 0, second ?? 0)) / 100).toFixed(2)
  expect(coupon).toMatchObject({
    isUsed: true,
    words: `We used it in place of your military discount, because it saves $${more} more. The two don't combine.`,
  })
  expect(military).toMatchObject({ state: 'not-used', text: expect.stringContaining('coupon WELCOME10 saves $') })
})
