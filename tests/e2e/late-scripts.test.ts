/**
 * Modules come after the first paint, and on catalog pages after the first interaction. Earlier actions happen again
 * once the page is hydrated, or work without script.
 */
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, signInAtWork, waitUntilIdle } from './journey.ts'
import { shiftFaults } from './page-faults.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()
const listing = '/tire-sizes/225-65r17'
const product = '/brands/kestrel/alltide-as2/p/100001'

const isModule = (url: URL) => url.pathname.startsWith('/assets/') && url.pathname.endsWith('.js')

/** Holds all modules back until `open` is called, or fails them. */
async function holdModules(page: Page): Promise<{ open(): void; asked: string[] }> {
  const asked: string[] = []
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  await page.route(isModule, async (route: Route) => {
    asked.push(route.request().url())
    await opened
    await route.continue()
  })
  return { open, asked }
}

function isHydrated(): boolean {
  return Object.keys(document.querySelector('main') ?? {}).some((key) => key.startsWith('__reactFiber'))
}

/** The times at which the page requested modules. */
function moduleTimes(): number[] {
  const entries = performance.getEntriesByType('resource').filter(({ name }) => /\/assets\/.*\.js$/.test(name))
  return entries.map(({ startTime }) => startTime)
}

test('a form loads no module before it is painted', async () => {
  await using context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/brands/kestrel/alltide-as2/write-a-review`)
  await page.waitForFunction(isHydrated)
  const modules = await page.evaluate(moduleTimes)
  const painted = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
  expect(modules.length).toBeGreaterThan(5)
  expect(Math.min(...modules)).toBeGreaterThan(painted ?? Infinity)
  expect(complaints).toEqual([])
})

test.for(['/', listing, product])('%s loads modules on first use, without a layout shift', async (path) => {
  await using context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}${path}`)
  await waitUntilIdle(page)
  expect(await page.evaluate(moduleTimes)).toEqual([])
  await page.keyboard.press('Shift')
  await page.waitForFunction(isHydrated)
  expect((await page.evaluate(moduleTimes)).length).toBeGreaterThan(5)
  expect(await shiftFaults(page)).toEqual([])
  expect(complaints).toEqual([])
})

test('a pointer over a control, but not over text, loads the modules of a list', async () => {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page } = await openPage(context)
  await page.goto(`${store.origin}${listing}`)
  await page.locator('h1').hover()
  await waitUntilIdle(page)
  expect(await page.evaluate(moduleTimes)).toEqual([])
  await page.locator('#filters label').first().hover()
  await page.waitForFunction(isHydrated)
})

