/** Reviews over HTTP: their URLs, the cacheable guest pages, the form with its exact messages, and votes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { publishReview } from '#domain/aftercare/reviews/reviews.server.ts'
import { encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { systemClock } from '#platform/clock.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
let line: { id: number; brand: string; slug: string; path: string; type: string; category: string }
beforeAll(async () => {
  store = await startStore()
  const row = await store.database.db
    .selectFrom('line_rating as rating')
    .innerJoin('product_line as line', 'line.id', 'rating.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .innerJoin('category', 'category.slug', 'line.category_slug')
    .select(['line.id', 'brand.slug as brand', 'line.slug', 'category.slug as category', 'category.type_slug as type'])
    .orderBy('review_count', 'desc')
    .orderBy('line.id')
    .executeTakeFirstOrThrow()
  line = { ...row, path: `/brands/${row.brand}/${row.slug}` }
})
afterAll(() => store[Symbol.asyncDispose]())

const ask = (path: string, cookie = '') => fetch(`${store.origin}${path}`, { redirect: 'manual', headers: { cookie } })
const read = async (path: string, cookie?: string) => (await ask(path, cookie)).text()
const post = (path: string, fields: Record<string, string>, cookie = '') =>
  fetch(`${store.origin}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: store.origin, cookie },
    body: new URLSearchParams(fields),
  })

type Product = { '@type': string; aggregateRating?: { reviewCount: number }; review?: unknown[] }

/** The product with its rating from a page's structured data. */
function productIn(html: string): Product | undefined {
  const things = [...html.matchAll(/<script type="application\/ld\+json"[^>]*>([^<]+)/g)].map(
    ([, json = '{}']) => JSON.parse(json) as Product,
  )
  return things.find((thing) => thing['@type'] === 'Product')
}

const typed = {
  wet: '4',
  summary: 'Calm in <heavy> rain',
  comments: 'Held the lane in a downpour.',
  name: 'Dana R.',
  email: 'dana@example.com',
  purchasedOn: '03/14/2024',
  vehicle: '2021 Toyota RAV4 XLE',
  milesDriven: '12,400',
  drivingStyle: 'Average',
  whereUsed: 'Mixed',
  buyAgain: 'yes',
}

test('every page of reviews has one URL, is cacheable for guests, and has a unique title', async () => {
  const paths = [
    '/tire-reviews',
    ...['brands', 'types', 'categories', 'top-rated', 'newest', 'most-helpful', 'rules'].map(
      (section) => `/tire-reviews/${section}`,
    ),
    `/brands/${line.brand}/reviews`,
    `/types/${line.type}/reviews`,
    `/categories/${line.category}/reviews`,
    `${line.path}/reviews`,
  ]
  const titles = new Set<string>()
  for (const path of paths) {
    const answer = await ask(path)
    const html = await answer.text()
    expect(answer.status, path).toBe(200)
    expect(answer.headers.get('cache-control'), path).toContain('s-maxage')
    expect(html).toContain(`<link rel="canonical" href="${store.origin}${path}"/>`)
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html, path).not.toMatch(/<script[^>]* type="(?:module|text\/late)"/)
    titles.add(/<title>([^<]+)/.exec(html)?.[1] ?? '')
    const shouted = await ask(path.toUpperCase())
    expect(shouted.status).toBe(301)
    expect(shouted.headers.get('location')).toBe(path)
  }
  expect(titles.size).toBe(paths.length)
})

test.for([
  '/tire-reviews/oldest',
  '/brands/nobody/reviews',
  '/types/nothing/reviews',
  '/categories/nothing/reviews',
  '/brands/nobody/nothing/reviews',
  '/brands/nobody/nothing/write-a-review',
])('%s is a 404', async (path) => {
  expect((await ask(path)).status).toBe(404)
})

test('a line’s plain review page has structured data; filtered ones are not indexed', async () => {
  const html = await read(`${line.path}/reviews`)
  const thing = productIn(html)
  const rating = await store.database.db
    .selectFrom('line_rating')
    .select('review_count')
    .where('product_line_id', '=', line.id)
    .executeTakeFirstOrThrow()
  expect(thing?.aggregateRating?.reviewCount).toBe(rating.review_count)
  expect(thing?.review).toHaveLength(html.match(/<article/g)?.length ?? 0)
  for (const query of ['?stars=5', '?sort=newest', '?vehicle=Toyota+RAV4', '?after=1']) {
    const filtered = await read(`${line.path}/reviews${query}`)
    expect(filtered, query).toContain('noindex')
    expect(filtered, query).not.toContain('rel="canonical"')
    expect(productIn(filtered), query).toBeUndefined()
  }
})

test('a model without reviews shows an empty state and isn’t indexed', async () => {
  const { db } = store.database
  const other = await db
    .selectFrom('product_line as line')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .innerJoin('line_rating as rating', 'rating.product_line_id', 'line.id')
    .select(['line.id', 'brand.slug as brand', 'line.slug'])
    .orderBy('review_count')
    .orderBy('line.id')
    .executeTakeFirstOrThrow()
  await db.deleteFrom('review').where('product_line_id', '=', other.id).execute()
  const html = await read(`/brands/${other.brand}/${other.slug}/reviews`)
  expect(html).toContain('No reviews yet for the ')
  expect(html).toContain('noindex')
  expect(html).not.toContain('rel="canonical"')
})

