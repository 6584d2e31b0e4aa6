/** Tests a referral, a membership purchase, and employee sign-in in a browser. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { enterTransfer } from '#domain/payments/ledger/ledger.server.ts'
import { eventually } from '#tests/support/eventually.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import {
  axeFindings,
  chooseServices,
  fillDetails,
  holdFirstTime,
  openPage,
  payOnHostedPage,
  placeOrder,
  setZip,
} from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

const { store, browser } = await startStoreAndBrowser()

async function register(page: Page, name: string, email: string, back: string): Promise<void> {
  await page.goto(`${store.origin}/register?back=${back}`)
  await page.getByRole('main').getByRole('button', { name: 'Continue to create it' }).click()
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('ten letters')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`${store.origin}${back}`)
}

/** A tire without a deal, since referrals do not discount deals. */
async function tireOffDeals(): Promise<string> {
  const { db } = store.database
  await db
    .updateTable('promotion')
    .set({ starts_at: '2020-01-01T00:00:00Z', ends_at: '2020-01-02T00:00:00Z' })
    .execute()
  return `${store.origin}/brands/kestrel/alltide-as2/p/100001`
}

test.for([true, false])(
  'a friend is invited by mail, comes by the link, pays less, and appears on the dashboard (script: %s)',
  async (javaScriptEnabled) => {
    const sender = await browser.newContext({ javaScriptEnabled, viewport: { width: 1280, height: 900 } })
    const { page, complaints } = await openPage(sender)
    const [name, friend] = javaScriptEnabled ? ['Ida', 'jon@example.com'] : ['Kim', 'lou@example.com']
    await register(page, name, `${name.toLowerCase()}@example.com`, '/invite')
    await page.getByLabel('Your friends’ emails').fill('nobody')
    await page.getByRole('button', { name: 'Send the emails' }).click()
    await page.getByRole('alert').getByText('Please enter a valid email').waitFor()
    await page.getByLabel('Your friends’ emails').fill(friend)
    await page.getByRole('button', { name: 'Send the emails' }).click()
    await page.getByText('One email is on its way.').waitFor()
    if (javaScriptEnabled) {
      await page.getByRole('button', { name: 'Copy link' }).click()
      await page.getByText(/Copied|Selected/).waitFor()
    } else expect(await page.getByRole('button', { name: 'Copy link' }).isVisible()).toBe(false)

    const link = linkIn(await newestMail(store, friend), '/invite/')
    const friends = await browser.newContext({ javaScriptEnabled, viewport: { width: 1280, height: 900 } })
    const opened = await openPage(friends)
    const journey = { page: opened.page, store }
    await opened.page.goto(link)
    await opened.page.getByRole('heading', { name: `${name} sends you` }).waitFor()
    await setZip(journey, '60614')
    await opened.page.goto(await tireOffDeals())
    await opened.page
      .getByRole('button', { name: /Add to cart/ })
      .first()
      .click()
    await opened.page.waitForURL(/\/cart$/)
    await opened.page.getByText('Referral discount').waitFor()
    await holdFirstTime(journey)
    await fillDetails(journey)
    await chooseServices(journey)
    await payOnHostedPage(journey, '4242424242424242')
    const order = await placeOrder(journey)
    await opened.page.getByRole('heading', { name: 'Create an account' }).waitFor()
    await opened.page.getByRole('link', { name: 'Send your link' }).waitFor()
    if (javaScriptEnabled) expect(await axeFindings(opened.page)).toEqual([])

    await page.goto(`${store.origin}/advocate-dashboard`)
    await page.getByText('$10.00').waitFor()
    expect(await page.getByRole('main').innerText()).toMatch(/Ordered\. The tires are on their way/)
    expect(
      await store.database.db.selectFrom('referral').select('state').where('order_id', '=', order).executeTakeFirst(),
    ).toEqual({ state: 'pending' })
    expect([...complaints, ...opened.complaints]).toEqual([])
    // The next friend is in the same household, which would be reported.
    await store.database.db.deleteFrom('referral').execute()
    await store.database.db.updateTable('sales_order').set({ email: 'x@example.com' }).where('id', '=', order).execute()
    await store.database.db
      .updateTable('customer')
      .set({ email: `${order}@example.com` })
      .where('email', '=', 'dana@example.com')
      .execute()
    await sender.close()
    await friends.close()
  },
)

