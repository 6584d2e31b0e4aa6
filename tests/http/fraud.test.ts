/** Tests orders held or refused by the fraud rules, on pages and over the API, and the staff's decisions. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { callApi, fillHomeCart, placeHomeOrder } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let owner: Visitor
beforeAll(async () => {
  store = await startStore()
  owner = createVisitor()
  await signInToOffice(store.origin, owner)
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`

/** Adds a rule that refuses or holds orders with this word in the company's name. */
async function addNameRule(word: string, outcome: string) {
  const form = { intent: 'add', kind: 'dealer-names', words: word, outcome, isOn: '1', homesOnly: '1', version: '0' }
  const answer = await owner.ask(at('/office/fraud-rules'), { form })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/office/fraud-rules?done=saved')
}

test('a rejected order shows one sentence with the phone, on page and API, and its cart remains', async () => {
  const visitor = createVisitor()
  const contact = { email: 'lot@example.com', company: 'Lakeview Auto Sales' }
  const { agreedPrice } = await fillHomeCart(store, visitor, { contact })
  const opened = await callApi(store, visitor, 'POST', '/cart/payment', { flow: 'fields' })
  const { clientSecret } = opened.body as { clientSecret: string }
  await payWithFields({ origin: store.sandboxOrigin, storeOrigin: store.origin }, clientSecret, '4242424242424242')

  const terms = { agreedPrice, termsAccepted: true, conditionsAccepted: true }
  const refused = await callApi(store, visitor, 'POST', '/orders', terms)
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject({ code: 'RefusedOnline' })
  const words = (refused.body as { message: string }).message
  expect(words).toMatch(/^We can’t take this order online\. Please call \(?\d{3}/)
  expect(words).not.toContain('Auto Sales')
  const cart = await callApi(store, visitor, 'GET', '/cart')
  expect(JSON.stringify(cart.body)).toContain('"quantity":4')

  await callApi(store, visitor, 'POST', '/cart/payment', { flow: 'fields' }).then(({ body }) =>
    payWithFields(
      { origin: store.sandboxOrigin, storeOrigin: store.origin },
      (body as { clientSecret: string }).clientSecret,
      '4242424242424242',
    ),
  )
  const page = await visitor.ask(at('/checkout/order-summary'), {
    form: { agreed: agreedPrice, terms: '1', conditions: '1' },
  })
  expect(page.status).toBe(403)
  expect(await page.text()).toContain('We can’t take this order online. Please call')

  const list = await (await owner.ask(at('/office/held-orders?state=refuse'))).text()
  expect(list).toContain('lot@example.com')
  expect(list).toContain('“auto sales”')
})

test('a held order is in the queue, shows its reason only to staff, and is decided once', async () => {
  await addNameRule('quarry', 'review')
  const visitor = createVisitor()
  const contact = { email: 'quarry@example.com', company: 'Quarry Nine' }
  const [first, second] = [
    await placeHomeOrder(store, visitor, contact),
    await placeHomeOrder(store, createVisitor(), contact),
  ]
  expect(await (await owner.ask(at('/office'))).text()).toContain('Held orders')
  const page = `/office/held-orders/${first}`
  expect(await (await owner.ask(at(page))).text()).toContain('“quarry”')
  expect(await (await owner.ask(at(`/office/orders/${first}`))).text()).toContain('Held for review')
  expect(await (await visitor.ask(at(`/order-confirmation/${first}`))).text()).not.toMatch(/held for|fraud|rule/i)

  const long = await owner.ask(at(page), { form: { intent: 'accept', note: 'x'.repeat(501) } })
  expect(long.status).toBe(422)
  const accepted = await owner.ask(at(page), { form: { intent: 'accept', note: 'Called them.' } })
  expect(accepted.headers.get('location')).toBe('/office/held-orders?done=accepted')
  expect((await owner.ask(at(page), { form: { intent: 'cancel' } })).status).toBe(409)
  const canceled = await owner.ask(at(`/office/held-orders/${second}`), { form: { intent: 'cancel' } })
  expect(canceled.headers.get('location')).toBe('/office/held-orders?done=canceled')
  expect(await (await owner.ask(at('/office/held-orders?state=review'))).text()).toContain(
    'Accepted by owner@example.com',
  )
})

test('hostile rules and filters are refused by their field', async () => {
  for (const [fields, status] of [
    [{ intent: 'add', kind: '__proto__', outcome: 'review' }, 422],
    [{ intent: 'add', kind: 'resale', outcome: 'review', most: '1e9' }, 422],
    [{ intent: 'change', kind: 'resale', outcome: 'review', most: '9', rule: '999999999', version: '1' }, 409],
    [{ intent: 'add', kind: 'orders', outcome: 'review', subject: 'shoe', most: '1', minutes: '60' }, 422],
  ] as const)
    expect((await owner.ask(at('/office/fraud-rules'), { form: fields })).status).toBe(status)
  expect((await owner.ask(at('/office/held-orders?state=x&before=never'))).status).toBe(200)
  expect((await owner.ask(at('/office/fraud-rules?rule=1'))).status).toBe(200)
})
