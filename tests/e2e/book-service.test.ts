/** Books, pays, and cancels a service without tires in a real browser, from its shop's page. */
import { expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { mailFor } from '#tests/support/mailbox.ts'
import {
  dana,
  enterDetails,
  expectNoAxeFindings,
  openPage,
  payInFields,
  payOnHostedPage,
  placeOrder,
} from './journey.ts'
import { keyboardFaults, staticFaults } from './page-faults.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser({ env: { RELEASE_AFTER_SECONDS: '4' } })
const widths = [360, 768, 1280]

test(
  'a shopper books a rotation at a shop, pays, sees the order, and cancels it with a refund',
  { timeout: 180_000 },
  async () => {
    await using context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      bypassCSP: true,
      reducedMotion: 'reduce',
    })
    const { page, complaints } = await openPage(context)
    const journey = { page, store }
    await page.goto(`${store.origin}/book-service?shop=SW-00001`)
    await page.getByRole('main').getByRole('link').first().click()
    await page.waitForURL(/tire-shops\/shop/)
    await page.getByRole('link', { name: 'Rotation and balance' }).click()
    await page.getByRole('heading', { name: /^Rotation and balance: \$/ }).waitFor()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      complaints.push(...(await staticFaults(page)))
    }
    complaints.push(...(await keyboardFaults(page)))
    await expectNoAxeFindings(page)
    await page.getByRole('navigation', { name: 'Days' }).getByRole('link').nth(3).click()
    await page
      .getByRole('group', { name: /^Wait at the shop/ })
      .getByRole('button')
      .first()
      .click()

    await page.getByRole('heading', { name: 'Your details' }).waitFor()
    await expectNoAxeFindings(page)
    await enterDetails(journey)
    await page.getByRole('heading', { name: 'How do you want to pay?' }).waitFor()
    await page
      .getByRole('button', { name: /Continue|Use this card/ })
      .last()
      .click()
    await page.waitForURL(/checkout\/payments\/card/)
    await payInFields(journey, '4242424242424242')
    await page.waitForURL(/order-summary/)
    await expectNoAxeFindings(page)
    const review = await page.locator('main').innerText()
    expect(review).toContain('Rotation and balance')
    expect(review).not.toMatch(/\btires\b/i)
    const orderId = await placeOrder(journey)
    await page.getByText('no further action').waitFor()
    await expectNoAxeFindings(page)

    // The same submission leads to the same order.
    await page.goto(`${store.origin}/checkout/order-summary`)
    await page.waitForURL(new RegExp(`order-confirmation\\?order=${orderId}`))
    const track = `${store.origin}/track-your-order/result?order=${orderId}`
    await eventually('the charge', async () => {
      await page.goto(track)
      return (await page.locator('main').innerText()).includes('charged to')
    })
    await expectNoAxeFindings(page)
    await page.getByText('Cancel this order').click()
    await page.getByText(/^We refund \$/).waitFor()
    await page.getByRole('button', { name: `Cancel order S-${orderId}` }).click()
    await page.getByText('This order was canceled.').waitFor()
    await eventually('the refund', async () => {
      const {
        state,
        refunded_cents: refunded,
        captured_cents: captured,
      } = await store.database.db
        .selectFrom('payment')
        .select(['state', 'refunded_cents', 'captured_cents'])
        .where('order_id', '=', orderId)
        .executeTakeFirstOrThrow()
      return state === 'captured' && captured > 0 && refunded === captured
    })
    await eventually('both emails', async () => (await mailFor(store, dana.email)).length >= 2)
    for (const { subject, text } of await mailFor(store, dana.email))
      if (subject.includes(`S-${orderId}`)) {
        expect(text).toContain('Rotation and balance')
        expect(text).not.toMatch(/\b(?:tires|ship|shipped|installed)\b/)
      }
    expect(complaints).toEqual([])
  },
)

test(
  'without script, sensors of four tires are booked on a phone, and the cart shows them',
  { timeout: 120_000 },
  async () => {
    await using context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
    const { page, complaints } = await openPage(context)
    const journey = { page, store }
    await page.goto(`${store.origin}/book-service?shop=SW-00001`)
    await page.getByLabel(/^Pressure sensor service/).check()
    await page.getByLabel(/^Number of tires/).selectOption('4')
    await page.getByRole('button', { name: 'Show times' }).click()
    await page.getByRole('heading', { name: /^Pressure sensor service, 4 tires: \$/ }).waitFor()
    await page
      .getByRole('group', { name: /^Leave the car/ })
      .getByRole('button')
      .last()
      .click()
    await page.getByRole('heading', { name: 'Your details' }).waitFor()
    await page.goto(`${store.origin}/cart`)
    await page.getByText('Pressure sensor service, 4 tires').waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    await enterDetails(journey)
    await page.getByRole('heading', { name: 'How do you want to pay?' }).waitFor()
    await page
      .getByRole('button', { name: /Continue|Use this card/ })
      .last()
      .click()
    await page.waitForURL(/checkout\/payments\/card/)
    await payOnHostedPage(journey, '4242424242424242')
    await placeOrder(journey)
    await page.getByText('no further action').waitFor()
    expect(complaints).toEqual([])
  },
)
