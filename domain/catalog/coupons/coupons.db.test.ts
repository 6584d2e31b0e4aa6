/** Coupons in carts, orders and the office, with the races that their limits must survive. */
import { noRateLimits } from '#domain/kernel/rate-limits/rate-limits.testing.ts'
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import {
  agreeTo,
  makeReadyCart,
  must,
  openTestStore,
  payByCard,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder, quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import { cancelOrder } from '#domain/ordering/orders/orders.server.ts'
import { setMinimumPrices } from '#domain/catalog/promotions/promotions.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { ok } from '#platform/outcome.ts'
import { violatedConstraint } from '#platform/db.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  draftCoupon,
  endCoupon,
  enterCoupon,
  findCoupon,
  listCoupons,
  couponDrafts,
  scheduleCoupon,
  testCoupon,
} from './coupons.server.ts'
import { couponDraftForm } from './coupons.ts'

let port = 0
beforeAll(async () => {
  ;[port = 0] = await freePorts(3)
})

const soon = (store: TestStore, hours: number) => store.clock.now().add({ hours })

const draftOf = (change: Record<string, string> = {}) =>
  couponDraftForm.parse({
    formKey: randomUUID(),
    code: 'save-40',
    name: 'Forty off',
    kind: 'Flat Amount',
    amount: '40',
    subject: '',
    fundedBy: 'store',
    stacks: 'yes',
    usesMost: '100',
    personMost: '1',
    ...change,
  })

async function draft(store: TestStore, change: Record<string, string> = {}): Promise<number> {
  return must(await draftCoupon(store, desk, draftOf(change)))
}

/** A coupon that runs from now for nine hours. */
async function running(store: TestStore, change: Record<string, string> = {}): Promise<number> {
  const id = await draft(store, change)
  must(await scheduleCoupon(store, desk, { id, version: 1, startsAt: soon(store, 0), endsAt: soon(store, 9) }))
  return id
}

const enter = (store: TestStore, cartId: string, code: string) =>
  enterCoupon({ ...store, rateLimits: noRateLimits }, { cartId, code, from: 'here' })

async function priced(store: TestStore, cartId: string) {
  const cart = await readCart(store, cartId)
  if (!cart) return expect.unreachable('no cart')
  const quote = await quoteCart(store, cart, (await readDetails(store, cartId)).contact)
  return { cart, notes: quote.notes, totals: quote.breakdown?.totals, program: quote.breakdown?.program }
}

async function couponCart(store: TestStore, email = 'dana@example.com'): Promise<string> {
  const { id } = await makeReadyCart(store, { fulfillment: 'home', email })
  must(await enter(store, id, 'SAVE40'))
  return id
}

/** The order form of a cart, paid for by card. */
async function readyToPlace(store: TestStore, cartId: string) {
  const { cart } = await priced(store, cartId)
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cartId, totalCents)
  return input
}

async function usesOf(store: TestStore, id: number): Promise<number | undefined> {
  return (await findCoupon(store, String(id)))?.uses
}

