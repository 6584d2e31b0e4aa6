/** Tests the URLs of a tire's page, the cacheable guest version, and the effects of ZIP code and vehicle. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeChosenVehicle, encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { tireInStock, usualTire } from '#tests/support/items.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const ask = (path: string, cookies: Record<string, string> = {}) =>
  fetch(`${store.origin}${path}`, {
    redirect: 'manual',
    headers: {
      cookie: Object.entries(cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; '),
    },
  })
const read = async (path: string, cookies?: Record<string, string>) => (await ask(path, cookies)).text()

const usual = () => usualTire(store.database.db)
const unfit = () => tireInStock(store.database.db, '225/40R18')

const pathOf = ({ brand, line, id }: { brand: string; line: string; id: number }) => `/brands/${brand}/${line}/p/${id}`

async function rav4(confirmed: boolean): Promise<string> {
  const trim = await store.database.db
    .selectFrom('vehicle')
    .innerJoin('oe_fitment as fitment', 'fitment.vehicle_id', 'vehicle.id')
    .select(['vehicle.id', 'fitment.id as fitmentId'])
    .where('year', '=', 2021)
    .where('model_slug', '=', 'rav4')
    .where('trim_slug', '=', 'xle')
    .executeTakeFirstOrThrow()
  return encodeChosenVehicle({
    vehicleId: trim.id,
    fitmentId: trim.fitmentId,
    year: 2021,
    makeSlug: 'toyota',
    modelSlug: 'rav4',
    name: '2021 Toyota RAV4 XLE',
    confirmed,
    label: null,
  })
}

test('a line and each of its articles have one URL, in lower case', async () => {
  const article = await usual()
  const line = `/brands/${article.brand}/${article.line}`
  expect(await read(line)).toContain(`<link rel="canonical" href="${store.origin}${line}"/>`)
  expect(await read(`${line}/p`)).toContain(`<link rel="canonical" href="${store.origin}${line}"/>`)
  expect(await read(pathOf(article))).toContain(`<link rel="canonical" href="${store.origin}${pathOf(article)}"/>`)
  const shouted = await ask(`${pathOf({ ...article, line: article.line.toUpperCase() })}?quantity=2`)
  expect(shouted.status).toBe(301)
  expect(shouted.headers.get('location')).toBe(`${pathOf(article)}?quantity=2`)
})

test('an article not sold under a URL is a 404 there', async () => {
  const [article, other] = [await usual(), await unfit()]
  const paths = [
    `/brands/${article.brand}/line-not-found`,
    `/brands/${article.brand}/${article.line}/p/999999`,
    `/brands/${article.brand}/${article.line}/p/0${article.id}`,
    pathOf({ ...article, brand: 'nobody' }),
  ]
  if (other.line !== article.line) paths.push(pathOf({ ...article, id: other.id }))
  for (const path of paths) expect((await ask(path)).status, path).toBe(404)
})

test('a guest gets the shared page with ZIP and vehicle prompts', async () => {
  const article = await usual()
  const answer = await ask(pathOf(article))
  const html = await answer.text()
  expect(answer.headers.get('cache-control')).toBe('public, s-maxage=60')
  expect(html).toContain('Does it fit your car?')
  expect(html).toContain('Enter your ZIP to see the out-the-door price')
  expect(html).not.toContain('Next times near')
})

test('the ZIP adds the out-the-door price and the next times, for this visitor only', async () => {
  const article = await usual()
  const answer = await ask(pathOf(article), { sw_zip: '60614' })
  const html = await answer.text()
  expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect(html).toMatch(/<b>\$[\d,]+\.\d\d<\/b> out the door/)
  expect(html).toContain('Next times near <!-- -->60614')
  expect(html.match(/<button class="slot[^>]*>/g)?.length).toBeGreaterThan(3)
})

test('shows no delivery date outside the shipping area', async () => {
  const html = await read(pathOf(await usual()), { sw_zip: '09021' })
  expect(html).toContain('The product is unable to ship to International Military bases.')
  expect(html).not.toContain('Next times near')
})

test('totals are for the requested quantity, within the offered range', async () => {
  const path = pathOf(await usual())
  for (const [asked, shown] of [
    ['2', '2 tires, '],
    ['1', '1 tire, '],
    ['99', '4 tires, '],
    ['x', '4 tires, '],
  ]) {
    expect((await read(`${path}?quantity=${asked}`, { sw_zip: '60614' })).replaceAll('<!-- -->', '')).toContain(
      `${shown}installed at`,
    )
  }
})

test('a listed size asks for the placard, and a confirmed one fits', async () => {
  const path = pathOf(await usual())
  const listed = await read(path, { sw_vehicle: await rav4(false) })
  expect(listed).toContain('Factory size for your 2021 Toyota RAV4 XLE; confirm it once on your door label')
  expect(listed).toContain('My door label matches')
  const confirmed = await read(path, { sw_vehicle: await rav4(true) })
  expect(confirmed).toContain('Fits your 2021 Toyota RAV4 XLE, front and rear')
  expect(confirmed).not.toContain('My door label matches')
})

test('answers next to the fitment result are saved and return to the tire', async () => {
  const path = pathOf(await usual())
  const html = await read(path, { sw_vehicle: await rav4(false) })
  const [, action = ''] =
    /<form action="(\/fitment\/confirmation[^"]*)" method="post">/.exec(html) ??
    expect.fail('The label cannot be confirmed.')
  const answer = (fields: Record<string, string>) =>
    fetch(`${store.origin}${action.replaceAll('&amp;', '&')}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: store.origin },
      body: new URLSearchParams(fields),
    })
  const kept = async (fields: Record<string, string>) => {
    const { status, headers } = await answer(fields)
    expect(status).toBe(303)
    expect(headers.get('location')).toBe(path)
    return decodeChosenVehicle(/sw_vehicle=([^;]*)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '')
  }
  expect(await kept({ answer: 'yes' })).toMatchObject({ confirmed: true })
  expect(await kept({ answer: 'all-wheel' })).toMatchObject({ confirmed: false, allWheelDrive: true })
  expect(await kept({ answer: 'two-wheel' })).toMatchObject({ confirmed: false, allWheelDrive: false })
})

test('a tire that does not fit cannot be booked at a shop', async () => {
  const html = await read(pathOf(await unfit()), { sw_vehicle: await rav4(true), sw_zip: '60614' })
  expect(html).toContain('Does not fit your 2021 Toyota RAV4 XLE')
  expect(html).toContain('We won&#x27;t install this on your 2021 Toyota RAV4 XLE.')
  expect(html).not.toContain('value="shipping"')
  expect(html).not.toContain('out the door<small')
})

test('a vehicle with different rear tires is offered two and two', async () => {
  const { db } = store.database
  const staggered = await db
    .selectFrom('oe_fitment as fitment')
    .innerJoin('vehicle', 'vehicle.id', 'fitment.vehicle_id')
    .innerJoin('size as front', 'front.designation', 'fitment.front_size')
    .innerJoin('size as rear', 'rear.designation', 'fitment.rear_size')
    .innerJoin('item', 'item.size_id', 'front.id')
    .innerJoin('item as partner', (join) =>
      join
        .onRef('partner.size_id', '=', 'rear.id')
        .onRef('partner.product_line_id', '=', 'item.product_line_id')
        .onRef('partner.run_flat', '=', 'item.run_flat'),
    )
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select([
      'vehicle.id as vehicleId',
      'fitment.id as fitmentId',
      'year',
      'make_slug',
      'model_slug',
      'item.id',
      'partner.id as partnerId',
      'rear.designation as rearSize',
      'line.slug as line',
      'brand.slug as brand',
    ])
    .whereRef('fitment.front_size', '<>', 'fitment.rear_size')
    .whereRef('item.load_index', '>=', 'fitment.front_load_index')
    .whereRef('partner.load_index', '>=', 'fitment.rear_load_index')
    .whereRef('item.speed', '=', 'fitment.front_speed')
    .whereRef('partner.speed', '=', 'fitment.rear_speed')
    .where('item.oe_mark', 'is', null)
    .where('partner.oe_mark', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('item as third')
            .select('third.id')
            .whereRef('third.size_id', '=', 'rear.id')
            .whereRef('third.product_line_id', '=', 'item.product_line_id')
            .whereRef('third.id', '<>', 'partner.id'),
        ),
      ),
    )
    .orderBy('fitment.id')
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  const vehicle = encodeChosenVehicle({
    vehicleId: staggered.vehicleId,
    fitmentId: staggered.fitmentId,
    year: staggered.year,
    makeSlug: staggered.make_slug,
    modelSlug: staggered.model_slug,
    name: 'Staggered',
    confirmed: true,
    label: null,
  })
  const own = await read(pathOf(staggered), { sw_vehicle: vehicle })
  expect(own).toContain('2 front and 2 rear')
  expect(own).toContain(`<input type="hidden" name="rearItem" value="${staggered.partnerId}"/>`)

  // The advice for a single pair.
  expect(own).toMatch(
    /<dt>Two in front<\/dt>(?:(?!<dt>).)*Your two new tires go on the front axle; the rear tires must have at least as much tread\./,
  )
  expect(own).toMatch(/<dt>Two in the rear<\/dt>(?:(?!<dt>).)*Your two new tires go on the rear axle\./)

  // The rear article's page sells the same set in the same positions.
  const rear = await read(pathOf({ ...staggered, id: staggered.partnerId }), { sw_vehicle: vehicle })
  expect(rear).toContain(`<input type="hidden" name="item" value="${staggered.id}"/>`)
  expect(rear).toContain(`<input type="hidden" name="rearItem" value="${staggered.partnerId}"/>`)

  // A listing names the rear article, with or without a vehicle.
  expect(await read(`${pathOf(staggered)}?rear=${staggered.partnerId}`)).toContain(
    `<input type="hidden" name="rearItem" value="${staggered.partnerId}"/>`,
  )
})

test('shoppers’ questions are answered and other sizes link to their listings, without being hydrated', async () => {
  const article = await usual()
  const html = await read(pathOf(article))
  for (const question of ['Is it for snow?', 'How long does it last?', 'Can I buy just two?'])
    expect(html).toContain(`<h3>${question}</h3>`)
  expect(html).toMatch(/<h3>Does it fit a (?:<!-- -->)?\d{4} /)
  expect(html).toContain('Sizes near <!-- -->225/65R17<!-- --> in height')
  const sizes = [...html.matchAll(/<th scope="row"><a href="(\/tire-sizes\/[^"]+)">/g)].map(([, path = '']) => path)
  expect(sizes.length).toBeGreaterThan(2)
  for (const path of sizes) expect((await ask(path)).status, path).toBe(200)
  // Server-rendered parts are not sent again as data.
  const [, data = ''] =
    /<script[^>]*>(window\.__reactRouterContext\.streamController\.enqueue[\s\S]*?)<\/script>/.exec(html) ?? []
  expect(data).toContain('compareKey')
  for (const drawn of ['How long does it last?', 'Treadwear grade', 'Sample review']) {
    expect(html).toContain(drawn)
    expect(data).not.toContain(drawn)
  }
})

test('with a vehicle every rule is listed, and fewer than four tires show what they require', async () => {
  const html = await read(pathOf(await usual()), { sw_vehicle: await rav4(true) })
  expect(html).toContain('What we checked for your RAV4')
  expect(html).toContain('Carries the listed load')
  expect(html).toContain('Fewer than four on your RAV4')
  expect(html).toContain('Your two new tires go on the rear axle')
  // Shown next to the quantity, before adding to the cart, with the relevant question.
  const beside = async (quantity: number) =>
    /<div class="fewer-asks[^>]*>(.*?)<\/div>/.exec(
      await read(`${pathOf(await usual())}?quantity=${quantity}`, { sw_vehicle: await rav4(true) }),
    )?.[1]
  expect(await beside(2)).toMatch(
    /^<p>Your two new tires go on the rear axle.*<a href="#fewer">Is your RAV4 all-wheel drive\?<\/a>$/,
  )
  expect(await beside(3)).toContain('Is the other tire on that axle the same model?')
  expect(await beside(4)).toBe('')
  expect(html).toContain('the size on the door label of your RAV4')
  const other = await read(pathOf(await unfit()), { sw_vehicle: await rav4(true) })
  expect(other).toMatch(/<td class="result-no">Failed<\/td>/)
  // Whatever size is viewed, others are compared with the one on the label.
  expect(other).toContain('Sizes near <!-- -->225/65R17<!-- --> in height')
  expect(other).not.toContain('Fewer than four on your')
})

test('search engines get the price, the stock and the average rating', async () => {
  const article = await usual()
  const html = await read(pathOf(article))
  const { '@graph': things } = JSON.parse(
    /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? '{}',
  ) as {
    '@graph': [{ sku: string; offers: { price: string; url: string; availability: string } }]
  }
  const [data] = things
  expect(data.sku).toBe(article.sku)
  expect(data.offers).toMatchObject({
    url: `${store.origin}${pathOf(article)}`,
    availability: 'https://schema.org/InStock',
  })
  expect(html).toContain(`<b>$${data.offers.price}</b>`)
})

test('the drawing is sent once, and its thumbnails are cached permanently', async () => {
  const html = await read(pathOf(await usual()))
  expect(html.match(/<svg[^>]* class="tire"/g)).toHaveLength(1)
  for (const address of [/\/pictures\/tread\/[\w-]+\.svg/, /\/pictures\/front\/[\w-]+\.avif/]) {
    const picture = await ask(address.exec(html)?.[0] ?? '/none')
    expect(picture.status).toBe(200)
    expect(picture.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  }
  expect((await ask('/pictures/tread/999999999-0000000000000000.svg')).status).toBe(404)
})

test('the style sheet is preloaded in the headers, ahead of fonts; modules wait until the page is painted', async () => {
  const answer = await ask(pathOf(await usual()))
  const html = await answer.text()
  const [, sheet] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? []
  expect(answer.headers.get('link')).toBe(`<${sheet}>; rel=preload; as=style`)
  const fonts = [...html.matchAll(/<link [^>]*as="font"[^>]*>/g)].map(([link]) => link)
  expect(fonts).toHaveLength(2)
  for (const link of fonts) expect(link).toMatch(/ fetchpriority="low"/i)
  expect(html.match(/<link rel="late" href="\/assets\/[^"]+\.js"\/>/g)?.length).toBeGreaterThan(5)
  expect(html.match(/<script type="text\/late">/g)).toHaveLength(1)
  expect(html).not.toMatch(/rel="modulepreload"|<script[^>]* type="module"/)
})
