/** Tests a lender's payment without JavaScript from the application to delivery, and every other outcome. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { fillHomeCart } from '#tests/support/order-by-api.ts'
import { verify } from '#tests/support/invariants.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore({ env: { RELEASE_AFTER_SECONDS: '2', SANDBOX_CARRIER_PACE_SECONDS: '1' } })
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const contact = { firstName: 'Iris', lastName: 'Vale', email: 'iris@example.com' }
const lease = '/checkout/payments/lease'

/** A cart that is complete but for its payment. */
async function shopper(options: { hasCoverage?: boolean } = {}): Promise<Visitor> {
  const visitor = createVisitor()
  await fillHomeCart(store, visitor, { contact, ...options })
  return visitor
}

/** Goes to the lender from the method's page; returns the page there. */
async function goToLender(visitor: Visitor): Promise<URL> {
  const gone = await visitor.ask(at(lease), { form: { intent: 'hosted' } })
  expect(gone.status).toBe(303)
  const page = new URL(gone.headers.get('location') ?? '')
  expect(page.origin).toBe(store.sandboxOrigin)
  return page
}

/** Presses a button there; returns where it leads. */
async function press(visitor: Visitor, page: URL, form: Record<string, string>): Promise<URL> {
  const answer = await visitor.ask(page, { form })
  expect(answer.status).toBe(303)
  return new URL(answer.headers.get('location') ?? '', page)
}

async function applyAs(visitor: Visitor, person: string): Promise<{ page: URL; back: Response }> {
  const page = await goToLender(visitor)
  await press(visitor, page, { act: 'apply', person })
  const html = await (await visitor.ask(page)).text()
  if (!html.includes('value="sign"')) {
    const back = /class="button primary" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    return { page, back: await visitor.ask(back) }
  }
  return { page, back: await visitor.ask(await press(visitor, page, { act: 'sign' })) }
}

async function words(visitor: Visitor, path: string): Promise<string> {
  return (await (await visitor.ask(at(path))).text()).replaceAll(/<[^>]+>/g, ' ').replaceAll('&#x27;', "'")
}

const cartOf = (visitor: Visitor) => /sw_cart=([^;]+)/.exec(visitor.cookieFor(store.origin))?.[1] ?? ''

test('apply, sign, order, deliver, and pay without script', async () => {
  const visitor = await shopper()
  expect(await words(visitor, '/checkout/payments')).toContain('Lease-to-own')
  const chosen = await visitor.ask(at('/checkout/payments'), { form: { method: 'lease', sameAsShipping: '1' } })
  expect(chosen.headers.get('location')).toBe(lease)
  const offer = await words(visitor, lease)
  // The lender's own words and amounts.
  expect(offer).toContain('You rent the tires and own them after the last payment.')
  expect(offer).toMatch(/Total, yours after 12 months\s+\$[\d,]+\.\d\d/)

  const { back } = await applyAs(visitor, 'approve')
  expect(back.headers.get('location')).toBe('/checkout/order-summary')
  const summary = await (await visitor.ask(at('/checkout/order-summary'))).text()
  const agreed = /name="agreed" value="([^"]+)"/.exec(summary)?.[1] ?? ''
  const placed = await visitor.ask(at('/checkout/order-summary'), {
    form: { agreed, terms: '1', conditions: '1' },
  })
  expect(placed.status).toBe(303)
  const { db } = store.database
  const find = () =>
    db
      .selectFrom('payment')
      .innerJoin('sales_order', 'sales_order.id', 'payment.order_id')
      .select([
        'payment.state',
        'payment.captured_cents',
        'payment.amount_cents',
        'sales_order.released_at',
        'order_id',
      ])
      .where('payment.method', '=', 'lease')
      .executeTakeFirstOrThrow()
  const order = await find()
  expect(order).toMatchObject({ state: 'authorized', captured_cents: 0 })
  const confirmation = (await visitor.ask(new URL(placed.headers.get('location') ?? '', store.origin))).status
  expect(confirmation).toBeLessThan(400)

  await eventually('release', async () => (await find()).released_at)
  await eventually('money', async () => (await find()).state === 'captured')
  const delivered = await db
    .selectFrom('shipment')
    .select('delivered_at')
    .where('order_id', '=', order.order_id)
    .execute()
  expect(delivered.every(({ delivered_at: when }) => when !== null)).toBe(true)
  expect(await find()).toMatchObject({ captured_cents: order.amount_cents })
  expect((await verify(db, Temporal.Now.instant())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test.each([
  ['decline', 'Your credit application was not accepted'],
  ['expire', "We're sorry, the payment was not able to be processed. Please try again or use another payment method."],
  ['low', "We're sorry, the payment was not able to be processed. Please try again or use another payment method."],
  ['review', 'Your payment is processing... please check for your email confirmation.'],
])('%s is said on the payment page', async (person, said) => {
  const visitor = await shopper()
  const { back } = await applyAs(visitor, person)
  expect(back.headers.get('location')).toBe('/checkout/payments')
  expect(await words(visitor, '/checkout/payments')).toContain(said)
})

test('canceled at the lender, the shopper is back without an error', async () => {
  const visitor = await shopper()
  const page = await goToLender(visitor)
  const back = await press(visitor, page, { act: 'cancel' })
  const said = await words(visitor, back.pathname + back.search)
  expect(said).toContain('You left before approving it. You haven’t been charged.')
  expect(said).not.toContain('Payment error')
})

test('the answer to a review arrives by webhook', async () => {
  const visitor = await shopper()
  const { page } = await applyAs(visitor, 'review')
  const id = page.pathname.split('/').at(-1) ?? ''
  await visitor.ask(`${store.sandboxOrigin}/lender/${id}/review`, { form: { answer: 'approve' } })
  await eventually('authorization', async () => {
    const payment = await store.database.db
      .selectFrom('payment')
      .select('state')
      .where('provider_ref', '=', `lender:${id}`)
      .executeTakeFirst()
    return payment?.state === 'authorized'
  })
  expect(await words(visitor, lease)).toContain('Review your order')
})

test('what a lender does not finance cannot be chosen, and is not sent to it', async () => {
  const visitor = await shopper({ hasCoverage: true })
  expect(await words(visitor, '/checkout/payments')).toContain(
    'A lease covers tires and their installation, not plans.',
  )
  const chosen = await visitor.ask(at('/checkout/payments'), { form: { method: 'lease', sameAsShipping: '1' } })
  expect(chosen.status).toBe(422)
  const gone = await visitor.ask(at(lease), { form: { intent: 'hosted' } })
  expect(gone.headers.get('location')).toBe('/checkout/payments')
  expect(cartOf(visitor)).not.toBe('')
})
