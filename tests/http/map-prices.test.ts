/** Tests that prices below a minimum advertised price are shown in the cart only. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { eventually } from '#tests/support/eventually.ts'
import { formFields } from '#tests/support/form-fields.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const manager = createVisitor()
beforeAll(async () => {
  store = await startStore()
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(store.origin + path)).text()).replaceAll('<!-- -->', '')
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`

const tires = () =>
  store.database.db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .innerJoin('size', 'size.id', 'item.size_id')
    .select([
      'item.id',
      'item.sku',
      'item.retail_cents as retailCents',
      'item.fet_cents as fetCents',
      'brand.slug as brand',
      'line.slug as line',
      'size.slug as size',
    ])
    .where('item.active', '=', true)
    .where('fet_cents', '=', 0)
    .where((eb) =>
      eb.exists(
        eb.selectFrom('stock').whereRef('stock.item_id', '=', 'item.id').where('on_hand', '>=', 8).select('on_hand'),
      ),
    )
    .orderBy('item.id')
    .limit(3)
    .execute()

const setMinimum = (sku: string, cents: number) =>
  manager.ask(`${store.origin}/office/map-prices`, {
    form: { intent: 'change', prices: `${sku} ${(cents / 100).toFixed(2)}`, acceptsBelow: 'yes' },
  })

test('a tire sold below its minimum shows the minimum outside the cart, and is listed on Home', async () => {
  const [tire] = await tires()
  if (!tire) return expect.unreachable('no tire')
  const mapCents = tire.retailCents + 7_777
  const saved = await setMinimum(tire.sku, mapCents)
  expect(saved.headers.get('location')).toBe('/office/map-prices?done=saved')

  const shopper = createVisitor()
  const product = `/brands/${tire.brand}/${tire.line}/p/${tire.id}`
  const api = await eventually('minimum in the API', async () => {
    const answer = await fetch(`${store.origin}/api/tires/${tire.id}`)
    const { unitCents } = (await answer.json()) as { unitCents: number }
    return unitCents === tire.retailCents ? undefined : unitCents
  })
  expect(api).toBe(mapCents)
  const page = await read(shopper, product)
  expect(page).toContain('See price in cart')
  expect(page).toContain(dollars(mapCents))
  expect(page).toContain(`"price":"${(mapCents / 100).toFixed(2)}"`)
  expect(page).not.toContain(dollars(tire.retailCents))
  expect(await read(shopper, `/tire-sizes/${tire.size}`)).toContain('See price in cart')

  await shopper.ask(`${store.origin}/zip`, { form: { zip: '60614', back: '/' } })
  await shopper.ask(`${store.origin}/cart`, { form: { item: String(tire.id), quantity: '4', axle: 'all' } })
  expect(await read(shopper, '/cart')).toContain(dollars(tire.retailCents))

  const list = await read(manager, '/office/map-prices?state=below')
  expect(list).toContain(tire.sku)
  expect(list).toContain(dollars(tire.retailCents))
  expect(list).toContain(dollars(mapCents))
  const queue = 'Tires priced below the minimum advertised price'
  const one = `/office/map-prices?tire=${tire.id}`
  const fields = { ...formFields(await read(manager, one), 'set'), intent: 'set', price: '1.00' }
  expect((await manager.ask(store.origin + one, { form: fields })).headers.get('location')).toBe(
    '/office/map-prices?done=saved',
  )
  const late = await manager.ask(store.origin + one, { form: { ...fields, price: '2.00' } })
  expect(late.status).toBe(409)
  expect(await late.text()).toContain('Saved now: 1')
  await setMinimum(tire.sku, mapCents)
  const home = await read(manager, '/office')
  expect(home).toContain(queue)
  expect(home).toContain('href="/office/map-prices?state=below"')
  expect(home).toContain(tire.sku)
  const support = createVisitor()
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  expect(await read(support, '/office')).not.toContain(queue)
  expect((await support.ask(`${store.origin}/office/map-prices?state=below`)).status).toBe(403)
})

/** The fields of the tire form, as a browser sends them unchanged. */
function tireFieldsIn(page: string): Record<string, string> {
  const form = page.slice(page.indexOf('id="tire"')).split('</form>')[0] ?? ''
  const selects = [...form.matchAll(/<select [^>]*name="([^"]+)"[^>]*>(.*?)<\/select>/gs)].map(
    ([, name = '', options = '']) => [name, /value="([^"]*)" selected=""/.exec(options)?.[1] ?? ''] as const,
  )
  return { ...formFields(page, 'change'), ...Object.fromEntries(selects) }
}

