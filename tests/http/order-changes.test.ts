/**
 * Tests changing an order's destination over HTTP without JavaScript: previewed, offered, paid at the sandbox, and
 * applied.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStartedStore, type StartedStore } from '#tests/faults/started-store.ts'
import { payOnHostedPage } from '#tests/support/hosted-page.ts'
import { verify } from '#tests/support/invariants.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'
import { systemClock } from '#platform/clock.ts'

let store: StartedStore
const staff = { support: createVisitor(), sales: createVisitor() }
beforeAll(async () => {
  store = await openStartedStore()
  for (const role of ['support', 'sales'] as const)
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

const reason = 'They called.'
const textOf = async (answer: Response) => (await answer.text()).replaceAll('<!-- -->', '')

async function placeHome(): Promise<number> {
  const placed = await store.press(await store.prepare(undefined, undefined, '1430 N Halsted St'))
  if (!('orderId' in placed)) throw new Error(placed.text)
  return placed.orderId
}

const placeOf = (orderId: number, to?: string) =>
  `${store.origin}/office/orders/${orderId}/place${to === undefined ? '' : `?to=${to}`}`

/** Returns the first shop in the page's list, and its change form as sent by a browser. */
async function lookAt(who: Visitor, orderId: number) {
  const to = /<option value="(shop:\d+)"/.exec(await textOf(await who.ask(placeOf(orderId))))?.[1] ?? ''
  const page = await textOf(await who.ask(placeOf(orderId, to)))
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
  const slot = [...page.matchAll(/<option value="([^"]+Z)"/g)].at(0)?.[1] ?? ''
  const form = { intent: 'place', to, agreed: hidden('agreed'), once: hidden('once'), slot, reason }
  return { page, address: placeOf(orderId, to), form }
}

const orderOf = (id: number) =>
  store.db
    .selectFrom('sales_order')
    .select(['fulfillment', 'email', 'total_cents'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

async function expectBooks(): Promise<void> {
  const broken = await verify(store.db, systemClock.now())
  expect(broken.filter(({ severity }) => severity === 'error')).toEqual([])
}

test('a dearer place is offered, paid from the link in the email, and made once', async () => {
  const orderId = await placeHome()
  const { page, address, form } = await lookAt(staff.support, orderId)
  for (const words of ['What changes', 'Installation at', 'The customer pays', 'Send the customer the link'])
    expect(page).toContain(words)

  const refused = await staff.support.ask(address, { form: { ...form, slot: '', reason: '' } })
  const told = await textOf(refused)
  expect(refused.status).toBe(422)
  expect(told).toContain('id="reason-error"')
  const noTime = await staff.support.ask(address, { form: { ...form, slot: '' } })
  expect(noTime.status).toBe(422)
  expect(await textOf(noTime)).toContain('id="slot-error"')
  const moved = await staff.support.ask(address, { form: { ...form, agreed: 'another' } })
  expect(moved.status).toBe(409)
  expect(await textOf(moved)).toContain('The price changed. Check the new one below.')
  // Support can't waive the difference, regardless of the form.
  const waived = await staff.support.ask(address, { form: { ...form, waive: '1' } })
  expect(waived.status).toBe(409)

  const offered = await Promise.all(Array.from({ length: 20 }, () => staff.support.ask(address, { form })))
  expect(new Set(offered.map(({ status }) => status))).toEqual(new Set([303]))
  expect((await orderOf(orderId)).fulfillment).toBe('home')
  expect(await textOf(await staff.sales.ask(placeOf(orderId)))).toContain('A change awaits payment')

  const { email, total_cents: before } = await orderOf(orderId)
  const mail = await newestMail(store, email, 'Confirm the change')
  const link = linkIn(mail, '/order-change/')
  const shopper = createVisitor()
  const shown = await textOf(await shopper.ask(link))
  for (const words of ['What changes', 'Difference', 'We hold it until']) expect(shown).toContain(words)
  const hosted = await shopper.ask(link, { form: { intent: 'hosted' } })
  expect(hosted.status).toBe(303)
  const landed = await payOnHostedPage(shopper, new URL(hosted.headers.get('location') ?? ''))
  expect(landed.status).toBe(303)
  expect(landed.headers.get('location')).toBe(new URL(link).pathname)
  expect(await textOf(await shopper.ask(link))).toContain('Your order is changed')
  const after = await orderOf(orderId)
  expect(after.fulfillment).toBe('shop')
  expect(after.total_cents).toBeGreaterThan(before)
  // Returning and submitting again has no effect.
  expect((await shopper.ask(`${link}/return`)).status).toBe(303)
  expect((await shopper.ask(link, { form: { intent: 'hosted' } })).headers.get('location')).toBe(new URL(link).pathname)
  await newestMail(store, email, 'is changed')
  await expectBooks()

  // Back home costs less, and needs no payment.
  const back = await textOf(await staff.sales.ask(placeOf(orderId, 'home')))
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(back)?.[1] ?? ''
  const home = { intent: 'place', to: 'home', agreed: hidden('agreed'), once: hidden('once'), reason }
  expect((await staff.sales.ask(placeOf(orderId, 'home'), { form: home })).status).toBe(303)
  expect(await orderOf(orderId)).toMatchObject({ fulfillment: 'home', total_cents: before })
  // The customer's page shows the destination and each change's cost.
  const key = store.keyOf(orderId)
  const tracked = await textOf(await shopper.ask(`${store.origin}/track-your-order/result?order=${orderId}&key=${key}`))
  for (const words of ['1430 N Halsted St', 'more, which you paid.', 'less.']) expect(tracked).toContain(words)
  await expectBooks()
})

test('withdrawn changes, forged links, and hostile forms have no effect', async () => {
  const orderId = await placeHome()
  const { address, form } = await lookAt(staff.sales, orderId)
  expect((await staff.sales.ask(address, { form })).status).toBe(303)
  const link = linkIn(await newestMail(store, (await orderOf(orderId)).email, 'Confirm the change'), '/order-change/')
  const withdrawn = await staff.sales.ask(placeOf(orderId), { form: { intent: 'withdraw', reason } })
  expect(withdrawn.status).toBe(303)
  const shopper = createVisitor()
  const over = await shopper.ask(link)
  expect(over.status).toBe(410)
  expect(await textOf(over)).toContain('This change is over')
  for (const intent of ['open', 'hosted', 'settle'])
    expect((await shopper.ask(link, { form: { intent } })).headers.get('location')).toBe(new URL(link).pathname)
  for (const forged of [`${link}x`, `${store.origin}/order-change/${'x'.repeat(400)}`, `${link}/return/x`])
    expect((await shopper.ask(forged)).status, forged).toBe(404)
  expect((await shopper.ask(`${store.origin}/order-change/x`, { form: { intent: 'open' } })).status).toBe(404)
  for (const to of ['shop:999999', 'shop:0', 'mobile:1', 'nowhere', 'carrier-pickup:999999999', 'x'.repeat(300)]) {
    expect((await staff.sales.ask(placeOf(orderId, encodeURIComponent(to)))).status, to).toBe(200)
    const answer = await staff.sales.ask(address, { form: { ...form, to, once: crypto.randomUUID() } })
    expect([422, 409], to).toContain(answer.status)
  }
  expect((await orderOf(orderId)).fulfillment).toBe('home')
  await expectBooks()
})
