/** Tests a company owner's net terms purchase from accepting the terms to the invoice and a cancellation. */
import { expect, test } from 'vitest'
import {
  chooseFirstTire,
  expectNoAxeFindings,
  fillDetails,
  goToPayments,
  holdFirstTime,
  openPage,
  placeOrder,
  setZip,
  signInAs,
} from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

test.for([
  ['with script', { javaScriptEnabled: true, viewport: { width: 1280, height: 900 } }],
  ['without script, on a phone', { javaScriptEnabled: false, viewport: { width: 360, height: 800 } }],
] as const)('an order on net terms, %s', async ([, options]) => {
  await using context = await browser.newContext(options)
  const { page, complaints } = await openPage(context)
  const journey = { page, store }
  // Axe itself needs script.
  const expectAccessible = async () => void (options.javaScriptEnabled && (await expectNoAxeFindings(page)))
  await setZip(journey, '60613')
  await signInAs(journey, 'sol@example.com', '/tire-sizes/225-65r17')
  await chooseFirstTire(journey)
  await holdFirstTime(journey)
  await page.getByLabel('City').fill('Chicago')
  await page.getByLabel('State').selectOption('IL')
  await page.getByLabel('ZIP code').last().fill('60613')
  await fillDetails(journey)
  await goToPayments(journey)

  const terms = page.getByRole('radio', { name: /Net 30/ })
  await terms.check()
  expect(await page.locator('.pay-way', { has: terms }).innerText()).toMatch(
    /\$[\d,.]+ due by .+ Your company has \$10,000\.00 of \$10,000\.00 left\./s,
  )
  await expectAccessible()
  await page.getByRole('button', { name: /^(Continue|Invoice us for)/ }).click()
  await page.getByText('Your company wants a PO number on every order.').first().waitFor()
  expect(await terms.isChecked()).toBe(true)
  await page.getByLabel('PO number').fill('MER-0042')
  await page.getByRole('button', { name: /^(Continue|Invoice us for)/ }).click()

  await page.waitForURL(/order-summary/)
  // The URL changes before the page does.
  await page.getByRole('heading', { name: 'Review your order' }).waitFor()
  expect(await page.locator('main').innerText()).not.toMatch(/card/i)
  const total = await page.locator('.side-summary .total td').innerText()
  const words = await page.getByText(/^Net 30, /).innerText()
  expect(words).toMatch(new RegExp(`^Net 30, ${total.replaceAll(/[$.]/g, String.raw`\$&`)} due \\w{3} \\d+, 20\\d\\d$`))
  await expectAccessible()
  const orderId = await placeOrder(journey)
  await page.getByText(`${words}. PO number MER-0042.`).waitFor()
  expect(await page.locator('main').innerText()).not.toMatch(/card/i)
  await expectAccessible()
  expect(await store.database.db.selectFrom('payment').select('id').where('order_id', '=', orderId).execute()).toEqual(
    [],
  )

  await page.goto(`${store.origin}/account/company/invoices`)
  const invoice = page.locator('li', { hasText: `S-${orderId}` })
  expect(await invoice.innerText()).toMatch(/PO MER-0042/)
  expect(await invoice.innerText()).toContain(`Due ${words.split(' due ')[1]}`)
  expect(await page.locator('main').innerText()).toMatch(
    new RegExp(`Owed\\s+${total.replaceAll(/[$.]/g, String.raw`\$&`)}`),
  )
  await expectAccessible()
  await page.getByRole('link', { name: `S-${orderId}` }).click()
  await page.getByText('Cancel this order').click()
  await page.getByText('Your company won’t be billed').waitFor()
  await page.getByRole('button', { name: `Cancel order S-${orderId}` }).click()
  await page.getByText('Net 30, not due because the order was canceled.').waitFor()
  await page.goto(`${store.origin}/account/company/invoices`)
  expect(await page.locator('main').innerText()).toMatch(/Owed\s+\$0\.00/)
  expect(complaints).toEqual([])
})
