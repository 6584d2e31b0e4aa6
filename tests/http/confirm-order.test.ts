/** Tests an order to confirm, from placing it to the email's link in another browser, without JavaScript. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { linkIn, mailFor, newestMail } from '#tests/support/mailbox.ts'
import { callApi, placeHomeOrder } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`

/** Four tires to a street without a house number, paid and placed. */
const placeDoubtful = (visitor: Visitor, email: string) =>
  placeHomeOrder(store, visitor, { address1: 'Halsted Street', email })

const stateOf = async (orderId: number) =>
  (await store.database.db.selectFrom('sales_order').select('state').where('id', '=', orderId).executeTakeFirst())
    ?.state

test('the emailed link shows the order in any browser, opening it has no effect, and one click confirms', async () => {
  const visitor = createVisitor()
  const email = 'dana.confirms@example.com'
  const orderId = await placeDoubtful(visitor, email)
  const page = await (await visitor.ask(at(`/checkout/order-confirmation?order=${orderId}`))).text()
  expect(page).toContain('Please confirm your order.')
  expect(page).toContain('2-4 business days after completion')
  expect(page).toContain('The street of your address has no house number.')
  expect(page).not.toMatch(/<script[^>]* type="(?:module|text\/late)"/)

  const mail = await newestMail(store, email)
  expect(mail.subject).toBe(`Please confirm your order S-${orderId}`)
  const link = linkIn(mail, '/checkout/confirm-order/')
  const other = createVisitor()
  for (let count = 0; count < 3; count += 1) {
    const opened = await other.ask(link)
    expect(opened.status).toBe(200)
    expect(await opened.text()).toContain('Confirm order')
  }
  expect(await stateOf(orderId)).toBe('needs-confirmation')

  // A missing key, a wrong key, and a cross-site request.
  const bare = at(`/checkout/confirm-order/${orderId}`)
  expect((await other.ask(bare, { form: {} })).status).toBe(404)
  expect((await other.ask(`${bare}?key=x`, { form: {} })).status).toBe(404)
  const foreign = await other.ask(link, { form: {}, headers: { origin: 'https://evil.example' } })
  expect(foreign.status).toBeGreaterThanOrEqual(400)
  expect(await stateOf(orderId)).toBe('needs-confirmation')

  // Two tabs: the second press finds it done.
  for (const visitorOfTab of [other, visitor]) {
    const { url, response } = await visitorOfTab.follow(visitorOfTab === other ? link : bare, { form: {} })
    expect(url.pathname).toBe('/checkout/order-confirmation')
    expect(await response.text()).toContain('is confirmed, no further action.')
  }
  const mails = await eventually('the mail of the confirmation', async () => {
    const found = await mailFor(store, email)
    return found.length === 2 ? found : undefined
  })
  expect(mails[0]?.subject).toBe(`Your order S-${orderId} is confirmed`)
  expect(await (await other.ask(link)).text()).toContain('is confirmed, no further action.')
})

test('an app sees that an order is pending and confirms it, but not a canceled one', async () => {
  const visitor = createVisitor()
  const orderId = await placeDoubtful(visitor, 'program@example.com')
  expect((await callApi(store, visitor, 'GET', `/orders/${orderId}`)).body).toMatchObject({
    state: 'needs-confirmation',
    canCancel: true,
    confirmBy: expect.any(String) as string,
    confirmationReasons: ['The street of your address has no house number.'],
  })
  expect((await callApi(store, createVisitor(), 'POST', `/orders/${orderId}/confirmation`)).status).toBe(404)
  for (let count = 0; count < 2; count += 1)
    expect(await callApi(store, visitor, 'POST', `/orders/${orderId}/confirmation`)).toMatchObject({
      status: 200,
      body: { state: 'confirmed', canCancel: true, confirmBy: null, confirmationReasons: [] },
    })
  expect((await callApi(store, visitor, 'POST', `/orders/${orderId}/cancellation`)).status).toBe(200)
  expect(await callApi(store, visitor, 'POST', `/orders/${orderId}/confirmation`)).toMatchObject({
    status: 409,
    body: { code: 'TooLateToConfirm' },
  })
})

test('the account lists it with the button, and the tracking page has it, too', async () => {
  const olive = createVisitor()
  await signInAt(store.origin, olive, { email: 'olive@example.com' })
  const list = await olive.ask(at('/account/my-orders'))
  const action = await olive.formAction(list, '/checkout/confirm-order/')
  const orderId = Number(action.split('/').at(-1))
  const track = await olive.ask(at(`/track-your-order/result?order=${orderId}`))
  expect(await olive.formAction(track, '/checkout/confirm-order/')).toBe(action)
  expect((await olive.ask(at(action), { form: {} })).status).toBe(303)
  expect(await stateOf(orderId)).toBe('confirmed')
  expect(await (await olive.ask(at('/account/my-orders'))).text()).not.toContain('/checkout/confirm-order/')
})
