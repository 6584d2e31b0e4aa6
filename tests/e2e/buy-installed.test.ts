/** The main journey in a real browser, against the running product: find, see the price, book, pay, track. */
import { expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { mailFor } from '#tests/support/mailbox.ts'
import {
  chooseFirstTire,
  chooseServices,
  dana,
  expectNoAxeFindings,
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

const { store, browser } = await startStoreAndBrowser({ env: { RELEASE_AFTER_SECONDS: '4' } })

test('with script, a vehicle’s tires are installed at a shop, paid in card fields, and delivered', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true })
  const { page, complaints } = await openPage(context)
  const journey = { page, store }
  await setZip(journey, '60614')
  await expectNoAxeFindings(page)

  await page.getByLabel('Year').selectOption('2019')
  await page.getByLabel('Make').selectOption({ label: 'Honda' })
  await page.getByLabel('Model').selectOption({ label: 'CR-V' })
  await page.getByLabel('Trim').selectOption({ label: 'EX' })
  await page.getByRole('button', { name: 'Show tires that fit' }).click()
  await page.waitForURL(/\/vehicles\/honda\/cr-v\/2019/)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('2019 Honda CR-V EX')
  await page.getByText('Factory size for your CR-V EX').first().waitFor()
  await expectNoAxeFindings(page)

  // One confirmation lifts the cap on a catalog match.
  await page.getByRole('button', { name: 'My door label matches' }).click()
  await page.getByText('Fits front and rear').first().waitFor()

  const listed = await page.locator('.tire-card').first().innerText()
  expect(listed).toMatch(/\$[\d,]+\.\d\d out the door for 4/)
  expect(listed).toMatch(/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/)
  const outTheDoor = /\$[\d,]+\.\d\d(?= out the door)/.exec(listed)?.[0]

  await chooseFirstTire(journey)
  await expectNoAxeFindings(page)
  // The listing, the cart and the summary agree.
  expect(await page.locator('.cart-side .total').innerText()).toContain(outTheDoor)

  await holdFirstTime(journey)
  await expectNoAxeFindings(page)
  await page.getByLabel('City').fill('Springfield')
  await enterDetails(journey)
  const question = page.getByRole('dialog', { name: 'Is this address right?' })
  await question.waitFor()
  await expectNoAxeFindings(page)
  await question.getByRole('button', { name: 'Change the address' }).press('Enter')
  await page.getByLabel('City').fill('Chicago')
  await fillDetails(journey)
  await expectNoAxeFindings(page)
  await chooseServices(journey)

  await payInFields(journey, '4000000000000002')
  await page
    .getByText(/declined/i)
    .first()
    .waitFor()
  await payInFields(journey, '4242424242424242')
  await page.waitForURL(/order-summary/)
  await expectNoAxeFindings(page)
  const total = await page.locator('.side-summary .total td').innerText()

  const orderId = await placeOrder(journey)
  await page.getByText('no further action').waitFor()
  await expectNoAxeFindings(page)
  expect(await page.locator('main').innerText()).toContain(total)

  // Going back and submitting again returns the same order.
  await page.goto(`${store.origin}/checkout/order-summary`)
  await page.waitForURL(/order-confirmation/)
  expect(Number(new URL(page.url()).searchParams.get('order'))).toBe(orderId)
  const orders = await store.database.db
    .selectFrom('sales_order')
    .select(['id', 'total_cents'])
    .where('email', '=', dana.email)
    .execute()
  expect(orders).toHaveLength(1)

  const calendar = await context.request.get(
    `${store.origin}/checkout/order-confirmation/calendar.ics?order=${orderId}`,
  )
  expect(await calendar.text()).toContain('BEGIN:VEVENT')
  const receipt = await page
    .getByRole('link', { name: /receipt/i })
    .first()
    .getAttribute('href')
  const pdf = await context.request.get(`${store.origin}${receipt}`)
  expect(pdf.headers()['content-type']).toContain('application/pdf')
  // The same URL does not work for anyone else.
  expect((await fetch(`${store.origin}${receipt}`)).status).toBe(404)

  await eventually('mail about the order', async () =>
    (await mailFor(store, dana.email)).some(({ subject }) => subject.includes(`S-${orderId}`)),
  )

  // The cancellation window ends, the charge is captured and the carrier delivers the parcels.
  await page.goto(`${store.origin}/track-your-order`)
  await page.getByLabel('Order ID').fill(`S-${orderId}`)
  await page.getByLabel('ZIP code').last().fill('60613')
  await page.getByRole('button', { name: /Track|Show/ }).click()
  await page.getByText('Please review. Order ID & ZIP Code do not match.').first().waitFor()
  await eventually('delivery', async () =>
    (await store.database.db.selectFrom('shipment').select('state').where('order_id', '=', orderId).execute()).every(
      ({ state }) => state === 'delivered',
    ),
  )
  await page.getByLabel('ZIP code').last().fill('60614')
  await page.getByRole('button', { name: /Track|Show/ }).click()
  await page.waitForURL(/track-your-order\/result/)
  await page.getByText('Delivered').first().waitFor()
  await expectNoAxeFindings(page)

  const payment = await store.database.db
    .selectFrom('payment')
    .select(['state', 'captured_cents'])
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  expect(payment).toEqual({ state: 'captured', captured_cents: orders[0]?.total_cents })
  expect(complaints).toEqual([])
})

