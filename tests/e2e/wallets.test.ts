/** Tests a device wallet in the browser with the sandbox's Stripe.js, its buttons, and its sheet. */
import { expect, test } from 'vitest'
import { launchBrowser } from '#tests/support/browser.ts'
import { openStartedStore } from '../faults/started-store.ts'
import { axeFindings, openPage } from './journey.ts'

test(
  'a wallet’s sheet is closed, then declined, then pays and places the order at once',
  { timeout: 90_000 },
  async () => {
    await using store = await openStartedStore()
    await using browser = await launchBrowser()
    const { cartId } = await store.prepare()
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
    await context.addCookies([
      { name: 'sw_cart', value: cartId, url: store.origin },
      { name: 'wallet_device', value: 'apple-pay', url: store.sandboxOrigin },
    ])
    const { page, complaints } = await openPage(context)
    const press = () => page.frameLocator('.wallet-box iframe').getByRole('button', { name: 'Apple Pay' }).click()
    const sheet = page.frameLocator('iframe[title="Apple Pay"]')

    await page.goto(`${store.origin}/checkout/payments/card`)
    await page.getByRole('button', { name: 'Use another card' }).click()
    await page.goto(`${store.origin}/checkout/payments`)
    await page.getByRole('heading', { name: 'Fastest on this device' }).waitFor()
    await press()
    await sheet.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('alert').getByText('ApplePay payment canceled').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await press()
    await sheet.getByRole('button', { name: /is declined/ }).click()
    await page.getByRole('alert').getByText('Payment error').waitFor()

    await page.goto(`${store.origin}/checkout/payments/apple-pay`)
    await press()
    await page.getByText('Please accept the terms of sale.').waitFor()
    await page.getByLabel(/I accept the/).check()
    await press()
    const total = await page.locator('.side-summary tr').last().locator('td').innerText()
    expect(await sheet.locator('#lines tr').last().locator('td').innerText()).toBe(total)
    await sheet.getByRole('button', { name: 'Dana Ruiz: pays' }).click()
    await page.waitForURL(/order-confirmation\?order=\d+/)
    expect(complaints).toEqual([])
    const charge = await store.db
      .selectFrom('payment')
      .select(['method', 'state'])
      .where('cart_id', '=', cartId)
      .where('order_id', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(charge).toEqual({ method: 'apple-pay', state: 'authorized' })
  },
)
