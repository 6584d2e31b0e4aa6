/**
 * Tests canonical URLs, search engine data, and empty results of listings and directories. Over 400 lines: all tests
 * share one started store.
 */
import { sql } from 'kysely'
import { allRoutes as routes } from '#tests/support/routes.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const ask = (path: string) => fetch(`${store.origin}${path}`, { redirect: 'manual' })
const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1] ?? ''
const descriptionOf = (html: string) => /<meta name="description" content="(.*?)"\/>/.exec(html)?.[1] ?? ''
const canonicalOf = (html: string) => /<link rel="canonical" href="(.*?)"\/>/.exec(html)?.[1] ?? null
const isLeftOut = (html: string) => /<meta name="robots" content="noindex/.test(html)

test.for([
  ['/Brands', '/brands'],
  ['/brands/', '/brands'],
  ['//brands', '/brands'],
  ['/brands//kestrel', '/brands/kestrel'],
  ['/BRANDS/Kestrel/', '/brands/kestrel'],
  ['/brands/Kestrel?sort=price', '/brands/kestrel?sort=price'],
  ['/brands/kestrel/Types', '/brands/kestrel/types'],
  ['/Brands/KESTREL/categories/', '/brands/kestrel/categories'],
  ['/brands/Kestrel/TYPES/All-Season', '/brands/kestrel/types/all-season'],
  ['/brands/kestrel/types/touring-all-season', '/brands/kestrel/categories/touring-all-season'],
  ['/brands/kestrel/categories/ALL-season/', '/brands/kestrel/types/all-season'],
  ['/Types/', '/types'],
  ['/TYPES/Winter', '/types/winter'],
  ['/types/studless-winter', '/categories/studless-winter'],
  ['/CATEGORIES', '/categories'],
  ['/Categories/Winter/', '/types/winter'],
  ['/Vehicles/', '/vehicles'],
  ['/vehicles/Toyota-Tires', '/vehicles/toyota-tires'],
  ['/vehicles/toyota', '/vehicles/toyota-tires'],
  ['/VEHICLES/Toyota/', '/vehicles/toyota-tires'],
  ['/vehicles/Toyota/RAV4', '/vehicles/toyota/rav4'],
  ['/Vehicles/toyota/RAV4/2021/?trim=xle', '/vehicles/toyota/rav4/2021?trim=xle'],
  ['/Tire-Sizes', '/tire-sizes'],
  ['/TIRE-SIZES/225-65R17', '/tire-sizes/225-65r17'],
  ['/tire-sizes/225-65r17/', '/tire-sizes/225-65r17'],
  ['/Tire-Sizes/P225-65R17/', '/tire-sizes/225-65r17'],
  ['/tire-sizes/2256517', '/tire-sizes/225-65r17'],
  ['/tire-sizes/225%2F65R17', '/tire-sizes/225-65r17'],
  ['/tire-sizes/LT275-70R18', '/tire-sizes/lt275-70r18'],
  ['/tire-sizes/35X12.50R17', '/tire-sizes/35x12-50r17'],
  ['/tire-sizes/11R22.5', '/tire-sizes/11r22-5'],
  ['/tire-sizes/ST205-75R15', '/tire-sizes/st205-75r15'],
  ['/tire-sizes/235-65R16C', '/tire-sizes/235-65r16c'],
  ['/tire-sizes/235-60R18/Brands/Kestrel', '/tire-sizes/235-60r18/brands/kestrel'],
  ['/tire-sizes/235-60r18/types/touring-all-season', '/tire-sizes/235-60r18/categories/touring-all-season'],
  ['/tire-sizes/235-60r18/categories/all-season', '/tire-sizes/235-60r18/types/all-season'],
  [
    '/tire-sizes/235-60R18/brands/KESTREL/types/touring-all-season/',
    '/tire-sizes/235-60r18/brands/kestrel/categories/touring-all-season',
  ],
  [
    '/tire-sizes/235-60r18/brands/kestrel/Categories/all-season',
    '/tire-sizes/235-60r18/brands/kestrel/types/all-season',
  ],
  ['/tire-sizes/Diameter/17/', '/tire-sizes/diameter/17'],
  ['/tire-sizes/diameter/17.0', '/tire-sizes/diameter/17'],
] as const)('%s redirects permanently, in one step, to %s', async ([asked, right]) => {
  const answer = await ask(asked)
  expect(answer.status).toBe(301)
  expect(answer.headers.get('location')).toBe(right)
  // The small demo data has few sizes. Unsold ones return 404 but don't redirect again.
  expect([200, 404]).toContain((await ask(right)).status)
})

