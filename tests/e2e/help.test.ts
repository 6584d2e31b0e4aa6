/** Help, contact and working offline, in a browser. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newestMail } from '#tests/support/mailbox.ts'
import { axeFindings, openPage } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

const { store, browser } = await startStoreAndBrowser()

/** Uses a page, so that it loads its script while it is online. */
async function useOnce(page: Page): Promise<void> {
  await page.keyboard.press('Shift')
  await page.waitForFunction(() => Object.keys(document.body).some((key) => key.startsWith('__reactFiber')))
}

async function fillMessage(page: Page, email: string): Promise<void> {
  await page.getByLabel('First name').fill('Dana')
  await page.getByLabel('Last name').fill('Ruiz')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Phone', { exact: true }).fill('(312) 555-0142')
  await page.getByLabel('What is it about?').selectOption('A return or refund')
  await page.getByLabel('Message').fill('Two tires, never mounted.')
}

test('the pages pass axe, and do not scroll sideways at phone width', async () => {
  const context = await browser.newContext({
    bypassCSP: true,
    reducedMotion: 'reduce',
    viewport: { width: 320, height: 800 },
  })
  const page = await context.newPage()
  for (const path of [
    '/about',
    '/privacy-policy',
    '/free-shipping',
    '/tires-for-rideshare-drivers',
    '/faqs',
    '/help-center',
    '/help-center?q=return',
    '/contact',
    '/tire-sales',
    '/sitemap',
    '/no/such/page',
  ]) {
    await page.goto(`${store.origin}${path}`)
    expect(await axeFindings(page), path).toEqual([])
    expect(await tooWide(page), path).toEqual([])
  }
  await context.close()
})

test('without script, a question is found and opened by keyboard, and its page links onward', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/help-center`)
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('cancel my order')
  await page.keyboard.press('Enter')
  await page.waitForURL(/q=cancel/)
  const answer = page.getByRole('link', { name: 'Can I cancel my order?' })
  await answer.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/faqs#/)
  await page.getByText('for 30 minutes after placing it').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

test('without script a message is sent, its emails arrive, and staff find it', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/contact`)
  await fillMessage(page, 'dana.help@example.com')
  await page
    .getByLabel('Picture or PDF')
    .setInputFiles({ name: 'invoice.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF\n') })
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.waitForURL(/contact\/thanks/)
  await page.getByRole('heading', { name: 'We have your message' }).waitFor()
  const mail = await newestMail(store, 'dana.help@example.com')
  expect(mail.subject).toMatch(/^We have your message: R-\d+$/)
  const toStore = await newestMail(store, 'help@sidewall.example')
  expect(toStore.text).toContain('Two tires, never mounted.')
  expect(complaints).toEqual([])
  await context.close()
})

test('with script a message survives a lost and a slow connection, and is sent once', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${store.origin}/contact`)
  await fillMessage(page, 'dana.offline@example.com')
  await page
    .getByLabel('Picture or PDF')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(1024 * 1024 + 1) })
  await page.getByText('File size is greater than 1MB').waitFor()

  await context.setOffline(true)
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByText('Message failed to send').waitFor()
  expect(await page.getByLabel('Message').inputValue()).toBe('Two tires, never mounted.')

  await context.setOffline(false)
  // While waiting, the button shows that it is sending, and a second click has no effect.
  const isSeen = Promise.withResolvers<void>()
  await page.route('**/contact', async (route) => {
    if (route.request().method() === 'POST') await isSeen.promise
    await route.continue()
  })
  const before = await page.locator('main form button').boundingBox()
  await page.getByRole('button', { name: 'Send message' }).click()
  const pending = page.getByRole('button', { name: 'Sending…' })
  await pending.waitFor()
  expect(await pending.boundingBox()).toEqual(before)
  await pending.click()
  isSeen.resolve()
  await page.waitForURL(/contact\/thanks/)
  const kept = await store.database.db
    .selectFrom('support_request')
    .select('id')
    .where('email', '=', 'dana.offline@example.com')
    .execute()
  expect(kept).toHaveLength(1)
  await context.close()
})

test('with script a refused form shows its errors and moves the focus to them', async () => {
  const context = await browser.newContext()
  const { page } = await openPage(context)
  await page.goto(`${store.origin}/tire-sales`)
  await page.getByLabel('Name').fill('Lee Park')
  await page.getByLabel('Tire size').fill('large')
  await page.getByRole('button', { name: 'Request a quote' }).click()
  await page.getByText('Please enter a valid email').first().waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Lee Park')
  expect(await page.evaluate(() => document.activeElement?.className)).toContain('error-summary')
  await page.getByLabel('Email').fill('lee@example.com')
  await page.getByLabel('Tire size').fill('225/65R17')
  await page.getByRole('button', { name: 'Request a quote' }).click()
  await page.waitForURL(/tire-sales\/thanks/)
  await context.close()
})

test('offline, the finder retains the choice and continues on retry', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${store.origin}/`, { waitUntil: 'networkidle' })
  await useOnce(page)
  await context.setOffline(true)
  await page.getByLabel('Year').selectOption('2021')
  await page.getByText('The next list did not load').waitFor()
  expect(await page.getByLabel('Year').inputValue()).toBe('2021')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('Make').selectOption({ label: 'Toyota' })
  await context.close()
})

test('offline, a listing shows a notice, retains the list, and filters once connected', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${store.origin}/tire-sizes/225-65r17`, { waitUntil: 'networkidle' })
  await useOnce(page)
  await context.setOffline(true)
  await page.getByText('You seem to be offline.').waitFor()
  const box = page.locator('.filters input[type=checkbox]').first()
  await box.check()
  expect(await page.locator('.card-grid > *').count()).toBeGreaterThan(0)
  await context.setOffline(false)
  await page.getByRole('list', { name: 'Active filters' }).waitFor()
  expect(await box.isChecked()).toBe(true)
  expect(await page.getByText('You seem to be offline.').count()).toBe(0)
  expect(await page.getByRole('contentinfo').getByRole('link', { name: 'Help center' }).count()).toBe(1)
  await context.close()
})

test('an unresponsive store shows a notice under the page header with a retry', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${store.origin}/tire-sizes/225-65r17`, { waitUntil: 'networkidle' })
  await page.route('**/*.data*', (route) => route.abort())
  await page.locator('.filters input[type=checkbox]').first().click()
  await page.getByRole('heading', { name: 'The store cannot be reached.' }).waitFor()
  await page.getByText('Please call (800) 555-0142 for sales').waitFor()
  expect(await page.getByRole('banner').count()).toBe(1)
  await page.unroute('**/*.data*')
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByRole('list', { name: 'Active filters' }).waitFor()
  await context.close()
})
