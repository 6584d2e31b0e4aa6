/** Tests comparing tires, sharing the comparison, and modals in a browser, with and without JavaScript. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoAxeFindings, openPage } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

const { store, browser } = await startStoreAndBrowser()

const listing = () => `${store.origin}/tire-sizes/225-65r17`
const toggles = (page: Page) => page.locator('.tire-card-actions .compare-toggle')
const bar = (page: Page) => page.getByRole('region', { name: 'Compare tires' })

test('with script, tires are selected in place, never hidden by the bar, compared, and shared', async () => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    bypassCSP: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const { page, complaints } = await openPage(context)
  await page.goto(listing())
  await page.waitForLoadState('networkidle')
  const address = page.url()
  for (const index of [0, 1, 2]) {
    await toggles(page).nth(index).click()
    await page.getByText(`${index + 1} of 5`).waitFor()
  }
  expect(page.url()).toBe(address)
  expect(await toggles(page).nth(2).getAttribute('aria-pressed')).toBe('true')
  expect(await page.locator('#compare [role=status]').textContent()).toContain('2 more can be')

  // The bar doesn't cover the focused element.
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press('Tab')
    const hidden = await page.evaluate(() => {
      const [focused, panel] = [document.activeElement, document.querySelector('.compare-panel')]
      if (!focused || !panel || panel.contains(focused) || document.querySelector('main')?.contains(focused) !== true)
        return null
      return focused.getBoundingClientRect().top >= panel.getBoundingClientRect().top
        ? focused.outerHTML.slice(0, 80)
        : null
    })
    expect(hidden).toBeNull()
  }
  await expectNoAxeFindings(page)

  // A second click removes it; so does the remove button in the bar, and focus stays in the bar.
  await toggles(page).nth(2).click()
  await page.getByText('2 of 5').waitFor()
  await bar(page)
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click()
  await page.getByText('1 of 5').waitFor()
  expect(await page.evaluate(() => document.activeElement?.closest('.compare-panel') !== null)).toBe(true)
  await toggles(page).nth(2).click()
  await bar(page).getByRole('link', { name: 'Compare 2' }).click()

  await page.getByRole('heading', { level: 1, name: '2 tires side by side' }).waitFor()
  await expectNoAxeFindings(page)
  const rows = page.locator('.compare-table tbody tr:visible')
  const all = await rows.count()
  await page.getByLabel('Show only what differs').check()
  expect(await rows.count()).toBeLessThan(all)
  expect(await page.locator('.compare-table tr.is-same:visible').count()).toBe(0)

  // A browser without the Web Share API.
  await page.evaluate(() => delete (Navigator.prototype as { share?: unknown }).share)
  await page.getByText('Share', { exact: true }).click()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Copied.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
  expect(complaints).toEqual([])
})

test('without script, comparison works through forms, with warnings', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
  const { page, complaints } = await openPage(context)
  await page.goto(listing())
  for (let index = 0; index < 5; index++) await toggles(page).nth(index).click()
  expect(page.url()).toMatch(/#tire-\d+$/)
  await toggles(page).nth(5).click()
  await page.getByText('5 tires is the comparison limit.').waitFor({ state: 'visible' })
  await bar(page).getByRole('link', { name: 'Compare 5' }).click()
  await page.getByRole('heading', { level: 1, name: '5 tires side by side' }).waitFor()
  expect(await tooWide(page)).toEqual([])
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: '4 tires side by side' }).waitFor()
  await page
    .getByRole('button', { name: /^Add 4 to cart/ })
    .first()
    .click()
  await page.waitForURL(/\/cart$/)
  expect(complaints).toEqual([])
})

test('a modal shows the linked page, traps focus, and restores it on Escape', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true })
  const { page, complaints } = await openPage(context)
  await page.goto(listing())
  await page.waitForLoadState('networkidle')
  const cart = page.getByRole('link', { name: /^Cart/ })
  await cart.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Your cart is empty' }).waitFor()
  await expectNoAxeFindings(page)
  for (let press = 0; press < 8; press++) {
    await page.keyboard.press('Tab')
    expect(
      await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
      ),
    ).toBe(true)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await cart.evaluate((link) => link === document.activeElement)).toBe(true)

  // The four questions above the list lead to the page with the answers.
  await page.getByRole('link', { name: 'Help me decide' }).click()
  for (const answer of ['Often rain', 'On the highway', 'A long life', 'More than 15,000 miles'])
    await dialog.getByLabel(answer).check()
  await dialog.getByRole('button', { name: 'Show my 5 tires' }).click()
  await page.waitForURL(/\/recommendations\?.*priority=life/)
  expect(await page.locator('.recommend-picks > li').count()).toBe(5)
  await expectNoAxeFindings(page)

  // The URL names the open modal, and reopens it.
  await page
    .locator('.recommend-picks')
    .getByRole('link', { name: /^Choose/ })
    .first()
    .click()
  await page.waitForURL(/\/p\/\d+/)
  await page.waitForLoadState('networkidle')
  await page.getByRole('link', { name: 'What the warranties cover' }).click()
  await dialog.getByRole('heading', { name: /^What covers the/ }).waitFor()
  expect(new URL(page.url()).hash).toBe('#warranty')
  await page.reload()
  await dialog.getByRole('heading', { name: /^What covers the/ }).waitFor()
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.waitForURL((url) => url.hash === '')
  expect(complaints).toEqual([])
})