test('a price below the minimum is refused at its field and in an import, or saved if shown in the cart', async () => {
  const [, tire, other] = await tires()
  if (!tire || !other) return expect.unreachable('no tires')
  expect((await setMinimum(tire.sku, tire.retailCents)).status).toBe(303)
  const path = `/office/catalog/items/${tire.id}/edit`
  const lower = ((tire.retailCents - 100) / 100).toFixed(2)
  const save = async () =>
    manager.ask(store.origin + path, {
      form: { ...tireFieldsIn(await read(manager, path)), intent: 'change', price: lower },
    })
  const refused = await save()
  expect(refused.status).toBe(422)
  const page = (await refused.text()).replaceAll('<!-- -->', '')
  expect(page).toContain(
    `Below the minimum advertised price: ${tire.sku} at $${lower}, minimum ${dollars(tire.retailCents)}. Enter a higher price.`,
  )
  expect(page).toMatch(
    /<input [^>]*aria-invalid="true"[^>]*name="price"|<input [^>]*name="price"[^>]*aria-invalid="true"/,
  )
  expect(page).toContain(`value="${lower}"`)

  /** Uploads a file with a price below the minimum and another one, and returns the previewed run's page. */
  const preview = async () => {
    const form = new FormData()
    for (const [name, text] of Object.entries({ key: newId(), kind: 'prices', mode: 'all-or-nothing' }))
      form.set(name, text)
    const rows = ['sku,price', `${tire.sku},${lower}`, `${other.sku},${((other.retailCents + 100) / 100).toFixed(2)}`]
    form.set('file', new File([rows.join('\n')], 'prices.csv', { type: 'text/csv' }))
    const location = (await manager.ask(`${store.origin}/office/imports`, { form })).headers.get('location') ?? ''
    return eventually('preview', async () => {
      const shown = await read(manager, location)
      return shown.includes('Ready to publish') ? shown : undefined
    })
  }
  const row = `Row 2: ${tire.sku}`
  const values = `$${lower}, minimum ${dollars(tire.retailCents)}`
  const left = await preview()
  expect(left).toContain('1 price isn’t changed because it would be below the minimum advertised price')
  expect(left).toContain(row)
  expect(left).toContain(values)
  expect(left).toContain('Prices raised')

  const owner = createVisitor()
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  const settings = formFields(await read(owner, '/office/settings'), 'price-in-cart')
  const changed = await owner.ask(`${store.origin}/office/settings`, {
    form: { ...settings, belowMap: 'price-in-cart' },
  })
  expect(changed.headers.get('location')).toBe('/office/settings?done=saved')
  const shown = await preview()
  expect(shown).toContain('1 price is below the minimum advertised price and shown as “See price in cart”')
  expect(shown).toContain(values)
  expect((await save()).headers.get('location')).toBe(`/office/catalog/items/${tire.id}?done=saved`)
  const product = `/brands/${tire.brand}/${tire.line}/p/${tire.id}`
  await eventually('the price in the cart only', async () => {
    const seen = await read(createVisitor(), product)
    return seen.includes('See price in cart') && !seen.includes(`$${lower}`) ? true : undefined
  })
  expect(await read(manager, '/office/map-prices?state=below')).toContain(tire.sku)
})

test('a form for many tires leaves out those set since it was loaded, and names them', async () => {
  const [first, second] = await tires()
  if (!first || !second) return expect.unreachable('no tire')
  const page = `${store.origin}/office/map-prices`
  const form = formFields(await read(manager, '/office/map-prices'), 'change')
  await setMinimum(first.sku, 1_234)
  const prices = `${first.sku} 11.00\n${second.sku} 11.00`
  const answer = await manager.ask(page, { form: { ...form, intent: 'change', prices, acceptsBelow: 'yes' } })
  expect(answer.status).toBe(422)
  const html = (await answer.text()).replaceAll('<!-- -->', '')
  expect(html).toContain('Saved 1 price. Check the others:')
  expect(html).toContain(`Another team member changed ${first.sku} ($12.34) since you opened this page.`)
  expect(html).toMatch(new RegExp(`<textarea[^>]*>\\s*${first.sku} 11.00</textarea>`))
  const again = { ...formFields(html, 'change'), intent: 'change', prices: `${first.sku} 11.00`, acceptsBelow: 'yes' }
  expect((await manager.ask(page, { form: again })).headers.get('location')).toBe('/office/map-prices?done=saved')
})