test('every static page redirects from capitals and a trailing slash to its canonical spelling', async () => {
  const fixed = routes.flatMap(({ path }) => (path && !/[:*]/.test(path) ? [`/${path}`] : []))
  const pages: string[] = []
  for (const path of fixed) {
    const { status, headers } = await ask(path)
    if (status === 200 && headers.get('content-type')?.startsWith('text/html')) pages.push(path)
  }
  expect(pages.length).toBeGreaterThan(15)
  for (const path of pages) {
    const answer = await ask(`/${path.toUpperCase()}/?a=B`)
    expect(answer.status).toBe(301)
    expect(answer.headers.get('location')).toBe(`${path}?a=B`)
  }
})

test.for([
  '/brands/nobody',
  '/Brands/Nobody/',
  '/brands/nobody/types',
  '/brands/kestrel/types/nothing',
  '/types/nothing',
  '/categories/nothing',
  '/vehicles/nobody-tires',
  '/vehicles/toyota/nothing',
  '/vehicles/toyota/rav4/1900',
  '/vehicles/toyota/rav4/new',
  '/vehicles/toyota/rav4/2021?trim=nothing',
  '/tire-sizes/banana',
  '/tire-sizes/235-60r18/brands/nobody',
  '/tire-sizes/235-60r18/types/nothing',
  '/tire-sizes/diameter/99',
  '/tire-sizes/diameter/wide',
])('%s is a 404', async (path) => {
  expect((await ask(path)).status).toBe(404)
})

