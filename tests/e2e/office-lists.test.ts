/** Tests the office's order list with only the keyboard, and without JavaScript. */
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeFindings, openDrawn, openPage, signInAtWork, waitUntilDrawn } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

test('rows are walked, previewed, selected, exported and opened by keyboard', { timeout: 90_000 }, async () => {
  await using context = await browser.newContext({ reducedMotion: 'reduce' })
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, 'owner@example.com')
  await openDrawn(page, `${store.origin}/office/orders`)
  const rows = page.getByRole('table', { name: 'Orders' }).locator('tbody tr')
  expect(await axeFindings(page)).toEqual([])
  const focused = () => page.evaluate(() => document.activeElement?.closest('tr')?.dataset['row'])
  const idOf = (index: number) => rows.nth(index).getAttribute('data-row')
  const panel = page.getByRole('complementary', { name: /^Preview of/ })

  await page.keyboard.press('j')
  expect(await focused()).toBe(await idOf(0))
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  expect(await focused()).toBe(await idOf(1))

  // Space opens the preview, and J moves through the list without closing it.
  await page.keyboard.press('Space')
  await panel.getByRole('heading', { name: (await idOf(1)) ?? '' }).waitFor()
  expect(new URL(page.url()).searchParams.get('preview')).toBe(await idOf(1))
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('j')
  await panel.getByRole('heading', { name: (await idOf(2)) ?? '' }).waitFor()
  expect(await focused()).toBe(await idOf(2))
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).toBe('')

  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await rows
    .nth(4)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await page.getByText('3 selected').waitFor()
  // Actions that not every selected row allows are in a menu, with the number of rows.
  await page.getByLabel('Select all rows').check()
  await page.locator('.list-more > summary').press('Enter')
  await page.getByRole('button', { name: /^Confirm, \d+ of \d+$/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Confirm,/ }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Clear' }).click()
  await rows.nth(2).getByRole('checkbox').check()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export selected' }).press('Enter')
  expect(new URL((await download).url()).search).toBe(`?order=${await idOf(2)}`)

  await page.keyboard.press('/')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('list-find')
  await page.keyboard.type('jx')
  expect(await page.getByLabel('Find in this view').inputValue()).toBe('jx')
  await page.keyboard.press('Tab')
  await page.keyboard.press('f')
  await page.getByLabel('Shop', { exact: true }).waitFor()
  // The open menu covers the bar.
  expect(await axeFindings(page, { isLayered: true })).toEqual([])

  await page.locator('h1').click()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/office\/orders\/\d+$/)
  expect(complaints.filter((complaint) => !complaint.includes('download'))).toEqual([])
})

