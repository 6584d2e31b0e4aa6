/** Tests a van, carrier pickup, two tabs, a changed price, and a declined card. Uses the started product. */
import { sql } from 'kysely'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  chooseFirstTire,
  chooseServices,
  enterDetails,
  expectServices,
  fillDetails,
  holdFirstTime,
  openPage,
  payInFields,
  payOnHostedPage,
  placeOrder,
  setZip,
} from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'

const { store, browser } = await startStoreAndBrowser()

/** A cart at the order review, ready to submit. */
async function readyToPlace(context: BrowserContext): Promise<{ page: Page; complaints: string[] }> {
  const opened = await openPage(context)
  const journey = { page: opened.page, store }
  await setZip(journey, '60614')
  await opened.page.goto(`${store.origin}/tire-sizes/235-60r18`)
  await chooseFirstTire(journey)
  await holdFirstTime(journey)
  await fillDetails(journey)
  await chooseServices(journey)
  await payInFields(journey, '4242424242424242')
  await opened.page.waitForURL(/order-summary/)
  return opened
}

async function ordersOf(page: Page): Promise<{ id: number; fulfillment: string }[]> {
  const cart = (await page.context().cookies()).find((cookie) => cookie.name === 'sw_cart')?.value ?? ''
  return store.database.db.selectFrom('sales_order').select(['id', 'fulfillment']).where('cart_id', '=', cart).execute()
}