test('a size without tires is reported as not sold here, with the nearest sizes, in the form and at its URL', async () => {
  const chosen = await ask('/find?by=size&width=205&ratio=30&rim=24')
  const html = (await chosen.text()).replaceAll('<!-- -->', '')
  expect(chosen.status).toBe(200)
  expect(html).toContain('We don’t sell 205/30R24 tires.')
  expect(html).toMatch(/The nearest we sell:[\s\S]*href="\/tire-sizes\/\d/)
  const direct = await ask('/tire-sizes/205-30r24')
  expect(direct.status).toBe(404)
  expect((await direct.text()).replaceAll('<!-- -->', '')).toContain('We don’t sell 205/30R24 tires right now')
  expect((await ask('/find?by=size&width=235&ratio=60&rim=18')).headers.get('location')).toBe('/tire-sizes/235-60r18')
  // Light truck tires aren't near ATV tires.
  const atv = (await (await ask('/tire-sizes/25x8-00-12')).text()).replaceAll('<!-- -->', '')
  expect(atv).toMatch(/We don’t sell 25X8\.00-12\w* tires/)
  expect(atv).not.toContain('The closest we have:')
})

test('invalid filters are named, and can be removed', async () => {
  const read = async (path: string) => (await (await ask(path)).text()).replaceAll('<!-- -->', '')
  const html = await read('/tire-sizes/235-60r18?brand=zzz&rating=9&snow=maybe&min=x&type=all-season')
  expect(html).toContain('These filters mean nothing here: brand: zzz, rating: 9, snow: maybe, min: x.')
  expect(html).toMatch(/href="\/tire-sizes\/235-60r18\?type=all-season"[^>]*>Drop them</)
  expect(await read('/tire-sizes/235-60r18?type=all-season&sort=price&size=48')).not.toContain('nothing here')
})

test('the page size can be chosen', async () => {
  const read = async (path: string) => (await (await ask(path)).text()).replaceAll('<!-- -->', '')
  expect(await read('/tire-sizes/235-60r18')).toMatch(/<select[^>]*name="size"[^>]*>.*24 a page.*48 a page.*96 a page/)
  expect(await read('/tire-sizes/235-60r18?size=48')).toMatch(/<option value="48" selected=""/)
})

/** One combination of known names without items for each template. */
async function emptyPlaces(): Promise<string[]> {
  const { rows } = await sql<Record<'brand' | 'type' | 'category', string>>`
    select b.slug as brand, t.slug as type, c.slug as category
    from brand b cross join category c join tire_type t on t.slug = c.type_slug
    where exists (select from product_line where category_slug = c.slug) and exists (select from product_line where brand_id = b.id)
      and not exists (select from product_line l join category other on other.slug = l.category_slug where l.brand_id = b.id and other.type_slug = c.type_slug)
    order by 1, 2, 3 limit 1`.execute(store.database.db)
  const { rows: sizes } = await sql<Record<'size' | 'brand' | 'type' | 'category', string>>`
    select s.slug as size, b.slug as brand, c.type_slug as type, c.slug as category
    from size s cross join brand b cross join category c
    where exists (select from product_line where category_slug = c.slug) and exists (select from product_line where brand_id = b.id)
      and not exists (select from item join product_line l on l.id = product_line_id where size_id = s.id and l.brand_id = b.id)
      and not exists (select from item join product_line l on l.id = product_line_id join category o on o.slug = l.category_slug where size_id = s.id and o.type_slug = c.type_slug)
    order by 1, 2, 3, 4 limit 1`.execute(store.database.db)
  const [lines, inSize] = [rows[0]!, sizes[0]!]
  const size = `/tire-sizes/${inSize.size}`
  return [
    `/brands/${lines.brand}/types/${lines.type}`,
    `/brands/${lines.brand}/categories/${lines.category}`,
    '/tire-sizes/245-60r18',
    `${size}/brands/${inSize.brand}`,
    `${size}/types/${inSize.type}`,
    `${size}/categories/${inSize.category}`,
    `${size}/brands/${inSize.brand}/types/${inSize.type}`,
    `${size}/brands/${inSize.brand}/categories/${inSize.category}`,
  ]
}

test('empty listings offer the nearest non-empty ones, and are 404s', async () => {
  for (const path of await emptyPlaces()) {
    const answer = await ask(path)
    const html = await answer.text()
    expect(answer.status, path).toBe(404)
    expect(isLeftOut(html), path).toBe(true)
    expect(canonicalOf(html), path).toBeNull()
    const offered = [...(/<ul class="link-rows">(.*?)<\/ul>/.exec(html)?.[1] ?? '').matchAll(/<a href="(.*?)"/g)].map(
      ([, href]) => href ?? '',
    )
    expect(offered.length, path).toBeGreaterThan(0)
    for (const near of offered) expect((await ask(near)).status, `${path} ${near}`).toBe(200)
  }
})

test('the plain list is indexable, page by page; filtered, sorted or longer ones are not', async () => {
  for (const path of [
    '/tire-sizes/235-60r18',
    '/brands/kestrel',
    '/types/all-season',
    '/tire-sizes/diameter/18',
    '/vehicles/honda/cr-v/2019',
  ]) {
    const plain = await (await ask(path)).text()
    expect(canonicalOf(plain), path).toBe(`${store.origin}${path}`)
    expect(isLeftOut(plain), path).toBe(false)
    for (const query of ['?snow=1', '?sort=price', '?size=48', '?min=100']) {
      const html = await (await ask(`${path}${query}`)).text()
      expect(canonicalOf(html), `${path} ${query}`).toBeNull()
      expect(isLeftOut(html), `${path} ${query}`).toBe(true)
    }
  }
  expect(isLeftOut(await (await ask('/vehicles/honda/cr-v/2019?trim=ex')).text())).toBe(true)
  const second = await (await ask('/tire-sizes/235-60r18?page=2')).text()
  expect(canonicalOf(second)).toBe(`${store.origin}/tire-sizes/235-60r18?page=2`)
  expect(titleOf(second)).toBe('235/60R18 tires, page 2 · Sidewall')
})

/** Pages that exist in every market. */
const directories = `
  /brands
  /types
  /categories
  /vehicles
  /tire-sizes
  /tire-sizes/diameter/17
  /tire-sizes/diameter/18
  /vehicles/toyota-tires
  /vehicles/honda-tires
  /vehicles/toyota/rav4
  /vehicles/honda/cr-v
  /vehicles/honda/cr-v/2019
  /vehicles/honda/cr-v/2018
  /vehicles/toyota/rav4/2021
  /vehicles/toyota/rav4/2021?trim=xle`
  .trim()
  .split(/\s+/)

test('directory and listing pages have unique titles and descriptions', async () => {
  const { db } = store.database
  const slugs = async (query: ReturnType<typeof sql<{ slug: string }>>) =>
    (await query.execute(db)).rows.map(({ slug }) => slug)
  const brands = await slugs(
    sql`select slug from brand where exists (select from product_line where brand_id = brand.id) order by id limit 6`,
  )
  const types = await slugs(
    sql`select distinct type_slug as slug from category join product_line on category_slug = category.slug`,
  )
  const categories = await slugs(sql`select distinct category_slug as slug from product_line`)
  const sizes = await slugs(sql`select slug from size order by id limit 12`)
  const seeds = [
    ...directories,
    ...brands.flatMap((slug) => [`/brands/${slug}`, `/brands/${slug}/types`, `/brands/${slug}/categories`]),
    ...types.map((slug) => `/types/${slug}`),
    ...categories.map((slug) => `/categories/${slug}`),
    ...sizes.map((slug) => `/tire-sizes/${slug}`),
  ]
  const seen = new Map<string, string>()
  const asked = new Set<string>()
  for (const path of seeds) asked.add(path)
  for (const path of asked) {
    const answer = await ask(path)
    const html = await answer.text()
    expect(answer.status, path).toBe(200)
    for (const text of [titleOf(html), descriptionOf(html)]) {
      expect(text.length, path).toBeGreaterThan(10)
      expect(seen.get(text), path).toBeUndefined()
      seen.set(text, path)
    }
    // One level deeper, from a brand and a size. Every link works.
    if (path === `/brands/${brands[0]}` || path === `/tire-sizes/${sizes[0]}`)
      for (const [, list] of html.matchAll(/<section class="way">(.*?)<\/section>/g))
        for (const [, href] of (list ?? '').matchAll(/href="(.*?)"/g)) asked.add(href ?? '')
  }
  expect(asked.size).toBeGreaterThan(seeds.length + 10)
})

/** Returns the number of tires and models in a listing page's heading, and each card's keys, including versions. */
function cardsOf(html: string) {
  const plain = html.replaceAll('<!-- -->', '')
  const heading = /id="results-title"[^>]*>(.*?)<\/h2>/.exec(plain)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? ''
  const [, tires = '', , models = tires] = /^([\d,]+) tires?( in ([\d,]+) models?)?/.exec(heading) ?? []
  const cards = [...plain.matchAll(/<article id="tire-.*?<\/article>/gs)].map(([card]) => ({
    name: /<h3.*?<\/h3>/s.exec(card)?.[0].replaceAll(/<[^>]*>/g, ''),
    size: /<p class="small muted tabular">(\S+)/.exec(card)?.[1],
    keys: [...card.matchAll(/id="tire-([\d-]+)"/g)].map(([, key]) => key),
    html: card,
  }))
  return { tires: Number(tires), models: Number(models), cards }
}

