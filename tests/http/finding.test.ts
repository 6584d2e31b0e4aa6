/**
 * Tests the ZIP code by location, and search over HTTP: saved data, refusals, and GET requests without side effects.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const post = (path: string, fields: Record<string, string>) =>
  fetch(`${store.origin}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: store.origin },
    redirect: 'manual',
  })

test('a location gets its nearest ZIP, which is stored', async () => {
  const answer = await post('/zip/choice', { latitude: '41.9227', longitude: '-87.6533' })
  expect(await answer.json()).toEqual({ zip: '60614', city: 'Chicago' })
  expect(answer.headers.get('set-cookie')).toContain('sw_zip=60614')
})

test('a typed ZIP is stored, and a nonexistent one is refused in the specification’s words', async () => {
  const answer = await post('/zip/choice', { zip: '60614-1234' })
  expect(await answer.json()).toEqual({ zip: '60614', city: 'Chicago' })
  expect(answer.headers.get('set-cookie')).toContain('sw_zip=60614')
  for (const zip of ['00000', '6061', 'x', '']) {
    const refused = await post('/zip/choice', { zip })
    expect(refused.status).toBe(422)
    expect(await refused.json()).toEqual({ message: 'Oops. Please enter a valid ZIP code.' })
    expect(refused.headers.get('set-cookie')).toBeNull()
  }
})

test.for([
  [{ latitude: '0', longitude: '-150' }, 'ZERO_RESULTS'],
  [{ latitude: '91', longitude: '0' }, 'INVALID_REQUEST'],
  [{ latitude: 'north', longitude: '0' }, 'INVALID_REQUEST'],
  [{ latitude: '', longitude: '' }, 'INVALID_REQUEST'],
  [{ longitude: '-87' }, 'INVALID_REQUEST'],
  [{ latitude: '1e999', longitude: 'NaN' }, 'INVALID_REQUEST'],
] as const)('a location without a ZIP says why: %o', async ([fields, status]) => {
  const answer = await post('/zip/choice', fields)
  expect(answer.status).toBe(422)
  expect(await answer.json()).toEqual({ message: `Geocoder failed due to: ${status}` })
  expect(answer.headers.get('set-cookie')).toBeNull()
})

test('only a form stores a ZIP', async () => {
  expect((await fetch(`${store.origin}/zip/choice?zip=60614`)).status).toBe(404)
})

test('ambiguous searches are grouped, and misspelled ones get a suggestion', async () => {
  const html = await (await fetch(`${store.origin}/search?q=silverado`)).text()
  expect(html).toMatch(/<h2>Vehicles<\/h2>/)
  const misspelled = (await (await fetch(`${store.origin}/search?q=alltyde`)).text()).replaceAll('<!-- -->', '')
  expect(misspelled).toMatch(/Did you mean <a href="\/brands\/kestrel\/alltide-[a-z0-9]+">/)
})

test('shops are found by name, and ZIPs by number', async () => {
  const shop = await fetch(`${store.origin}/search?q=halsted+tire`, { redirect: 'manual' })
  expect(shop.status).toBe(303)
  expect(shop.headers.get('location')).toBe('/tire-shops/shop/halsted-tire-chicago/SW-00001')
  expect(await (await fetch(`${store.origin}/search/suggestions?q=halsted`)).text()).toContain(
    '/tire-shops/shop/halsted-tire-chicago/SW-00001',
  )
  const zip = await fetch(`${store.origin}/search?q=60614`, { redirect: 'manual' })
  expect(zip.headers.get('location')).toMatch(/[?&]zip=60614$/)
})

test('a search without script shows its results for any input', async () => {
  for (const typed of [
    '',
    ' ',
    '%',
    '<b>',
    "' or 1=1 --",
    'x'.repeat(2_000),
    '\u{1f6de}',
    '2019 crv ex',
    '99999',
    'SW-00001',
  ]) {
    const answer = await fetch(`${store.origin}/search?q=${encodeURIComponent(typed)}`, { redirect: 'manual' })
    expect([200, 303], typed).toContain(answer.status)
    expect(await answer.text()).not.toContain('<b></h1>')
  }
})

test('recent searches can be cleared', async () => {
  const answer = await post('/search', { back: '/find' })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/find')
  expect(answer.headers.get('set-cookie')).toMatch(/sw_recent=[^;]*; Max-Age=0/)
  expect((await post('/search', { back: '//evil.test' })).headers.get('location')).toBe('/')
})

const crvVin = '2HKRW2H53KH612345'

test('a VIN in the search box or finder opens its vehicle, without the VIN in the URL', async () => {
  const searched = await fetch(`${store.origin}/search?q=${crvVin}`, { redirect: 'manual' })
  const posted = await post('/find/vin', { vin: ' 2hkrw2h5 3kh612345' })
  for (const answer of [searched, posted]) {
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/vehicles/honda/cr-v/2019?trim=ex')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.headers.get('set-cookie')).toContain('Honda')
    expect(answer.headers.get('set-cookie')).not.toMatch(/2HKRW/i)
  }
  // Several trims are possible, so the shopper chooses.
  const several = await post('/find/vin', { vin: '1FTFW1E57MFA12345' })
  const address = several.headers.get('location') ?? ''
  expect(address).toBe('/find?by=vehicle&year=2021&make=ford&model=f-150')
  expect(await (await fetch(`${store.origin}${address}`)).text()).toContain('Last, choose the trim')
})

test('a vehicle that a shopper chose needs the stricter tire of the store’s list and Wheel-Size', async () => {
  const listing = `${store.origin}/vehicles/mazda/cx-5/2020?trim=grand-touring`
  expect(await (await fetch(listing)).text()).toContain('99V')
  const visitor = createVisitor()
  const asked = { by: 'vehicle', year: 2020, make: 'mazda', model: 'cx-5', trim: 'grand-touring' } as const
  const { url, response } = await visitor.follow(store.origin + paths.find(asked))
  expect(url.href).toBe(listing)
  const html = await response.text()
  expect(html).toContain('103V')
  expect(html).not.toContain('99V')
  const staff = createVisitor()
  await signInToOffice(store.origin, staff)
  const answer = await staff.ask(store.origin + officePaths.officeSizeLists())
  const lists = (await answer.text()).replaceAll('<!-- -->', '')
  expect(lists).toMatch(/Wheel-Size<\/dt>.*?On<\/dd>/)
  expect(lists).toMatch(/[1-9] of 300/)
})

test('wheel data of a chosen vehicle has its source and date, without a torque that differs by engine', async () => {
  const read = async (trim: string) => {
    const listing = `${store.origin}/vehicles/subaru/forester/2020?trim=${trim}`
    expect(await (await fetch(listing)).text()).not.toContain('Lug torque')
    const visitor = createVisitor()
    const { response } = await visitor.follow(
      store.origin + paths.find({ by: 'vehicle', year: 2020, make: 'subaru', model: 'forester', trim }),
    )
    const answer = await fetch(`${store.origin}/api/vehicles/2020/subaru/forester?trim=${trim}`)
    const { trims } = (await answer.json()) as { trims: { fitments: { wheels: object | null }[] }[] }
    return { html: (await response.text()).replaceAll('<!-- -->', ''), wheels: trims[0]?.fitments[0]?.wheels }
  }
  const today = Temporal.Now.plainDateISO('UTC')
  const fact = (term: string, value: string) => new RegExp(`${term}</dt>\\s*<dd[^>]*>${value}`)
  const base = await read('base')
  const shared = { frontPsi: 35, rearPsi: 35, boltPattern: '5x114.3', hubBoreMm: 67.1 }
  for (const [term, value] of [
    ['Cold pressure', '35 psi'],
    ['Lug torque', '80 lb-ft'],
    ['Bolt pattern', '5x114.3'],
    ['Hub bore', '67.1 mm'],
    ['Wheel offset', '45 mm'],
    ['Source', 'Wheel-Size, \\w+ \\d+, 20\\d\\d'],
  ] as const)
    expect(base.html).toMatch(fact(term, value))
  expect(base.wheels).toMatchObject({ ...shared, torqueLbFt: 80, sources: [{ name: 'Wheel-Size' }] })

  const premium = await read('premium')
  expect(premium.html).toMatch(fact('Bolt pattern', '5x114.3'))
  expect(premium.html).not.toContain('Lug torque')
  expect(premium.wheels).toMatchObject({ ...shared, torqueLbFt: null })
  const { sources } = premium.wheels as { sources: { date: string }[] }
  expect(Math.abs(today.until(sources[0]?.date ?? '').days)).toBeLessThan(2)
})

test('an unresolved VIN shows the reason and remains in its field', async () => {
  for (const [vin, message] of [
    ['2HKRW2H54KH612345', 'This VIN has a wrong check digit. Read it again.'],
    ['11111111111111111', 'We don’t recognize this VIN.'],
    ['1M8GDM9AXKP042788', 'This VIN is for a 1989 Motor Coach Industries 102C3 Intercity MCI.'],
  ] as const)
    for (const answer of [await post('/find/vin', { vin }), await fetch(`${store.origin}/search?q=${vin}`)]) {
      const html = (await answer.text()).replaceAll('&#x27;', "'")
      expect(answer.status).toBe(422)
      expect(html).toContain(message)
      expect(html).toContain(`value="${vin}"`)
      expect(/<title>.*<\/title>/.exec(html)?.[0]).not.toContain(vin)
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
    }
  const short = await post('/find/vin', { vin: 'abc' })
  expect(short.status).toBe(422)
  expect(await short.text()).toContain('Enter all 17 characters')
})

test('a license plate opens its vehicle without the plate in the URL, and a problem is at its field', async () => {
  const page = await (await fetch(`${store.origin}/find`)).text()
  expect(page).toContain('href="/find/plate"')
  const found = await post('/find/plate', { plate: 'crv-2019', state: 'IL' })
  expect(found.status).toBe(303)
  expect(found.headers.get('location')).toBe('/vehicles/honda/cr-v/2019?trim=ex')
  expect(found.headers.get('set-cookie')).not.toMatch(/CRV/)
  const open = await post('/find/plate', { plate: 'TRUCK21', state: 'TX' })
  expect(open.headers.get('location')).toBe('/find?by=vehicle&year=2021&make=ford&model=f-150')
  for (const [plate, state, field, message] of [
    ['UNSEEN', 'IL', 'plate', 'We didn’t find this plate.'],
    ['COACH89', 'NY', 'plate', 'This plate is for a 1989 Motor Coach Industries 102C3 Intercity MCI.'],
    ['CRV/2019', 'IL', 'plate', 'Enter the plate’s letters and numbers, up to 8.'],
    ['CRV2019', 'Ontario', 'state', 'Choose the state on the plate.'],
    ['DOWN1', 'IL', 'plate', 'We can’t look up license plates right now.'],
  ] as const) {
    const answer = await post('/find/plate', { plate, state })
    const html = await answer.text()
    expect({ plate, status: answer.status }).toEqual({ plate, status: 422 })
    expect(html).toContain(message)
    expect(html).toContain(`id="${field}-error"`)
    expect(html).toContain(`value="${plate}"`)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  }
  const byApi = (plate: string) =>
    fetch(`${store.origin}/api/vehicles/by-plate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ plate, state: 'Illinois' }),
    })
  expect(await (await byApi('CRV2019')).json()).toEqual({ year: 2019, make: 'honda', model: 'cr-v', trim: 'ex' })
  expect((await byApi('DOWN1')).status).toBe(503)
  // Every lookup costs money, so a network has a few a day.
  for (let lookup = 0; lookup < 3; lookup += 1) await post('/find/plate', { plate: 'UNSEEN', state: 'IL' })
  const refused = await post('/find/plate', { plate: 'CRV2019', state: 'IL' })
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).not.toBeNull()
  expect((await byApi('CRV2019')).status).toBe(429)
})

test('VIN suggestions are never cached, and the API returns no results for one', async () => {
  for (const typed of [crvVin, crvVin.slice(0, 12)]) {
    const answer = await fetch(`${store.origin}/search/suggestions?q=${typed}`)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(await answer.json()).toEqual({ suggestions: [] })
  }
  const found = await fetch(`${store.origin}/api/search?q=${crvVin}`)
  expect(await found.json()).toMatchObject({ place: null, suggestions: [] })
})

test('the finder has a field for the VIN without script', async () => {
  for (const path of ['/', '/find'])
    expect(await (await fetch(`${store.origin}${path}`)).text()).toMatch(
      /<form class="finder-vin" action="\/find\/vin" method="post">/,
    )
})
