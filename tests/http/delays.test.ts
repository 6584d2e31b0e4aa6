/**
 * Tests a late order, from the email's link in any browser to the answer, without JavaScript. Opening the link doesn't
 * answer, because programs prefetch email links.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tellOfDelays } from '#domain/ordering/orders/orders.server.ts'
import { eventually } from '#tests/support/eventually.ts'
import { labeledOrders, placeLabeledOrder } from '#tests/support/labeled-order.ts'
import { linkIn, mailFor, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  // Packages don't move, and orders are charged immediately.
  store = await startStore({ env: labeledOrders })
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`

/**
 * Places a charged home delivery order with a label, and passes its promised day without delivery. The shopper is
 * notified.
 */
async function placeLate(visitor: Visitor, email: string): Promise<number> {
  const orderId = await placeLabeledOrder(store, visitor, email)
  // What the worker does every ten minutes, ten days from now.
  const clock = { now: () => Temporal.Now.instant().add({ hours: 240 }) }
  await tellOfDelays({ db: store.database.db, clock })
  return orderId
}

const stateOf = async (orderId: number) =>
  (await store.database.db.selectFrom('sales_order').select('state').where('id', '=', orderId).executeTakeFirst())
    ?.state

test('the link shows the delay without side effects; waiting takes one click, and canceling refunds once', async () => {
  const visitor = createVisitor()
  const email = 'dana.waits@example.com'
  const orderId = await placeLate(visitor, email)
  const mail = await newestMail(store, email, 'will be late')
  expect(mail.subject).toBe(`Your tires will be late: order S-${orderId}`)
  expect(mail.text).toContain('we’ll cancel your order and refund the items that haven’t arrived.')
  const link = linkIn(mail, '/track-your-order/delay/')

  const other = createVisitor()
  for (let count = 0; count < 3; count += 1) {
    const opened = await other.ask(link)
    expect(opened.status).toBe(200)
    const page = await opened.text()
    expect(page).toContain('Your tires will be late.')
    expect(page).toContain('Cancel and refund')
    expect(page).not.toMatch(/<script[^>]* type="(?:module|text\/late)"/)
  }
  const answer = () =>
    store.database.db.selectFrom('delay_notice').select(['answer', 'answered_by']).where('order_id', '=', orderId)
  expect(await answer().execute()).toEqual([{ answer: null, answered_by: null }])

  // A missing key, a wrong key, a cross-site request, and an invalid answer.
  const bare = at(`/track-your-order/delay/${orderId}`)
  for (const address of [bare, `${bare}?key=x`, at('/track-your-order/delay/1'), at('/track-your-order/delay/x')])
    for (const form of [undefined, { answer: 'cancel' }])
      // A page leads to the look-up, a form is refused.
      expect((await other.ask(address, form && { form })).status).toBe(form ? 404 : 303)
  const foreign = { form: { answer: 'cancel' }, headers: { origin: 'https://evil.example' } }
  expect((await other.ask(link, foreign)).status).toBeGreaterThanOrEqual(400)
  expect((await other.ask(link, { form: { answer: 'perhaps' } })).status).toBe(400)
  expect((await other.ask(link, { form: {} })).status).toBe(400)
  const timeless = await other.ask(link, { form: { answer: 'move', time: 'noon' } })
  expect(timeless.status).toBe(422)
  expect((await other.ask(link, { form: { answer: 'move', time: '2026-12-01T10:00:00Z' } })).status).toBeLessThan(500)
  expect(await answer().execute()).toEqual([{ answer: null, answered_by: null }])

  const waited = await other.follow(link, { form: { answer: 'wait' } })
  expect(await waited.response.text()).toContain('Thank you for waiting.')
  expect(await answer().execute()).toEqual([{ answer: 'wait', answered_by: 'shopper' }])
  expect(await stateOf(orderId)).toBe('confirmed')

  const presses = Array.from({ length: 20 }, () => other.ask(link, { form: { answer: 'cancel' } }))
  for (const { status } of await Promise.all(presses)) expect(status).toBe(303)
  expect(await (await visitor.ask(bare)).text()).toContain('Your order is canceled')
  expect(await stateOf(orderId)).toBe('returned')
  const charge = await eventually('the refund', () =>
    store.database.db
      .selectFrom('payment')
      .select(['captured_cents', 'refunded_cents'])
      .where('order_id', '=', orderId)
      .where('refunded_cents', '>', 0)
      .executeTakeFirst(),
  )
  expect(charge.refunded_cents).toBe(charge.captured_cents)
  const subjects = (
    await eventually('the email of the refund', async () => {
      const found = await mailFor(store, email)
      return found.some(({ subject }) => subject.startsWith('Canceled: delayed order')) ? found : undefined
    })
  ).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.startsWith('Canceled: delayed order'))).toHaveLength(1)
})

test('an on-time order shows no delay', async () => {
  const visitor = createVisitor()
  const orderId = await placeLate(visitor, 'dana.first@example.com')
  await store.database.db.deleteFrom('delay_notice').where('order_id', '=', orderId).execute()
  const page = await (await visitor.ask(at(`/track-your-order/delay/${orderId}`))).text()
  expect(page).toContain('Your order is on time.')
  expect((await visitor.ask(at(`/track-your-order/delay/${orderId}`), { form: { answer: 'cancel' } })).status).toBe(303)
  expect(await stateOf(orderId)).toBe('confirmed')
})

test('a delay that the carrier reports is emailed by the job it queues, and its page is in the past tense on arrival', async () => {
  const visitor = createVisitor()
  const email = 'dana.delayed@example.com'
  const orderId = await placeLabeledOrder(store, visitor, email)
  const press = async (button: string) => {
    const { tracking_number: tracking } = await store.database.db
      .selectFrom('shipment')
      .select('tracking_number')
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    const headers = { origin: store.sandboxOrigin }
    const init = { method: 'POST', redirect: 'manual', headers } as const
    expect((await fetch(`${store.sandboxOrigin}/carrier/board/${tracking}/${button}`, init)).status).toBe(303)
  }
  await press('delay')
  const link = linkIn(await newestMail(store, email, 'will be late'), '/track-your-order/delay/')
  expect(await (await visitor.ask(link)).text()).toContain('Your tires will be late.')
  await press('advance')
  await newestMail(store, email, 'Delivered')
  const page = await (await visitor.ask(link)).text()
  expect(page).toContain('Your tires have arrived.')
  expect(page).not.toContain('will be late')
})