test('clicking a row outside its links opens its preview', { timeout: 90_000 }, async () => {
  await using context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 360, height: 740 } })
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, 'owner@example.com')
  await openDrawn(page, `${store.origin}/office/orders`)
  const row = page.locator('tbody tr').first()
  const number = (await row.getAttribute('data-row')) ?? ''
  await row.locator('[data-label=Total]').click()
  const panel = page.getByRole('complementary', { name: `Preview of ${number}` })
  await panel.getByRole('link', { name: 'Close preview' }).click()
  await panel.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test('the search box lists what it finds, and opens it by keyboard', { timeout: 90_000 }, async () => {
  await using context = await browser.newContext({ reducedMotion: 'reduce' })
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, 'owner@example.com')
  // A page without a list has the same box.
  await openDrawn(page, `${store.origin}/office/staff`)
  await page.keyboard.press('/')
  const box = page.getByRole('combobox', { name: 'Search or type a command' })
  await box.waitFor()
  await page.keyboard.type('grant')
  const line = page.getByRole('option', { name: /Grant Delivery/ }).first()
  await line.waitFor()
  expect(await axeFindings(page)).toEqual([])
  // Records come before pages, and the first line is the one that Enter opens.
  expect(await page.getByRole('option').first().getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('ArrowDown')
  const path = await page.getByRole('option').nth(1).getAttribute('href')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${store.origin}${path}`)
  await waitUntilDrawn(page)

  // Without results, Enter opens the results page.
  await page.keyboard.press('Control+k')
  await box.fill('no such thing')
  await page.getByRole('status').getByText('1 result').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/office\/search\?q=no(?:\+|%20)such/)
  expect(complaints).toEqual([])
})

test('a range of days is chosen in a calendar, in the store’s zone', { timeout: 90_000 }, async () => {
  await using context = await browser.newContext({ reducedMotion: 'reduce' })
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, 'owner@example.com')
  for (const path of ['/office/orders?from=2026-11-02&to=2026-11-20', '/office/audit?from=2026-11-02&to=2026-11-20']) {
    await page.goto(`${store.origin}${path}`)
    await page.getByText('Filter', { exact: true }).click()
    const days = page.getByRole('group', { name: /, Eastern time/ })
    await days.getByRole('button').click()
    const calendar = page.getByRole('dialog')
    await calendar.getByRole('button', { name: /November 9, 2026/ }).click()
    await calendar.getByRole('button', { name: /November 11, 2026/ }).click()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(/from=2026-11-09&to=2026-11-11/)
  }
  expect(complaints).toEqual([])
})

test('an order is canceled only after the dialog has asked', { timeout: 90_000 }, async () => {
  await using context = await browser.newContext({ reducedMotion: 'reduce' })
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, 'owner@example.com')
  const { id } = await store.database.db
    .selectFrom('sales_order')
    .select('id')
    .where('state', '=', 'needs-confirmation')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  await page.goto(`${store.origin}/office/orders/${id}/cancel`)
  await page.getByLabel('Reason').fill('Sold out.')
  const button = page.locator('#act button[aria-haspopup=dialog]')
  await button.press('Enter')
  const dialog = page.getByRole('alertdialog', { name: `Cancel order S-${id}?` })
  await dialog.waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Reason').inputValue()).toBe('Sold out.')
  await button.press('Enter')
  await page.getByRole('button', { name: `Yes, cancel S-${id}` }).press('Enter')
  await page.waitForURL(/done=cancel/)
  expect(complaints).toEqual([])
})

/** The scripts that a page loads while `walk` uses it, each with its text. */
async function scriptsOf(path: string, walk: (page: Page) => Promise<void>, who: string | null) {
  await using context = await browser.newContext({ reducedMotion: 'reduce' })
  const { page } = await openPage(context)
  if (who) await signInAtWork({ page, store }, who)
  const loaded: Promise<string>[] = []
  page.on('response', (answer) => {
    if (answer.request().resourceType() === 'script') loaded.push(answer.text())
  })
  await page.goto(`${store.origin}${path}`, { waitUntil: 'networkidle' })
  await walk(page)
  return Promise.all(loaded)
}

const isReactAria = (script: string) => script.includes('react-aria')

test(
  'the office loads at most 300 kB of script, with its search box and calendar open',
  { timeout: 90_000 },
  async () => {
    const scripts = await scriptsOf(
      '/office/orders',
      async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: 'Search or type a command' }).fill('grant')
        await page.getByRole('option', { name: /Grant/ }).first().waitFor()
        await page.keyboard.press('Escape')
        await page.getByText('Filter', { exact: true }).click()
        await page
          .getByRole('group', { name: /, Eastern time/ })
          .getByRole('button')
          .click()
        await page.getByRole('dialog').waitFor()
      },
      'owner@example.com',
    )
    expect(scripts.some(isReactAria)).toBe(true)
    const kb = scripts.reduce((sum, script) => sum + gzipSync(script).length, 0) / 1000
    expect(kb).toBeLessThanOrEqual(300)
  },
)

test('shopper pages don’t load back office code', { timeout: 120_000 }, async () => {
  for (const path of ['/', '/tire-sizes/225-65r17', '/cart', '/track-your-order', '/contact']) {
    const scripts = await scriptsOf(path, (page) => page.mouse.wheel(0, 4_000), null)
    expect(scripts.filter(isReactAria), path).toHaveLength(0)
  }
})

test('without script it is a table of links, with checkboxes in a form', { timeout: 60_000 }, async () => {
  await using context = await browser.newContext({ javaScriptEnabled: false })
  const { page } = await openPage(context)
  await signInAtWork({ page, store }, 'owner@example.com')
  await page.goto(`${store.origin}/office/orders`)
  const first = page.getByRole('checkbox').first()
  await first.check()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export selected' }).click()
  expect(new URL((await download).url()).search).toBe(`?order=${await first.getAttribute('value')}`)
  await page.getByRole('link', { name: 'Next' }).click()
  await page.waitForURL(/after=S-/)
  expect(await page.getByRole('link', { name: 'Previous' }).count()).toBe(1)
  await page
    .getByRole('link', { name: /^Preview S-/ })
    .first()
    .click()
  await page
    .getByRole('complementary', { name: /^Preview of S-/ })
    .getByRole('link', { name: 'Open order' })
    .waitFor()
  await page.getByRole('link', { name: 'Close preview' }).click()
  await page.getByText('Filter', { exact: true }).click()
  await page.getByRole('combobox', { name: 'Delivery method' }).selectOption('shop')
  await page.getByRole('button', { name: 'Apply' }).first().click()
  await page.waitForURL(/fulfillment=shop/)
  await page.getByRole('link', { name: /^Delivery method Shop/ }).click()
  await page.waitForURL(/\/office\/orders$/)
})