test('a model in a size is one card with its versions, however it is listed', async () => {
  const { rows } = await sql<{ slug: string; brand: string; items: number[]; inSize: number; models: number }>`
    select size.slug, b.slug as brand, array_agg(item.id order by item.id) as items,
      (select count(*) from item i where i.size_id = size.id and i.active) as "inSize",
      (select count(distinct i.product_line_id) from item i where i.size_id = size.id and i.active) as models
    from item join size on size.id = size_id join product_line l on l.id = product_line_id join brand b on b.id = l.brand_id
    where item.active group by size.id, size.slug, b.slug, l.id having count(*) > 1 order by models desc, l.id limit 1`.execute(
    store.database.db,
  )
  const [{ slug, brand, items, inSize, models }] = rows as [(typeof rows)[number]]
  const asked = [
    `/tire-sizes/${slug}`,
    `/tire-sizes/${slug}?sort=price`,
    `/tire-sizes/${slug}/brands/${brand}`,
    '/vehicles/honda/cr-v/2019?trim=ex',
  ]
  for (const path of asked) {
    const with24 = new URL(path, store.origin)
    const seen: ReturnType<typeof cardsOf>['cards'] = []
    const first = cardsOf(await (await ask(path)).text())
    for (let page = 1; seen.length < first.models && page < 9; page++) {
      with24.searchParams.set('page', String(page))
      const { cards } = cardsOf(await (await fetch(with24)).text())
      seen.push(...cards)
    }
    const names = seen.map(({ name, size }) => `${name} ${size}`)
    expect(new Set(names).size, path).toBe(first.models)
    expect(seen.length, path).toBe(first.models)
    expect(new Set(seen.flatMap(({ keys }) => keys)).size, path).toBe(first.tires)
    if (path === asked[0]) {
      expect(first.tires).toEqual(inSize)
      expect(first.models).toEqual(models)
    }
    if (path === asked[3]) continue
    const card = seen.find(({ keys }) => keys.includes(String(items[0])))
    expect(card?.keys.toSorted()).toEqual(items.map(String).toSorted())
    // Each version has its own page, price, and comparison entry.
    for (const id of items.slice(0, 3)) {
      const link = new RegExp(`href="([^"]*/${id})"`).exec(card?.html ?? '')?.[1] ?? expect.fail(`No link to ${id}.`)
      expect((await ask(link)).status).toBe(200)
      expect(card?.html).toContain(`form="compare" value="${id}"`)
    }
    expect(card?.html).toMatch(/<summary>\d more versions?, \$[\d.]+( to \$[\d.]+)?<\/summary>/)
  }
})

