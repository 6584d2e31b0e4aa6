/** The public pages of tire shops, over HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listUrbanAreas } from '#domain/scheduling/installers/installers.server.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${store.origin}${path}`, { redirect: 'manual', headers })
const read = async (path: string) => (await ask(path)).text()
const halsted = '/tire-shops/shop/halsted-tire-chicago/SW-00001'

test('all shops, states, cities and single shops each have their own URL', async () => {
  const all = await read('/tire-shops')
  expect(all).toContain('href="/tire-shops/illinois"')
  const state = await read('/tire-shops/illinois')
  expect(state).toContain('href="/tire-shops/chicago-il"')
  const city = await read('/tire-shops/chicago-il')
  expect(city).toContain(`href="${halsted}"`)
  const shop = await ask(halsted)
  expect(shop.status).toBe(200)
  expect(shop.headers.get('cache-control')).toBe('public, s-maxage=60')
  for (const [path, html] of [
    ['/tire-shops', all],
    ['/tire-shops/illinois', state],
    ['/tire-shops/chicago-il', city],
    [halsted, await shop.text()],
  ] as const) {
    expect(html).toContain(`<link rel="canonical" href="${store.origin}${path}"/>`)
    expect(html.match(/<h1/g), path).toHaveLength(1)
  }
})

test('a shop shows its hours, prices, services, first free times and directions', async () => {
  const html = await read(halsted)
  for (const words of [
    'Halsted Tire',
    '8:00 AM to 5:00 PM',
    'First free times',
    '12 to 17 in',
    '$22.00',
    'Google Maps',
    'Wi-Fi',
    'Rotation and balance',
    'You pay online, and nothing at the shop.',
  ])
    expect(html).toContain(words)
  expect(html).toMatch(/Aspect ratio \d+ and above/)
  // It closes at three on Saturdays.
  expect(html).toMatch(/Open until [53]:00 PM|Closed.*opens/)
  // "Thu, Nov 26, 8:00 AM", with the zone once above, as the visitor has no ZIP.
  expect(html).toMatch(/class="first-times tabular"><li>\w{3}, \w{3} \d+, \d+:\d\d [AP]M</)
  expect(html.replaceAll('<!-- -->', '')).toContain('First free times <span class="small muted">in C')
})

test('a shop has structured data for search engines', async () => {
  const things = [
    ...(await read(halsted)).matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs),
  ].flatMap(([, text = '']) => {
    const thing = JSON.parse(text) as Record<string, unknown> & { '@graph'?: Record<string, unknown>[] }
    return thing['@graph'] ?? [thing]
  })
  const shop = things.find((thing) => thing['@type'] === 'TireShop')
  expect(shop).toMatchObject({
    name: 'Halsted Tire',
    address: { addressLocality: 'Chicago', addressRegion: 'IL' },
    geo: { '@type': 'GeoCoordinates' },
  })
  expect(shop?.openingHoursSpecification).toContainEqual(
    expect.objectContaining({ dayOfWeek: 'Monday', opens: '08:00', closes: '17:00' }),
  )
  expect(things.map((thing) => thing['@type'])).toContain('BreadcrumbList')
})

test.for([
  ['/tire-shops/shop/another-name/SW-00001', halsted],
  ['/tire-shops/shop/halsted-tire-chicago/sw-00001', halsted],
  ['/tire-shops/Chicago-IL', '/tire-shops/chicago-il'],
] as const)('%s redirects to %s in one step', async ([path, target]) => {
  const answer = await ask(path)
  expect(answer.status).toBe(301)
  expect(answer.headers.get('location')).toBe(target)
})

test.for([
  '/tire-shops/shop/halsted-tire-chicago/SW-99999',
  '/tire-shops/nowhere-zz',
  '/tire-shops/shop',
  '/tire-shops/atlantis',
])('%s is a 404', async (path) => {
  expect((await ask(path)).status).toBe(404)
})

test('near a ZIP the closest shops come first, with the vans that serve it; such pages are not indexed', async () => {
  const html = await read('/tire-shops?zip=60614')
  const names = [...html.matchAll(/<h3><span[^>]*>\w+<\/span><a [^>]*>(.*?)<\/a>/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(1)
  const miles = [...html.matchAll(/<span>([\d.]+) mi · /g)].map(([, text]) => Number(text))
  expect(miles).toEqual(miles.toSorted((a, b) => a - b))
  expect(html).toContain('name="robots" content="noindex, follow"')
  expect(html).not.toContain('rel="canonical"')
})

test.for(['6061x', '00000', ''])(
  'the ZIP %o is refused in the specification’s words, and stays in the field',
  async (zip) => {
    const answer = await ask(`/tire-shops?zip=${zip}`)
    const html = await answer.text()
    expect(answer.status).toBe(422)
    expect(html).toContain('Oops. Please enter a valid ZIP code.')
    if (zip) expect(html).toContain(`value="${zip}"`)
  },
)

const military = 'The product is unable to ship to International Military bases.'

test('a military post office is named as one by every page and interface that takes a ZIP', async () => {
  const van = await store.database.db
    .selectFrom('shop')
    .select(['slug', 'code'])
    .where('kind', '=', 'van')
    .executeTakeFirstOrThrow()
  const item = await store.database.db.selectFrom('item').select('id').executeTakeFirstOrThrow()
  for (const path of [
    '/tire-shops?zip=09012',
    '/tire-shops?zip=09012-1234',
    `/tire-shops/shop/${van.slug}/${van.code}?zip=09012`,
  ]) {
    const page = await ask(path)
    const html = await page.text()
    expect(page.status, path).toBe(422)
    expect(html, path).toContain(military)
    expect(html, path).not.toContain('Please enter a valid ZIP')
    // Without script, the field with the error takes the focus.
    expect(html).toMatch(/<input[^>]* autofocus=""[^>]* name="zip"|<input[^>]* name="zip"[^>]* autofocus=""/i)
  }
  for (const path of [
    '/shops?zip=09012',
    '/shops?zip=09012&kind=van',
    `/tires/${item.id}/installed?zip=09012&quantity=4`,
  ]) {
    const answer = await ask(`/api${path}`)
    expect(answer.status, path).toBe(404)
    expect(await answer.text(), path).toContain(military)
  }
})

test('the ZIP page moves focus to the error', async () => {
  const answer = await fetch(`${store.origin}/zip`, {
    method: 'POST',
    headers: { origin: store.origin },
    body: new URLSearchParams({ zip: '6061' }),
  })
  expect(await answer.text()).toMatch(/<div class="error-summary" role="alert" tabindex="-1" autofocus="">/i)
})

test('a van has a page without a street, and is listed in the cities it serves', async () => {
  const van = await store.database.db
    .selectFrom('shop')
    .innerJoin('van_area', 'van_area.shop_id', 'shop.id')
    .innerJoin('shop as neighbor', (join) =>
      join.onRef('neighbor.zip', '=', 'van_area.zip').on('neighbor.kind', '=', 'shop'),
    )
    .select(['shop.slug', 'shop.code', 'shop.street', 'neighbor.city', 'neighbor.state'])
    .where('shop.kind', '=', 'van')
    .executeTakeFirstOrThrow()
  const path = `/tire-shops/shop/${van.slug}/${van.code}`
  const html = await read(path)
  expect(html).toContain('Mobile installer')
  expect(html).not.toContain(van.street)
  const { slug } = (await listUrbanAreas(store.database)).find(
    ({ city, state }) => city === van.city && state === van.state,
  )!
  expect(await read(`/tire-shops/${slug}`)).toContain('Mobile installers that come to')
})

test('a mobile installer shows whether it serves a ZIP, immediately if the ZIP is known', async () => {
  const van = await store.database.db
    .selectFrom('shop')
    .innerJoin('van_area', 'van_area.shop_id', 'shop.id')
    .innerJoin('zip', 'zip.zip', 'van_area.zip')
    .select(['shop.id', 'shop.name', 'shop.slug', 'shop.code', 'zip.zip', 'zip.city', 'zip.state'])
    .where('shop.kind', '=', 'van')
    .where('zip.latitude', 'is not', null)
    .executeTakeFirstOrThrow()
  const path = `/tire-shops/shop/${van.slug}/${van.code}`
  const plain = await read(path)
  expect(plain).toContain('Does it come to your ZIP?')
  expect(plain).toMatch(/It serves \d+ ZIPs? in /)
  expect(plain).not.toContain('Yes, ')

  const [yes, no] = [
    `Yes, ${van.name} comes to ${van.city}, ${van.state} ${van.zip}.`,
    'outside the selected installer&#x27;s serviceable area.',
  ]
  const asked = await read(`${path}?zip=${van.zip}`)
  expect(asked).toContain(yes)
  expect(asked).toContain(`name="zip" value="${van.zip}"`)
  expect(asked).toContain('name="robots" content="noindex, follow"')
  const remembered = await ask(path, { cookie: `sw_zip=${van.zip}` })
  expect(remembered.headers.get('cache-control')).toContain('private')
  expect(await remembered.text()).toContain(yes)

  const { zip: elsewhere } = await store.database.db
    .selectFrom('zip')
    .select('zip')
    .where('latitude', 'is not', null)
    .where('zip', 'not in', (areas) => areas.selectFrom('van_area').select('zip').where('shop_id', '=', van.id))
    .executeTakeFirstOrThrow()
  expect(await read(`${path}?zip=${elsewhere}`)).toContain(no)

  for (const zip of ['6061x', '00000']) {
    const answer = await ask(`${path}?zip=${zip}`)
    expect(answer.status, zip).toBe(422)
    const html = await answer.text()
    expect(html).toContain('Oops. Please enter a valid ZIP code.')
    expect(html).toContain(`value="${zip}"`)
  }
  // An invalid stored ZIP is not the shopper's mistake here.
  expect((await ask(path, { cookie: 'sw_zip=00000' })).status).toBe(200)
})

test('the list for a ZIP starts with the mobile installers that serve it', async () => {
  const zips = await store.database.db.selectFrom('van_area').select('zip').execute()
  const comes = zips[0]!.zip
  expect(await read(`/tire-shops?zip=${comes}`)).toMatch(
    new RegExp(`<a href="#vans">\\d+ mobile installers? comes? to ${comes}</a>`),
  )
  const { zip: none } = await store.database.db
    .selectFrom('zip')
    .select('zip')
    .where('latitude', 'is not', null)
    .where('zip', 'not in', (areas) => areas.selectFrom('van_area').select('zip'))
    .executeTakeFirstOrThrow()
  expect(await read(`/tire-shops?zip=${none}`)).toContain(`No mobile installer comes to ${none} yet.`)
})

test('“installation here” passes the shop’s ZIP to the finder', async () => {
  const body = new URLSearchParams({ zip: '60614', back: '/find' })
  expect(await read(halsted)).toContain('<input type="hidden" name="back" value="/find"/>')
  const answer = await fetch(`${store.origin}/zip?back=%2Ffind`, {
    method: 'POST',
    body,
    headers: { origin: store.origin },
    redirect: 'manual',
  })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/find')
  expect(answer.headers.get('set-cookie')).toContain('sw_zip=60614')
})

test('every shop, city and state is in the sitemap', async () => {
  const addresses = (await Promise.all(['areas-1', 'shops-1'].map((name) => read(`/sitemaps/${name}.xml`)))).join('')
  for (const path of ['/tire-shops', '/tire-shops/illinois', '/tire-shops/chicago-il', halsted])
    expect(addresses).toContain(`<loc>${store.origin}${path}</loc>`)
  const { count } = await store.database.db
    .selectFrom('shop')
    .select((shop) => shop.fn.countAll<number>().as('count'))
    .where('active', '=', true)
    .executeTakeFirstOrThrow()
  expect(addresses.match(/\/tire-shops\/shop\//g)).toHaveLength(count)
})