test('store credit pays part of an order if its owner chooses', async () => {
  const { db } = store.database
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page, complaints } = await openPage(context)
  const journey = { page, store }
  await register(page, 'Pia', 'pia@example.com', '/account')
  const { id: ownerId } = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', 'pia@example.com')
    .executeTakeFirstOrThrow()
  const { id: orderId } = await db
    .selectFrom('sales_order')
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const at = Temporal.Instant.from('2026-11-20T15:00:00Z')
  const entries = [
    { account: 'referral-rewards' as const, cents: 1_000 },
    { account: 'store-credit' as const, cents: -1_000, ownerId },
  ]
  await db.transaction().execute((tx) => enterTransfer(tx, { orderId, reason: 'a test', at, entries }))

  await setZip(journey, '60614')
  await page.goto(await tireOffDeals())
  await page.getByRole('button', { name: 'Add to cart' }).first().click()
  await page.waitForURL(/\/cart$/)
  await holdFirstTime(journey)
  await fillDetails(journey)
  await page.getByRole('checkbox', { name: 'Replacement coverage' }).check()
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.waitForURL(/checkout\/payments$/)
  const summary = page.getByRole('complementary', { name: 'Order summary' })
  expect(await summary.getByText('Store credit').count()).toBe(0)
  await page.getByRole('button', { name: 'Use it now' }).click()
  await summary.getByText('Store credit').waitFor()
  await page.getByText('It pays part of this order.').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.waitForURL(/checkout\/payments\/card/)
  await payOnHostedPage(journey, '5555555555554444')
  const order = await placeOrder(journey)
  await page.getByText('Store credit').waitFor()
  expect(await db.selectFrom('sales_order').select('credit_cents').where('id', '=', order).executeTakeFirst()).toEqual({
    credit_cents: 1_000,
  })
  expect(complaints).toEqual([])
  await context.close()
})

test('a year is bought on the provider’s page, shows its end date, and the pages fit phone width', async () => {
  const context = await browser.newContext({
    bypassCSP: true,
    reducedMotion: 'reduce',
    viewport: { width: 320, height: 800 },
  })
  const { page, complaints } = await openPage(context)
  await register(page, 'Moe', 'moe@example.com', '/membership')
  await page.getByRole('button', { name: 'Join for $39' }).click()
  await page.getByLabel('Card number').fill('4242424242424242')
  await page.getByLabel('Expiration (MM/YY)').fill('12/39')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Billing ZIP code').fill('60614')
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.getByRole('heading', { name: 'You are a member' }).waitFor()
  await page.getByText('You are a member. Tires').waitFor()
  for (const path of ['/membership', '/invite', '/advocate-dashboard', '/partner-program', '/dt-employees']) {
    await page.goto(`${store.origin}${path}`)
    expect(await axeFindings(page), path).toEqual([])
    expect(await tooWide(page), path).toEqual([])
  }
  expect(complaints).toEqual([])
  await context.close()
})

