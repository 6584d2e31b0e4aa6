/** Tests every catalog operation on real data and reads lists to the end. */
import { expect, test } from 'vitest'
import { openApi } from './api.testing.ts'

const size = '/tires?size=225-65r17'

const known = [
  '/search?q=2256517',
  '/search?q=kestrel',
  '/search/suggestions?q=rav4',
  '/sizes?rim=17',
  '/brands',
  '/brands/kestrel/lines',
  '/kinds',
  '/deals',
  `${size}&zip=60614&limit=48`,
  '/tires?brand=kestrel',
  '/tires?type=all-season&sort=price',
  '/tires?rim=17',
  '/vehicles?year=2021&make=toyota',
  '/vehicles/2021/toyota/rav4',
  '/vehicles/2021/toyota/rav4?labelFront=225/65R17%20102H&allWheelDrive=1',
  '/places/60614',
  '/shops?zip=60614',
  '/shops?zip=60614&kind=van',
  '/recommendations?size=225-65r17&weather=snow&roads=highway&priority=life&miles=many&zip=60614',
  '/lines/kestrel/alltide-as2/reviews?sort=newest',
  '/payment-methods',
]

test('every operation’s response matches the document', async () => {
  await using api = await openApi()
  const answered = await Promise.all(known.map(async (path) => [path, (await api.call('GET', path)).status]))
  expect(answered).toEqual(known.map((path) => [path, 200]))
})

test('a vehicle is found by VIN, which leads to its sizes', async () => {
  await using api = await openApi()
  expect(await api.call('POST', '/vehicles/by-vin', { body: { vin: '2hkrw2h53kh612345' } })).toMatchObject({
    status: 200,
    body: { year: 2019, make: 'honda', model: 'cr-v', trim: 'ex' },
  })
  expect(await api.call('GET', '/vehicles/2019/honda/cr-v?trim=ex')).toMatchObject({ status: 200 })
  const faults = [
    {
      path: 'by-vin',
      body: { vin: '11111111111111111' },
      code: 'UnknownVehicle',
      message: 'We don’t recognize this VIN.',
    },
    { path: 'by-vin', body: { vin: '2HKRW2H54KH612345' }, code: 'UnknownVehicle', message: 'wrong check digit' },
    // The provider is not running.
    { path: 'by-plate', body: { plate: 'CRV2019', state: 'IL' }, code: 'Unavailable', message: 'right now' },
    { path: 'by-plate', body: { plate: 'CRV/2019', state: 'IL' }, code: 'UnknownVehicle', message: 'up to 8' },
  ]
  for (const { path, body, code, message } of faults)
    expect(await api.call('POST', `/vehicles/${path}`, { body })).toMatchObject({
      status: code === 'Unavailable' ? 503 : 404,
      body: { code, message: expect.stringContaining(message) as string },
    })
})

test('a vehicle’s tires have verdicts, and one of them is read, priced and compared', async () => {
  await using api = await openApi()
  const { key } = (await api.call('GET', '/vehicles/2021/toyota/rav4')).body as { key: string }
  const vehicle = encodeURIComponent(key)
  const list = (await api.call('GET', `/tires?vehicle=${vehicle}&zip=60614`)).body as {
    offers: { key: string; items: { itemId: number }[]; fit: { verdict: string }; totalCents: number }[]
    vehicle: string
  }
  expect(list.vehicle).toBe('2021 Toyota RAV4')
  expect(list.offers.every(({ fit, totalCents }) => fit !== null && totalCents > 0)).toBe(true)
  const [first, second] = list.offers.map(({ items }) => items[0]?.itemId)
  expect(await api.call('GET', `/tires/${first}?vehicle=${vehicle}`)).toMatchObject({
    status: 200,
    body: { itemId: first, fit: { verdict: list.offers[0]?.fit.verdict } },
  })
  expect(await api.call('GET', `/fitment?item=${first}&vehicle=${vehicle}`)).toMatchObject({
    status: 200,
    body: { verdict: list.offers[0]?.fit.verdict },
  })
  expect(await api.call('GET', `/comparison?tire=${first}&tire=${second}&vehicle=${vehicle}`)).toMatchObject({
    status: 200,
    body: { length: 2 },
  })
  const installed = (await api.call('GET', `/tires/${first}/installed?zip=60614`)).body as {
    totalCents: number
    openings: unknown[]
  }[]
  // The amount in the list equals the amount at the nearest shop.
  expect(installed[0]?.totalCents).toBe(list.offers[0]?.totalCents)
  expect(installed[0]?.openings.length).toBeGreaterThan(0)
})

test('paging through a listing returns every tire once, in the order of the full list', async () => {
  await using api = await openApi()
  for (const question of [
    size,
    '/tires?type=all-season&sort=price',
    '/tires?brand=kestrel&sort=rating',
    `${size}&snow=1&sort=price-desc`,
  ]) {
    const whole = (await api.call('GET', `${question}&limit=96`)).body as {
      total: number
      offers: { key: string }[]
      next: string | null
    }
    const walked: string[] = []
    let next: string | null = null
    do {
      const page = (await api.call('GET', `${question}${next === null ? '' : `&cursor=${next}`}`)).body as typeof whole
      walked.push(...page.offers.map(({ key }) => key))
      next = page.next
    } while (next !== null)
    expect(walked).toHaveLength(whole.total)
    expect(new Set(walked).size).toBe(whole.total)
    expect(walked.slice(0, 96)).toEqual(whole.offers.map(({ key }) => key))
  }
})

