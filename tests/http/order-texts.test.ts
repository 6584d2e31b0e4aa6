/** Texts about an order, from the button on its page to YES and STOP on the phone, with the sandbox as the phone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { callApi, oneTireItem, placeHomeOrder } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const phone = '+13125550142'

const who = {
  firstName: 'Dana',
  lastName: 'Ruiz',
  address1: '2450 N Halsted St',
  city: 'Chicago',
  state: 'IL',
  zip: '60614',
  email: 'dana.texts@example.com',
  phone: '(312) 555-0142',
  phoneType: 'mobile',
}

/** Four tires to a home in Chicago. */
async function fillCart(visitor: Visitor): Promise<void> {
  await visitor.ask(`${store.origin}/zip`, { form: { zip: '60614', back: '/' } })
  const form = { item: await oneTireItem(store), quantity: '4', axle: 'all' }
  await visitor.ask(`${store.origin}/cart`, { form })
  await callApi(store, visitor, 'PUT', '/cart/delivery', { fulfillment: 'home' })
}

const texts = async () => {
  const answer = await fetch(`${store.sandboxOrigin}/texts/texts.json`)
  return ((await answer.json()) as { texts: { direction: string; to: string; body: string }[] }).texts
    .filter(({ direction }) => direction === 'outbound-api')
    .map(({ to, body }) => ({ to, body }))
}
const type = (body: string) =>
  fetch(`${store.sandboxOrigin}/texts`, {
    method: 'POST',
    body: new URLSearchParams({ from: phone, body }),
    redirect: 'manual',
  })

test('the checkout box is unchecked, explains the terms, and is stored as selected', async () => {
  const visitor = createVisitor()
  await fillCart(visitor)
  const address = `${store.origin}/checkout/shipping-confirmation`
  const box = async () => /<input[^>]*name="texts"[^>]*>/.exec(await (await visitor.ask(address)).text())?.[0] ?? ''
  const page = await (await visitor.ask(address)).text()
  for (const words of [
    'Up to 6 messages per order',
    'Message and data rates may apply',
    'Reply STOP to stop, HELP',
    'Agreeing is not a condition of buying',
    'href="/terms"',
  ])
    expect(page).toContain(words)
  expect(await box()).not.toMatch(/checked/)
  expect((await visitor.ask(address, { form: { ...who, texts: '1' } })).status).toBe(303)
  expect(await box()).toMatch(/checked/)
  // A refused form preserves it, too.
  const refused = await (await visitor.ask(address, { form: { ...who, zip: 'x', texts: '1' } })).text()
  expect(refused).toMatch(/<input[^>]*name="texts"[^>]*checked/)
  expect((await visitor.ask(address, { form: who })).status).toBe(303)
  expect(await box()).not.toMatch(/checked/)
})

test('in the account a phone is chosen with the box checked, and taken off again', async () => {
  const visitor = createVisitor()
  await signInAt(store.origin, visitor, { email: 'dana@example.com' })
  const address = `${store.origin}/account/texts`
  const unchecked = await visitor.ask(address, { form: { phone: '(773) 555-0188' } })
  const html = await unchecked.text()
  expect(unchecked.status).toBe(422)
  expect(html).toContain('Check the box to agree.')
  expect(html).toContain('(773) 555-0188')
  for (let times = 0; times < 20; times += 1)
    expect((await visitor.ask(address, { form: { phone: '(773) 555-0188', agreed: '1' } })).status).toBe(303)
  expect(await (await visitor.ask(address)).text()).toContain('Reply YES to it to turn texts on.')
  const asked = await eventually('the question', async () => (await texts()).find(({ to }) => to === '+17735550188'))
  expect(asked.body).toContain('reply YES to get texts about your orders')
  expect((await texts()).filter(({ to }) => to === '+17735550188')).toHaveLength(1)
  expect((await visitor.ask(address, { form: { intent: 'off' } })).status).toBe(303)
  expect(await (await visitor.ask(address)).text()).not.toContain('(773) 555-0188')
})

test('the button sends one question, YES opts in, and STOP opts out, as shown on the page', async () => {
  const visitor = createVisitor()
  const orderId = await placeHomeOrder(store, visitor, { email: 'dana.texts@example.com' })
  const address = `${store.origin}/checkout/order-confirmation?order=${orderId}`
  const page = async () => (await visitor.ask(address)).text()
  const shows = (words: string) => eventually(words, async () => ((await page()).includes(words) ? true : undefined))
  expect(await page()).toContain('Agreeing is not a condition of buying.')
  const press = { form: { intent: 'texts' } }
  // Not available with only the order number.
  expect((await createVisitor().ask(address, press)).status).toBe(404)
  for (let times = 0; times < 20; times += 1) expect((await visitor.ask(address, press)).status).toBe(303)
  await shows('Reply YES to confirm.')
  const mine = async () => (await texts()).filter(({ to }) => to === phone)
  await eventually('the question', async () => ((await mine()).length > 0 ? true : undefined))
  expect(await mine()).toEqual([{ to: phone, body: expect.stringContaining('reply YES') as string }])
  await type('Yes')
  await shows('Texts go to (312) 555-0142.')
  await type('STOP')
  await shows('were stopped from the phone.')
  const refused = await visitor.ask(address, press)
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('Text START to us')
  const events = await store.database.db
    .selectFrom('text_consent_event')
    .select('what')
    .where('phone', '=', phone)
    .orderBy('id')
    .execute()
  expect(events.map(({ what }) => what)).toEqual(['asked', 'confirmed', 'stopped'])
})
