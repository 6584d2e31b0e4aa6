/**
 * Opens a store from an empty database as a new retailer does, in a browser and without SQL: from the link in the log
 * through the checklist, with a tire shop, a van and a second member of staff, to a shopper's paid and installed order.
 */
import type { Browser, Page, ViewportSize } from 'playwright-core'
import { expect, test } from 'vitest'
import { demoProgram } from '#sandbox/identity/provider.ts'
import { callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { newId } from '#platform/ids.ts'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { realStoreEnv } from '#tests/support/real-store.ts'
import { catalogFiles, importFile, trySamples } from './catalog-files.ts'
import {
  chooseFirstTire,
  chooseServices,
  dana,
  enterDetails,
  expectServices,
  holdFirstTime,
  openPage,
  payInFields,
  placeOrder,
  setZip,
  type Journey,
} from './journey.ts'
import { applyAsVan, registerAndVerify, setUpShop } from './open-a-shop.ts'
import type { RunningStore } from '#tests/support/store.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

/** Of the test file that runs. */
let store: RunningStore
let browser: Browser

const at = (path: string) => `${store.origin}${path}`
const zip = '60657'
const owner = { name: 'Maria Lake', email: 'maria@lakeview.example' }
const manager = { name: 'Ivo Park', email: 'ivo@lakeview.example' }
const shopOwner = { name: 'Bea Mont', email: 'bea@belmont.example' }
const vanOwner = { name: 'Renata Kowal', email: 'renata@wctire.example' }

/** A person's own browser. */
async function openBrowser(from: Browser, viewport: ViewportSize): Promise<{ page: Page; complaints: string[] }> {
  const context = await from.newContext({ bypassCSP: true, reducedMotion: 'reduce', viewport })
  return openPage(context)
}

/** Expects the page to need no scrolling sideways on a phone and on a desk. */
async function expectFits(page: Page): Promise<void> {
  const own = page.viewportSize()
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await tooWide(page), `${page.url()} at ${width} px`).toEqual([])
  }
  if (own) await page.setViewportSize(own)
}

/** A step of the checklist. */
async function stepOf(page: Page, name: string) {
  await page.goto(at('/office/setup'))
  return page.locator(`li#${name}`)
}

/** Follows a step's link. */
async function openStep(page: Page, name: string): Promise<void> {
  const step = await stepOf(page, name)
  await expectFits(page)
  await step.locator('.setup-act').getByRole('link').click()
  await page.waitForURL((url) => url.pathname !== '/office/setup')
  await expectFits(page)
}

async function expectDone(page: Page, name: string): Promise<void> {
  expect(await (await stepOf(page, name)).getAttribute('class'), name).toContain('is-done')
}

/** Fills the business's part of the checklist (details, test charge, and policies). */
async function describeBusiness(page: Page): Promise<void> {
  await openStep(page, 'details')
  await page.getByLabel('Store name').fill('Lakeview Tire')
  await page.getByLabel('Phone', { exact: true }).fill('(773) 555-0110')
  await page.getByLabel('Email', { exact: true }).fill('help@lakeview.example')
  await page.getByLabel('Return address').fill('3500 N Broadway, Chicago, IL 60657')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await page.waitForURL(/done=saved/)
  await expectDone(page, 'details')

  await page.getByRole('button', { name: 'Run a test charge' }).click()
  await page.getByLabel('Card number').fill('4242424242424242')
  await page.getByLabel('Expiration (MM/YY)').fill('12/39')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Billing ZIP code').fill(zip)
  await page.getByRole('button', { name: /^Pay / }).click()
  await page.getByRole('button', { name: 'Finish the test charge' }).click()
  await page.waitForURL(/done=charged/)
  await expectDone(page, 'payments')

  for (const policy of ['Privacy policy', 'Terms of use', 'Terms of sale']) {
    await openStep(page, 'legal')
    await page.getByRole('link', { name: policy }).first().click()
    await page.getByLabel('I have read this page').check()
    await page.getByRole('button', { name: 'Publish as released' }).click()
    await page.waitForURL(/done=published/)
  }
  await expectDone(page, 'legal')
}

