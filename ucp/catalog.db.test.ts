/** Search, lookup, one product, and shops. */
import { expect, test } from 'vitest'
import { pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { openUcp, otherPlatform } from './ucp.testing.ts'

type Variant = {
  id: string
  title: string
  price: { amount: number }
  inputs?: { id: string; match: string }[]
  fitment?: { verdict: string; axles?: { axle: string; verdict: string; reasons: object[] }[] }
}
type Found = {
  products: {
    id: string
    title: string
    price_range: { min: { amount: number }; max: { amount: number } }
    variants: Variant[]
  }[]
  pagination: { has_next_page: boolean; cursor?: string; total_count?: number }
  messages: { code: string }[]
}
const rav4 = { vehicle: { year: 2021, make: 'Toyota', model: 'RAV4' } }

test('a search is a size, a vehicle, a brand or words, page by page', async () => {
  await using api = await openUcp()
  const search = async (body: object) => (await api.call('POST', '/ucp/catalog/search', { body })).body as Found
  const bySize = await search({ query: '225/65R17', pagination: { limit: 3 } })
  expect(bySize.products.length).toBeGreaterThan(0)
  expect(bySize.pagination).toMatchObject({ has_next_page: true })
  const ids = ({ products }: Found) => products.flatMap(({ variants }) => variants.map(({ id }) => id))
  const next = await search({ query: '225/65R17', pagination: { limit: 3, cursor: bySize.pagination.cursor } })
  expect(ids(next).filter((id) => ids(bySize).includes(id))).toEqual([])
  expect(ids(next)).toHaveLength(3)
  expect(await search({ query: '215/55R17', pagination: { cursor: bySize.pagination.cursor } })).toMatchObject({
    products: [],
    messages: [{ code: 'invalid_cursor' }],
  })

  const fitted = await search({ fitment: rav4 })
  expect(fitted.products.length).toBeGreaterThan(0)
  for (const { variants } of fitted.products)
    for (const { fitment } of variants)
      expect(fitment?.verdict).toMatch(/^(fits_with_conditions|unknown|does_not_fit)$/)
  expect(ids(await search({ fitment: { size: { front: '225/65R17' } } }))).toEqual(
    ids(await search({ query: '225/65R17' })),
  )
  expect(await search({ fitment: { vehicle: { year: 2021, make: 'Nobody', model: 'Knows' } } })).toMatchObject({
    products: [],
    messages: [{ code: 'vehicle_not_found' }],
  })
  const cheap = await search({ query: '225/65R17', filters: { price: { max: 12_000 } } })
  for (const { variants } of cheap.products)
    for (const { price } of variants) expect(price.amount).toBeLessThanOrEqual(12_000)
  expect(await search({ query: 'zzzzzz' })).toMatchObject({ products: [], messages: [{ code: 'no_results' }] })
  expect(await search({})).toMatchObject({ products: [] })
})

test('a lookup answers each id, and a product has its sizes and the whole verdict', async () => {
  await using api = await openUcp()
  const itemId = String(await pickTire(api.database))
  const lookup = async (ids: string[], from?: string) =>
    (await api.call('POST', '/ucp/catalog/lookup', { body: { ids, fitment: rav4 }, ...(from && { from }) }))
      .body as Found
  const found = await lookup([itemId, 'nothing', '999999999'])
  expect(found.products).toMatchObject([{ variants: [{ id: itemId, inputs: [{ id: itemId, match: 'exact' }] }] }])
  expect(found.messages.map(({ code }) => code)).toEqual(['not_found', 'not_found'])
  const [product] = found.products
  const line = await lookup([product?.id ?? ''])
  expect(line.products[0]?.variants[0]?.inputs).toEqual([{ id: product?.id, match: 'featured' }])

  const detail = await api.call('POST', '/ucp/catalog/product', { body: { id: itemId, fitment: rav4 } })
  const { variants, options } = (
    detail.body as { product: { variants: Variant[]; options: { values: { id: string; label: string }[] }[] } }
  ).product
  expect(variants[0]?.id).toBe(itemId)
  expect(variants[0]?.fitment).toMatchObject({ axles: [{ axle: 'front' }, { axle: 'rear' }] })
  expect(variants[0]?.fitment?.axles?.[0]?.reasons.length).toBeGreaterThan(0)
  expect(variants).toHaveLength(options[0]?.values.length ?? 0)
  const other = options[0]?.values.find(({ id }) => id !== itemId)
  if (other)
    expect(
      await api.call('POST', '/ucp/catalog/product', {
        body: { id: product?.id, selected: [{ name: 'Size', label: other.label }] },
      }),
    ).toMatchObject({ body: { product: { selected: [{ name: 'Size', label: other.label }] } } })
  expect(await api.call('POST', '/ucp/catalog/product', { body: { id: 'no/such' } })).toMatchObject({
    body: { ucp: { status: 'error' }, messages: [{ code: 'not_found' }] },
  })
})

test('shops are locations only in the current release', async () => {
  await using api = await openUcp()
  const near = await api.call('POST', '/ucp/locations/search', { body: { context: { postal_code: '60614' } } })
  const { locations } = near.body as { locations: { id: string; timezone: string; distance: { value: number } }[] }
  expect(locations.length).toBeGreaterThan(0)
  expect(locations[0]).toMatchObject({ timezone: 'America/Chicago', distance: { unit: 'm' } })
  expect(
    await api.call('POST', '/ucp/locations/search', { body: { context: { postal_code: '09012' } } }),
  ).toMatchObject({
    body: {
      messages: [
        { code: 'postal_code_unknown', content: 'The product is unable to ship to International Military bases.' },
      ],
    },
  })
  expect(await api.call('POST', '/ucp/locations/lookup', { body: { ids: [locations[0]?.id, 'XX-1'] } })).toMatchObject({
    body: { locations: [{ id: locations[0]?.id }], messages: [{ code: 'not_found' }] },
  })
  expect(await api.call('POST', '/ucp/locations/search', { body: {} })).toMatchObject({
    body: { messages: [{ code: 'postal_code_required' }] },
  })
  expect(
    await api.call('POST', '/ucp/locations/search', {
      from: otherPlatform,
      body: { context: { postal_code: '60614' } },
    }),
  ).toMatchObject({ body: { messages: [{ code: 'capabilities_incompatible' }] } })
})

test('a cart’s axles are evaluated separately, including staggered sets and sets with equal sizes', async () => {
  await using api = await openUcp()
  const corvette = { vehicle: { year: 2022, make: 'Chevrolet', model: 'Corvette' } }
  const found = await api.call('POST', '/ucp/catalog/search', { body: { fitment: corvette } })
  const variants = (found.body as Found).products[0]?.variants ?? []
  const idOf = (size: string) => variants.find(({ title }) => title.includes(size))?.id ?? ''
  const [front, rear] = [idOf('245/35R19'), idOf('305/30R20')]
  type Axle = { axle: string; item_id: string; verdict: string; reasons: { code: string; text: string }[] }
  const axlesOf = async (inRear: string) => {
    const line_items = [
      { item: { id: front }, quantity: 2, axle: 'front' },
      { item: { id: inRear }, quantity: 2, axle: 'rear' },
    ]
    const made = await api.call('POST', '/ucp/carts', { body: { line_items, fitment: corvette } })
    return (made.body as { fitment: { verdict: string; sets: { axles: Axle[] }[] } }).fitment
  }
  const staggered = await axlesOf(rear)
  expect(staggered.verdict).toBe('fits_with_conditions')
  const [inFront, inRear] = staggered.sets[0]?.axles ?? []
  expect(inFront?.axle).toBe('front')
  expect(inFront?.item_id).toEqual(front)
  expect(inRear?.axle).toBe('rear')
  expect(inRear?.item_id).toEqual(rear)
  expect(inFront?.reasons).not.toEqual(inRear?.reasons)

  const wrong = await axlesOf(front)
  const [fine, bad] = wrong.sets[0]?.axles ?? []
  expect(wrong.verdict).toBe('does_not_fit')
  expect(fine?.verdict).toEqual(inFront?.verdict)
  expect(bad?.verdict).toBe('does_not_fit')
  expect(bad?.reasons[0]?.code).toMatch(/^FR\d+$/)
})

test('a price names the shipping to the buyer’s ZIP where it is not free, in search, lookup and product', async () => {
  await using api = await openUcp()
  const itemId = String(await pickTire(api.database))
  const told = async (postal_code: string | undefined) => {
    const context = { ...(postal_code && { postal_code }) }
    const call = async (path: string, body: object) =>
      (await api.call('POST', `/ucp/catalog/${path}`, { body: { ...body, context } })).body as {
        products?: { variants: { id: string; description: { plain: string } }[] }[]
        product?: { variants: { id: string; description: { plain: string } }[] }
      }
    const found = await Promise.all([
      call('search', { query: itemId }),
      call('lookup', { ids: [itemId] }),
      call('product', { id: itemId }),
    ])
    return found.map(
      ({ products = [], product }) =>
        [...products, ...(product ? [product] : [])].flatMap(({ variants }) => variants).find(({ id }) => id === itemId)
          ?.description.plain,
    )
  }
  for (const text of await told('96910')) expect(text).toMatch(/ Shipping to 96910 adds \$34\.75\.$/)
  for (const text of [...(await told('60614')), ...(await told(undefined)), ...(await told('09012'))])
    expect(text?.includes('Shipping'), text).toBe(false)
})

test('in winter, summer tires come last where it is cold', async () => {
  await using api = await openUcp()
  const lines = await api.database.db
    .selectFrom('product_line')
    .innerJoin('brand', 'brand.id', 'product_line.brand_id')
    .innerJoin('category', 'category.slug', 'product_line.category_slug')
    .select(['brand.slug as brand', 'product_line.slug as line', 'category.type_slug as type'])
    .execute()
  const summer = new Set(lines.flatMap(({ brand, line, type }) => (type === 'summer' ? [`${brand}/${line}`] : [])))
  const search = async (postal_code: string) => {
    const body = { query: '225/45R17', context: { postal_code }, pagination: { limit: 100 } }
    const found = (await api.call('POST', '/ucp/catalog/search', { body })).body as Found
    return found.products.map(({ id }) => summer.has(id))
  }
  expect(await search('33101')).toContain(true)
  expect(await search('55401')).not.toContain(true)
})
