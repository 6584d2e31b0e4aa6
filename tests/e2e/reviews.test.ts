/** Tests reading, filtering, and writing reviews in a browser, and helpful votes without JavaScript. */
import { expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { orderKey } from '#domain/ordering/orders/order-access.server.ts'
import { publishReview } from '#domain/aftercare/reviews/reviews.server.ts'
import { systemClock } from '#platform/clock.ts'
import { newestMail } from '#tests/support/mailbox.ts'
import { ownSecrets } from '#tests/support/own-secrets.ts'
import { expectNoAxeFindings, openPage } from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

const { SESSION_SECRET: secret } = ownSecrets
const { store, browser } = await startStoreAndBrowser({ env: { SESSION_SECRET: secret } })

/** A delivered order without a review, and its line's page. */
async function deliveredOrder(): Promise<{ id: number; path: string }> {
  const row = await store.database.db
    .selectFrom('sales_order as o')
    .innerJoin('shipment', 'shipment.order_id', 'o.id')
    .innerJoin('order_line as bought', 'bought.order_id', 'o.id')
    .innerJoin('item', 'item.id', 'bought.item_id')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['o.id', 'brand.slug as brand', 'line.slug as line'])
    .where('shipment.state', '=', 'delivered')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('review').select('review.id').whereRef('verified_order_id', '=', 'o.id'))),
    )
    .orderBy('o.id')
    .executeTakeFirstOrThrow()
  return { id: row.id, path: `/brands/${row.brand}/${row.line}` }
}

test('from the delivery email to a pending review, shown as verified once staff have approved it', async () => {
  const order = await deliveredOrder()
  const key = orderKey(secret, order.id, Temporal.Now.instant())
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}${order.path}/write-a-review?order=${order.id}&key=${encodeURIComponent(key)}`)
  await page.getByText(`order S-${order.id} brought you these tires`).waitFor()
  await expectNoAxeFindings(page)

  // An incomplete submission lists the missing fields and moves the focus there.
  await page.getByRole('button', { name: 'Send review' }).click()
  await page.getByRole('alert').getByText('Please enter a valid date format MM/DD/YYYY').waitFor()
  await page.locator('.error-summary:focus').waitFor()
  await expectNoAxeFindings(page)

  await page.getByRole('group', { name: 'Wet grip' }).getByLabel('5', { exact: true }).check()
  await page.getByRole('group', { name: 'Quiet' }).getByLabel('2', { exact: true }).check()
  await page.getByLabel('Summary').fill('Calm in rain, loud on concrete')
  await page.getByText('30 of 80 characters').waitFor()
  await page
    .getByLabel('What is it like to drive on?')
    .fill('Stops straight on a wet ramp. You hear them from 50 mph on.')
  await page.getByLabel('Vehicle', { exact: true }).fill('2019 Honda CR-V EX')
  await page.getByLabel('Miles driven').fill('1,200')
  await page.getByLabel('Purchase date').fill('11/02/2025')
  await page.getByLabel('Driving style').selectOption('Average')
  await page.getByLabel('Where used').selectOption('Highway')
  await page.getByLabel('Yes').check()
  await page.getByLabel('Name', { exact: true }).fill('Walker')
  await page.getByLabel('Email').fill('walker@example.com')
  await page.getByRole('button', { name: 'Send review' }).click()
  await page.getByRole('heading', { name: 'Thank you. We have your review.' }).waitFor()
  await expectNoAxeFindings(page)
  const { id } = await store.database.db
    .selectFrom('review')
    .select('id')
    .where('email', '=', 'walker@example.com')
    .executeTakeFirstOrThrow()
  await publishReview({ db: store.database.db, clock: systemClock }, { reviewId: id, by: desk })

  await page.getByRole('link', { name: 'Read the reviews' }).click()
  const mine = page.locator('article', { hasText: 'Calm in rain, loud on concrete' })
  await mine.getByText('Verified buyer').waitFor()
  await expectNoAxeFindings(page)
  await expect
    .poll(async () => (await newestMail(store, 'walker@example.com')).subject)
    .toMatch(/^Published: your review of the /)
  expect(complaints).toEqual([])
})

test('without script at 320 px, reviews are filtered, paged, and voted helpful', async () => {
  const row = await store.database.db
    .selectFrom('line_rating as rating')
    .innerJoin('product_line as line', 'line.id', 'rating.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['brand.slug as brand', 'line.slug as line'])
    .orderBy('review_count', 'desc')
    .orderBy('line.id')
    .executeTakeFirstOrThrow()
  const path = `/brands/${row.brand}/${row.line}`
  const context = await browser.newContext({ viewport: { width: 320, height: 700 }, javaScriptEnabled: false })
  const { page } = await openPage(context)
  await page.goto(`${store.origin}${path}`)
  await page.getByRole('link', { name: /^Read all/ }).click()
  await page.waitForURL(/\/reviews$/)
  const first = page.locator('article').first()
  const summary = await first.getByRole('heading').innerText()
  await first.getByRole('button', { name: /^Helpful/ }).click()
  await page.waitForURL(/#review-\d+$/)
  const pressed = page.getByRole('button', { name: new RegExp(`Helpful.*${summary.slice(0, 12)}`), pressed: true })
  await pressed.click()
  await page.getByRole('button', { pressed: true }).waitFor({ state: 'detached' })

  await page.getByLabel('Order').selectOption('lowest')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.waitForURL(/sort=lowest/)
  const pageOne = await page.locator('article h3').allInnerTexts()
  await page.getByRole('link', { name: 'More reviews' }).click()
  await page.waitForURL(/after=\d+/)
  expect(await page.locator('article h3').allInnerTexts()).not.toEqual(pageOne)
  await page.getByRole('link', { name: /^5 stars: / }).click()
  await page.waitForURL(/stars=5/)
  await page.getByRole('link', { name: /5 stars.*remove/ }).waitFor()
  for (const url of [
    page.url(),
    `${store.origin}/tire-reviews`,
    `${store.origin}/tire-reviews/top-rated`,
    `${store.origin}${path}/write-a-review`,
  ]) {
    await page.goto(url)
    expect(await tooWide(page), url).toEqual([])
  }
})

test.for([
  '/tire-reviews',
  '/tire-reviews/brands',
  '/tire-reviews/newest',
  '/tire-reviews/rules',
  '/types/winter/reviews',
])('axe finds no violations on %s', async (path) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 800 }, bypassCSP: true })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}${path}`)
  await expectNoAxeFindings(page)
  expect(complaints).toEqual([])
})
