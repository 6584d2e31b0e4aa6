/** Tests that browsers request the next page before a click, and that such a page does nothing until it is shown. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, waitUntilIdle } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser({
  env: { ANALYTICS_TAG_URL: 'http://tag.localhost/tag.js', ANALYTICS_TAG_ID: 'G-DEMO', ANALYTICS_ASK: 'nowhere' },
})
const product = '/brands/kestrel/alltide-as2/p/100001'

/** Serves an empty tag, and lists its requests. */
async function serveTag(page: Page): Promise<string[]> {
  const requested: string[] = []
  await page.route('http://tag.localhost/**', (route) => {
    requested.push(route.request().url())
    return route.fulfill({ contentType: 'text/javascript', body: '' })
  })
  return requested
}

/** How the browser received the page: "navigational-prefetch" if it requested it before the click. */
const deliveryType = (page: Page) =>
  page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation') as (PerformanceEntry & { deliveryType?: string })[]
    return entry?.deliveryType
  })

test('pressing a tire in a list requests its page before the click ends', async () => {
  await using context = await browser.newContext()
  const { page, complaints } = await openPage(context)
  await serveTag(page)
  const open = async () => {
    await page.goto(`${store.origin}/tire-sizes/225-65r17`)
    expect(await deliveryType(page)).toBe('')
    await page.locator('article[id^=tire-] small + a').first().click({ delay: 300 })
    await page.waitForURL(/\/p\/\d+/)
    return deliveryType(page)
  }
  // A press can end before a busy browser sends its request.
  await expect.poll(open).toBe('navigational-prefetch')
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/\w/)
  expect(complaints).toEqual([])
})

test('a page rendered before a click loads no module and no tag until it is shown', async () => {
  await using context = await browser.newContext()
  const { page } = await openPage(context)
  const requested = await serveTag(page)
  await page.addInitScript(() => {
    Object.defineProperty(document, 'prerendering', { value: true, configurable: true })
  })
  await page.goto(store.origin + product, { waitUntil: 'load' })
  await waitUntilIdle(page)
  const isLate = () => document.querySelector('script[type="text/late"]') !== null
  expect(await page.evaluate(isLate)).toBe(true)
  expect(requested).toEqual([])

  await page.evaluate(() => {
    Object.defineProperty(document, 'prerendering', { value: false })
    document.dispatchEvent(new Event('prerenderingchange'))
  })
  await page.keyboard.press('Shift')
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber')),
  )
  await expect.poll(() => requested.length).toBe(1)
})
