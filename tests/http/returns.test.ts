/** Tests returns over HTTP, without script, for the order's own shopper, strangers, guests, files, and the office. */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderKey, trackingToken } from '#domain/ordering/orders/orders.server.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let orderId: number
let key: string
let look: string
beforeAll(async () => {
  // A parcel that moves by itself can't be canceled. On a slow machine it would be on its way before the test is there.
  store = await startStore({ env: { SANDBOX_CARRIER_PACE_SECONDS: '600' } })
  const config = readConfig({ DATABASE_URL: store.database.url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const row = await store.database.db
    .selectFrom('order_return')
    .select('order_id')
    .where('id', '=', 1001)
    .executeTakeFirstOrThrow()
  orderId = row.order_id
  key = orderKey(config.value.session.secret, orderId, systemClock.now())
  look = trackingToken(config.value.session.secret, orderId, systemClock.now())
})
afterAll(() => store[Symbol.asyncDispose]())

const page = (query: Record<string, string | number>) =>
  `${store.origin}/track-your-order/return?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()}`

function send(
  visitor: Visitor,
  fields: Record<string, string>,
  files: { name: string; bytes: Uint8Array<ArrayBuffer> }[] = [],
): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const { name, bytes } of files) form.append('photos', new File([bytes], name))
  return visitor.ask(page({ order: orderId, key }), { form })
}

const whole = { 'line-1': '1', reason: 'changed-mind', wants: 'refund', unmounted: '1', seq: '2', intent: 'ask' }

test('an unauthorized visitor must verify the order or gets 404', async () => {
  const stranger = createVisitor()
  const nothing = await stranger.ask(`${store.origin}/track-your-order/return`)
  expect(nothing.status).toBe(303)
  expect(nothing.headers.get('location')).toBe('/track-your-order')
  for (const query of [
    { order: orderId },
    { order: orderId, key: 'made-up' },
    { order: orderId, return: 1001, key: 'x' },
  ])
    expect((await stranger.ask(page(query))).headers.get('location')).toBe('/track-your-order?order=locked')
  // A lookup by number and ZIP code shows where to request the code.
  const looked = await stranger.ask(page({ order: orderId, look }))
  expect(looked.status).toBe(303)
  expect(looked.headers.get('location')?.split('&')[0]).toBe(`/track-your-order/result?order=${orderId}`)
  const dana = createVisitor()
  await signInAt(store.origin, dana)
  expect((await dana.ask(page({ order: orderId }))).headers.get('location')).toBe('/track-your-order?order=locked')
  expect((await dana.ask(page({ order: orderId }), { form: whole })).status).toBe(404)
  const labels = `${store.origin}/track-your-order/return/labels.pdf?order=${orderId}&return=1001`
  expect((await dana.ask(labels)).status).toBe(404)
  expect((await dana.ask(`${labels}&key=${encodeURIComponent(key)}`)).headers.get('content-type')).toBe(
    'application/pdf',
  )
})

test('the form shows missing fields and retains the input', async () => {
  const guest = createVisitor()
  const html = await (await guest.ask(page({ order: orderId, key }))).text()
  for (const words of ['Which tires go back?', 'Never mounted on a wheel', 'Handling fee', 'Start the return'])
    expect(html).toContain(words)
  const { unmounted: _, ...mounted } = whole
  const refused = await send(guest, { ...mounted, note: 'By the door <b>' })
  const again = await refused.text()
  expect(refused.status).toBe(422)
  expect(again).toContain('Please confirm that they have never been mounted.')
  expect(again).toContain('By the door &lt;b&gt;')
  const none = await (await send(guest, { ...whole, 'line-1': '0' })).text()
  expect(none).toContain('Choose at least one tire.')
  const many = await send(guest, { ...whole, 'line-1': '4' })
  expect(many.status).toBe(422)
  expect(await many.text()).toContain('Only 1 can still go back.')
  // The preview doesn't create a return.
  expect((await send(guest, { ...whole, intent: 'check' })).status).toBe(200)
})

test('hostile files are refused with the exact words, and never a 500', async () => {
  const guest = createVisitor()
  const large = { name: 'large.jpg', bytes: new Uint8Array(1024 * 1024 + 1) }
  const tooLarge = await send(guest, whole, [large])
  expect(tooLarge.status).toBe(422)
  expect(await tooLarge.text()).toContain('>File size is greater than 1MB<')
  const broken = { name: 'tire.png', bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]) }
  const unreadable = await send(guest, whole, [broken])
  expect(unreadable.status).toBe(422)
  expect(await unreadable.text()).toContain('An error has occured while reading the file.')
  const svg = { name: 'x.svg', bytes: new TextEncoder().encode('<svg onload="alert(1)"/>') }
  expect((await send(guest, whole, [svg])).status).toBe(422)
  const six = Array.from({ length: 6 }, (_, no) => ({ name: `${no}.png`, bytes: new Uint8Array([1]) }))
  expect((await send(guest, whole, six)).status).toBe(422)
  const huge = { name: 'huge.jpg', bytes: new Uint8Array(9 * 1024 * 1024) }
  expect((await send(guest, whole, [huge]).catch(() => ({ status: 413 }))).status).toBe(413)
})

