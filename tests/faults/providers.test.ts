/**
 * Tests a payment provider that is slow, fails, disconnects, repeats messages, or responds after the shopper has left.
 * The shopper is informed and never charged twice.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { openProviderGate, type ProviderGate } from './provider-gate.ts'
import type { ReadyCart } from './ready-cart.ts'
import { openDoors } from './started-store.ts'
import { startStore } from '#tests/support/store.ts'

let gate: ProviderGate
let store: Awaited<ReturnType<typeof openStore>>
beforeAll(async () => {
  gate = await openProviderGate()
  store = await openStore()
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await gate[Symbol.asyncDispose]()
})

beforeEach(() => gate.become('none'))

const sorry =
  /We(&#x27;|')re sorry, the payment was not able to be processed\. Please try again or use another payment method\./

test.for(['failing', 'cutting', 'silent'] as const)(
  'while the provider is %s placing an order or opening a charge fails with a message; afterward each succeeds, once',
  async (fault) => {
    const cart = await store.prepare()
    const other = await store.prepare()
    gate.become(fault)
    const [pressed, opened] = await Promise.all([store.press(cart), openCharge(other)])
    expect(pressed).toMatchObject({ status: 503, text: expect.stringMatching(sorry) as unknown })
    expect(opened).toMatchObject({ status: 503, text: expect.stringMatching(sorry) as unknown })
    expect(await store.ordersOf(cart)).toEqual([])

    gate.become('none')
    expect(await store.press(cart)).toEqual({ orderId: (await store.ordersOf(cart))[0] })
    expect(await openCharge(other)).toMatchObject({
      status: 200,
      text: expect.stringContaining('clientSecret') as unknown,
    })
    // The last charge opened has no card yet.
    expect(await store.press(other)).not.toHaveProperty('orderId')
    expect(await store.ordersOf(other)).toEqual([])
    await untilChargedOnce(cart)
  },
)

test('a shopper who returns from the payment page during an outage waits there, and continues after it', async () => {
  const cart = await store.prepare()
  const headers = { origin: store.origin, cookie: `sw_cart=${cart.cartId}`, accept: 'text/html' }
  const send = (path: string, body?: URLSearchParams) =>
    fetch(store.origin + path, { headers, redirect: 'manual', ...(body && { method: 'POST', body }) })
  gate.become('failing')
  const back = (await send('/checkout/payments/return')).headers.get('location') ?? ''
  expect(back).toBe('/checkout/payments/card?unconfirmed')
  const waiting = await (await send(back)).text()
  expect(waiting).toContain('Your payment is processing...')
  expect(waiting).not.toContain('Pay on the secure page')
  expect(await (await send('/checkout/payments/card')).text()).toContain('Pay on the secure page')
  const check = new URLSearchParams({ intent: 'settle' })
  const checked = await send(back, check)
  expect(checked.status).toBe(503)
  expect(await checked.text()).toContain('Your payment is processing...')

  gate.become('none')
  expect((await send(back, check)).headers.get('location')).toBe('/checkout/order-summary')
})

test.for(['failing', 'cutting', 'twice'] as const)(
  'while the provider is %s an order is charged, now or later, and never twice',
  async (fault) => {
    const cart = await store.prepare()
    expect(await store.press(cart)).toHaveProperty('orderId')
    gate.become(fault)
    const tried = async () => (await store.jobsOf(cart)) > 0 || (await store.chargesOf(cart)).includes('captured')
    await eventually('try to charge', tried)
    gate.become('none')
    await untilChargedOnce(cart)
  },
)

test('duplicate and out-of-order provider messages result in one order', async () => {
  const cart = await store.prepare(undefined, '4000000000022220')
  const presses = await Promise.all([store.press(cart), store.press(cart)])
  expect(presses).toEqual([presses[0], presses[0]])
  expect(await store.ordersOf(cart)).toHaveLength(1)
  await untilChargedOnce(cart)
})

test('a shopper who left before the bank answered finds an authorized charge and no order', async () => {
  const cart = await store.prepare()
  await eventually('message of the provider', async () => (await store.chargesOf(cart)).includes('authorized'))
  expect(await store.ordersOf(cart)).toEqual([])
  expect(await store.press(cart)).toHaveProperty('orderId')
  await untilChargedOnce(cart)
  expect(await verify(store.db, Temporal.Now.instant())).toEqual([])
})

async function openStore() {
  const started = await startStore({ env: { SANDBOX_ORIGIN: gate.origin, RELEASE_AFTER_SECONDS: '1' } })
  gate.leadTo(started.sandboxOrigin)
  const doors = await openDoors({ ...started, sandboxOrigin: gate.origin })
  return {
    ...doors,
    /** How often the release of this cart's order has failed. */
    async jobsOf({ cartId }: ReadyCart): Promise<number> {
      const { rows } = await sql<{ attempts: number }>`
        select job.attempts from graphile_worker.jobs job join sales_order on job.key = 'release-order:' || sales_order.id
        where cart_id = ${cartId}::uuid and last_error is not null`.execute(doors.db)
      return rows[0]?.attempts ?? 0
    },
  }
}

/** Opens a charge, as the card page's script does before it shows the fields. */
async function openCharge({ cartId }: ReadyCart): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${store.origin}/checkout/payments/card.data`, {
    method: 'POST',
    headers: { origin: store.origin, cookie: `sw_cart=${cartId}` },
    body: new URLSearchParams({ intent: 'open' }),
  })
  return { status: answer.status, text: await answer.text() }
}

async function untilChargedOnce(cart: ReadyCart): Promise<void> {
  await eventually('charge', async () => (await store.chargesOf(cart)).includes('captured'))
  const charges = await store.db
    .selectFrom('payment')
    .select(['provider_ref', 'captured_cents'])
    .where('cart_id', '=', cart.cartId)
    .execute()
  expect(charges).toEqual([{ provider_ref: expect.any(String) as unknown, captured_cents: cart.totalCents }])
  expect(await store.payments.readCharge(charges[0]?.provider_ref ?? '')).toMatchObject({
    ok: true,
    value: { state: 'captured', capturedCents: cart.totalCents },
  })
  const [orderId = 0] = await store.ordersOf(cart)
  const cash = await store.db
    .selectFrom('ledger_entry')
    .select('amount_cents')
    .where('order_id', '=', orderId)
    .where('account', '=', 'cash')
    .execute()
  expect(cash).toEqual([{ amount_cents: cart.totalCents }])
}
