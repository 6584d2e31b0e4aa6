import { expect, test } from 'vitest'
import { addToCart, readCart } from '#domain/payments/cart/cart.server.ts'
import { createCatalog } from '#domain/catalog/catalog/catalog.server.ts'
import { retailBuyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { judgeCart } from './cart-verdict.server.ts'
import { pickTire } from './checkout.testing.ts'

test('different tires are evaluated on one axle only if they must share it', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const clock = fixedClock(smallDataMadeAt)
  const deps = { db: database.db, clock, buyer: retailBuyer, catalog: createCatalog({ db: database.db, clock }) }
  const vehicles = database.db
    .selectFrom('vehicle')
    .select(['id', 'year', 'model_slug'])
    .where('make_slug', '=', 'toyota')
    .where('drive', '=', 'na')
  const { id, year, model_slug } = await vehicles.orderBy('id').limit(1).executeTakeFirstOrThrow()
  const label = { front: '225/65R17 102H', rear: '225/65R17 102H' }
  const vehicle = {
    vehicleId: id,
    fitmentId: null,
    year,
    makeSlug: 'toyota',
    modelSlug: model_slug,
    name: 'Toyota',
    confirmed: true,
    label,
  }
  const items = await database.db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .select(['item.id', 'item.product_line_id'])
    .where('size.designation', '=', '225/65R17')
    .where('item.active', '=', true)
    .where('item.run_flat', '=', false)
    .where('line.winter', '=', false)
    .where('item.load_index', '>=', 102)
    .where('item.speed', '=', 'H')
    .groupBy('item.id')
    .having((eb) => eb(eb.fn.sum('stock.on_hand'), '>=', 16))
    .orderBy('item.id')
    .execute()
  const [one] = items
  const other = items.find((item) => item.product_line_id !== one?.product_line_id)
  if (!one || !other) return expect.fail('Two lines in one size are needed.')

  async function verdictFor(...quantities: [number, number]) {
    const lines = [one, other].map((item, index) => ({
      itemId: item?.id ?? 0,
      quantity: quantities[index] ?? 0,
      axle: 'all' as const,
    }))
    const added = await addToCart(deps, { cartId: undefined, lines, zip: '60614', vehicle })
    const cart = added.ok ? await readCart(deps, added.value.cartId) : undefined
    return (cart && (await judgeCart(deps, cart))) ?? expect.fail('There is no verdict.')
  }

  const mixed = await verdictFor(1, 3)
  expect(mixed.verdict).toBe('does_not_fit')
  for (const { lines } of mixed.sets) expect(lines).toContain('Both tires on an axle must be the same.')
  expect((await verdictFor(2, 2)).sets).toMatchObject([{ itemIds: [one.id, other.id], verdict: 'fits' }])
  expect((await verdictFor(4, 4)).sets).toMatchObject([{ verdict: 'fits' }, { verdict: 'fits' }])
})

test("a pair on an all-wheel-drive car must meet its maker's tread limit", async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const clock = fixedClock(smallDataMadeAt)
  const deps = { db: database.db, clock, buyer: retailBuyer, catalog: createCatalog({ db: database.db, clock }) }
  const itemId = await pickTire(deps)

  async function verdictFor(makeSlug: string): Promise<string> {
    const { id, year, model_slug } = await database.db
      .selectFrom('vehicle')
      .select(['id', 'year', 'model_slug'])
      .where('make_slug', '=', makeSlug)
      .where('drive', '=', 'awd')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    const label = { front: '225/65R17 102H', rear: '225/65R17 102H' }
    const vehicle = {
      vehicleId: id,
      fitmentId: null,
      year,
      makeSlug,
      modelSlug: model_slug,
      name: makeSlug,
      confirmed: true,
      label,
    }
    const added = await addToCart(deps, {
      cartId: undefined,
      lines: [{ itemId, quantity: 2, axle: 'all' }],
      zip: '60614',
      vehicle,
    })
    const cart = added.ok ? await readCart(deps, added.value.cartId) : undefined
    const verdict = cart && (await judgeCart(deps, cart))
    return verdict?.sets.flatMap(({ headline, lines }) => [headline, ...lines]).join('\n') ?? ''
  }

  expect(await verdictFor('subaru')).toContain('the four tires must match within 1.27/32 inch of tread')
  expect(await verdictFor('toyota')).toContain('the four tires must match within 2/32 inch of tread')
})

test('a front pair for a staggered vehicle is evaluated on the front axle', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const clock = fixedClock(smallDataMadeAt)
  const deps = { db: database.db, clock, buyer: retailBuyer, catalog: createCatalog({ db: database.db, clock }) }
  const { id, year, make_slug, model_slug } = await database.db
    .selectFrom('vehicle')
    .select(['id', 'year', 'make_slug', 'model_slug'])
    .where('drive', '=', 'na')
    .where('make_slug', '=', 'toyota')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const item = await database.db
    .selectFrom('item')
    .innerJoin('size', 'size.id', 'item.size_id')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('stock', 'stock.item_id', 'item.id')
    .select('item.id')
    .where('size.designation', '=', '225/40R18')
    .where('item.active', '=', true)
    .where('item.run_flat', '=', false)
    .where('item.oe_mark', 'is', null)
    .where('line.winter', '=', false)
    .groupBy('item.id')
    .having((eb) => eb(eb.fn.sum('stock.on_hand'), '>=', 4))
    .orderBy('item.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const label = { front: '225/40R18 84H', rear: '255/35R18 84H' }
  const vehicle = {
    vehicleId: id,
    fitmentId: null,
    year,
    makeSlug: make_slug,
    modelSlug: model_slug,
    name: 'Staggered',
    confirmed: true,
    label,
  }
  const added = await addToCart(deps, {
    cartId: undefined,
    lines: [{ itemId: item.id, quantity: 2, axle: 'front' }],
    zip: '60614',
    vehicle,
  })
  const cart = added.ok ? await readCart(deps, added.value.cartId) : undefined
  const verdict = cart && (await judgeCart(deps, cart))
  expect(verdict?.sets.flatMap(({ lines }) => lines)).toContain(
    'Your two new tires go on the front axle; the rear tires must have at least as much tread.',
  )
})