test('twenty submissions open one return; its labels arrive, and it can be canceled', async () => {
  const guest = createVisitor()
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(guest, whole)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
  const places = new Set(answers.map(({ headers }) => headers.get('location')))
  expect(places.size).toBe(1)
  const [place = ''] = [...places]
  expect(place).toContain('return=1002')
  await expect
    .poll(async () => (await (await guest.ask(`${store.origin}${place}`)).text()).includes('Print all labels'), {
      timeout: 20_000,
    })
    .toBe(true)
  const order = await (
    await guest.ask(`${store.origin}/track-your-order/result?order=${orderId}&key=${encodeURIComponent(key)}`)
  ).text()
  expect(order).toContain('M-1002')
  const canceled = await guest.ask(`${store.origin}${place}`, { form: { intent: 'cancel' } })
  expect(canceled.status).toBe(303)
  expect(await (await guest.ask(`${store.origin}${place}`)).text()).toContain('This return is canceled')
  const shipped = await guest.ask(page({ order: orderId, return: 1001, key }), { form: { intent: 'cancel' } })
  expect(shipped.status).toBe(409)
  expect(await shipped.text()).toContain('can no longer be canceled')
})

test('a return of shipped tires needs no labels and offers only valid exchanges', async () => {
  const guest = createVisitor()
  const at = page({ order: orderId, return: 1001, key })
  const html = await (await guest.ask(at)).text()
  expect(html).toContain('M-1001')
  expect(html).not.toContain('Tape a label')
  expect(html).not.toContain('Print all labels')
  const button = /name="intent"[^>]*value="exchange"|value="exchange"[^>]*name="intent"/.test(html)
  const answer = await guest.ask(at, { form: { intent: 'exchange' } })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location') === '/cart').toBe(button)
  if (!button) expect(html).toMatch(/See tires that fit your|Find tires for your vehicle/)
})

test('an exchange opens the return and fills the cart in one submission, once', async () => {
  const guest = createVisitor()
  const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#444' } })
    .png()
    .toBuffer()
  const files = [{ name: 'sidewall.png', bytes: new Uint8Array(picture) }]
  const exchange = { ...whole, reason: 'wrong-item', wants: 'exchange', seq: '3' }
  const opened = await send(guest, exchange, files)
  expect(opened.status).toBe(303)
  expect(opened.headers.get('location')).toContain('return=1003')
  const place = `${store.origin}${opened.headers.get('location')}`
  const html = await (await guest.ask(place)).text()
  expect(html).toContain('The same tires are in your cart.')
  expect(html).not.toContain('Add the same tires to my cart')
  await send(guest, exchange, files)
  const inCarts = async () =>
    store.database.db
      .selectFrom('order_return as back')
      .innerJoin('cart_line as line', 'line.cart_id', 'back.exchange_cart_id')
      .select('line.quantity')
      .where('back.id', '=', 1003)
      .execute()
  expect(await inCarts()).toEqual([{ quantity: 1 }])
  // Another browser has another cart, so the button is shown again.
  expect(await (await createVisitor().ask(place)).text()).toContain('Add the same tires to my cart')
  expect((await guest.ask(place, { form: { intent: 'cancel' } })).status).toBe(303)
})