/** A warehouse, 100 tires with stock, rates, the carrier and email. */
async function stockTires(page: Page): Promise<void> {
  await openStep(page, 'warehouse')
  await page.getByRole('link', { name: 'Add a warehouse' }).click()
  await page.getByLabel('Code', { exact: true }).fill('CHI')
  await page.getByLabel('Name').fill('Lakeview warehouse')
  await page.getByLabel('Street').fill('3500 N Broadway')
  await page.getByLabel('ZIP code').fill(zip)
  await page.getByLabel('Cut-off', { exact: true }).fill('16:00')
  await page.getByRole('button', { name: 'Add the warehouse' }).click()
  await page.waitForURL(/done=added/)
  await expectDone(page, 'warehouse')

  await trySamples(store, page)
  const { products, stock } = catalogFiles()
  await importFile(store, page, 'Products', products)
  await importFile(store, page, 'Stock', stock)
  await expectDone(page, 'catalog')
  expect(await (await stepOf(page, 'catalog')).innerText()).toContain('100 tires for sale, 100 of them in stock')

  await openStep(page, 'shipping')
  await page.getByRole('button', { name: 'Save rates' }).click()
  await page.waitForURL(/done=saved/)
  await expectDone(page, 'shipping')
  await page.getByRole('button', { name: 'Buy and void a test label' }).click()
  await page.waitForURL(/done=carrier/)
  await expectDone(page, 'carrier')
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await page.waitForURL(/done=emailed/)
  await expectDone(page, 'email')
}

/** The owner connects a program of the store, which adds what staff add on pages. */
async function connectProgram(page: Page): Promise<void> {
  await page.goto(at('/office/api-clients/new'))
  await page.getByLabel('Name').fill('Inventory system')
  await page.getByLabel('Client ID').fill(demoProgram.clientId)
  await page.locator('[name=role]').selectOption('manager')
  await page.getByRole('button', { name: 'Add the API client' }).click()
  await page.waitForURL(/\/office\/api-clients\/[-0-9a-f]{36}/)
  const token = await requestAdminToken(
    store,
    'warehouses.manage catalog.edit customers.edit orders.export promotions.edit',
  )
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await callAdminApi(store, token, [method, path], body)
    expect(answer.status, `${method} ${path}: ${answer.body.detail ?? ''}`).toBeLessThan(300)
    return answer.body
  }
  const warehouse = { code: 'JOL', name: 'Joliet', street: '1 Main Street', zip: '60435', cutoff: '14:00' }
  const { id } = await call('POST', '/warehouses', warehouse)
  const read = await call('GET', `/warehouses/${String(id)}`)
  await call('PUT', `/warehouses/${String(id)}`, { ...read, name: 'Joliet North' })
  await call('POST', '/brands', { brand: 'Lakemont', brand_tier: 'mid' })
  await call('POST', '/customers', { name: 'Noor Hale', email: 'noor@example.com' })
  expect(await call('GET', '/orders')).toMatchObject({ rows: [] })
  const deal = { name: 'Deal of the day', headline: '5% off winter tires', kind: 'Percentage', amount: '5' }
  const narrow = { season: 'winter', vehicleClass: 'passenger', fundedBy: 'store', daily: 'yes' }
  const draft = await call('POST', '/promotions', { formKey: newId(), ...deal, ...narrow })
  expect(await call('GET', `/promotions/${String(draft.id)}`)).toMatchObject({ season: 'winter', daily: 'yes' })
  await page.goto(at('/office/warehouses'))
  await page.getByText('Joliet North').waitFor()
}