test('employees are not offered one tap, and signing out of their prices returns them without a cart', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/dt-employees`)
  await page.getByRole('main').getByRole('button', { name: 'Create an account' }).click()
  await page.getByLabel('Your name').fill('Nat')
  await page.getByLabel('Email').fill('nat@sidewall.example')
  await page.getByLabel('Password').fill('ten letters')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Verify your email' }).waitFor()
  await page.goto(linkIn(await newestMail(store, 'nat@sidewall.example'), 'verify-email'))
  await page.goto(`${store.origin}/dt-employees`)
  await page.getByRole('button', { name: 'I have opened it' }).click()
  await page.getByRole('heading', { name: 'You buy at the employee price' }).waitFor()
  await page.goto(await tireOffDeals())
  await page
    .getByRole('button', { name: /Add to cart/ })
    .first()
    .click()
  await page.waitForURL(/\/cart$/)
  await page.goto(`${store.origin}/dt-employees`)
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign out here too?' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${store.origin}/dt-employees`)
  expect((await context.cookies()).filter(({ name }) => ['sw_cart', 'sw_session'].includes(name))).toEqual([])

  await page.goto(`${store.origin}/sign-in?back=/dt-employees`)
  await page.getByRole('button', { name: 'Continue to sign in' }).waitFor()
  await page.goto(`${store.origin}/sign-in`)
  await page.locator('iframe').waitFor()
  // Visitors from a company page or with an invitation to a company sign in with their work email.
  for (const back of [
    '/dt-employees',
    '/business',
    '/account/company',
    '/account/company/invitation?key=x',
    '/account/company/orders',
  ]) {
    await page.goto(`${store.origin}/sign-in?back=${encodeURIComponent(back)}`)
    await page.waitForLoadState('networkidle')
    expect(await page.locator('iframe').count(), back).toBe(0)
  }
  expect(complaints).toEqual([])
  await context.close()
})

test('a widget that can’t reach the store shows a phone number, then its tires once connected', async () => {
  const context = await browser.newContext({ viewport: { width: 360, height: 800 } })
  const { page } = await openPage(context)
  await page.clock.install()
  await page.goto(`${store.sandboxOrigin}/partner`)
  const widget = page.locator('sidewall-tires').first()
  let attempts = 0
  await page.route('**/widget/v1/offers?*', (route) => {
    attempts += 1
    return attempts === 3 ? route.continue() : route.abort()
  })
  await widget.getByRole('button', { name: 'Show 5 tires' }).click()
  await widget.getByText('Tires can’t load right now.').waitFor()
  expect(await widget.getByRole('link', { name: '(312) 555-0117' }).getAttribute('href')).toBe('tel:3125550117')
  expect(await axeFindings(page)).toEqual([])
  await page.clock.fastForward('01:01')
  await eventually('second attempt', () => attempts === 2)
  await widget.getByText('Tires can’t load right now.').waitFor()
  await page.clock.fastForward('01:01')
  await widget.getByRole('group', { name: 'First times' }).first().waitFor()
  expect(attempts).toBe(3)
  await context.close()
})

test('a partner’s page with hostile styles shows the widget, and a time of it leads to checkout with its shop', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.sandboxOrigin}/partner`)
  const [bySize, byVehicle] = [page.locator('sidewall-tires').first(), page.locator('sidewall-tires').last()]
  await byVehicle.getByLabel('Year').focus()
  await byVehicle.getByLabel('Year').selectOption('2021')
  await byVehicle.getByLabel('Make').selectOption({ label: 'Toyota' })
  await byVehicle.getByLabel('Model').selectOption({ label: 'RAV4' })
  await byVehicle.getByRole('button', { name: 'Show 5 tires' }).click()
  await byVehicle.getByText('tires for a 2021 Toyota RAV4').waitFor()
  await bySize.getByRole('button', { name: 'Show 5 tires' }).click()
  const time = bySize.getByRole('group', { name: 'First times' }).first().getByRole('link').first()
  await time.waitFor()
  expect(await axeFindings(page)).toEqual([])
  const label = await time.innerText()
  await time.click()
  await page.waitForURL(/\/book-time\?/)
  await page.getByRole('heading', { name: 'Halsted Tire' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Hold this time' }).click()
  await page.waitForURL(/\/checkout\/shipping\?shop=\d+$/)
  await page
    .getByRole('button', { name: `Keep ${label}` })
    .first()
    .click()
  await page.waitForURL(/shipping-confirmation/)
  await page.getByRole('heading', { name: 'Your details' }).waitFor()
  expect(await page.getByRole('main').innerText()).toContain('Halsted Tire')
  expect(complaints).toEqual([])
  await context.close()
})
