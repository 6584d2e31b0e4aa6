/**
 * Tests the office's shell with the keyboard, including the drawer in narrow windows, the collapsed sidebar, and no
 * JavaScript.
 */
import { expect, test } from 'vitest'
import { contrastOf, leastContrast } from '#platform/contrast.ts'
import { axeFindings, openDrawn, openPage, signInAtWork } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()
const phone = { width: 360, height: 740 }

test('the drawer traps focus and restores it', { timeout: 90_000 }, async () => {
  await using context = await browser.newContext({ reducedMotion: 'reduce', viewport: phone })
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, 'owner@example.com')
  await openDrawn(page, `${store.origin}/office/audit`)
  const opener = page.getByRole('link', { name: 'Menu' })
  await opener.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await drawer.waitFor()
  expect(await axeFindings(page)).toEqual([])
  // The current page is in view and has the focus.
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  expect(await focused()).toBe('Audit log')
  const box = await drawer.getByRole('link', { name: 'Audit log' }).boundingBox()
  expect((box?.y ?? phone.height) + (box?.height ?? 0)).toBeLessThanOrEqual(phone.height)
  for (let step = 0; step < 30; step += 1) {
    await page.keyboard.press('Tab')
    expect(
      await page.evaluate(() => document.activeElement?.closest('#office-side, body')?.id ?? ''),
      `after ${step + 1} tabs`,
    ).not.toBe('main')
  }
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  expect(await focused()).toBe('Menu')
  await opener.press('Enter')
  await drawer.getByRole('button', { name: 'Close menu' }).press('Enter')
  await drawer.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

test(
  'the sidebar folds by its key, stays folded on the next page, and names its groups',
  { timeout: 90_000 },
  async () => {
    await using context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } })
    const { page, complaints } = await openPage(context)
    await signInAtWork({ page, store }, 'owner@example.com')
    await openDrawn(page, `${store.origin}/office/settings`)
    const side = page.getByRole('navigation', { name: 'Back office' })
    const widthOf = async () => Math.round((await side.boundingBox())?.width ?? 0)
    expect(await widthOf()).toBe(220)
    const saved = page.waitForResponse(/\/office\/sidebar$/)
    await page.keyboard.press('[')
    await saved
    expect(await widthOf()).toBe(64)
    expect(await axeFindings(page)).toEqual([])
    await openDrawn(page, `${store.origin}/office/returns`)
    expect(await widthOf()).toBe(64)
    await side.getByRole('link', { name: 'Finance' }).waitFor()
    await page.getByRole('button', { name: 'Expand sidebar' }).press('Enter')
    expect(await widthOf()).toBe(220)
    expect(complaints).toEqual([])
  },
)

test('single-key shortcuts can be turned off in the account, and Ctrl K still works', { timeout: 60_000 }, async () => {
  await using context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } })
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, 'sales@example.com')
  const rowHasFocus = () => page.evaluate(() => document.activeElement?.closest('tr[data-row]') !== null)
  const turn = async (isOn: boolean) => {
    await openDrawn(page, `${store.origin}/office/account`)
    await page.getByLabel('Use single keys as shortcuts').setChecked(isOn)
    await page.getByRole('button', { name: 'Save keyboard' }).press('Enter')
    await page.getByText('Saved.').waitFor()
    await openDrawn(page, `${store.origin}/office/orders`)
    // It is there once the keys work.
    await page.getByLabel('Select all rows').waitFor()
  }
  await turn(false)
  for (const key of ['j', 'f', '?', '[']) await page.keyboard.press(key)
  expect(await rowHasFocus()).toBe(false)
  expect(await page.locator('#office-keys:popover-open, #list-filters[open], .office-side.is-folded').count()).toBe(0)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await turn(true)
  await page.keyboard.press('j')
  expect(await rowHasFocus()).toBe(true)
  expect(complaints).toEqual([])
})