test('a tire below what the vehicle needs is marked, and never among the picks', async () => {
  const html = await (await ask('/vehicles/honda/cr-v/2019?trim=ex&size=96')).text()
  expect(html).toContain('See why')
  const picks = /<section class="picks".*?<\/section>/.exec(html)?.[0] ?? ''
  const refused = [...html.matchAll(/<article [^>]*is-refused[^>]*>.*?<a[^>]*href="([^"]*)"/g)].map(
    ([, href]) => href ?? '',
  )
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.filter((href) => picks.includes(`"${href}"`))).toEqual([])
})

/** The answer to the only confirmation of a page, posted as its form does; returns the page it leads to, as the browser sees it. */
async function confirmLabel(html: string): Promise<string> {
  const end = html.indexOf('My door label matches')
  const form = html.slice(html.lastIndexOf('<form', end), end)
  const [, action = ''] = /action="([^"]*)"/.exec(form) ?? expect.fail('No confirmation.')
  const fields = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])
  const answer = await fetch(store.origin + action.replaceAll('&amp;', '&'), {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: store.origin },
    body: new URLSearchParams(fields),
  })
  expect(answer.status).toBe(303)
  const cookie = /sw_vehicle=[^;]*/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? ''
  const page = await fetch(store.origin + answer.headers.get('location'), { headers: { cookie } })
  return page.text()
}

