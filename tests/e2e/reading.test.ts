/** Tests the sidewall guide and the dictionary with pointer and keyboard, with and without JavaScript. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings, openPage } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

const { store, browser } = await startStoreAndBrowser()

const guide = '/learn/tire-basics/how-to-read-a-sidewall'

const isLit = (page: Page, part: string) =>
  page.locator(`.mark-${part} .mark-band`).evaluate((band) => Number(getComputedStyle(band).strokeOpacity) > 0)

test('without script, a marking is highlighted by keyboard and named in its center', async () => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 900 },
  })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}${guide}`)
  const link = page.getByRole('link', { name: '102 Load index' })
  await link.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/#mark-load$/)
  expect(await page.locator('.hub-load').isVisible()).toBe(true)
  expect(await page.locator('.hub-all').isVisible()).toBe(false)
  expect(await page.locator('.hub-width').isVisible()).toBe(false)
  expect(complaints).toEqual([])
  await context.close()
})

test('hovering highlights a marking, a click selects it, and a custom size is rendered', async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}${guide}`)
  expect(await isLit(page, 'load')).toBe(false)
  await page.locator('.mark-load .mark-band').hover()
  expect(await isLit(page, 'load')).toBe(true)
  await page.locator('.mark-load .mark-band').click()
  await page.waitForURL(/#mark-load$/)
  await page.mouse.move(5, 5)
  expect(await isLit(page, 'load')).toBe(true)
  expect(await isLit(page, 'width')).toBe(false)

  await page.getByLabel('What does your tire say?').fill('35x12.50r17')
  await page.getByRole('button', { name: 'Explain it' }).click()
  await page.getByRole('heading', { name: '35X12.50R17LT, marking by marking' }).waitFor()
  await page.getByText('About 35 inches tall').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('the dictionary filters while typing, and a link to a filtered-out word shows it again', async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/learn/tire-news-information/tire-dictionary`)
  await page.getByLabel('Find a word').fill('dually')
  await page.getByRole('status').getByText('1 word').waitFor()
  expect(await page.locator('#dual-fitment').isVisible()).toBe(true)
  expect(await page.locator('#camber').isVisible()).toBe(false)
  await page.locator('#dual-fitment').getByRole('link', { name: 'Load index' }).click()
  await page.locator('#load-index').waitFor()
  expect(await page.getByLabel('Find a word').inputValue()).toBe('')
  expect(complaints).toEqual([])
  await context.close()
})

test('reading pages pass axe and never scroll sideways', async () => {
  for (const [width, zoom] of [
    [320, 1],
    [1280, 2],
  ] as const) {
    const context = await browser.newContext({
      viewport: { width: width / zoom, height: 700 },
      deviceScaleFactor: zoom,
      reducedMotion: 'reduce',
      bypassCSP: true,
    })
    const { page } = await openPage(context)
    for (const path of [
      guide,
      '/learn',
      '/learn/choosing-tires',
      '/learn/care-and-safety/tire-rotation',
      '/learn/tire-news-information/tire-dictionary',
      '/car-talk',
      '/tire-buying-guide',
      '/press/company/the-store-is-open-source',
    ]) {
      await page.goto(`${store.origin}${path}`)
      expect(await tooWide(page), `${path} ${width}`).toEqual([])
      if (zoom === 1) expect(await axeFindings(page), path).toEqual([])
    }
    await context.close()
  }
})
