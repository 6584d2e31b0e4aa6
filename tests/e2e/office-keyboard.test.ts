/** Tests the tasks of docs/office-keyboard.md with only the keyboard. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { openPage, signInAtWork } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()
/** No page has more controls. */
const maxTabs = 200

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement)

/** Presses Tab until the control has the focus, which must be visible. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let step = 0; step < maxTabs && !(await hasFocus(target)); step += 1) await page.keyboard.press('Tab')
  expect(await hasFocus(target), `${String(target)} after ${maxTabs} tabs`).toBe(true)
  const ring = await target.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth)
  })
  expect(ring, `focus ring of ${String(target)}`).toBeGreaterThanOrEqual(2)
}

/** Opens the search with Ctrl+K, moves to a result with the arrow keys, and opens it. */
async function jump(page: Page, text: string, result: RegExp): Promise<void> {
  await page.locator('.office-command').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or type a command' }).waitFor()
  await page.keyboard.type(text)
  const option = page.getByRole('option', { name: result }).first()
  await option.waitFor()
  const isChosen = async () => (await option.getAttribute('aria-selected')) === 'true'
  for (let step = 0; step < 20 && !(await isChosen()); step += 1) await page.keyboard.press('ArrowDown')
  expect(await isChosen(), String(result)).toBe(true)
  await page.keyboard.press('Enter')
}

/** Returns once the page's script handles keys. */
const ready = (page: Page) => page.waitForLoadState('networkidle')

async function takeOrder(): Promise<number> {
  const { id } = await store.database.db
    .selectFrom('sales_order')
    .select('id')
    .where('state', '=', 'confirmed')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  return id
}

test('the main tasks of the office need only the keyboard', { timeout: 180_000 }, async () => {
  const orderId = await takeOrder()
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, 'owner@example.com')

  // Help lists the keys.
  await ready(page)
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.waitFor()
  for (const text of ['Select the row', 'Preview the row', 'Save changes'])
    expect(await help.innerText()).toContain(text)
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })

  // Find an order, and add a note.
  const number = orderNumber(orderId)
  await jump(page, number, new RegExp(`^${number}`))
  await page.waitForURL(`${store.origin}/office/orders/${orderId}`)
  await ready(page)
  await page.keyboard.press('n')
  await page.waitForURL(/act=note/)
  await ready(page)
  expect(await hasFocus(page.locator('#note').getByLabel('Note', { exact: true }))).toBe(true)
  await page.keyboard.type('Called about the late parcel.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Note added.').waitFor()
  await page.getByText('Called about the late parcel.').first().waitFor()

  // Walk a list, select rows, and preview one.
  await ready(page)
  await jump(page, 'All orders', /^All orders/)
  await page.waitForURL(`${store.origin}/office/orders`)
  await ready(page)
  const rows = page.getByRole('table', { name: 'Orders' }).locator('tbody tr')
  const idOf = async (index: number) => (await rows.nth(index).getAttribute('data-row')) ?? ''
  const focusedRow = () => page.evaluate(() => document.activeElement?.closest('tr')?.dataset['row'])
  for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
  expect(await focusedRow()).toBe(await idOf(1))
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('2 selected').waitFor()
  await page.keyboard.press('Space')
  const panel = page.getByRole('complementary', { name: /^Preview of/ })
  await panel.getByRole('heading', { name: await idOf(2) }).waitFor()
  await page.keyboard.press('j')
  await panel.getByRole('heading', { name: await idOf(3) }).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  expect(await focusedRow()).toBe(await idOf(3))

  // Change a setting.
  await jump(page, 'Shipping rates', /^Shipping rates/)
  await page.waitForURL(/\/office\/shipping-rates/)
  await ready(page)
  const rate = page.getByLabel('Alaska: per tire', { exact: true })
  await tabTo(page, rate)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('19.75')
  await page.getByRole('region', { name: 'Unsaved changes' }).getByText('1 unsaved change:').waitFor()
  await page.keyboard.press('Control+s')
  await page.waitForURL(/done=saved/)
  expect(await rate.inputValue()).toBe('19.75')

  // Sign out.
  await ready(page)
  await tabTo(page, page.locator('.office-top .office-account-button'))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Sign out' }))
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !/^\/office(?!\/sign-)/.test(url.pathname))
  await page.goto(`${store.origin}/office`)
  await page.waitForURL(/\/office\/sign-in/)
  expect(complaints).toEqual([])
})
