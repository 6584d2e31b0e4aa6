/** Tests canceling an order's lines over HTTP: by its shopper on the tracking page, and by staff in the office. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveParcels } from '#domain/ordering/orders/orders.testing.ts'
import { systemClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { verify } from '#tests/support/invariants.ts'
import { labeledOrders, placeLabeledOrder } from '#tests/support/labeled-order.ts'
import { newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const support = createVisitor()
const manager = createVisitor()
beforeAll(async () => {
  store = await startStore({ env: labeledOrders })
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

const tracking = (orderId: number) => `${store.origin}/track-your-order/result?order=${orderId}`
const act = (orderId: number) => `${store.origin}/office/orders/${orderId}/lines`

const refundsOf = (orderId: number) =>
  store.database.db.selectFrom('order_refund').select(['kind', 'created_by']).where('order_id', '=', orderId).execute()

async function formOn(visitor: Visitor, address: string): Promise<Record<string, string>> {
  const html = await (await visitor.ask(address)).text()
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
  return { key: field('key'), seen: field('seen') }
}

const broken = async () =>
  (await verify(store.database.db, systemClock.now())).filter(({ severity }) => severity === 'error')

test('the shopper cancels two of four tires on the tracking page, once; strangers cannot', async () => {
  const shopper = createVisitor()
  const email = 'dana.cancels@example.com'
  const orderId = await placeLabeledOrder(store, shopper, email)
  const page = await (await shopper.ask(tracking(orderId))).text()
  expect(page).toContain('Cancel items that haven’t shipped')
  expect(page).not.toMatch(/<script[^>]* type="(?:module|text\/late)"/)
  const form = { ...(await formOn(shopper, tracking(orderId))), intent: 'cancel-lines' }
  const send = (change: Record<string, string>, visitor = shopper, headers?: Record<string, string>) =>
    visitor.ask(tracking(orderId), { form: { ...form, ...change }, ...(headers && { headers }) })

  const stranger = createVisitor()
  expect((await send({ 'units-1': '2' }, stranger)).status).toBe(404)
  expect((await send({ 'units-1': '2' }, shopper, { origin: 'https://evil.example' })).status).toBeGreaterThanOrEqual(
    400,
  )
  const empty = await send({})
  expect(empty.status).toBe(422)
  expect(await empty.text()).toContain('Choose how many to cancel.')
  const many = await send({ 'units-1': '9' })
  expect(many.status).toBe(422)
  expect(await many.text()).toMatch(/id="units-1-error"[^>]*>[\s\S]{0,200}Only 4 of this line can be canceled\./)
  for (const change of [{ 'units-1': '-1' }, { 'units-1': '1e3' }, { 'units-99': '1' }, { key: 'x' }, { seen: '' }])
    expect((await send(change)).status).toBe(422)
  expect(await refundsOf(orderId)).toEqual([])

  const shown = await send({ 'units-1': '2' })
  const preview = await shown.text()
  expect(shown.status).toBe(200)
  expect(preview).toMatch(/\$[\d.]+ comes back the way you paid\./)
  expect(await refundsOf(orderId)).toEqual([])
  const agreed = /name="agreed" value="(\d+)"/.exec(preview)?.[1] ?? ''
  // Changed items or a made-up amount show the preview again without canceling.
  for (const change of [
    { 'units-1': '1', agreed },
    { 'units-1': '2', agreed: '1' },
  ]) {
    const again = await send(change)
    expect(again.status).toBe(422)
    expect(await again.text()).toContain('comes back the way you paid.')
  }
  expect(await refundsOf(orderId)).toEqual([])
  const presses = await Promise.all(Array.from({ length: 20 }, () => send({ 'units-1': '2', agreed })))
  expect(presses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 303))
  expect(await refundsOf(orderId)).toEqual([{ kind: 'cancellation', created_by: 'shopper' }])
  expect(await (await shopper.ask(tracking(orderId))).text()).toContain(', 2 canceled')
  const mail = await newestMail(store, email, 'Canceled from order')
  expect(mail.text).toMatch(/2 × .+/)
  expect(await broken()).toEqual([])
})

test('two teammates canceling twenty times act once, and the last tires cancel the order', async () => {
  const orderId = await placeLabeledOrder(store, createVisitor(), 'dana.calls@example.com')
  const forms = await Promise.all([support, manager].map((visitor) => formOn(visitor, act(orderId))))
  const reason = 'The customer called.'
  const pressed = await Promise.all(
    [support, manager].flatMap((visitor, index) =>
      Array.from({ length: 20 }, () =>
        visitor.ask(act(orderId), { form: { ...forms[index], 'units-1': '2', reason } }),
      ),
    ),
  )
  expect(pressed.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    ...Array.from({ length: 20 }, () => 303),
    ...Array.from({ length: 20 }, () => 422),
  ])
  expect(await refundsOf(orderId)).toHaveLength(1)
  const rest = { ...(await formOn(support, act(orderId))), 'units-1': '2', reason }
  const last = await support.ask(act(orderId), { form: rest })
  expect(last.status).toBe(303)
  expect(last.headers.get('location')).toBe(`/office/orders/${orderId}?done=lines`)
  const page = await (await support.ask(`${store.origin}/office/orders/${orderId}?done=lines`)).text()
  expect(page).toContain('Canceled')
  expect(await broken()).toEqual([])
})

test('shipped items are rejected with the reason', async () => {
  const shopper = createVisitor()
  const orderId = await placeLabeledOrder(store, shopper, 'dana.late@example.com')
  const form = { ...(await formOn(support, act(orderId))), 'units-1': '1', reason: 'Too late.' }
  await moveParcels(store.database, orderId, 'in-transit', systemClock.now())
  const answer = await support.ask(act(orderId), { form })
  expect(answer.status).toBe(409)
  expect(await answer.text()).toContain('Everything has shipped.')
  expect(await (await support.ask(act(orderId))).text()).toContain('Everything has shipped.')
  const asked = { key: newId(), seen: '4', 'units-1': '1', intent: 'cancel-lines' }
  const refused = await shopper.ask(tracking(orderId), { form: asked })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('Everything has shipped.')
  expect(await refundsOf(orderId)).toEqual([])
})
