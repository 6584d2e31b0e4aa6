/** Tests the bar of unsaved changes and the preview that follows a form, on the shipping rates and a warehouse. */
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { axeFindings, openDrawn, openPage, signInAtWork, waitUntilIdle } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

const { store, browser } = await startStoreAndBrowser()

/** Opens the page as the owner, and expects no complaint of the browser. */
async function edit(path: string, width: number, does: (page: Page) => Promise<void>): Promise<void> {
  await using context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, 'owner@example.com')
  await openDrawn(page, store.origin + path)
  await page.waitForLoadState('networkidle')
  await does(page)
  expect(complaints).toEqual([])
}

const bar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' })
const preview = (page: Page) => page.locator('#preview')

test('shipping rates show each unsaved change with its price, and can be discarded or saved with Ctrl+S', async () => {
  await edit('/office/shipping-rates', 1280, async (page) => {
    expect(await bar(page).count()).toBe(0)
    expect(await preview(page).textContent()).toContain('Shopper pays$159.00')
    const rate = page.getByLabel('Alaska: oversize, per tire')
    await rate.fill('17.50')
    await bar(page).getByText('1 unsaved change:').waitFor()
    expect(await bar(page).textContent()).toContain('Alaska: oversize, per tire 15.00 → 17.50.')
    await preview(page).getByText('$10.00 more than with the saved rates.').waitFor()
    expect(await preview(page).textContent()).toContain('Shopper pays$169.00')
    expect(await axeFindings(page)).toEqual([])
    // A field of the preview isn't part of the rates.
    await page.getByLabel('Tires', { exact: true }).fill('2')
    await preview(page).getByText('$5.00 more than with the saved rates.').waitFor()
    expect(await bar(page).textContent()).toContain('1 unsaved change:')

    await bar(page).getByRole('button', { name: 'Discard' }).click()
    await preview(page).getByText('The same as with the saved rates.').nth(1).waitFor()
    expect(await rate.inputValue()).toBe('15.00')
    expect(await bar(page).count()).toBe(0)

    await rate.fill('a lot')
    await preview(page).getByText('No preview. Enter an amount such as 24.75.').waitFor()
    await rate.fill('17.50')
    await bar(page).waitFor()
    await page.keyboard.press('Control+s')
    await page.waitForURL(/done=saved/)
    await page.getByText('Saved. New orders and every page use it within a second.').waitFor()
    expect(await rate.inputValue()).toBe('17.50')
  })
})

test('the rates table moves down by Enter and takes a block from a spreadsheet', async () => {
  await edit('/office/shipping-rates', 1280, async (page) => {
    const field = (label: string) => page.getByLabel(label, { exact: true })
    await field('Alaska: per tire').press('Enter')
    expect(await field('Hawaii: per tire').evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.press('Shift+Enter')
    await field('Alaska: per tire').evaluate((input) => {
      const data = new DataTransfer()
      data.setData('text/plain', '$1.50\t2.50\t3.50\t4.50\r\n5.50\t6.50\r\n')
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })
    await bar(page).getByText('6 unsaved changes:').waitFor()
    const labels = ['per tire', 'oversize, per tire', 'handling, per order', 'free from']
    const values = (zone: string) => Promise.all(labels.map((label) => field(`${zone}: ${label}`).inputValue()))
    expect(await values('Alaska')).toEqual(['1.50', '2.50', '3.50', '4.50'])
    expect(await values('Hawaii')).toEqual(['5.50', '6.50', '0.00', ''])
    await bar(page).getByRole('button', { name: 'Discard' }).click()
  })
})

test('leaving a warehouse with unsaved changes asks first, and its promise follows the form', async () => {
  await edit('/office/warehouses/1', 360, async (page) => {
    await page.getByLabel('Handling days').fill('9')
    await bar(page).getByText('1 unsaved change:').waitFor()
    await preview(page).getByText(/^Was /).first().waitFor()
    expect(await tooWide(page)).toEqual([])
    const asked = page.waitForEvent('dialog')
    await page.getByLabel('Handling days').press('End')
    const left = page.locator('.office-crumbs a').first().click()
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await left
    expect(await page.getByLabel('Handling days').inputValue()).toBe('9')
    // Saving is not leaving.
    await bar(page).getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/done=saved/)
  })
})

