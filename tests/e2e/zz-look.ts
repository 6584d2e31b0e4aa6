import { launchBrowser } from '#tests/support/browser.ts'
import { chooseFirstTire, fillDetails, goToPayments, holdFirstTime, placeOrder, setZip, signInAs } from './journey.ts'
const store = { origin: 'http://localhost:7301' } as never
await using browser = await launchBrowser()
const js = process.argv[2] !== 'nojs'
await using context = await browser.newContext({ javaScriptEnabled: js, viewport: { width: Number(process.argv[3] ?? 1280), height: 800 } })
const page = await context.newPage()
page.setDefaultTimeout(15000)
const journey = { page, store }
const shot = (name: string) => page.screenshot({ path: `/tmp/shots/terms-${name}-${process.argv[3]}${js ? '' : '-nojs'}.png`, fullPage: true })
try {
  await setZip(journey, '60613')
  await signInAs(journey, 'sol@example.com', '/tire-sizes/225-65r17')
  await chooseFirstTire(journey)
  await holdFirstTime(journey)
  await page.getByLabel('City').fill('Chicago')
  await page.getByLabel('State').selectOption('IL')
  await page.getByLabel('ZIP code').last().fill('60613')
  await fillDetails(journey)
  await goToPayments(journey)
  await page.getByRole('radio', { name: /Net 30/ }).check()
  await shot('payments')
  await page.getByLabel('PO number').fill('MER-0042')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/order-summary/)
  await shot('summary')
  await placeOrder(journey)
  await shot('confirmation')
  await page.goto('http://localhost:7301/account/company/invoices')
  await shot('invoices')
  await page.goto('http://localhost:7301/account/company')
  await shot('company')
  await page.goto('http://localhost:7301/account/company/orders')
  await shot('orders')
} catch (error) {
  console.log(String(error).slice(0, 600), page.url())
  await shot('fail')
}
