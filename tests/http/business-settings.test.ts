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

test('the saved rates have a preview before anything is entered', async () => {
  const html = await office('shipping')
  expect(html).toContain('4 × 26 lb at $150')
  expect(html).toMatch(/4 × 66 lb at \$320[\s\S]*Oversize, 4 at \$15\.00[\s\S]*Shopper pays[\s\S]*\$159\.00/)
})

test('the preview prices rates that are not saved, and shows its errors at the field', async () => {
  const shopper = { zip: '99501', tires: '4', light: '60 lb at $150', heavy: '66 lb at $150' }
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
  expect(changed.text).toMatch(/4 × 60 lb at \$150<\/h3>(?:(?!Oversize, 4)[\s\S])*4 × 66 lb at \$150<\/h3>/)
  const free = await preview({ 'shipping-ak-free-from-cents': '600' })
  expect(free.text).toContain('$159.00 less than with the saved rates.')
  for (const [wrong, text] of [
    [{ zip: '00000' }, 'This ZIP code doesn’t exist.'],
    [{ zip: '09012' }, 'The store doesn’t ship to APO, FPO, and DPO addresses.'],
    [{ light: '999999999' }, 'No tire has this item number.'],
    [{ heavy: '999999999' }, 'No tire has this item number.'],
    [{ heavy: 'heavy' }, 'Enter an item number, or a weight and price such as 66 lb at $320.'],
    [{ 'shipping-ak-free-from-cents': '0.50' }, 'From $1.00 to $99,999.99.'],
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

function formOfRates(html: string): Record<string, string> {
  const [inputs] = html.split('</form>')
  return { ...formFields(`<form${inputs}<button value="shipping"></form>`, 'shipping'), intent: 'shipping' }
}

const rules = '/office/shipping-rates'
const send = (path: string, form: Record<string, string>, visitor = owner) =>
  visitor.ask(store.origin + rules + path, { form })
const formOf = async (path: string, intent: string): Promise<Record<string, string>> => ({
  ...formFields(await (await owner.ask(store.origin + rules + path)).text(), intent),
  intent,
})
const zone = { name: 'Midwest', states: 'il, wi', tire: '5.00', oversize: '0.00', handling: '0.00', free: '' }

test('a zone and an exception are added, changed, and removed, and shoppers pay their rates', async () => {
  const wrong = await send('/zones/new', {
    ...(await formOf('/zones/new', 'add')),
    ...zone,
    states: 'IL, XX',
    tire: '-1',
  })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  expect(again).toContain('id="states-error"')
  expect(again).toContain('id="tire-error"')
  expect(again).toContain('value="IL, XX"')
  expect((await send('/zones/new', { intent: 'add', ...zone, seen: '0' }, manager)).status).toBe(403)
  const added = await send('/zones/new', { ...(await formOf('/zones/new', 'add')), ...zone })
  expect(added.headers.get('location')).toBe(`${rules}?done=saved`)
  expect(await office('shipping')).toMatch(/Midwest<\/a><small>IL, WI<\/small>/)
  const path =
    /href="\/office\/shipping-rates(\/zones\/\d+)"/.exec(await office('shipping'))?.[1] ?? expect.unreachable()

  const exception = { above: '100', where: 'CONUS', kind: 'rate', amount: '18.00', until: '' }
  const late = { ...(await formOf('/exceptions/new', 'add')), ...exception, until: '2020-01-01' }
  expect(await (await send('/exceptions/new', late)).text()).toContain('Choose today or a later day.')
  await send('/exceptions/new', { ...(await formOf('/exceptions/new', 'add')), ...exception })
  const html = await office('shipping')
  expect(html.replaceAll('<!-- -->', '')).toMatch(/Tires over 100 lb<\/a><small>\d+ in the catalog<\/small>/)
  expect(html).toMatch(/Tires over 100 lb<\/a>[\s\S]*Contiguous US[\s\S]*\$18\.00 per tire[\s\S]*No end/)
  const costs = (await page('/shipping-cost')).replaceAll('<!-- -->', '')
  expect(costs).toContain('Midwest: shipping')
  expect(costs).toContain('Contiguous US: special rate')
  const preview = {
    ...(await formOf('', 'shipping')),
    intent: 'preview',
    zip: '60614',
    tires: '4',
    light: '20 lb',
    heavy: '101 lb',
  }
  const shown = (await (await send('', preview)).text()).replaceAll('<!-- -->', '')
  expect(shown).toContain('Shipping, 4 at $5.00')
  expect(shown).toContain('Chicago, IL: Midwest')

  const stale = await formOf(path, 'change')
  const unsaved = {
    ...stale,
    intent: 'preview',
    tire: '9.00',
    zip: '60614',
    tires: '4',
    light: '20 lb',
    heavy: '101 lb',
  }
  const unsavedText = (await (await send(path, unsaved)).text()).replaceAll('<!-- -->', '')
  expect(unsavedText).toContain('Shipping, 4 at $9.00')
  expect(unsavedText).toContain('Now $5.00')
  expect(await (await send(path, { ...unsaved, zip: '00001' })).text()).toContain('This ZIP code doesn’t exist.')
  expect((await send(path, { ...stale, tire: '6.00' })).status).toBe(303)
  expect((await send(path, { ...stale, tire: '7.00' })).status).toBe(409)
  const lakes = { ...(await formOf('/zones/new', 'add')), ...zone, name: 'Lakes', states: 'MI, WI' }
  expect((await send('/zones/new', { ...lakes, states: 'IL, WI' })).status).toBe(409)
  expect((await send('/zones/new', lakes)).headers.get('location')).toBe(`${rules}?done=moved`)
  expect(await (await owner.ask(`${store.origin}${rules}/zones/new`)).text()).toContain(
    'In other zones: IL (Midwest); MI, WI (Lakes).',
  )
  const history = (await office('shipping')).split('History of shipping rates')[1]?.replaceAll('<!-- -->', '')
  expect(history).toMatch(/Shipping zone Midwest[\s\S]*Midwest \(IL, WI\): \$6\.00[\s\S]*Midwest \(IL\): \$6\.00/)
  expect((await send(path, { intent: 'remove', seen: (await formOf(path, 'change'))['seen'] ?? '' })).status).toBe(303)
  const lakesPath = /href="\/office\/shipping-rates(\/zones\/\d+)"/.exec(await office('shipping'))?.[1] ?? ''
  const lakesSeen = (await formOf(lakesPath, 'change'))['seen'] ?? ''
  expect((await send(lakesPath, { intent: 'remove', seen: lakesSeen })).status).toBe(303)
  expect((await send(lakesPath, { intent: 'remove', seen: lakesSeen })).status).toBe(409)
  const last = /href="\/office\/shipping-rates(\/exceptions\/\d+)"/.exec(await office('shipping'))?.[1] ?? ''
  expect((await send(last, { intent: 'remove', seen: (await formOf(last, 'change'))['seen'] ?? '' })).status).toBe(303)
  expect((await owner.ask(store.origin + rules + path)).status).toBe(404)
  expect((await owner.ask(`${store.origin}${rules}/regions/1`)).status).toBe(404)
  expect(await office('shipping')).toContain('No exceptions.')

  // Earlier rates are restored as unsaved changes.
  const restoredForm = async (version: string) => {
    // Its button is in the bar of unsaved changes.
    const [, form = ''] = (await (await owner.ask(store.origin + rules + version)).text()).split('<form id="rates"')
    return formOfRates(form)
  }
  const versions = [...(await office('shipping')).matchAll(/href="\/office\/shipping-rates(\?version=[^"]+)"/g)]
  const [[, empty = ''] = [], , , [, full = ''] = []] = versions
  const restoring = (await (await owner.ask(store.origin + rules + full)).text()).replaceAll('<!-- -->', '')
  expect(restoring).toMatch(/Rates of [\s\S]*Shipping zone Lakes[\s\S]*Shipping exception/)
  expect(await office('shipping')).toContain('No exceptions.')
  const earlier = await restoredForm(full)
  const planned = await send('', { ...earlier, 'starts-shipping': '2099-01-01T09:00' })
  expect(planned.status).toBe(422)
  const soon = Temporal.Now.zonedDateTimeISO('America/New_York')
    .add({ days: 20 })
    .toPlainDateTime()
    .toString()
    .slice(0, 16)
  const scheduled = await (await send('', { ...earlier, 'starts-shipping': soon })).text()
  expect(scheduled).toContain('Zones and exceptions are restored immediately.')
  const shownThen = { ...earlier, intent: 'preview', zip: '53202', tires: '1', light: '20 lb', heavy: '101 lb' }
  expect(await (await send('', shownThen)).text()).toContain('Lakes')
  expect((await send('', earlier)).headers.get('location')).toBe(`${rules}?done=saved`)
  expect(await office('shipping')).toMatch(/Lakes<\/a>[\s\S]*Tires over 100 lb<\/a>/)
  expect((await send('', { ...(await restoredForm(empty)), seen: earlier['seen'] ?? '' })).status).toBe(409)
  expect((await send('', await restoredForm(empty))).status).toBe(303)
  expect(await office('shipping')).toContain('No exceptions.')
  expect(await (await owner.ask(`${store.origin}${rules}?version=nonsense`)).text()).not.toContain('id="restored"')
})

test('a zone by ZIP code comes before its state, and overlaps are refused at the field', async () => {
  const added = async (form: Record<string, string>) =>
    send('/zones/new', { ...(await formOf('/zones/new', 'add')), ...zone, ...form })
  const states = await added({ name: 'Illinois', states: 'IL' })
  expect(states.status).toBe(303)
  const city = { name: 'Chicago', states: '', zips: '606, 60100 – 60199', tire: '8.00' }
  const without = await added({ ...city, zips: '' })
  expect(without.status).toBe(422)
  expect(await without.text()).toContain('Enter states or ZIP codes.')
  for (const zips of ['60', '606-6070', '607-606', '606, 605-607']) {
    const wrong = await added({ ...city, zips })
    expect(wrong.status, zips).toBe(422)
    const html = await wrong.text()
    expect(html).toContain('id="zips-error"')
    expect(html).toContain(`value="${zips}"`)
  }
  expect((await added(city)).headers.get('location')).toBe(`${rules}?done=saved`)
  expect(await office('shipping')).toContain('<small>ZIP codes 60100-60199, 606</small>')
  const overlap = await added({ ...city, name: 'North', zips: '605-607' })
  expect(overlap.status).toBe(409)
  const overlapping = (await overlap.text()).replaceAll('<!-- -->', '')
  expect(overlapping).toMatch(/id="zips-error"[^>]*>[\s\S]{0,80}606 in the zone Chicago overlaps/)
  expect(overlapping).toContain('value="605-607"')
  expect(overlapping).toContain('In other zones: 60100-60199, 606 (Chicago).')
  const preview = { ...(await formOf('', 'shipping')), intent: 'preview', tires: '4', light: '20 lb', heavy: '66 lb' }
  const shown = async (zip: string) => (await (await send('', { ...preview, zip })).text()).replaceAll('<!-- -->', '')
  expect(await shown('60614')).toMatch(/Shipping, 4 at \$8\.00[\s\S]*Chicago, IL: Chicago/)
  expect(await shown('62701')).toMatch(/Shipping, 4 at \$5\.00[\s\S]*Springfield, IL: Illinois/)
  expect(await page('/free-shipping')).toContain('Chicago (ZIP codes 60100-60199, 606)')
  // Removed again, so that later tests have the standard zones.
  const zones = (await office('shipping')).matchAll(/href="\/office\/shipping-rates(\/zones\/\d+)"/g)
  for (const [, path = ''] of zones) {
    const { seen = '' } = await formOf(path, 'change')
    expect((await send(path, { intent: 'remove', seen })).status).toBe(303)
  }
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

test('a zone ships free from its total on, in the cart and next to prices, until the total is emptied', async () => {
  const tire = await store.database.db
    .selectFrom('item')
    .innerJoin('product_line', 'product_line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .select(['item.id', 'item.retail_cents', 'brand.slug as brand', 'product_line.slug as line'])
    .where('item.active', '=', true)
    .where('item.weight_lb', '<=', 60)
    .where('stock.on_hand', '>=', 10)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  const shopper = createVisitor()
  await shopper.ask(`${store.origin}/zip`, { form: { zip: '99501', back: '/' } })
  const shippingOf = async (quantity: number) => {
    const form = { item: String(tire.id), axle: 'all' }
    await shopper.ask(`${store.origin}/cart`, { form: { ...form, quantity: String(quantity) } })
    const contents = await (await shopper.ask(`${store.origin}/cart/contents`)).json()
    await shopper.ask(`${store.origin}/cart`, { form: { ...form, intent: 'remove' } })
    return (contents as { shippingCostInCents: number }).shippingCostInCents
  }
  const shown = async (path: string) =>
    (await (await shopper.ask(store.origin + path)).text()).replaceAll('<!-- -->', '')
  const product = `/brands/${tire.brand}/${tire.line}/p/${tire.id}`
  expect(await shippingOf(4)).toBe(4 * 2_475)
  const total = ((3 * tire.retail_cents) / 100).toFixed(2)
  await saved('shipping', { 'shipping-ak-free-from-cents': total })
  const text = `with tires for $${Number(total).toLocaleString('en-US', { minimumFractionDigits: 2 }).replace('.00', '')} or more`
  await eventually('the total in copy', async () => (await page('/free-shipping')).includes(`to Alaska ${text}`), 5)
  expect(await shippingOf(4)).toBe(0)
  expect(await shippingOf(2)).toBe(2 * 2_475)
  const html = await shown(product)
  expect(html).toContain(`Shipping to 99501 is $24.75 a tire, and free ${text}.`)
  expect(html).toContain(`+ $24.75 shipping a tire to 99501, free ${text}`)
  expect(html).toContain(`Shipping to 99501 from $24.75 a tire, free ${text}`)
  expect(await shown(`/shipping-cost?item=${tire.id}&quantity=2`)).toContain(`Free ${text}`)
  expect(await page('/llms.txt')).toContain(`Shipping is free to Alaska ${text}.`)
  expect(await office('shipping')).toMatch(/Alaska: free from<\/td>[\s\S]*Never<\/td>/)
  await saved('shipping', { 'shipping-ak-free-from-cents': '' })
  await eventually('the total gone', async () => !(await page('/free-shipping')).includes('to Alaska with'), 5)
  expect(await shippingOf(4)).toBe(4 * 2_475)
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