test('without script, tires by size are installed at a shop and paid on the provider’s page', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  const { page, complaints } = await openPage(context)
  const journey = { page, store }
  await setZip(journey, '60614')

  await page.goto(`${store.origin}/search?q=${encodeURIComponent('235/65R17')}`)
  await page.waitForURL(/\/tire-sizes\/235-65r17/)
  await chooseFirstTire(journey)
  await holdFirstTime(journey)

  // An invalid field shows its exact message and preserves all input.
  await page.getByLabel('First name').fill('D4na')
  await page.getByLabel('Last name').fill('Ruiz')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Please enter valid First Name').first().waitFor()
  expect(await page.getByLabel('First name').inputValue()).toBe('D4na')
  expect(await page.getByLabel('Last name').inputValue()).toBe('Ruiz')

  await fillDetails(journey)
  await chooseServices(journey)
  await payOnHostedPage(journey, '4242424242424242')
  await page.waitForURL(/order-summary/)
  await page.getByRole('button', { name: 'Place order' }).click()
  // The terms must be accepted, and a missing acceptance preserves all input.
  await page.waitForURL(/order-summary/)
  expect(await page.locator('main').innerText()).toMatch(/accept the terms/i)
  const orderId = await placeOrder(journey)
  expect(orderId).toBeGreaterThan(0)
  expect(complaints).toEqual([])
})

test('without script: shipped home', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const { page, complaints } = await openPage(context)
  const journey = { page, store }
  await setZip(journey, '60614')
  await page.goto(`${store.origin}/tire-sizes/235-60r18`)
  await chooseFirstTire(journey)
  await page.getByRole('link', { name: 'Choose shop and time' }).click()
  await page.getByRole('link', { name: 'Ship to me' }).click()
  await page.getByRole('button', { name: 'Ship to my address' }).click()
  await page.waitForURL(/shipping-confirmation/)
  await page.getByLabel('Address').fill('PO Box 12')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('We do not ship to PO boxes. Please enter a valid address').first().waitFor()
  await page.getByLabel('City').fill('Springfield')
  await enterDetails(journey)
  await page.getByText('60614 is in Chicago, IL.').waitFor()
  await page.getByRole('button', { name: 'Use the recommended address' }).click()
  await expectServices(journey)
  await chooseServices(journey)
  await payOnHostedPage(journey, '4242424242424242')
  await placeOrder(journey)
  expect(complaints).toEqual([])
})