test('going back after reloading a filtered list removes the filter', async () => {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}${listing}`)
  const total = await page.locator('#results-title').innerText()
  await page.locator('#filters input[type=checkbox]:enabled').first().check()
  await page.waitForURL((url) => url.search !== '')
  await page.reload()
  await page.goBack()
  await page.locator('#results-title').filter({ hasText: total }).waitFor()
  await expect.poll(() => page.locator('#filters input[type=checkbox]:checked').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a quantity that fails to load shows an error below the header, with a link to try again', async () => {
  await using context = await browser.newContext()
  const { page } = await openPage(context)
  await page.goto(`${store.origin}${product}`)
  await page.route(/\.data\?/, (route) => route.abort())
  await page.getByRole('button', { name: 'One more' }).click()
  await page.getByRole('heading', { name: 'The store cannot be reached.' }).waitFor()
  expect(await page.locator('.site-header .logo').count()).toBe(1)
  await page.unroute(/\.data\?/)
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('spinbutton', { name: 'Quantity' }).waitFor()
  expect(await page.getByRole('spinbutton', { name: 'Quantity' }).inputValue()).toBe('5')
})

test('a page without modules notes that it is offline', async () => {
  await using context = await browser.newContext()
  const { page } = await openPage(context)
  await page.goto(`${store.origin}${listing}`)
  const note = page.getByRole('status').filter({ hasText: 'You seem to be offline' })
  await context.setOffline(true)
  await note.waitFor()
  await context.setOffline(false)
  await note.waitFor({ state: 'detached' })
  await page.keyboard.press('Shift')
  await page.waitForFunction(isHydrated)
})

test('a press, a choice and typed text before the page is hydrated happen once it is', async () => {
  await using context = await browser.newContext()
  const { page, complaints } = await openPage(context)
  const { open, asked } = await holdModules(page)
  await page.goto(`${store.origin}${product}`)
  const quantity = page.locator('.quantity output, .quantity input, .quantity select').first()
  const before = await quantity.evaluate((part) => ('value' in part ? String(part.value) : part.textContent))
  await page.getByRole('button', { name: 'One more' }).click()
  await page.getByRole('combobox', { name: /^Search by vehicle/ }).pressSequentially('kes')
  expect(asked.length).toBeGreaterThan(0)
  expect(await page.evaluate(isHydrated)).toBe(false)
  open()
  await page.getByRole('option').first().waitFor()
  expect(await page.getByRole('combobox', { name: /^Search by vehicle/ }).inputValue()).toBe('kes')
  const after = await quantity.evaluate((part) => ('value' in part ? String(part.value) : part.textContent))
  expect(Number(after)).toBe(Number(before) + 1)
  expect(complaints).toEqual([])
})

test('a reason chosen before a refund’s form is hydrated fills in who bears the cost', async () => {
  await using context = await browser.newContext()
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, 'support@example.com')
  const { id } = await store.database.db
    .selectFrom('payment')
    .select('order_id as id')
    .where('state', '=', 'captured')
    .where('refunded_cents', '=', 0)
    .where('order_id', 'is not', null)
    .executeTakeFirstOrThrow()
  const { open } = await holdModules(page)
  await page.goto(`${store.origin}/office/orders/${id}?act=refund`, { waitUntil: 'commit' })
  await page.getByLabel('Reason', { exact: true }).selectOption('late')
  expect(await page.getByLabel('Cost charged to').inputValue()).toBe('')
  open()
  await expect.poll(() => page.getByLabel('Cost charged to').inputValue(), { timeout: 15_000 }).toBe('carrier')
  expect(complaints).toEqual([])
})

test('a year that is replayed late doesn’t undo the make chosen meanwhile', async () => {
  await using context = await browser.newContext()
  const { page, complaints } = await openPage(context)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const replay = (url: URL) => url.pathname.startsWith('/assets/replay-early')
  const { open } = await holdModules(page)
  await page.route(replay, async (route) => {
    await released
    await route.continue()
  })
  await page.goto(store.origin)
  await page.getByLabel('Year').selectOption('2019')
  open()
  await page.getByLabel('Make').selectOption('honda')
  const replayed = page.waitForResponse((response) => replay(new URL(response.url())))
  release()
  await replayed
  await page.getByLabel('Model').selectOption({ label: 'CR-V' })
  expect(await page.getByLabel('Make').inputValue()).toBe('honda')
  expect(complaints).toEqual([])
})

test('a year chosen before the finder is hydrated brings the makes', async () => {
  await using context = await browser.newContext()
  const { page, complaints } = await openPage(context)
  const { open } = await holdModules(page)
  await page.goto(store.origin)
  await page.getByLabel('Year').selectOption('2019')
  open()
  await page.waitForFunction(() => document.querySelector<HTMLSelectElement>('#finder-make')?.disabled === false)
  await page.getByLabel('Make').selectOption('honda')
  await page.waitForFunction(() => document.querySelector<HTMLSelectElement>('#finder-model')?.disabled === false)
  expect(await page.getByLabel('Year').inputValue()).toBe('2019')
  expect(complaints).toEqual([])
})

test('a filter chosen before the listing is hydrated filters it', async () => {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page, complaints } = await openPage(context)
  const { open } = await holdModules(page)
  await page.goto(`${store.origin}${listing}`)
  await page.locator('#filters input[type=checkbox]:enabled').first().check()
  open()
  await page.waitForURL((url) => url.search !== '')
  expect(await page.locator('#filters input[type=checkbox]:checked').count()).toBe(1)
  expect(complaints).toEqual([])
})

test('rejected text is restored with edits and marks during hydration', async () => {
  await using context = await browser.newContext()
  const { page, complaints } = await openPage(context)
  const { open, asked } = await holdModules(page)
  await page.goto(`${store.origin}/brands/kestrel/alltide-as2/write-a-review`)
  const comments = page.getByLabel('What is it like to drive on?')
  const send = page.getByRole('button', { name: 'Send review' })
  await comments.fill('Quiet')
  await send.click()
  await page.getByRole('alert').first().waitFor()
  await comments.fill('Quiet on wet roads')
  expect(asked.length).toBeGreaterThan(0)
  expect(await page.evaluate(isHydrated)).toBe(false)
  open()
  await page.waitForFunction(isHydrated)
  expect(await comments.inputValue()).toBe('Quiet on wet roads')

  const again = await holdModules(page)
  await send.click()
  await page.getByRole('alert').first().waitFor()
  expect(await page.evaluate(isHydrated)).toBe(false)
  await comments.selectText()
  again.open()
  await page.waitForFunction(isHydrated)
  await page.keyboard.type('Loud')
  expect(await comments.inputValue()).toBe('Loud')
  expect(complaints).toEqual([])
})

test('in-place controls wait for script and otherwise work as links', async () => {
  await using context = await browser.newContext()
  const { page } = await openPage(context)
  const { open } = await holdModules(page)
  await page.goto(store.origin)
  await page.locator('.zip-link').click()
  open()
  await page.getByRole('dialog').waitFor()
  expect(page.url()).toBe(`${store.origin}/`)

  const offline = await context.newPage()
  await offline.route(isModule, (route) => route.abort())
  await offline.goto(store.origin)
  await offline.locator('.zip-link').click()
  await offline.waitForURL(`${store.origin}/zip`)
})