test('an OE size shows no warning, and a page of tires requests the placard once', async () => {
  const vehicle = '/vehicles/honda/cr-v/2019?trim=ex'
  const listing = await (await ask(vehicle)).text()
  const [, help = ''] = /href="(\/recommendations[^"]*)"/.exec(listing) ?? expect.fail('No recommendations.')
  const keys = [...listing.matchAll(/id="tire-(\d+)"/g)].map(([, key]) => key).slice(0, 2)
  const unconfirmed = `sw_vehicle=${decodeURIComponent(/vehicle=([^&"]*)/.exec(help)?.[1] ?? '')}`
  const recommendations = `${help}&weather=rain&roads=city&priority=price&miles=usual`
  for (const path of [vehicle, '/tire-sizes/235-60r18', `/compare?items=${keys.join(',')}`, recommendations]) {
    const html = await (await fetch(store.origin + path, { headers: { cookie: unconfirmed } })).text()
    expect(html, path).toContain('Factory size for your')
    expect(html.split('My door label matches</button>').length - 1, path).toBe(1)
    // Amber is for conditions of the tire itself.
    for (const [, text = ''] of html.matchAll(/class="fit conditions"><svg.*?<\/svg><span>(.*?)<\/span>/gs))
      expect(text, path).toMatch(/ if | in winter/)
    const confirmed = await confirmLabel(html)
    expect(confirmed, path).toContain('Fits front and rear')
    expect(confirmed, path).not.toContain('My door label matches</button>')
  }
})

test('a wheel diameter lists the lines made for it, and its sizes', async () => {
  const { rows } = await sql<{ lines: number; sizes: number; from: number }>`
    select count(distinct product_line_id) as lines, count(distinct size_id) as sizes, min(retail_cents) as from
    from item join size on size.id = size_id where rim_in = 18 and active`.execute(store.database.db)
  const html = (await (await ask('/tire-sizes/diameter/18')).text()).replaceAll('<!-- -->', '')
  expect(html).toContain(`${rows[0]?.lines} lines`)
  expect(html).toContain(`All ${rows[0]?.sizes} sizes for 18-inch wheels`)
  const kestrel = await sql<{ lines: number }>`
    select count(distinct product_line_id) as lines from item join size on size.id = size_id join product_line l on l.id = product_line_id join brand b on b.id = l.brand_id
    where rim_in = 18 and active and b.slug = 'kestrel'`.execute(store.database.db)
  expect((await (await ask('/tire-sizes/diameter/18?brand=kestrel')).text()).replaceAll('<!-- -->', '')).toContain(
    `${kestrel.rows[0]?.lines} lines`,
  )
})

test('carmaker marks, EV tires and both snow marks are counted separately and correctly', async () => {
  const { db } = store.database
  const { rows } = await sql<{ slug: string; designation: string; mark: string }>`
    select slug, designation, oe_mark as mark from item join size on size.id = size_id where oe_mark is not null and active order by item.id limit 1`.execute(
    db,
  )
  const [{ slug, designation, mark }] = rows as [(typeof rows)[number]]
  const count = async (condition: ReturnType<typeof sql>) =>
    (
      await sql<{ n: number }>`
        select count(*) as n from item join size on size.id = size_id join product_line l on l.id = product_line_id
        where size.slug = ${slug} and active and ${condition}`.execute(db)
    ).rows[0]?.n
  const shown = async (query: string) =>
    (await (await ask(`/tire-sizes/${slug}?${query}`)).text()).replaceAll('<!-- -->', '')
  const counted = (html: string) => Number(/id="results-title"[^>]*>(\d+) tires?/.exec(html)?.[1])

  const marked = await shown(`mark=${encodeURIComponent(mark)}`)
  expect(counted(marked), designation).toEqual(await count(sql`oe_mark = ${mark}`))
  expect(marked).toContain(`<li class="tag">${mark} mark</li>`)
  expect(counted(await shown('snow=1'))).toBe(await count(sql`l.three_peak`))
  expect(counted(await shown('mud-snow=1'))).toBe(await count(sql`l.m_plus_s`))
  expect(counted(await shown('ev=1'))).toBe(await count(sql`l.ev`))
  expect(counted(await shown('ev=1&mud-snow=1&snow=1'))).toBe(await count(sql`l.ev and l.m_plus_s and l.three_peak`))
})
