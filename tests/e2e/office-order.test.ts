/** Tests the order page's keyboard menu, reply draft, accessibility, and horizontal scrolling in a browser. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { launchBrowser } from '#tests/support/browser.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { axeFindings, openDrawn, openPage, signInAtWork } from './journey.ts'
import { tooWide } from './phone.ts'

const browser = await launchBrowser()
let store: RunningStore
let path = ''
beforeAll(async () => {
  store = await startStore()
  const { id } = await store.database.db
    .selectFrom('sales_order')
    .innerJoin('booking', 'booking.order_id', 'sales_order.id')
    .select('sales_order.id')
    .where('sales_order.state', '=', 'confirmed')
    .where('booking.state', '=', 'confirmed')
    .where('released_at', 'is not', null)
    .orderBy('sales_order.id', 'desc')
    .executeTakeFirstOrThrow()
  path = `/office/orders/${id}`
}, 120_000)
afterAll(async () => {
  await browser.close()
  await store[Symbol.asyncDispose]()
})

/** Opens the order as support in a window of this width, and expects no complaint of the browser. */
async function look(width: number, does: (page: Page) => Promise<void>): Promise<void> {
  await using context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
  const { page, complaints } = await openPage(context)
  await signInAtWork({ page, store }, 'support@example.com')
  await openDrawn(page, store.origin + path)
  // The arrow keys work once the page's script does.
  await page.waitForLoadState('networkidle')
  await does(page)
  expect(complaints).toEqual([])
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')

test('the menu opens, moves and closes by keyboard, and gives the focus back', { timeout: 90_000 }, async () => {
  await look(1280, async (page) => {
    const more = page.locator('.office-more > summary')
    await more.focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('navigation', { name: 'More actions' })
    await panel.waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    const first = await focused(page)
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    expect(await focused(page)).toBe(first)
    // Unavailable actions come last and explain why on request.
    await page.keyboard.press('End')
    expect(await focused(page)).toContain('Why?')
    await page.keyboard.press('Enter')
    expect(await panel.locator('details[open] p').innerText()).not.toBe('')
    await page.keyboard.press('Escape')
    expect(await panel.isVisible()).toBe(false)
    expect(await focused(page)).toContain('More')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1 }).click()
    expect(await panel.isVisible()).toBe(false)
  })
})

test(
  'a reply that was not sent is there again on the same order, and goes once it is sent',
  { timeout: 90_000 },
  async () => {
    await look(1280, async (page) => {
      const box = page.getByLabel(/^Message to /)
      await page.getByRole('radio', { name: 'Email' }).check({ force: true })
      const saved = page.waitForResponse((answer) => answer.request().postData()?.startsWith('intent=draft') === true)
      await box.fill('Your tires are at the shop.')
      await saved
      await page.reload()
      await expect.poll(() => box.inputValue()).toBe('Your tires are at the shop.')
      await box.press('Control+Enter')
      await page.getByText('Email sent to the customer.').waitFor()
      await page.getByText('Your tires are at the shop.').first().waitFor()
      await expect.poll(() => box.inputValue()).toBe('')
    })
  },
)

test.for([360, 768, 1280])('passes axe at %i px, and does not scroll sideways', { timeout: 90_000 }, async (width) => {
  await look(width, async (page) => {
    expect(await tooWide(page)).toEqual([])
    expect(await axeFindings(page)).toEqual([])
    if (width > 599) return
    // On a phone, the next step is in a separate row above the others.
    const [primary, more] = await Promise.all([
      page.locator('.office-detail-acts > .primary').boundingBox(),
      page.locator('.office-more > summary').boundingBox(),
    ])
    expect(primary?.width).toBeGreaterThan(300)
    expect((primary?.y ?? 0) + (primary?.height ?? 0)).toBeLessThanOrEqual(more?.y ?? 0)
  })
})