test('a tire shows its reviews and links to all, to those for the same car, and to the form', async () => {
  const vehicle = encodeChosenVehicle({
    vehicleId: null,
    fitmentId: null,
    year: 2021,
    makeSlug: 'toyota',
    modelSlug: 'rav4',
    name: '2021 Toyota RAV4',
    confirmed: false,
    label: null,
  })
  const html = await read(line.path, `sw_vehicle=${vehicle}`)
  expect(html.match(/class="owner-review"/g)).toHaveLength(3)
  for (const href of [
    `${line.path}/reviews`,
    `${line.path}/reviews?vehicle=Toyota%20RAV4`,
    `${line.path}/reviews?stars=5`,
    `${line.path}/write-a-review`,
  ])
    expect(html).toContain(`href="${href}"`)
  // A guest's page has no vehicle.
  expect(await read(line.path)).not.toContain('?vehicle=')
  expect(await read(`${line.path}/write-a-review`, `sw_vehicle=${vehicle}`)).toContain('value="2021 Toyota RAV4"')
})

test('an incomplete form returns with all errors and its input, and isn’t stored', async () => {
  const answer = await post(`${line.path}/write-a-review`, {
    ...typed,
    wet: '',
    email: 'dana@',
    purchasedOn: '2024-03-14',
    name: '',
  })
  const html = await answer.text()
  expect(answer.status).toBe(422)
  for (const message of [
    'Please enter a valid date format MM/DD/YYYY',
    'Please enter a valid email',
    'Rate at least one of these from 1 to 5.',
    'Enter a display name with letters, up to 25.',
  ])
    expect(html).toContain(message)
  expect(html).toContain('value="2024-03-14"')
  expect(html).toContain('Held the lane in a downpour.</textarea>')
  expect(html).toContain('value="Calm in &lt;heavy&gt; rain"')
  const { count } = await store.database.db
    .selectFrom('review')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('email', 'is not', null)
    .executeTakeFirstOrThrow()
  expect(count).toBe(0)
})

test('a bot that fills in the honeypot is thanked and ignored', async () => {
  expect((await post(`${line.path}/write-a-review`, { ...typed, website: 'https://spam.test' })).status).toBe(303)
  expect(await store.database.db.selectFrom('review').select('id').where('email', '=', typed.email).execute()).toEqual(
    [],
  )
})

test('a review is pending, published by staff, announced by email, votable, and limited', async () => {
  const path = `${line.path}/write-a-review`
  const sent = await post(path, typed)
  expect(sent.status).toBe(303)
  expect(sent.headers.get('location')).toBe(`${path}?written=waiting`)
  const writer = /sw_visitor=[^;]+/.exec(sent.headers.get('set-cookie') ?? '')?.[0] ?? ''
  expect(await read(`${path}?written=waiting`)).toContain('Someone on our team reads it before it is shown')
  const { id } = await store.database.db
    .selectFrom('review')
    .select('id')
    .where('email', '=', typed.email)
    .executeTakeFirstOrThrow()
  expect(await read(`${line.path}/reviews?sort=newest`, writer)).not.toContain('Calm in &lt;heavy&gt; rain')
  await publishReview({ db: store.database.db, clock: systemClock }, { reviewId: id, by: desk })
  const newest = await read(`${line.path}/reviews?sort=newest`, writer)
  expect(newest).toContain('Calm in &lt;heavy&gt; rain')
  expect(newest).not.toContain(typed.email)

  // The same person, and someone with an order that is not theirs.
  const again = await post(path, typed)
  expect(again.status).toBe(409)
  expect(await again.text()).toContain('You have already reviewed this tire')
  const claimed = await post(path, { ...typed, email: 'else@example.com', orderNumber: 'S-103001' })
  expect(claimed.status).toBe(422)
  expect(await claimed.text()).toContain('We find no delivered order')

  const list = `${line.path}/reviews`
  const own = await post(list, { review: String(id) }, writer)
  expect(own.status).toBe(409)
  expect(await own.text()).toContain('You wrote this review')
  const voted = await post(`${list}?sort=newest`, { review: String(id), helpful: 'yes' })
  expect(voted.status).toBe(303)
  expect(voted.headers.get('location')).toBe(`${list}?sort=newest#review-${id}`)
  const voter = /sw_visitor=[^;]+/.exec(voted.headers.get('set-cookie') ?? '')?.[0] ?? ''
  expect(await read(`${list}?sort=newest`, voter)).toMatch(
    /aria-pressed="true"[^>]*>.{0,200}Helpful[^<]*(<!-- -->)? \(1\)/s,
  )
  // Without the cookie, from the same network.
  const others = await Promise.all(
    Array.from({ length: 3 }, () => post(`${list}?sort=newest`, { review: String(id), helpful: 'yes' })),
  )
  expect(others.map(({ status }) => status)).toEqual([409, 409, 409])
  expect(await others[0]?.text()).toContain('Sign in, and your vote counts as your own.')
  expect((await post(`${list}?sort=newest`, { review: String(id), helpful: 'no' }, voter)).status).toBe(303)
  expect(await read(`${list}?sort=newest`, voter)).not.toContain('aria-pressed="true"')
  expect((await post(list, { review: '999999999', helpful: 'yes' }, voter)).status).toBe(404)
  expect((await post(list, { review: '1 or 1=1' }, voter)).status).toBe(400)

  for (const number of [4, 5])
    expect((await post(path, { ...typed, email: `dana${number}@example.com` })).status).toBe(303)
  const sixth = await post(path, { ...typed, email: 'dana6@example.com' })
  expect(sixth.status).toBe(429)
  expect(await sixth.text()).toContain('Held the lane in a downpour.')
})

test('a forged visitor cookie is ignored', async () => {
  const { id } = await store.database.db
    .selectFrom('review')
    .select('id')
    .where('state', '=', 'published')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const forged = await post(
    `${line.path}/reviews`,
    { review: String(id), helpful: 'yes' },
    'sw_visitor=3f2b7c8e-0000-4000-8000-000000000000.x',
  )
  expect(forged.headers.get('set-cookie')).toMatch(/sw_visitor=(?!3f2b7c8e-0000)/)
})