test('an order submitted from two tabs is placed once and shown in both', async () => {
  const context = await browser.newContext()
  const { page, complaints } = await readyToPlace(context)
  const other = await context.newPage()
  await other.goto(page.url())
  for (const tab of [page, other]) await tab.getByLabel(/I accept the/).check()
  await Promise.all([page, other].map((tab) => tab.getByRole('button', { name: 'Place order' }).click()))
  await Promise.all([page, other].map((tab) => tab.waitForURL(/order-confirmation/)))
  expect(page.url()).toBe(other.url())
  expect(await ordersOf(page)).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('a price change before submission is shown without a charge', async () => {
  const context = await browser.newContext()
  const { page } = await readyToPlace(context)
  const cart = (await context.cookies()).find((cookie) => cookie.name === 'sw_cart')?.value ?? ''
  const line = await store.database.db
    .selectFrom('cart_line')
    .select('item_id')
    .where('cart_id', '=', cart)
    .executeTakeFirstOrThrow()
  await store.database.db
    .updateTable('item')
    .set((eb) => ({ retail_cents: eb('retail_cents', '+', 1_000) }))
    .where('id', '=', line.item_id)
    .execute()
  await page.getByLabel(/I accept the/).check()
  await page.getByRole('button', { name: 'Place order' }).click()
  await page
    .getByText(/was \$[\d,.]+, now \$[\d,.]+/)
    .first()
    .waitFor()
  expect(await ordersOf(page)).toHaveLength(0)
})

test('an expired hold taken by someone else is reported, and the cart stays', async () => {
  const context = await browser.newContext()
  const { page } = await readyToPlace(context)
  const cart = (await context.cookies()).find((cookie) => cookie.name === 'sw_cart')?.value ?? ''
  // The hold expires, and others take every bay of the shop still free at that time.
  const { rows } = await sql<{ shop_id: string; during: string }>`
    update booking set state = 'expired', hold_expires_at = null, held_by = null
    where cart_id = ${cart}::uuid and state = 'held' returning shop_id::text, during::text`.execute(store.database.db)
  expect(rows).toHaveLength(1)
  await sql`
    with others as (
      select gen_random_uuid() as cart_id, id as bay_id, shop_id from shop_bay where shop_id = ${rows[0]?.shop_id}::bigint and kind = 'bay'),
    carts as (insert into cart (id, created_at, updated_at) select cart_id, now(), now() from others)
    insert into booking (id, shop_id, bay_id, kind, during, state, hold_expires_at, cart_id, created_at)
    select gen_random_uuid(), shop_id, bay_id, 'wait', ${rows[0]?.during}::tstzrange, 'held', now() + interval '1 hour', cart_id, now() from others
    on conflict do nothing`.execute(store.database.db)
  await page.getByLabel(/I accept the/).check()
  await page.getByRole('button', { name: 'Place order' }).click()
  await page
    .getByText(/no longer takes appointments|Pick (one|another)/)
    .first()
    .waitFor()
  expect(await ordersOf(page)).toHaveLength(0)
  // Reported on every step, with links to continue.
  for (const step of ['shipping-confirmation', 'services', 'order-summary']) {
    await page.goto(`${store.origin}/checkout/${step}`)
    await page.getByRole('alert').getByText('is no longer free').waitFor()
    for (const name of ['Change time', 'Browse shops'])
      await page.getByRole('alert').getByRole('link', { name }).waitFor()
    await page.getByRole('alert').getByRole('button', { name: 'Continue without installation' }).waitFor()
    expect(await page.getByRole('button', { name: 'Hold it again' }).count()).toBe(0)
  }
  await page.getByRole('button', { name: 'Continue without installation' }).click()
  await page.waitForURL(/tab=home/)
})

test('a van comes to the address, without script', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const { page, complaints } = await openPage(context)
  const journey = { page, store }
  const area = await store.database.db
    .selectFrom('van_area')
    .innerJoin('zip', 'zip.zip', 'van_area.zip')
    .select(['van_area.zip', 'city', 'state'])
    .where('zip_type', '=', 'STANDARD')
    .where('state', '=', 'IL')
    .limit(1)
    .executeTakeFirstOrThrow()
  await setZip(journey, area.zip)
  await page.goto(`${store.origin}/tire-sizes/235-60r18`)
  await chooseFirstTire(journey)
  await page.getByRole('link', { name: 'Choose shop and time' }).click()
  await page.getByRole('link', { name: 'Mobile install', exact: true }).click()
  await page.locator('.shop-card .slot').first().click()
  await page.getByRole('button', { name: /^Keep/ }).first().click()
  await page.waitForURL(/shipping-confirmation/)
  await page.getByRole('main').getByLabel('ZIP code').fill('99501')
  await page.getByLabel('State').selectOption('AK')
  await page.getByLabel('City').fill('Anchorage')
  await page.getByLabel('First name').fill('Dana')
  await page.getByLabel('Last name').fill('Ruiz')
  await page.getByLabel('Email').fill('dana@example.com')
  await page.getByLabel('Phone', { exact: true }).fill('312-555-0142')
  await page.getByLabel('Phone type').selectOption('mobile')
  await page.getByLabel('Address').fill('1 Elm St')
  await page.getByLabel('Year, make and model').fill('2019 Honda CR-V EX')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText("This zip code is outside the selected installer's serviceable area.").first().waitFor()
  await page.getByRole('main').getByLabel('ZIP code').fill(area.zip)
  await page.getByLabel('State').selectOption(area.state)
  await page.getByLabel('City').fill('Nowhere at all')
  await enterDetails(journey)
  const question = page.getByRole('dialog')
  await question.getByText(`${area.zip} is in ${area.city}, ${area.state}.`).waitFor()
  await question.getByRole('button', { name: 'Change the address' }).press('Enter')
  await question.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Continue' }).click()
  await question.getByRole('button', { name: 'Keep what I entered' }).click()
  await expectServices(journey)
  await chooseServices(journey)
  await payOnHostedPage(journey, '4242424242424242')
  await placeOrder(journey)
  expect((await ordersOf(page))[0]?.fulfillment).toBe('mobile')
  expect(complaints).toEqual([])
})

test('picked up at a carrier’s counter, without script', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const { page, complaints } = await openPage(context)
  const journey = { page, store }
  await setZip(journey, '60614')
  await page.goto(`${store.origin}/tire-sizes/235-60r18`)
  await chooseFirstTire(journey)
  await page.getByRole('link', { name: 'Choose shop and time' }).click()
  await page.getByRole('link', { name: 'Pick up', exact: true }).click()
  await page.getByRole('button', { name: 'Pick up here' }).click()
  await page.getByText('Please select a FedEx location').first().waitFor()
  await page.locator('input[name=counter]').first().check()
  await page.getByRole('button', { name: 'Pick up here' }).click()
  await page.waitForURL(/shipping-confirmation/)
  await fillDetails(journey)
  await chooseServices(journey)
  await payOnHostedPage(journey, '4000000000000002')
  await page
    .getByText(/declined/i)
    .first()
    .waitFor()
  expect(complaints).toEqual([])
})
