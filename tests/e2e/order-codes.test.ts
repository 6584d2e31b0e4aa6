/** Tests that an emailed code opens the full order in a browser without JavaScript, and that a mistyped one doesn't. */
import { expect, test } from 'vitest'
import { orderCodeMessages } from '#content/messages/orders.ts'
import { codeIn, newestMail } from '#tests/support/mailbox.ts'
import { expectNoAxeFindings, openPage } from './journey.ts'
import { keyboardFaults, staticFaults } from './page-faults.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

const widths = [320, 768, 1280]

test('from number and ZIP to the whole order, at every width', { timeout: 120_000 }, async () => {
  const order = await store.database.db
    .selectFrom('sales_order')
    .innerJoin('cart', 'cart.id', 'sales_order.cart_id')
    .select(['sales_order.id', 'sales_order.email', 'ship_to_zip as zip', 'ship_to_street as street'])
    .where('cart.account_id', 'is', null)
    .where('sales_order.fulfillment', '=', 'shop')
    .where('sales_order.state', '=', 'confirmed')
    .orderBy('sales_order.id', 'desc')
    .executeTakeFirstOrThrow()
  await using context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' })
  const { page, complaints } = await openPage(context)
  async function look() {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      complaints.push(...(await staticFaults(page)))
    }
    // With a field in the URL or a refused form, keyboard focus starts there and not at the top.
    const isAtTop = !page.url().endsWith('#code') && (await page.locator('[autofocus]').count()) === 0
    if (isAtTop) complaints.push(...(await keyboardFaults(page)))
    await expectNoAxeFindings(page)
  }

  await page.goto(`${store.origin}/track-your-order?receipt=expired`)
  await look()
  await page.getByLabel('Order ID').fill(`S-${order.id}`)
  await page.getByLabel('ZIP code').last().fill(order.zip)
  await page.getByRole('button', { name: 'Track order' }).click()
  await page.getByRole('button', { name: 'Email me a code' }).waitFor()
  await look()
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await page.getByText('•••@').waitFor()
  await look()
  await page.goto(page.url().replace('#code', ''))
  await look()
  const code = codeIn(await newestMail(store, order.email, `code for order S-${order.id}`))
  await page.getByLabel('Code from the email').fill(code === '000000' ? '000001' : '000000')
  await page.getByRole('button', { name: 'Open the order' }).click()
  await page.locator('#code-error').getByText(orderCodeMessages.wrong).waitFor()
  await look()
  await page.getByLabel('Code from the email').fill(code)
  await page.getByRole('button', { name: 'Open the order' }).click()
  await page.getByText(order.street).first().waitFor()
  await page.getByRole('link', { name: 'Receipt (PDF)' }).waitFor()
  expect(complaints).toEqual([])
})