test('without script the menu is a page, and the sidebar folds by its button', { timeout: 60_000 }, async () => {
  await using context = await browser.newContext({ javaScriptEnabled: false, viewport: phone })
  const { page } = await openPage(context)
  await signInAtWork({ page, store }, 'owner@example.com')
  await page.goto(`${store.origin}/office/orders`)
  await page.getByRole('link', { name: 'Menu' }).click()
  await page.waitForURL(/\/office\/menu$/)
  await page.getByRole('main').getByRole('link', { name: 'Audit log' }).click()
  await page.waitForURL(/\/office\/audit$/)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Collapse sidebar' }).click()
  await page.waitForURL(/\/office\/audit$/)
  await page.getByRole('button', { name: 'Expand sidebar' }).waitFor()
})

test('search gives the focus back, opens a new tab, and works without script', { timeout: 90_000 }, async () => {
  await using context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 1280, height: 800 } })
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, 'owner@example.com')
  await openDrawn(page, `${store.origin}/office/staff`)
  const link = page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name: 'Finance' })
  const box = page.getByRole('combobox', { name: 'Search or type a command' })
  for (const key of ['Control+k', '/']) {
    await link.focus()
    await page.keyboard.press(key)
    await box.waitFor()
    await page.keyboard.press('Escape')
    await box.waitFor({ state: 'detached' })
    expect(await link.evaluate((element) => element === document.activeElement), key).toBe(true)
  }
  await page.keyboard.press('Control+k')
  await box.fill('audit')
  const line = page.getByRole('option', { name: /Audit log/ })
  await line.waitFor()
  await page
    .getByRole('status')
    .getByText(/^\d+ results?$/)
    .waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  const selected = page.locator('[role="option"][aria-selected="true"]')
  const path = (await selected.getAttribute('href')) ?? ''
  const opened = context.waitForEvent('page')
  await page.keyboard.press('Control+Enter')
  const tab = await opened
  await tab.waitForURL(store.origin + path)
  expect(page.url()).toBe(`${store.origin}/office/staff`)
  expect(complaints).toEqual([])

  await using plain = await browser.newContext({ javaScriptEnabled: false, storageState: await context.storageState() })
  const { page: written } = await openPage(plain)
  await written.goto(`${store.origin}/office/staff`)
  await written.getByRole('searchbox').fill('example.com')
  await written.keyboard.press('Enter')
  await written.waitForURL(/\/office\/search\?q=example\.com/)
})

test(
  'controls that a role cannot change look different from others and stay readable',
  { timeout: 90_000 },
  async () => {
    const looksOf = async (email: string) => {
      await using context = await browser.newContext({ reducedMotion: 'reduce', viewport: phone })
      const { page, complaints } = await openPage(context)
      await signInAtWork({ page, store }, email)
      await page.goto(`${store.origin}/office/warehouses/1`, { waitUntil: 'load' })
      const looks = await page.locator('main .input').evaluateAll((inputs) =>
        inputs.map((input) => {
          const { color, backgroundColor, borderColor, borderStyle, opacity } = getComputedStyle(input)
          const none = 'rgba(0, 0, 0, 0)'
          // A panel is white.
          const panel = backgroundColor === none ? 'rgb(255, 255, 255)' : backgroundColor
          const [text = '', ground = ''] = [color, panel].map(
            (rgb) => `#${(rgb.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`,
          )
          return { text, ground, hasBox: borderStyle === 'solid' && borderColor !== none, opacity }
        }),
      )
      expect(complaints).toEqual([])
      return looks
    }
    const [mine, theirs] = [await looksOf('owner@example.com'), await looksOf('support@example.com')]
    expect(theirs.length).toBeGreaterThan(3)
    // The code of a warehouse with stock is fixed.
    expect(mine.filter(({ hasBox }) => !hasBox)).toHaveLength(1)
    expect(theirs.filter(({ hasBox, opacity }) => hasBox || opacity !== '1')).toEqual([])
    expect(theirs.filter(({ text, ground }) => contrastOf(text, ground) < leastContrast)).toEqual([])
  },
)
