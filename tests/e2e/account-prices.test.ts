/** Tests employee prices from listing to receipt, and their explanation in a modal. */
import { expect, test } from 'vitest'
import {
  chooseServices,
  expectNoAxeFindings,
  fillDetails,
  holdFirstTime,
  openPage,
  payInFields,
  placeOrder,
  setZip,
  signInAs,
} from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

const { store, browser } = await startStoreAndBrowser()

test('an employee finds, understands and pays the employee price', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page, complaints } = await openPage(context)
  const journey = { page, store }
  await setZip(journey, '60613')
  await signInAs(journey, 'erin@example.com', '/tire-sizes/225-65r17')
  await page.getByRole('link', { name: 'Employee account: what your price is' }).waitFor()
  // The public deal on another tire may be lower than its employee price.
  const price = page.getByText('per tire, employee price').filter({ visible: true })
  const card = page.locator('.tire-card').filter({ has: price }).first()
  await card.waitFor()
  await expectNoAxeFindings(page)

  await card.getByRole('link', { name: 'Choose' }).click()
  await page.waitForURL(/\/p\/\d+/)
  const label = page.locator('#price-label')
  expect(await label.innerText()).toBe('Employee price')
  await expectNoAxeFindings(page)
  const unit = await page.locator('.product-price b').first().innerText()
  await label.focus()
  await page.keyboard.press('Enter')
  const modal = page.getByRole('dialog', { name: 'Employee price' })
  await modal.getByText('No deal, discount or payment offer comes off it.').waitFor()
  expect(new URL(page.url()).hash).toBe('#price-label')
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  await modal.waitFor({ state: 'detached' })
  expect(await label.evaluate((link) => link === document.activeElement)).toBe(true)
  // The URL of the open modal reopens it.
  await page.goto(`${page.url().split('#')[0]}#price-label`)
  await page.reload()
  await page.getByRole('dialog', { name: 'Employee price' }).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.waitForURL(/\/cart$/)
  expect(await page.locator('.cart-line').innerText()).toContain(`${unit} each`)
  expect(await page.locator('.cart-side').innerText()).toContain('Employee price')
  await expectNoAxeFindings(page)
  await holdFirstTime(journey)
  await page.getByLabel('City').fill('Chicago')
  await page.getByLabel('State').selectOption('IL')
  await page.getByLabel('ZIP code').last().fill('60613')
  await fillDetails(journey)
  await chooseServices(journey)
  await payInFields(journey, '4242424242424242')
  await page.waitForURL(/order-summary/)
  expect(await page.locator('.order-review-lines').innerText()).toContain('Employee price')
  await expectNoAxeFindings(page)
  const total = await page.locator('.side-summary .total td').innerText()
  const orderId = await placeOrder(journey)
  expect(await page.locator('main').innerText()).toContain(total)
  const order = await store.database.db
    .selectFrom('sales_order')
    .select('breakdown')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  expect(order.breakdown).toMatchObject({ accountType: 'EPP' })
  expect(complaints).toEqual([])
  await context.close()
})

test('the explanation is a page without script', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 800 } })
  const { page, complaints } = await openPage(context)
  const journey = { page, store }
  await signInAs(journey, 'mona@example.com', '/brands/kestrel/alltide-as2/p/100001')
  await page.getByRole('link', { name: 'Loyalty member price' }).click()
  await page.waitForURL(`${store.origin}/prices/loyalty-member-price`)
  await page.getByRole('heading', { level: 1, name: 'Loyalty member price' }).waitFor()
  expect(await tooWide(page)).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})
