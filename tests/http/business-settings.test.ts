/** Business settings in the back office, with refusals, and prices and refunds of old and new orders. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { authorizeCard, callApi, fillHomeCart, placeHomeOrder } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'
import { formFields } from '#tests/support/form-fields.ts'

let store: RunningStore
const [owner, manager] = [createVisitor(), createVisitor()]
beforeAll(async () => {
  store = await startStore()
  await store.revive('second')
  await signInToOffice(store.origin, owner)
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

/** Shipping rates have a separate page. */
const pathOf = (intent: string) => (intent === 'shipping' ? '/office/shipping-rates' : '/office/business-settings')
const page = async (path: string, origin = store.origin) => (await createVisitor().ask(origin + path)).text()
const office = async (intent: string, visitor: Visitor = owner) =>
  (await (await visitor.ask(store.origin + pathOf(intent))).text()).replaceAll('<!-- -->', '')

/** Sends the form of a group as a browser does that has just loaded it. */
async function save(intent: string, change: Record<string, string>): Promise<Response> {
  const form = formFields(await office(intent), intent)
  return owner.ask(store.origin + pathOf(intent), { form: { ...form, intent, ...change } })
}
const saved = async (intent: string, change: Record<string, string>) =>
  expect((await save(intent, change)).headers.get('location')).toBe(`${pathOf(intent)}?done=saved`)

test('shipping rates are refused at the field with what was typed, and only an owner changes them', async () => {
  const wrong = await save('shipping', { 'shipping-ak-tire-cents': '12,34,5', 'oversize-above-lb': '7' })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  expect(again).toContain('id="shipping-ak-tire-cents-error"')
  expect(again).toContain('value="12,34,5"')
  expect(again).toContain('From 20 lb to 500 lb.')
  expect((await save('shipping', { 'starts-shipping': '2020-01-01T09:00' })).status).toBe(422)
  expect(await office('shipping', manager)).toContain('Only an owner can change them.')
  const form = { ...formFields(await office('shipping'), 'shipping'), intent: 'shipping' }
  expect((await manager.ask(store.origin + pathOf('shipping'), { form })).status).toBe(403)
})

test('the preview prices rates that are not saved, and shows its errors at the field', async () => {
  const shopper = { zip: '99501', tires: '4', tire: '66 lb' }
  const form = { ...formFields(await office('shipping'), 'shipping'), intent: 'preview', ...shopper }
  const preview = async (change: Record<string, string>) => {
    const reply = await owner.ask(store.origin + pathOf('shipping'), { form: { ...form, ...change } })
    return { status: reply.status, text: (await reply.text()).replaceAll('<!-- -->', '') }
  }
  const saved = await preview({})
  expect(saved.status).toBe(200)
  expect(saved.text).toContain('Shipping, 4 at $24.75')
  expect(saved.text).toContain('The same as with the saved rates.')
  const changed = await preview({ 'shipping-ak-oversize-cents': '17.50' })
  expect(changed.text).toMatch(/Oversize, 4 at \$17\.50<small>[^<]*Now \$15\.00<\/small>[\s\S]*?\$70\.00/)
  expect(changed.text).toContain('$10.00 more than with the saved rates.')
  // The input is still there and is not saved.
  expect(changed.text).toContain('value="17.50"')
  expect(await office('shipping')).not.toContain('17.50')
  const light = await preview({ tire: '60 lb' })
  expect(light.text).not.toContain('Oversize, 4')
  for (const [wrong, text] of [
    [{ zip: '00000' }, 'This ZIP code doesn’t exist.'],
    [{ zip: '09012' }, 'The store doesn’t ship to APO, FPO, and DPO addresses.'],
    [{ tire: '999999999' }, 'No tire has this item number.'],
    [{ tire: 'heavy' }, 'Enter an item number, or a weight such as 66 lb.'],
    [{ 'shipping-ak-tire-cents': 'free' }, 'Enter an amount such as 24.75.'],
  ] as const) {
    const refused = await preview(wrong)
    expect(refused.status, text).toBe(422)
    expect(refused.text).toContain(text)
  }
})

test('a rate that someone else saved is refused with both values, and replaced on request', async () => {
  const stale = { ...formFields(await office('shipping'), 'shipping'), intent: 'shipping' }
  await saved('shipping', { 'shipping-territory-tire-cents': '36.00' })
  const late = await owner.ask(store.origin + pathOf('shipping'), {
    form: { ...stale, 'shipping-territory-tire-cents': '37.00' },
  })
  expect(late.status).toBe(409)
  const html = (await late.text()).replaceAll('<!-- -->', '')
  expect(html).toContain('Saved now: 36.00')
  expect(html).toContain('value="37.00"')
  const seen = /name="seen" value="(\d+)"/.exec(html)?.[1] ?? ''
  const again = { ...stale, seen, 'shipping-territory-tire-cents': '37.00' }
  expect((await owner.ask(store.origin + pathOf('shipping'), { form: again })).status).toBe(303)
  expect(await office('shipping')).toContain('value="37.00"')
})

