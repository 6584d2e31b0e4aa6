/** Tests that prices below a minimum advertised price are shown in the cart only. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
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

test('a tire sold below its minimum shows the minimum outside the cart, and is listed on Home', async () => {
  const tire = await store.database.db
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
    .executeTakeFirstOrThrow()
  const mapCents = tire.retailCents + 7_777
  const form = { prices: `${tire.sku} ${(mapCents / 100).toFixed(2)}`, acceptsBelow: 'yes' }
  const saved = await manager.ask(`${store.origin}/office/map-prices`, { form })
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
  expect(await read(manager, '/office')).toContain('Tires priced below MAP')
})
