/**
 * Tests listings and directories in a browser, including filters with and without JavaScript, the back button, narrow
 * screens, and accessibility.
 */
import { expect, test } from 'vitest'
import { axeFindings, openPage } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

const { store, browser } = await startStoreAndBrowser()

const size = '/tire-sizes/235-60r18'
const templates = [
  '/brands',
  '/brands/kestrel',
  '/brands/kestrel/types',
  '/brands/kestrel/types/all-season',
  '/types',
  '/types/all-season',
  '/categories/touring-all-season',
  '/vehicles',
  '/vehicles/toyota-tires',
  '/vehicles/toyota/rav4',
  '/vehicles/toyota/rav4/2021',
  '/tire-sizes',
  size,
  `${size}/brands/kestrel`,
  `${size}/types/all-season`,
  '/tire-sizes/245-60r18',
  '/tire-sizes/diameter/18',
]

test('with script, filters change the list in place, and Back restores filters and scroll position', async () => {
  const { page, complaints } = await openPage(await browser.newContext({ viewport: { width: 1280, height: 800 } }))
  await page.goto(`${store.origin}${size}`)
  const all = await page.locator('#results-title').innerText()
  await page.getByLabel('Three-peak snowflake').check()
  await page.waitForURL(/\?snow=1$/)
  await page.getByRole('list', { name: 'Active filters' }).getByText('Three-peak snowflake').waitFor()
  const filtered = await page.locator('#results-title').innerText()
  expect(filtered).not.toBe(all)

  const last = page.locator('.tire-card').last()
  // Records the scroll position at the click, because late images and Playwright's scrolling move the page.
  const key = 'left at'
  await page.evaluate((name) => {
    addEventListener('click', () => sessionStorage.setItem(name, String(scrollY)), { capture: true, once: true })
  }, key)
  await last.locator('h3 a').click()
  await page.waitForURL(/\/p\/\d+/)
  const place = Number(await page.evaluate((name) => sessionStorage.getItem(name), key))
  expect(place).toBeGreaterThan(300)
  await page.goBack()
  await page.waitForURL(/\?snow=1$/)
  await page.waitForFunction((y) => Math.abs(scrollY - y) < 60, place)
  expect(await page.getByLabel('Three-peak snowflake').isChecked()).toBe(true)
  expect(await page.locator('#results-title').innerText()).toBe(filtered)

  // Before the page is hydrated.
  await page.goBack()
  await page.waitForURL(`${store.origin}${size}`)
  await page.waitForFunction(
    (text) => document.querySelector('#results-title')?.textContent?.startsWith(text),
    all.split(' of ')[0] ?? '',
  )
  expect(await page.getByLabel('Three-peak snowflake').isChecked()).toBe(false)
  expect(complaints).toEqual([])
})

test('without script, the same filters have a submit button and are removed one by one', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${store.origin}${size}`)
  await page.getByLabel('Three-peak snowflake').check()
  await page.getByLabel('A set in stock now').check()
  await page.getByLabel('Sort by').selectOption('price')
  await page.getByRole('button', { name: 'Apply filters' }).click()
  await page.waitForURL(/snow=1&stock=1|stock=1/)
  expect(new URL(page.url()).searchParams.get('sort')).toBe('price')
  expect(new URL(page.url()).searchParams.has('min')).toBe(false)
  const chips = page.getByRole('list', { name: 'Active filters' }).getByRole('link')
  expect(await chips.count()).toBe(2)
  await chips.first().click()
  await page.waitForURL((url) => !url.search.includes('snow=1') || !url.search.includes('stock=1'))
  expect(await chips.count()).toBe(1)
})

test('the first paint is the same with script and without', async () => {
  for (const width of [360, 1280]) {
    const boxes = await Promise.all(
      [true, false].map(async (javaScriptEnabled) => {
        const context = await browser.newContext({
          viewport: { width, height: 800 },
          javaScriptEnabled,
          reducedMotion: 'reduce',
        })
        const page = await context.newPage()
        const found: Record<string, unknown> = {}
        for (const path of [size, '/brands/kestrel', '/tire-sizes/diameter/18']) {
          await page.goto(`${store.origin}${path}`)
          await page.evaluate(() => document.fonts.ready)
          found[path] = await Promise.all(
            [
              page.locator('h1'),
              page.locator('.listing-count'),
              page.locator('.tire-card').nth(0),
              page.locator('.tire-card').nth(3),
            ].map(async (part) => {
              const box = await part.boundingBox()
              return box && [Math.round(box.x), Math.round(box.y), Math.round(box.width)]
            }),
          )
        }
        await context.close()
        return found
      }),
    )
    expect(boxes[0]).toEqual(boxes[1])
  }
})

test('every directory and listing fits 320 px and passes axe', async () => {
  const { page, complaints } = await openPage(
    await browser.newContext({ viewport: { width: 320, height: 640 }, bypassCSP: true }),
  )
  for (const path of templates) {
    await page.goto(`${store.origin}${path}`)
    expect(await tooWide(page), path).toEqual([])
    expect(await page.locator('h1').count(), path).toBe(1)
    expect(await axeFindings(page), path).toEqual([])
  }
  expect(complaints).toEqual([])
})

test('front and rear tires of a staggered car share one card', async () => {
  const staggered = await store.database.db
    .selectFrom('oe_fitment as fitment')
    .innerJoin('vehicle', 'vehicle.id', 'fitment.vehicle_id')
    .innerJoin('size as front', 'front.designation', 'fitment.front_size')
    .innerJoin('size as rear', 'rear.designation', 'fitment.rear_size')
    .select([
      'front.slug as front',
      'rear.slug as rear',
      'front.designation as frontSize',
      'rear.designation as rearSize',
    ])
    .whereRef('fitment.front_size', '<>', 'fitment.rear_size')
    .orderBy('fitment.id')
    .executeTakeFirstOrThrow()
  const page = await browser.newPage()
  await page.goto(`${store.origin}/tire-sizes/${staggered.front}?rear=${staggered.rear}`)
  const card = await page.locator('.tire-card').first().innerText()
  expect(card).toContain(`Front ${staggered.frontSize}`)
  expect(card).toContain(`Rear ${staggered.rearSize}`)
  expect(await page.locator('#results-title').innerText()).toMatch(/\d+ sets?/)
})

test.each([true, false])(
  'the other versions of a model open by keyboard on its card, with script: %s',
  async (script) => {
    const context = await browser.newContext({
      viewport: { width: 360, height: 740 },
      javaScriptEnabled: script,
      bypassCSP: true,
    })
    const { page, complaints } = await openPage(context)
    await page.goto(`${store.origin}/tire-sizes/225-65r17`)
    const versions = page.locator('.versions').first()
    const link = versions.getByRole('link').first()
    expect(await link.isVisible()).toBe(false)
    await versions.locator('summary').focus()
    await page.keyboard.press('Enter')
    await link.waitFor()
    expect(await tooWide(page)).toEqual([])
    if (script) expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Tab')
    expect(await link.evaluate((each) => each === document.activeElement)).toBe(true)
    const [path, price] = [await link.getAttribute('href'), await versions.locator('b').first().innerText()]
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${path}`)
    expect(await page.locator('main').innerText()).toContain(price)
    expect(complaints).toEqual([])
  },
)