test('new orders pay changed shipping rates in every process, and a cart priced earlier must be confirmed again', async () => {
  expect(await page('/free-shipping')).toContain('free in the contiguous United States')
  const [early, late, stale] = [createVisitor(), createVisitor(), createVisitor()]
  const old = await placeHomeOrder(store, early, { email: 'old@example.com' })
  const cart = await fillHomeCart(store, stale, { contact: { email: 'stale@example.com' } })
  await authorizeCard(store, stale)
  await saved('shipping', { 'shipping-conus-tire-cents': '5.00', 'shipping-conus-handling-cents': '2' })
  // The other process may not have read it yet, but the order's transaction has.
  const placed = await fetch(`${store.secondOrigin}/api/orders`, {
    method: 'POST',
    headers: {
      cookie: stale.cookieFor(store.origin),
      origin: store.origin,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ agreedPrice: cart.agreedPrice, termsAccepted: true, conditionsAccepted: true }),
  })
  expect(placed.status).toBe(409)
  expect(await placed.text()).toMatch(/PriceChanged|CartIncomplete/)

  const { dueCents } = await fillHomeCart(store, late, { contact: { email: 'new@example.com' } })
  const { total_cents: oldCents } = await store.database.db
    .selectFrom('sales_order')
    .select('total_cents')
    .where('id', '=', old)
    .executeTakeFirstOrThrow()
  expect(dueCents - oldCents).toBeGreaterThanOrEqual(2_200)
  for (const origin of [store.origin, store.secondOrigin])
    await eventually('the rate in copy', async () => (await page('/free-shipping', origin)).includes('$5'), 5)
  expect(await page('/free-shipping')).not.toContain('free in the contiguous United States')
  expect(await page('/')).toContain('Shipping from $7.00 a tire')
  expect(await page('/llms.txt')).toContain('Shipping is added by ZIP code.')
  expect(await page('/shipping-cost')).toContain('$2.00 per order')
  const shown = await callApi(store, late, 'GET', '/cart')
  expect(shown.status).toBe(200)
  expect(await office('shipping')).toMatch(/Contiguous US: per tire<\/td>[\s\S]*\$0\.00<\/td>[\s\S]*\$5\.00<\/td>/)
  await saved('shipping', { 'shipping-conus-tire-cents': '0', 'shipping-conus-handling-cents': '0' })
  expect(await page('/')).toContain('Free shipping to shops near you')
})

test('a scheduled change is listed, can be canceled before it starts, and has no effect until then', async () => {
  const startsAt = Temporal.Now.zonedDateTimeISO('America/New_York').add({ days: 3 }).toPlainDateTime()
  const typed = { 'shipping-hi-tire-cents': '31.50', 'starts-shipping': startsAt.toString({ smallestUnit: 'minute' }) }
  const scheduled = await save('shipping', typed)
  expect(scheduled.headers.get('location')).toBe('/office/shipping-rates?done=scheduled')
  expect(await office('shipping')).toContain('(scheduled)')
  expect(await page('/free-shipping')).not.toContain('$31.50')
  const change = /name="change" value="(\d+)"/.exec(await office('shipping'))?.[1] ?? ''
  const twice = await Promise.all(
    [1, 2].map(() => owner.ask(store.origin + pathOf('shipping'), { form: { intent: 'cancel', change } })),
  )
  expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409])
  const html = await office('shipping')
  expect(html).toContain('No scheduled changes.')
  expect(html).toContain('(canceled by owner@example.com)')
})

test('a membership perk that is turned off changes the pages about it, and needs a yes or no', async () => {
  const perks = { 'member-deals': 'yes', 'member-programs': 'yes', 'member-payments': 'yes' }
  const wrong = await save('services', { ...perks, 'member-deals': 'maybe' })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toContain('Choose yes or no.')
  const offers = 'Deals, one discount program, and payment offers combine with the member price.'
  expect(await page('/prices/loyalty-member-price')).toContain(offers)
  expect(await page('/membership')).toContain('every deal on top')
  await saved('services', { ...perks, 'member-deals': 'no' })
  await eventually('the perk in copy', async () => !(await page('/membership')).includes('every deal on top'), 5)
  expect(await page('/membership')).toContain('Instead of the member price, where it saves more')
  expect(await page('/prices/loyalty-member-price')).toContain(
    'One discount program and payment offers combine with the member price.',
  )
  expect(await office('services')).toMatch(/Deals come off the member price<\/td>[\s\S]*Yes<\/td>[\s\S]*No<\/td>/)
  await saved('services', perks)
})