test('an entered coupon lowers the price, is used by the order, and is given back when that is canceled', async () => {
  await using store = await openTestStore(port)
  await store.db.deleteFrom('promotion').execute()
  const id = await running(store)
  const cartId = await couponCart(store)
  const { program, totals } = await priced(store, cartId)
  expect(program?.kind).toBe('coupon')
  expect(program?.id).toBe('SAVE40')
  expect(totals?.programCents).toBe(4_000)
  const { orderId } = must(await placeOrder(store, await readyToPlace(store, cartId)))
  expect(await usesOf(store, id)).toBe(1)
  const again = await makeReadyCart(store, { fulfillment: 'home', email: 'Dana+tires@example.com' })
  expect(await enter(store, again.id, 'SAVE40')).toMatchObject({ reason: 'used-by-you' })
  must(await cancelOrder(store, { orderId, actor: 'a test' }))
  expect(await usesOf(store, id)).toBe(0)
  must(await enter(store, again.id, 'SAVE40'))
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('of concurrent orders for a coupon’s last use, one gets it and the others are repriced', async () => {
  await using store = await openTestStore(port)
  await store.db.deleteFrom('promotion').execute()
  const id = await running(store, { usesMost: '1', personMost: '9' })
  const inputs = []
  for (let count = 0; count < 4; count += 1) inputs.push(await readyToPlace(store, await couponCart(store)))
  const placed = await Promise.all(inputs.map((input) => placeOrder(store, input)))
  expect(placed.filter((done) => done.ok)).toHaveLength(1)
  for (const done of placed) if (!done.ok) expect(done.reason).toBe('price-changed')
  expect(await usesOf(store, id)).toBe(1)
  expect(await verify(store.db, store.clock.now())).toEqual([])
})

test('concurrent orders from one person use a coupon as often as allowed', async () => {
  await using store = await openTestStore(port)
  await store.db.deleteFrom('promotion').execute()
  const id = await running(store, { personMost: '1' })
  const inputs = []
  for (let count = 0; count < 3; count += 1)
    inputs.push(await readyToPlace(store, await couponCart(store, `dana+${count}@example.com`)))
  const placed = await Promise.all(inputs.map((input) => placeOrder(store, input)))
  expect(placed.filter((done) => done.ok)).toHaveLength(1)
  expect(await usesOf(store, id)).toBe(1)
})

test('a coupon never goes below a minimum advertised price, and shows why', async () => {
  await using store = await openTestStore(port)
  await store.db.deleteFrom('promotion').execute()
  await running(store)
  const cartId = await couponCart(store)
  const { cart } = await priced(store, cartId)
  const prices = cart.lines.map(({ article, retailUnitCents }) => ({
    sku: article.sku,
    mapCents: retailUnitCents - 500,
  }))
  must(await setMinimumPrices(store, desk, { prices, acceptsBelow: true }))
  const { program, notes } = await priced(store, cartId)
  expect(program?.kind).toBe('none')
  expect(notes).toEqual([
    "SAVE40 doesn't apply here. It takes $40.00 off tires, and no items in your cart are eligible.",
  ])
  expect(
    await setMinimumPrices(store, desk, { prices: [{ sku: 'NOTHING', mapCents: 1 }], acceptsBelow: false }),
  ).toMatchObject({ reason: 'no-tire' })
})

test('a coupon that ended counts no more in carts that have it', async () => {
  await using store = await openTestStore(port)
  const id = await running(store)
  const cartId = await couponCart(store)
  store.clock.set(soon(store, 1))
  must(await endCoupon(store, desk, { id, reason: 'Shared too widely' }))
  expect(await priced(store, cartId)).toMatchObject({
    notes: expect.arrayContaining(['SAVE40 ended Nov 20, 2026.']),
  })
  expect(await enter(store, cartId, 'SAVE40')).toMatchObject({ reason: 'ended' })
})

test('a draft is tested, scheduled once, withdrawn and discarded; a form sent again makes one', async () => {
  await using store = await openTestStore(port)
  const { db } = store
  await db.deleteFrom('promotion').execute()
  const same = draftOf({ code: 'TEST10', kind: 'Percentage', amount: '10' })
  const id = must(await draftCoupon(store, desk, same))
  expect(await draftCoupon(store, desk, same)).toEqual(ok(id))
  const { sku } = await db
    .selectFrom('item')
    .select('sku')
    .where('retail_cents', '>', 10_000)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const coupon = (await findCoupon(store, String(id))) ?? expect.unreachable('no coupon')
  const tested = must(await testCoupon(store, coupon, { cart: [{ sku, quantity: 4 }], state: 'IL' }))
  expect(tested.without.program.kind).toBe('none')
  expect(tested.with.program.kind).toBe('coupon')
  const times = { id, version: 1, startsAt: soon(store, 1), endsAt: soon(store, 3) }
  const all = await Promise.all(Array.from({ length: 5 }, () => scheduleCoupon(store, desk, times)))
  expect(all.filter((done) => done.ok)).toHaveLength(1)
  expect((await listCoupons(store, { state: 'scheduled', after: null })).coupons.map((each) => each.id)).toEqual([id])
  const other = await draft(store, { code: 'TEST10' })
  expect(await scheduleCoupon(store, desk, { ...times, id: other })).toMatchObject({ reason: 'code-taken' })
  expect(must(await endCoupon(store, desk, { id, reason: 'Wrong' }))).toEqual({ isWithdrawn: true })
  must(await couponDrafts.discard(store, desk, id))
  expect(await findCoupon(store, String(id))).toBeUndefined()
})

test('the schema refuses to edit a coupon; a new version takes its code when it starts', async () => {
  await using store = await openTestStore(port)
  const id = await running(store)
  const set = (change: Record<string, unknown>) =>
    store.db
      .updateTable('coupon')
      .set(change)
      .where('id', '=', id)
      .execute()
      .then(
        () => undefined,
        (error: unknown) => violatedConstraint(error),
      )
  expect(await set({ amount: 1 })).toBe('coupon_never_edited')
  expect(await set({ code: 'OTHER' })).toBe('coupon_never_edited')
  expect(await set({ ends_at: soon(store, 99) })).toBe('coupon_ends_earlier_only')
  const next = await draft(store, { replaces: String(id), amount: '50' })
  must(await scheduleCoupon(store, desk, { id: next, version: 1, startsAt: soon(store, 2), endsAt: soon(store, 5) }))
  expect((await findCoupon(store, String(id)))?.endsAt).toEqual(soon(store, 2))
})

test('a Free coupon names one tire or service', async () => {
  await using store = await openTestStore(port)
  expect(await draftCoupon(store, desk, draftOf({ kind: 'Free', amount: '1' }))).toMatchObject({ reason: 'not-free' })
  expect(
    (await findCoupon(store, String(await draft(store, { kind: 'Free', amount: '1', subject: 'installation' }))))
      ?.service,
  ).toBe('installation')
  expect(await draftCoupon(store, desk, draftOf({ subject: 'no-such' }))).toMatchObject({ reason: 'no-subject' })
})
