/** Tests tire pickup over HTTP: the choice at checkout, the counter by role, and the buyer's messages. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions, staffRoles, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { eventually } from '#tests/support/eventually.ts'
import { openStartedStore, type StartedStore } from '#tests/faults/started-store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: StartedStore
const staff = {} as Record<BuiltInRole, Visitor>
const buyer = 'pat@example.com'
let orderId = 0
beforeAll(async () => {
  store = await openStartedStore({ env: { RELEASE_AFTER_SECONDS: '0' } })
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
  const placed = await store.press(await store.prepare(buyer, undefined, undefined, 1))
  if (!('orderId' in placed)) throw new Error(placed.text)
  orderId = placed.orderId
}, 180_000)
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => store.origin + path
/** Returns the page's text without React's text separators. */
const read = async (answer: Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')
const may = (role: BuiltInRole) => (permissions['pickups.read'].roles as readonly BuiltInRole[]).includes(role)

test('the tab lists FedEx locations and warehouses with missing items', async () => {
  const shopper = createVisitor()
  await shopper.ask(at('/zip'), { form: { zip: '60614', back: '/' } })
  const path = at('/checkout/shipping?tab=carrier-pickup')
  const { cartId } = (await store.prepare()).press
  const own = { headers: { cookie: `sw_cart=${cartId}; sw_zip=60614` } }
  const html = await read(shopper.ask(path, own))
  expect(html).toMatch(/FedEx locations? within 25 mi/)
  expect(html).toContain('Holds your tires for 7 days')
  expect(html).toMatch(/Prairie Dock warehouse/)
  const refused = await shopper.ask(path, { ...own, form: { intent: 'choose-counter', tab: 'carrier-pickup' } })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('Please select a FedEx location')
  for (const counter of ['0', '-1', '999999999', 'x', '9'.repeat(300)])
    expect(
      (await shopper.ask(path, { ...own, form: { intent: 'choose-counter', tab: 'carrier-pickup', counter } })).status,
    ).toBe(422)
  for (const warehouse of ['', '13', 'x'])
    expect(
      (await shopper.ask(path, { ...own, form: { intent: 'choose-warehouse', tab: 'carrier-pickup', warehouse } }))
        .status,
    ).toBe(422)
  const [, place = ''] = /name="counter" value="(\d+)"/.exec(html) ?? []
  const chosen = await shopper.ask(path, {
    ...own,
    form: { intent: 'choose-counter', tab: 'carrier-pickup', counter: place },
  })
  expect(chosen.status).toBe(303)
  expect(chosen.headers.get('location')).toBe('/checkout/shipping-confirmation')
})

test('what shipping costs is itemized for a tire and a ZIP', async () => {
  const shopper = createVisitor()
  await shopper.ask(at('/zip'), { form: { zip: '99501', back: '/' } })
  const html = await read(shopper.ask(at(`/shipping-cost?item=${store.itemId}&quantity=4`)))
  expect(html).toContain('Shipping to Anchorage, AK 99501')
  expect(html).toContain('4 × $24.75 per tire')
  expect(html).toContain('$99.00')
  for (const odd of ['item=0', 'item=x', `item=${store.itemId}&quantity=-3`, 'item=999999999'])
    expect((await shopper.ask(at(`/shipping-cost?${odd}`))).status).toBe(200)
})

test('a released order is at the counter, for the roles that may see it', async () => {
  await eventually('pickup at the counter', async () =>
    (await read(staff.warehouse.ask(at('/office/pickups')))).includes(`S-${orderId}`),
  )
  const path = at(`/office/pickups/${orderId}`)
  for (const role of staffRoles) {
    expect((await staff[role].ask(path)).status, role).toBe(may(role) ? 200 : 403)
    if (!may(role)) expect((await staff[role].ask(path, { form: { intent: 'ready' } })).status).toBe(403)
  }
  for (const wrong of ['0', 'x', '999999999', `${orderId}e1`])
    expect((await staff.owner.ask(at(`/office/pickups/${wrong}`))).status, wrong).toBe(404)
  expect(await read(staff.owner.ask(at('/office')))).toContain('Pickups to prepare')
})

test('an order is prepared, found by code, and released once', async () => {
  const path = at(`/office/pickups/${orderId}`)
  const desk = staff.warehouse
  const early = await desk.ask(path, { form: { intent: 'hand-over', code: '123456', pieces: '4', id: '1' } })
  expect(early.status).toBe(409)
  expect((await desk.ask(path, { form: { intent: 'ready' } })).status).toBe(303)
  const mails = `${store.sandboxOrigin}/mailbox.json?to=${buyer}`
  const code = await eventually('mail with the code', async () => {
    const [, digits] = /pickup code is (\d{3} \d{3})/.exec(await (await fetch(mails)).text()) ?? []
    return digits
  })
  const found = await desk.ask(at(`/office/pickups?q=${encodeURIComponent(code)}`))
  expect(found.status).toBe(303)
  expect(found.headers.get('location')).toBe(`/office/pickups/${orderId}`)
  expect(await read(desk.ask(at('/office/pickups?q=000001')))).toContain('No pickup has the number or code 000001.')

  const wrong = code === '000 000' ? '111111' : '000000'
  for (const [form, field] of [
    [{ code: wrong, pieces: '4', id: '1' }, 'code-error'],
    [{ code: 'abc', pieces: '4', id: '1' }, 'code-error'],
    [{ code, pieces: '3', id: '1' }, 'pieces-error'],
    [{ code, pieces: '', id: '1' }, 'pieces-error'],
  ] as const) {
    const answer = await desk.ask(path, { form: { intent: 'hand-over', ...form } })
    expect(answer.status, field).toBe(422)
    expect(await answer.text()).toContain(`id="${field}"`)
  }
  expect((await desk.ask(path, { form: { intent: 'hand-over', code, pieces: '4' } })).status).toBe(422)
  expect((await desk.ask(path, { form: { intent: 'missed', key: crypto.randomUUID() } })).status).toBe(409)
  expect((await desk.ask(path, { form: { intent: 'hand-over', code, pieces: '4', id: '1' } })).status).toBe(303)
  expect((await desk.ask(path, { form: { intent: 'hand-over', code, pieces: '4', id: '1' } })).status).toBe(303)
  const key = encodeURIComponent(store.keyOf(orderId))
  const page = await read(createVisitor().ask(at(`/track-your-order/result?order=${orderId}&key=${key}`)))
  expect(page).toContain('Picked up')
})
