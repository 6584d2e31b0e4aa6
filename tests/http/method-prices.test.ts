/** Each payment method shows the price that it charges, in every state of every offer. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeZone } from '#platform/store-zone.ts'
import { callApi, fillHomeCart } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const storeCard = '/checkout/payments/store-card'

async function shopper(email = `${randomUUID()}@example.com`): Promise<Visitor> {
  const visitor = createVisitor()
  await fillHomeCart(store, visitor, { contact: { firstName: 'Iris', lastName: 'Vale', email } })
  return visitor
}

const htmlOf = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '').replaceAll('&#x27;', "'")
const centsOf = (dollars: string) => Math.round(Number(dollars.replaceAll(/[$,]/g, '')) * 100)

/** The price of each method on the payment page; monthly plans show theirs on the page of the method. */
async function shownPrices(visitor: Visitor): Promise<Map<string, number>> {
  const html = await htmlOf(visitor, '/checkout/payments')
  const prices = new Map<string, number>()
  for (const way of html.split('<div class="pay-way">').slice(1)) {
    const type = /<input[^>]*value="([^"]+)"/.exec(way)?.[1] ?? ''
    const total =
      /<dt>Total<\/dt><dd>(\$[\d,.]+)/.exec(way)?.[1] ?? /pay-way-amount tabular"><b>(\$[\d,.]+)/.exec(way)?.[1]
    if (total && !way.includes('<dt>Interest</dt>')) prices.set(type, centsOf(total))
    else prices.set(type, NaN)
  }
  return prices
}

/** Opens the provider's page of a method; returns the total on our page before, and the amount of the charge. */
async function charge(visitor: Visitor, type: string): Promise<{ pageCents: number; chargedCents: number }> {
  const html = await htmlOf(visitor, `/checkout/payments/${type}`)
  const total = /(?:You approve|to set) (\$[\d,.]+) (?:there|aside)/.exec(html)?.[1] ?? ''
  const opened = await visitor.ask(at(`/checkout/payments/${type}`), { form: { intent: 'hosted' } })
  expect(opened.status, type).toBe(303)
  const cartId = visitor.cookie('sw_cart')?.value ?? ''
  const payment = await store.database.db
    .selectFrom('payment')
    .select(['amount_cents', 'method'])
    .where('cart_id', '=', cartId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(payment.method).toBe(type)
  return { pageCents: centsOf(total), chargedCents: payment.amount_cents }
}

/** Compares what every method shows with what it charges; returns the prices by method. */
async function compareAll(visitor: Visitor, state: string): Promise<Map<string, number>> {
  const shown = await shownPrices(visitor)
  expect([...shown.keys()]).toEqual(expect.arrayContaining(['card', 'klarna', 'store-card', 'lease']))
  const charged = new Map<string, number>()
  for (const [type, shownCents] of shown) {
    const { pageCents, chargedCents } = await charge(visitor, type)
    expect(pageCents, `${state} ${type}`).toEqual(chargedCents)
    if (!Number.isNaN(shownCents)) expect(shownCents, `${state} ${type}`).toEqual(chargedCents)
    charged.set(type, chargedCents)
  }
  return charged
}

/** Opens the lender's page for the store card and answers there; returns where the shopper comes back. */
async function applyForStoreCard(visitor: Visitor, person: string): Promise<void> {
  await visitor.ask(at('/checkout/payments'), { form: { method: 'store-card', sameAsShipping: '1' } })
  const gone = await visitor.ask(at(storeCard), { form: { intent: 'hosted' } })
  const page = new URL(gone.headers.get('location') ?? '')
  await visitor.ask(page, { form: { act: 'apply', person } })
  const html = await (await visitor.ask(page)).text()
  const back = html.includes('value="sign"')
    ? new URL((await visitor.ask(page, { form: { act: 'sign' } })).headers.get('location') ?? '', page)
    : (/class="button primary" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '')
  await visitor.ask(back)
}

async function cartCents(visitor: Visitor): Promise<number> {
  return ((await callApi(store, visitor, 'GET', '/cart/price')).body as { dueCents: number }).dueCents
}

test('before selection, only the store card shows its 5% off, also before the application', async () => {
  const visitor = await shopper()
  const page = await htmlOf(visitor, '/checkout/payments')
  expect(page).toMatch(/5% off your first purchase: you save \$[\d.]+\./)
  const charged = await compareAll(visitor, 'new')
  expect(charged.get('store-card')).toBeLessThan(charged.get('card') ?? 0)
  expect(charged.get('klarna')).toBe(charged.get('card'))
})

test.each(['decline', 'expire', 'low'])(
  'after an application that ended with %s, no other method has the discount',
  async (person) => {
    const visitor = await shopper()
    const before = await cartCents(visitor)
    await applyForStoreCard(visitor, person)
    expect(await cartCents(visitor)).toBe(before)
    const charged = await compareAll(visitor, person)
    expect(charged.get('card')).toBe(before)
  },
)

test('after an abandoned application, no other method has the 5% off', async () => {
  const visitor = await shopper()
  const before = await cartCents(visitor)
  await visitor.ask(at('/checkout/payments'), { form: { method: 'store-card', sameAsShipping: '1' } })
  await visitor.ask(at(storeCard), { form: { intent: 'hosted' } })
  expect(await cartCents(visitor)).toBe(before)
  // The cart names the offer only to say that it is gone.
  const cart = await htmlOf(visitor, '/cart')
  expect(cart).toContain('no longer applies.')
  expect(cart.replaceAll(/Store card offer \([^)]*\) no longer applies\./g, '')).not.toContain('Store card offer')
  expect((await compareAll(visitor, 'abandoned')).get('card')).toBe(before)
})

