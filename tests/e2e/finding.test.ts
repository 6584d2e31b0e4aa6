/**
 * Tests the ways to find tires with ZIP code entry, geolocation, keyboard search, menus without JavaScript, deals, and
 * accessibility.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings, openPage } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

const { store, browser } = await startStoreAndBrowser()

const openZip = async (page: Page) => {
  await page.getByRole('link', { name: 'Set your ZIP' }).click()
  await page.getByRole('dialog').waitFor()
}

test('the ZIP comes from the browser’s location, and is kept in the cookie and in local storage', async () => {
  const context = await browser.newContext({
    geolocation: { latitude: 41.9227, longitude: -87.6533 },
    permissions: ['geolocation'],
  })
  const { page, complaints } = await openPage(context)
  await page.goto(store.origin)
  await openZip(page)
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Use my location' }).click()
  await page.getByRole('link', { name: /^60614/ }).waitFor()
  expect((await context.cookies()).find(({ name }) => name === 'sw_zip')?.value).toBe('60614')
  expect(await page.evaluate(() => localStorage.getItem('sw_zip'))).toBe('60614')

  // Without cookies, the browser still offers the stored ZIP.
  await context.clearCookies()
  await page.reload()
  await openZip(page)
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('#dialog-zip')?.value === '60614')
  await page.keyboard.press('Escape')
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a location without a ZIP, denied or unavailable is reported in the specification’s words', async () => {
  const atSea = await browser.newContext({
    geolocation: { latitude: 0, longitude: -150 },
    permissions: ['geolocation'],
  })
  const { page } = await openPage(atSea)
  await page.goto(store.origin)
  await openZip(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('ZIP code').fill('6061x')
  await page.keyboard.press('Enter')
  await dialog.getByText('Oops. Please enter a valid ZIP code.').waitFor()
  await dialog.getByRole('button', { name: 'Use my location' }).click()
  await dialog.getByText('Geocoder failed due to: ZERO_RESULTS').waitFor()

  await atSea.clearPermissions()
  await page.evaluate(() => {
    navigator.geolocation.getCurrentPosition = (_, fail) => fail?.({ code: 1 } as GeolocationPositionError)
  })
  await dialog.getByRole('button', { name: 'Use my location' }).click()
  await dialog.getByText('Your browser was not able to retrieve your location').waitFor()

  const old = await browser.newContext()
  await old.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'geolocation'))
  const { page: oldPage } = await openPage(old)
  await oldPage.goto(store.origin)
  await openZip(oldPage)
  await oldPage.getByRole('button', { name: 'Use my location' }).click()
  await oldPage.getByText('Sorry, but Geolocation is not supported by this browser.').waitFor()
})

test('the search box works by keyboard only and stores searches until cleared', async () => {
  const { page, complaints } = await openPage(await browser.newContext())
  await page.goto(store.origin)
  const box = page.getByRole('combobox', { name: /^Search by vehicle/ })
  await box.focus()
  await page.keyboard.type('kestral')
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
  await options.first().waitFor()
  expect(await box.getAttribute('aria-expanded')).toBe('true')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  expect(await options.first().getAttribute('aria-selected')).toBe('true')
  expect(await box.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'))
  await page.keyboard.press('ArrowUp')
  expect(await options.last().getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Escape')
  expect(await box.getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/brands\/kestrel$/)

  await page.goto(`${store.origin}/search?q=2256517`)
  expect(new URL(page.url()).pathname).toBe('/tire-sizes/225-65r17')
  await page.goto(store.origin)
  await page.getByRole('link', { name: '2256517' }).waitFor()
  await page.getByRole('button', { name: 'Clear recent searches' }).click()
  await page
    .getByRole('heading', { name: 'Deals today' })
    .or(page.getByRole('heading', { name: 'By type' }))
    .first()
    .waitFor()
  expect(await page.getByRole('link', { name: '2256517' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('without script the menus open, a search always leads somewhere, and deals lead to tires', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 720 } })
  const { page } = await openPage(context)
  await page.goto(store.origin)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Deals' }).click()
  await page.waitForURL(/\/tire-deals$/)
  await page.getByRole('heading', { level: 1, name: 'Tire deals' }).waitFor()
  await page
    .getByRole('link', { name: /^Terms of/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'The terms' }).waitFor()
  await page
    .getByRole('link', { name: /^Choose/ })
    .first()
    .click()
  await page.waitForURL(/\/brands\//)

  await page.goto(`${store.origin}/search?q=xyzzyplugh`)
  await page.getByRole('heading', { name: 'No results for “xyzzyplugh”' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Find by vehicle' }).waitFor()
  await page.goto(`${store.origin}/search?q=aspect+ratio`)
  await page
    .getByRole('link', { name: /^Aspect ratio/ })
    .first()
    .waitFor()
  await page.goto(`${store.origin}/search?q=return+policy`)
  expect(new URL(page.url()).pathname).toBe('/returns-and-refunds')
  await page.goto(`${store.origin}/search?q=michelin`)
  await page.getByText('We do not sell Michelin.').waitFor()
  await page.goto(`${store.origin}/search?q=60614`)
  expect(page.url()).toMatch(/[?&]zip=60614\b/)
})

test('the pages fit 320 px and pass axe', async () => {
  const page = await (await browser.newContext({ viewport: { width: 320, height: 640 } })).newPage()
  const paths = [
    '/',
    '/tire-deals',
    '/tire-deals/kestrel-alltide-as2-16-off',
    '/tire-deals/kestrel-60-rebate',
    '/tire-deals/black-friday-sale',
    '/search?q=silverado',
    '/search?q=zzzz',
  ]
  for (const path of paths) {
    await page.goto(`${store.origin}${path}`)
    expect(await tooWide(page), path).toEqual([])
    expect(await axeFindings(page), path).toEqual([])
  }
  await page.goto(store.origin)
  await page.getByRole('button', { name: 'Menu' }).click()
  expect(await axeFindings(page, { isLayered: true })).toEqual([])
})