test('the office inspects, refuses with its reason and refunds, once; other roles and strangers may not', async () => {
  const at = `${store.origin}/office/returns/1001`
  const [support, catalog] = [createVisitor(), createVisitor()]
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  await signInToOffice(store.origin, catalog, { email: 'catalog@example.com' })
  expect((await catalog.ask(at)).status).toBe(403)
  expect((await catalog.ask(at, { form: { intent: 'receive' } })).status).toBe(403)
  expect((await createVisitor().ask(`${at}/photos/1`)).status).toBe(303)
  expect((await createVisitor().ask(`${at}/labels.pdf`)).status).toBe(303)
  const warehouse = createVisitor()
  await signInToOffice(store.origin, warehouse, { email: 'warehouse@example.com' })
  expect(await (await warehouse.ask(at)).text()).not.toContain('Print labels')
  expect((await warehouse.ask(`${at}/labels.pdf`)).status).toBe(403)
  expect(await (await support.ask(at)).text()).toContain('href="/office/returns/1001/labels.pdf"')
  const labels = await support.ask(`${at}/labels.pdf`)
  expect(labels.headers.get('content-type')).toBe('application/pdf')
  expect(
    Buffer.from(await labels.arrayBuffer())
      .toString('latin1')
      .match(/\/Type\s*\/Page\b/g)?.length,
  ).toBeGreaterThan(0)
  expect((await support.ask(`${store.origin}/office/returns/999999/labels.pdf`)).status).toBe(404)
  expect((await support.ask(`${store.origin}/office/returns/999999`)).status).toBe(404)
  const inspect = { intent: 'inspect', finding: '10/32 in', dot: 'sdwl 3126', isDotMatch: '1' }
  const bare = await support.ask(at, { form: { ...inspect, tire: '2', outcome: 'send-back' } })
  expect(bare.status).toBe(409)
  expect(await bare.text()).toContain('The customer receives it word for word')
  expect((await support.ask(at, { form: { ...inspect, tire: '1', outcome: 'restock' } })).status).toBe(303)
  const html = await (await support.ask(at)).text()
  expect(html).toContain('matches what was sold')
  const agreed = /name="fee" value="due"\/><input type="hidden" name="agreed" value="(\d+)"/.exec(html)?.[1] ?? ''
  expect((await support.ask(at, { form: { intent: 'refund', fee: 'due', agreed: '1' } })).status).toBe(409)
  expect((await catalog.ask(at, { form: { intent: 'hold', reason: 'Worn.' } })).status).toBe(403)
  const unsaid = await support.ask(at, { form: { intent: 'hold', reason: ' ' } })
  expect(unsaid.status).toBe(422)
  expect(await unsaid.text()).toContain('Enter the reason.')
  const held = await support.ask(at, { form: { intent: 'hold', reason: 'The bead looks rubbed.' } })
  expect(held.headers.get('location')).toBe('/office/returns/1001?done=held')
  const waiting = await (await support.ask(at)).text()
  for (const words of ['Held for a second look', 'The bead looks rubbed.', 'You held this refund.'])
    expect(waiting).toContain(words)
  expect(waiting).not.toContain('End hold')
  expect(waiting).not.toContain('value="refund"')
  const blocked = await support.ask(at, { form: { intent: 'refund', fee: 'due', agreed } })
  expect(blocked.status).toBe(409)
  expect(await blocked.text()).toContain('End the hold first.')
  expect(await (await support.ask(`${store.origin}/office/returns`)).text()).toContain('Held')
  const own = await support.ask(at, { form: { intent: 'release', result: 'Only dust.' } })
  expect(own.status).toBe(409)
  expect(await own.text()).toContain('Another team member must end the hold.')
  const owner = createVisitor()
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  expect(await (await owner.ask(at)).text()).toContain('End hold')
  expect((await owner.ask(at, { form: { intent: 'release', result: '' } })).status).toBe(422)
  expect((await owner.ask(at, { form: { intent: 'release', result: 'Only dust.' } })).status).toBe(303)
  expect(await (await support.ask(at)).text()).toContain('Hold ended: Only dust.')
  const presses = await Promise.all(
    Array.from({ length: 20 }, () => support.ask(at, { form: { intent: 'refund', fee: 'due', agreed } })),
  )
  expect(presses.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1)
  const { db } = store.database
  const { id: paymentId } = await db
    .selectFrom('payment')
    .select('id')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  expect(await db.selectFrom('charge_refund').select('key').where('payment_id', '=', paymentId).execute()).toEqual([
    { key: expect.stringMatching(/^order-refund:/) as unknown },
  ])
  expect((await support.ask(`${store.origin}/office/returns?state=refunded`)).status).toBe(200)
})

test('support opens a customer’s return in the back office, with errors at fields', async () => {
  const support = createVisitor()
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  const { id } = await store.database.db
    .selectFrom('sales_order')
    .innerJoin('shipment', 'shipment.order_id', 'sales_order.id')
    .leftJoin('order_return', 'order_return.order_id', 'sales_order.id')
    .select('sales_order.id')
    .where('order_return.id', 'is', null)
    .where('sales_order.state', '=', 'confirmed')
    .where('fulfillment', '=', 'home')
    .where('shipment.state', '=', 'delivered')
    .orderBy('delivered_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const form = `${store.origin}/office/orders/${id}/return`
  const opened = await (await support.ask(form)).text()
  const seq = /name="seq" value="(\d+)"/.exec(opened)?.[1] ?? ''
  expect(opened).toContain('The tires were never mounted')
  const fields = { seq, 'line-1': '1', reason: 'changed-mind', wants: 'refund', note: 'Called at noon' }
  const refused = await support.ask(form, { form: fields })
  expect(refused.status).toBe(422)
  const again = await refused.text()
  expect(again).toContain('Please confirm that they have never been mounted.')
  expect(again).toContain('Called at noon')
  const [first, second] = await Promise.all(
    [0, 1].map(() => support.ask(form, { form: { ...fields, unmounted: '1' } })),
  )
  expect(first?.status).toBe(303)
  const place = first?.headers.get('location') ?? ''
  expect(place).toMatch(/^\/office\/returns\/\d+\?done=opened$/)
  expect(second?.headers.get('location')).toBe(place)
  expect(await (await support.ask(`${store.origin}${place}`)).text()).toContain('Return opened.')
})