test('a button pressed before hydration saves the entries', async () => {
  await edit('/office/warehouses', 1280, async (page) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\/assets\/.*\.js/, async (route) => {
      await released
      await route.continue()
    })
    await page.goto(`${store.origin}/office/warehouses/new`, { waitUntil: 'commit' })
    const code = page.getByLabel('Code', { exact: true })
    await code.fill('EARLY')
    await page.getByRole('button', { name: 'Add the warehouse' }).hover()
    await page.mouse.down()
    release()
    await page.waitForFunction(() => Object.keys(document.forms[1] ?? {}).some((key) => key.startsWith('__react')))
    await waitUntilIdle(page)
    const sent = page.waitForRequest((request) => request.isNavigationRequest() && request.method() === 'POST')
    await page.mouse.up()
    expect((await sent).postData()).toContain('EARLY')
  })
})

test('carriers are put in order by key, by drag and by their places', async () => {
  await edit('/office/warehouses/1', 1280, async (page) => {
    const names = () => page.locator('.carrier-list .switch').allTextContents()
    const place = (name: string) => page.getByLabel(`${name}: place`)
    const grip = (name: string) => page.locator('.carrier-list li', { hasText: name }).locator('.carrier-grip')
    await page.getByLabel('FedEx', { exact: true }).check()
    await place('FedEx').press('Alt+ArrowUp')
    expect(await names()).toEqual(['FedEx', 'UPS', 'USPS', 'OnTrac'])
    expect(await place('FedEx').evaluate((select) => select === document.activeElement)).toBe(true)
    await page.getByText('FedEx is 1st of 4.').waitFor({ state: 'attached' })
    expect(await bar(page).textContent()).toContain('FedEx: place 2nd → 1st.')
    // The bars at the top and the bottom cover fields.
    expect(await axeFindings(page, { isLayered: true })).toEqual([])
    await bar(page).getByRole('button', { name: 'Discard' }).click()
    expect(await names()).toEqual(['UPS', 'FedEx', 'USPS', 'OnTrac'])

    await grip('OnTrac').dragTo(grip('UPS'))
    expect(await names()).toEqual(['OnTrac', 'UPS', 'FedEx', 'USPS'])
    await place('USPS').selectOption('2nd')
    expect(await names()).toEqual(['OnTrac', 'USPS', 'UPS', 'FedEx'])
    for (const name of ['UPS', 'OnTrac']) await page.getByLabel(name, { exact: true }).check()
    await page.keyboard.press('Control+s')
    await page.waitForURL(/done=saved/)
    expect(await names()).toEqual(['OnTrac', 'UPS', 'FedEx', 'USPS'])
  })
})

test('weekdays and zones of a warehouse are switched off, and the bar names each change', async () => {
  await edit('/office/warehouses/1', 768, async (page) => {
    const friday = page.getByLabel('Friday ships until')
    await friday.fill('11:30')
    await page.getByLabel('Ships to Hawaii').uncheck()
    await page.getByLabel('Transit days to Hawaii').fill('')
    await bar(page).getByText('3 unsaved changes:').waitFor()
    const text = await bar(page).textContent()
    expect(text).toContain('Friday ships until none → 11:30 AM.')
    expect(text).toContain('Ships to Hawaii on → off.')
    await page.getByLabel('Friday ships', { exact: true }).uncheck()
    expect(await friday.isVisible()).toBe(false)
    await page
      .getByRole('row', { name: /^Friday/ })
      .getByText('Does not ship')
      .waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByLabel('Shopper’s ZIP').fill('96813')
    await preview(page).getByText('This warehouse doesn’t ship to this ZIP code.').first().waitFor()
    await bar(page).getByRole('button', { name: 'Discard' }).click()
    expect(await page.getByLabel('Ships to Hawaii').isChecked()).toBe(true)
    await friday.waitFor()
  })
})