test('an approved application takes 5% off its order, and a second order of the same person pays the full price', async () => {
  const email = `${randomUUID()}@example.com`
  const visitor = await shopper(email)
  const before = await cartCents(visitor)
  await applyForStoreCard(visitor, 'approve')
  expect(await cartCents(visitor)).toBeLessThan(before)
  const shown = await shownPrices(visitor)
  expect(shown.get('card')).toBe(before)
  const summary = await htmlOf(visitor, '/checkout/order-summary')
  const agreed = /name="agreed" value="([^"]+)"/.exec(summary)?.[1] ?? ''
  const placed = await visitor.ask(at('/checkout/order-summary'), { form: { agreed, terms: '1', conditions: '1' } })
  expect(placed.status).toBe(303)

  const again = await shopper(email)
  expect(await htmlOf(again, '/checkout/payments')).not.toContain('off your first purchase')
  const charged = await compareAll(again, 'used')
  expect(charged.get('store-card')).toBe(charged.get('card'))
})

test('a pay-later promotion applies only to that method’s price', async () => {
  const sales = createVisitor()
  await signInToOffice(store.origin, sales, { email: 'sales@example.com' })
  const local = (hours: number) =>
    Temporal.Now.zonedDateTimeISO(storeZone).add({ hours }).toPlainDateTime().toString().slice(0, 16)
  const scheduled = await sales.ask(at('/office/pay-later'), {
    form: {
      intent: 'add',
      formKey: randomUUID(),
      method: 'klarna',
      percent: '10',
      fundedBy: 'lender',
      startsAt: local(0),
      endsAt: local(24),
    },
  })
  expect(scheduled.headers.get('location')).toBe('/office/pay-later?done=scheduled')
  const visitor = await shopper()
  await visitor.ask(at('/checkout/payments'), { form: { method: 'klarna', sameAsShipping: '1' } })
  const charged = await compareAll(visitor, 'klarna promotion')
  expect(charged.get('klarna')).toBeLessThan(charged.get('card') ?? 0)
  expect(charged.get('store-card')).not.toBe(charged.get('klarna'))
})