test('a cursor from another query, or a made-up one, is refused', async () => {
  await using api = await openApi()
  const { next } = (await api.call('GET', size)).body as { next: string }
  expect(next).toEqual(expect.any(String))
  expect(await api.call('GET', `/tires?size=235-60r18&cursor=${next}`)).toMatchObject({
    status: 400,
    body: { code: 'BadRequest', data: { cursor: expect.any(String) as string } },
  })
  expect(await api.call('GET', `${size}&cursor=abc`)).toMatchObject({ status: 400 })
})

const refused: [path: string, status: number, code: string][] = [
  ['/tires', 400, 'BadRequest'],
  ['/tires?rearSize=225-65r17', 400, 'BadRequest'],
  ['/tires?size=225-65r17&rim=17', 400, 'BadRequest'],
  ['/tires?size=999-99r99', 404, 'NothingThere'],
  ['/tires?size=225-65r17&zip=00000', 404, 'UnknownZip'],
  ['/tires?size=225-65r17&vehicle=nonsense', 400, 'BadRequest'],
  ['/tires?size=225-65r17&limit=25', 400, 'BadRequest'],
  ['/tires/1', 404, 'NotSold'],
  ['/tires/0', 400, 'BadRequest'],
  ['/tires/99999999999', 400, 'BadRequest'],
  ['/comparison?tire=100001', 400, 'BadRequest'],
  ['/vehicles/2021/toyota/nothing', 404, 'UnknownVehicle'],
  ['/vehicles/2021/toyota/rav4?fitment=1', 404, 'UnknownVehicle'],
  ['/search', 400, 'BadRequest'],
  ['/shops/NO-SUCH', 404, 'ShopNotFound'],
  ['/recommendations?size=225-65r17', 400, 'BadRequest'],
  ['/lines/kestrel/no-such/reviews', 404, 'NotFound'],
]

test('an invalid query, or one without results, is refused', async () => {
  await using api = await openApi()
  const answered = await Promise.all(
    refused.map(async ([path]) => {
      const { status, body } = await api.call('GET', path)
      return [path, status, (body as { code: string }).code]
    }),
  )
  expect(answered).toEqual(refused)
})

test('paging through the reviews of a line returns each one once', async () => {
  await using api = await openApi()
  const line = '/lines/kestrel/alltide-as2/reviews?sort=newest'
  type Page = { found: number; reviews: { id: number }[]; next: string | null }
  const walked: number[] = []
  let page = (await api.call('GET', line)).body as Page
  const { found } = page
  for (;;) {
    walked.push(...page.reviews.map(({ id }) => id))
    if (page.next === null) break
    page = (await api.call('GET', `${line}&cursor=${page.next}`)).body
  }
  expect(walked.length).toBe(found)
  expect(new Set(walked).size).toBe(found)
  expect(found).toBeGreaterThan(10)
})

test('a review can be written once, with the form’s messages, and a question reaches support', async () => {
  await using api = await openApi()
  const line = '/lines/kestrel/alltide-as2/reviews'
  const review = {
    ratings: { dry: 5, wet: 4 },
    summary: 'Quiet and sure in the rain',
    comments: 'Four months on them, mostly on the highway.',
    name: 'Dana R.',
    email: 'new-reviewer@example.com',
    purchasedOn: '07/01/2026',
    vehicle: '2021 Toyota RAV4 XLE',
    milesDriven: '4,000',
    drivingStyle: 'Average',
    whereUsed: 'Highway',
    buyAgain: 'yes',
  }
  expect(await api.call('POST', line, { body: { ...review, purchasedOn: 'July', ratings: {} } })).toMatchObject({
    status: 400,
    body: {
      data: { purchasedOn: 'Please enter a valid date format MM/DD/YYYY', ratings: expect.any(String) as string },
    },
  })
  expect(await api.call('POST', line, { body: review })).toMatchObject({ status: 201, body: { isVerified: false } })
  expect(await api.call('POST', line, { body: review })).toMatchObject({ status: 409, body: { code: 'ReviewExists' } })

  const question = {
    firstName: 'Dana',
    lastName: 'Ruiz',
    email: 'dana@example.com',
    phone: '(312) 555-0142',
    subject: 'Does it fit?',
    message: 'Do they fit?',
  }
  expect(await api.call('POST', '/contact-requests', { body: question })).toMatchObject({
    status: 201,
    body: { isReceived: true },
  })
  expect(await api.call('POST', '/contact-requests', { body: { ...question, phone: '1' } })).toMatchObject({
    status: 400,
    body: { data: { phone: 'Please enter a valid phone number' } },
  })
  expect(
    await api.call('POST', '/leads', {
      body: { name: 'Dana Ruiz', email: 'dana@example.com', quantity: 8, size: '225/65R17' },
    }),
  ).toMatchObject({
    status: 201,
  })
})
