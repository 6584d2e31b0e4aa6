/** From a list of tire shops to a shop and on to tires, in a browser. */
import { expect, test } from 'vitest'
import { axeFindings, openPage } from './journey.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startOwnMap } from './own-map.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

const ownMap = await startOwnMap()
const { store, browser } = await startStoreAndBrowser({ env: { MAP_STYLE_URL: ownMap.styleUrl } })

const vanPath = async () => {
  const van = await store.database.db
    .selectFrom('shop')
    .select(['slug', 'code'])
    .where('kind', '=', 'van')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  return `/tire-shops/shop/${van.slug}/${van.code}`
}
const shopPath = '/tire-shops/shop/halsted-tire-chicago/SW-00001'

test('the pages pass axe, and do not scroll sideways at phone width', async () => {
  const context = await browser.newContext({
    bypassCSP: true,
    reducedMotion: 'reduce',
    viewport: { width: 320, height: 800 },
  })
  const page = await context.newPage()
  const van = await vanPath()
  const lists = [
    '/tire-shops',
    '/tire-shops?zip=60614',
    '/tire-shops?zip=1',
    '/tire-shops/illinois',
    '/tire-shops/chicago-il',
  ]
  for (const path of [...lists, shopPath, van, `${van}?zip=60614`, `${van}?zip=1`]) {
    await page.goto(`${store.origin}${path}`)
    expect(await tooWide(page), path).toEqual([])
    expect(await axeFindings(page, { isLayered: true }), path).toEqual([])
  }
  await context.close()
})

test.for([true, false])(
  'from a ZIP to a shop and on to tires installed there, with script: %s',
  async (javaScriptEnabled) => {
    const context = await browser.newContext({ javaScriptEnabled })
    const { page, complaints } = await openPage(context)
    await page.goto(`${store.origin}/tire-shops`)
    await page.getByRole('main').getByLabel('ZIP code').fill('60614')
    await page.getByRole('button', { name: 'Find shops' }).click()
    await page.waitForURL(/\/tire-shops\?zip=60614$/)
    await page.getByRole('link', { name: 'Halsted Tire' }).first().click()
    await page.waitForURL(new RegExp(`${shopPath}$`))
    await page.getByRole('heading', { level: 1, name: 'Halsted Tire' }).waitFor()
    await page.getByRole('button', { name: 'Shop tires for installation here' }).click()
    await page.waitForURL(/\/find$/)
    expect((await context.cookies()).find(({ name }) => name === 'sw_zip')?.value).toBe('60642')
    expect(complaints).toEqual([])
    await context.close()
  },
)

test('the map shows the listed shops, and its markers work by keyboard', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/tire-shops/chicago-il`)
  const map = page.locator('.shop-map')
  const [pins, counts] = [map.locator('.map-pin'), map.locator('.map-count')]
  await map.locator('.map-pin, .map-count').first().waitFor()
  const counted = await counts.evaluateAll((marks) => marks.map((mark) => Number(mark.firstChild?.textContent)))
  const shops = await page.locator('.shops-and-map .shop-card').count()
  expect((await pins.count()) + counted.reduce((sum, count) => sum + count, 0)).toBe(shops)
  // Pressing counts shows the shops behind them, one after the other, with the focus on the first.
  while (await counts.count()) {
    const marks = await map.locator('.map-pin, .map-count').count()
    await counts.first().focus()
    await page.keyboard.press('Enter')
    await eventually('shop apart from its neighbors', async () => {
      const focused = await page.evaluate(() => document.activeElement?.className)
      return /map-(?:pin|count)/.test(focused ?? '') && (await map.locator('.map-pin, .map-count').count()) > marks
    })
  }
  expect(await pins.count()).toBe(shops)
  await pins.first().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/#shop-\d+$/)
  expect(complaints).toEqual([])
  await context.close()
})

test('on a phone the map is a static picture until requested', async () => {
  const context = await browser.newContext({ viewport: { width: 360, height: 640 } })
  const { page, complaints } = await openPage(context)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${store.origin}/tire-shops/chicago-il`)
  const open = page.getByRole('button', { name: 'Open the map' })
  await open.waitFor()
  expect(asked.filter((url) => /draw-map|\/map\/(?!states\.svg)/.test(url))).toEqual([])
  await open.click()
  await page.locator('.map-pin, .map-count').first().waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('the map has the operator’s streets, from one file of tiles, and our own ground without them', async () => {
  const context = await browser.newContext({ bypassCSP: false, viewport: { width: 1280, height: 900 } })
  const { page, complaints } = await openPage(context)
  ownMap.asked.length = 0
  await page.goto(`${store.origin}/tire-shops/chicago-il`)
  await eventually('streets', () => ownMap.asked.includes('/streets.pmtiles'))
  await page.locator('.map-pin').first().waitFor()
  expect(complaints).toEqual([])

  await page.route(ownMap.styleUrl, (route) => route.abort())
  const ground = page.waitForRequest(/\/map\/ground\.json$/)
  await page.reload()
  await ground
  await page.locator('.map-pin').first().waitFor()
  await context.close()
})

test('a browser without map support shows a notice, and the list still works', async () => {
  const context = await browser.newContext()
  await context.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null
  })
  const page = await context.newPage()
  await page.goto(`${store.origin}/tire-shops/chicago-il`)
  await page.getByText('Google Map cannot be loaded right now').waitFor()
  await page.getByRole('link', { name: 'Halsted Tire' }).first().click()
  await page.waitForURL(new RegExp(`${shopPath}$`))
  await page.getByText('First free times').waitFor()
  await context.close()
})