/** Staff add a shop; its owner follows the email and sets it up. Returns the shop's page in the portal. */
async function addShop(page: Page, portal: Page): Promise<string> {
  await openStep(page, 'installers')
  await page.getByRole('link', { name: 'Add a shop' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Belmont Tire')
  await page.getByLabel('Street').fill('900 W Belmont Ave')
  await page.getByLabel('City').fill('Chicago')
  await page.getByLabel('ZIP code').fill(zip)
  await page.getByLabel('Phone', { exact: true }).fill('(773) 555-0133')
  await page.getByLabel('Owner’s name').fill(shopOwner.name)
  await page.getByLabel('Owner’s email').fill(shopOwner.email)
  await page.getByRole('button', { name: 'Add the shop' }).click()
  await page.waitForURL(/done=added/)
  const shop = await setUpShop(store, portal, { owner: shopOwner, about: 'You work at Belmont Tire' })
  await expectDone(page, 'installers')
  return shop
}

/** Invites a second member of staff, who accepts and approves the application of a van; its owner sets it up. */
async function addStaffAndVan(page: Page, colleague: Page, van: Page): Promise<void> {
  await openStep(page, 'staff')
  const form = page.locator('#invite')
  await form.getByLabel('Email').fill(manager.email)
  await form.getByLabel('Role').selectOption('manager')
  await form.getByRole('button', { name: 'Invite' }).click()
  await page.waitForURL(/done=invited/)
  await applyAsVan(store, van, vanOwner, zip)

  await colleague.goto(linkIn(await newestMail(store, manager.email, 'You’re invited'), '/office'))
  await registerAndVerify(store, colleague, manager, '/office')
  await colleague.goto(at('/office/shop-applications'))
  await colleague.getByRole('link', { name: /^A-\d/ }).first().click()
  await colleague.getByRole('button', { name: 'Approve' }).click()
  await colleague.waitForURL(/done=approved/)
  await setUpShop(store, van, { owner: vanOwner, about: 'is approved', isVan: true })
  expect(await (await stepOf(page, 'installers')).innerText()).toContain('2 shops with hours')
  expect(await (await stepOf(page, 'staff')).innerText()).toContain('2 people, 1 owner among them')
}

/** Verifies Illinois taxes and fees with their source and the day. */
async function verifyTaxes(page: Page): Promise<void> {
  await (await stepOf(page, 'taxes')).getByRole('link', { name: 'Check rates and fees' }).click()
  await page.getByRole('link', { name: 'Illinois' }).click()
  await expectFits(page)
  await page.getByRole('textbox', { name: 'Source' }).fill('tax.illinois.gov, sales tax rates and tire user fee')
  await page.getByLabel('Checked on').fill(Temporal.Now.plainDateISO('America/New_York').toString())
  await page.getByLabel('Verified with the source').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/done=saved/)
  await page.getByText('Verified', { exact: true }).waitFor()
  await expectDone(page, 'taxes')
}

/**
 * The shop moves the appointment to tomorrow, and opens its job. Cars may come from the day
 * before.
 */
async function moveToTomorrow(shop: Page): Promise<void> {
  await eventually('booked day', async () => {
    await shop.getByRole('link', { name: 'Day after' }).click()
    await shop.waitForLoadState()
    return (await shop.locator('a[href*="/moves/"]').count()) > 0
  })
  await shop.locator('a[href*="/moves/"]').first().click()
  const tomorrow = Temporal.Now.plainDateISO('America/Chicago').add({ days: 1 }).toString()
  await shop.getByLabel('Day').fill(tomorrow)
  await shop.getByLabel(/^Time/).fill('08:00')
  await shop.getByLabel(/^Reason/).selectOption('customer-asked')
  await shop.getByRole('button', { name: 'Move', exact: true }).click()
  await shop.getByText('The appointment is moved').waitFor()
  await shop.locator('a[href*="/jobs/"]:not([href*="/new"])').first().click()
}

/** The code that the customer shows at the shop, from the email about the order. */
async function claimCode(orderId: number): Promise<string> {
  const { text } = await newestMail(store, dana.email, `We have your order S-${orderId}`)
  return /claim code is (\d{3} \d{3})/.exec(text)?.[1] ?? ''
}

/** Buys four tires for a CR-V, installed at the only shop; returns the order. */
async function buyTires(journey: Journey): Promise<number> {
  const { page } = journey
  await setZip(journey, zip)
  await page.getByLabel('Year').selectOption('2019')
  await page.getByLabel('Make').selectOption({ label: 'Honda' })
  await page.getByLabel('Model').selectOption({ label: 'CR-V' })
  await page.getByLabel('Trim').selectOption({ label: 'EX' })
  await page.getByRole('button', { name: 'Show tires that fit' }).click()
  await page.getByRole('button', { name: 'My door label matches' }).click()
  await page.getByText('Fits front and rear').first().waitFor()
  await chooseFirstTire(journey)
  await holdFirstTime(journey)
  await page.getByLabel('City').fill('Chicago')
  await enterDetails(journey)
  await expectServices(journey)
  await chooseServices(journey)
  await payInFields(journey, '4242424242424242')
  return placeOrder(journey)
}

/** Starts a store, and tests the whole journey with every browser at this width, in CSS pixels. */
export async function testOpening(width: number): Promise<void> {
  // The settings for a real store. The log has the owner's link at this level.
  const started = await startStoreAndBrowser({
    database: await createTestDatabase({ from: 'new', isFresh: true }),
    env: (_databaseUrl, sandboxOrigin) =>
      Promise.resolve({ ...realStoreEnv(sandboxOrigin), RELEASE_AFTER_SECONDS: '45', LOG_LEVEL: 'warn' }),
  })
  ;({ store, browser } = started)

  test(
    `a retailer opens a store, a shopper buys, a shop installs and is paid, all at ${width} px`,
    { timeout: 300_000 },
    async () => {
      const viewport = { width, height: 800 }
      const [owners, managers, installers, vans, shoppers] = [
        await openBrowser(browser, viewport),
        await openBrowser(browser, viewport),
        await openBrowser(browser, viewport),
        await openBrowser(browser, viewport),
        await openBrowser(browser, viewport),
      ]
      const { page } = owners

      // The first owner, by the link in the log.
      const link = await eventually('owner link in the log', () =>
        Promise.resolve(/http\S+\/office\/first-owner\?key=[\w-]+/.exec(store.output('web'))?.[0]),
      )
      await page.goto(link)
      await page.getByLabel('Email').fill(owner.email)
      await page.getByRole('button', { name: 'Continue to sign in' }).click()
      await registerAndVerify(store, page, owner, '/office')
      await page.getByText('Open your store').first().waitFor()
      await page.getByRole('heading', { level: 1, name: /^Welcome/ }).waitFor()
      expect(await page.getByRole('link', { name: 'Preview store' }).isVisible()).toBe(true)
      expect(await (await stepOf(page, 'live')).getAttribute('class')).toContain('is-blocked')

      await describeBusiness(page)
      await verifyTaxes(page)
      await stockTires(page)
      await connectProgram(page)
      const shopPage = await addShop(page, installers.page)
      await addStaffAndVan(page, managers.page, vans.page)

      // A shopper can look around, but not pay; staff place the test order, and cancel it.
      await shoppers.page.goto(at('/'))
      await shoppers.page.getByText('This store isn’t open yet').waitFor()
      const testOrder = await buyTires({ page, store })
      await page.goto(at('/track-your-order'))
      await page.getByLabel('Order ID').fill(`S-${testOrder}`)
      await page.getByLabel('ZIP code').last().fill(zip)
      await page.getByRole('button', { name: /Track|Show/ }).click()
      await page.getByText('Cancel this order').click()
      await page.getByRole('button', { name: `Cancel order S-${testOrder}` }).click()
      await page
        .getByText(/Canceled/)
        .first()
        .waitFor()
      await expectDone(page, 'order')

      // Going live takes the notice off.
      await page.locator('button[value=open][aria-haspopup=dialog]').click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Open the store' }).click()
      await page.waitForURL(/done=open/)
      await eventually('storefront without the notice', async () => {
        await shoppers.page.goto(at('/'))
        return (await shoppers.page.getByText('This store isn’t open yet').count()) === 0
      })

      // A shopper's order is charged, shipped to the shop and installed.
      const orderId = await buyTires({ page: shoppers.page, store })
      await eventually(
        'delivery to the shop',
        async () => {
          await page.goto(at(`/office/orders/${orderId}`))
          return /Delivered/.test(await page.locator('main').innerText())
        },
        120,
      )
      const shop = installers.page
      await shop.goto(shopPage)
      await moveToTomorrow(shop)
      for (let counted = 1; counted <= 4; counted += 1) {
        await shop
          .getByRole('button', { name: /^One more: / })
          .first()
          .click()
        await shop.getByText(`${counted} of 4 counted`, { exact: true }).waitFor()
      }
      const earned = await shop.locator('.is-total', { hasText: 'You earn' }).locator('dd').innerText()
      expect(earned).toMatch(/^\$\d+\.\d\d$/)
      await shop.getByRole('button', { name: 'Car is here' }).click()
      await shop.getByRole('button', { name: 'Into the bay' }).click()
      await shop
        .getByLabel(/^DOT code/)
        .first()
        .fill('7B3 KXYZ92 0126')
      await shop.getByLabel('All 4 tires have this code').check()
      for (const tread of await shop.getByLabel(/^Old tread/).all()) await tread.fill('3')
      await shop.getByLabel('Miles on the odometer').fill('41,836')
      await shop.getByLabel('The 6 digits the customer shows').fill(await claimCode(orderId))
      await shop.getByRole('button', { name: 'Finish job' }).click()
      await shop.getByText('Finished. The tires are registered for the customer.').waitFor()
      await shop.goto(`${shopPage}/pay`)
      expect(await shop.locator('[aria-labelledby=week] li', { hasText: `S-${orderId}` }).innerText()).toContain(earned)

      expect(await verify(store.database.db, Temporal.Now.instant())).toEqual([])
      for (const { complaints } of [owners, managers, installers, vans, shoppers]) expect(complaints).toEqual([])
    },
  )
}
