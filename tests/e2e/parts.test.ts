/** Buys tires with pressure sensors on a phone, from the cart to the order page. */
import { expect, test } from 'vitest'
import {
  chooseFirstTire,
  chooseServices,
  expectNoAxeFindings,
  fillDetails,
  holdFirstTime,
  openPage,
  payInFields,
  placeOrder,
  setZip,
} from './journey.ts'
import { staticFaults } from './page-faults.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

test('a shopper adds sensors to tires, pays, and sees them on the order', { timeout: 180_000 }, async () => {
  await using context = await browser.newContext({
    viewport: { width: 360, height: 780 },
    bypassCSP: true,
    reducedMotion: 'reduce',
  })
  const { page, complaints } = await openPage(context)
  const journey = { page, store }
  await setZip(journey, '60614')
  await page.goto(`${store.origin}/tire-sizes/225-65r17`)
  await chooseFirstTire(journey)
  await page.getByText('Add pressure sensors').click()
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 780 })
    complaints.push(...(await staticFaults(page)))
  }
  await page.setViewportSize({ width: 360, height: 780 })
  await page.getByRole('button', { name: 'Add Halden Sense 433 Metal' }).click()
  await page.getByRole('button', { name: 'Update Halden Sense 433 Metal' }).waitFor()
  complaints.push(...(await staticFaults(page)))
  await expectNoAxeFindings(page)
  expect(await page.getByRole('complementary', { name: 'Order summary' }).innerText()).toContain('$167.96')

  await holdFirstTime(journey)
  await fillDetails(journey)
  await chooseServices(journey)
  await payInFields(journey, '4242424242424242')
  await page.waitForURL(/order-summary/)
  expect(await page.locator('main').innerText()).toContain('Halden Sense 433 Metal')
  const orderId = await placeOrder(journey)
  await page.goto(`${store.origin}/track-your-order/result?order=${orderId}`)
  await page.getByText('4 Halden Sense 433 Metal').first().waitFor()
  complaints.push(...(await staticFaults(page)))
  await expectNoAxeFindings(page)
  expect(complaints).toEqual([])
})
