/**
 * Opens a store from an empty database as a new retailer does, in a browser and without SQL: from the link in the log
 * through the checklist, with a tire shop and its owner, to a shopper's paid and installed order on a phone.
 */
import type { Browser, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { bringToToday } from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { demoProgram } from '#sandbox/identity/provider.ts'
import { callAdminApi, requestAdminToken } from '#tests/support/admin-client.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { newId } from '#platform/ids.ts'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { ownSecrets } from '#tests/support/own-secrets.ts'
import { ownPassword } from '#tests/support/visitor.ts'
import {
  axeFindings,
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
import { startStoreAndBrowser } from './store-and-browser.ts'

const identitySecret = 'a secret of Lakeview Tire at its provider'

const { store, browser } = await startStoreAndBrowser({
  database: await createTestDatabase({ from: 'new', isFresh: true }),
  // The settings for a real store, with the store's keys at the providers. The log has the owner's link at this level.
  env: (_databaseUrl, sandboxOrigin) =>
    Promise.resolve({
      DEMO: '0',
      ...ownSecrets,
      SANDBOX_STRIPE_KEY: ownSecrets.STRIPE_SECRET_KEY,
      SANDBOX_WEBHOOK_SECRET: ownSecrets.STRIPE_WEBHOOK_SECRET,
      SANDBOX_EASYPOST_KEY: ownSecrets.EASYPOST_API_KEY,
      SANDBOX_CARRIER_SECRET: ownSecrets.CARRIER_CALLBACK_SECRET,
      OIDC_ISSUER: `${sandboxOrigin}/identity`,
      OIDC_CLIENT_ID: 'lakeview',
      OIDC_CLIENT_SECRET: identitySecret,
      SANDBOX_IDENTITY_CLIENT_ID: 'lakeview',
      SANDBOX_IDENTITY_CLIENT_SECRET: identitySecret,
      SALES_TAX: 'stripe',
      RELEASE_AFTER_SECONDS: '45',
      LOG_LEVEL: 'warn',
    }),
})

const at = (path: string) => `${store.origin}${path}`
const zip = '60657'
const owner = { name: 'Maria Lake', email: 'maria@lakeview.example' }
const shopOwner = { name: 'Bea Mont', email: 'bea@belmont.example' }

/** A person's own browser. */
async function openBrowser(from: Browser, width: number): Promise<{ page: Page; complaints: string[] }> {
  const context = await from.newContext({
    bypassCSP: true,
    reducedMotion: 'reduce',
    viewport: { width, height: width < 500 ? 780 : 900 },
  })
  return openPage(context)
}

/** Registers at the sign-in provider and follows the link in its email, from a page that requires sign-in. */
async function registerAndVerify(page: Page, { name, email }: typeof owner, door: '/office' | '/portal') {
  await page.getByRole('button', { name: 'Continue to sign in' }).click()
  await page.getByRole('link', { name: 'Create one' }).click()
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill(ownPassword)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Your email is not verified yet').waitFor()
  await page.goto(linkIn(await newestMail(store, email, 'Verify'), '/verify-email/'))
  await page.goto(at(door))
  await page.getByRole('button', { name: 'Continue to sign in' }).click()
  // The provider recognizes the browser from the registration, and doesn't require a password.
  await page.waitForURL(
    (url) => url.origin === store.origin && url.pathname.startsWith(door) && !url.pathname.endsWith('/sign-in'),
  )
}

/** A step of the checklist. */
async function stepOf(page: Page, name: string) {
  await page.goto(at('/office/setup'))
  return page.locator(`li#${name}`)
}

async function expectDone(page: Page, name: string): Promise<void> {
  expect(await (await stepOf(page, name)).getAttribute('class'), name).toContain('is-done')
}

const sizes = { '235/60R18': 107, '225/65R17': 102, '215/55R17': 94, '205/55R16': 91, '195/65R15': 91 }

/** One hundred tires from one brand, in 20 models with five sizes each. */
function catalogFiles(): { products: string; stock: string } {
  const tires = Array.from({ length: 20 }, (_, line) =>
    Object.entries(sizes).map(([size, loadIndex], place) => ({
      sku: `OAK-${100 + line * 5 + place}`,
      cells: `Oakline,mid,Road ${line + 1},touring-all-season,all-season,yes,${size},${loadIndex},H,${size === '235/60R18' ? 'XL' : 'SL'},51,6,9,10,27,600,A,A,${100 + line}`,
    })),
  ).flat()
  const columns =
    'sku,brand,brand_tier,line,category,tread,m_plus_s,size,load_index,speed,load_class,max_psi,rim_width_min_in,rim_width_max_in,tread_depth_32nds,weight_lb,utqg_treadwear,utqg_traction,utqg_temperature,price'
  return {
    products: [columns, ...tires.map(({ sku, cells }) => `${sku},${cells}`)].join('\n'),
    stock: ['sku,warehouse,on_hand', ...tires.map(({ sku }) => `${sku},CHI,40`)].join('\n'),
  }
}

async function importFile(page: Page, kind: string, text: string): Promise<void> {
  await page.goto(at('/office/imports'))
  await page.locator('#kind').selectOption({ label: kind })
  await page.locator('#file').setInputFiles({ name: 'tires.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: 'Upload and preview' }).click()
  await page.waitForURL(/\/office\/imports\/\d+/)
  await eventually('preview of the import', async () => {
    await page.reload()
    return (await page.getByRole('button', { name: 'Publish now' }).count()) > 0
  })
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('Published. Carts and checkout use it now').waitFor()
}

/** Fills the business's part of the checklist (details, test charge, and policies). */
async function describeBusiness(page: Page): Promise<void> {
  await (await stepOf(page, 'details')).getByRole('link', { name: 'Edit' }).click()
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
    await page.goto(at('/office/content'))
    await page.getByRole('link', { name: policy }).first().click()
    await page.getByLabel('I have read this page').check()
    await page.getByRole('button', { name: 'Publish as released' }).click()
    await page.waitForURL(/done=published/)
  }
  await expectDone(page, 'legal')
}

/** A warehouse, 100 tires with stock, rates, the carrier and email. */
async function stockTires(page: Page): Promise<void> {
  await (await stepOf(page, 'warehouse')).getByRole('link').click()
  await page.getByRole('link', { name: 'Add a warehouse' }).click()
  await page.getByLabel('Code', { exact: true }).fill('CHI')
  await page.getByLabel('Name').fill('Lakeview warehouse')
  await page.getByLabel('Street').fill('3500 N Broadway')
  await page.getByLabel('ZIP code').fill(zip)
  await page.getByLabel('Orders ship the same day until').fill('16:00')
  await page.getByRole('button', { name: 'Add the warehouse' }).click()
  await page.waitForURL(/done=added/)
  await expectDone(page, 'warehouse')

  const { products, stock } = catalogFiles()
  await importFile(page, 'Products', products)
  await importFile(page, 'Stock', stock)
  await expectDone(page, 'catalog')
  expect(await (await stepOf(page, 'catalog')).innerText()).toContain('100 tires for sale, 100 of them in stock')

  await (await stepOf(page, 'shipping')).getByRole('link').click()
  await page.getByRole('button', { name: 'Save rates' }).click()
  await page.waitForURL(/done=saved/)
  await expectDone(page, 'shipping')
  await page.getByRole('button', { name: 'Check the carrier' }).click()
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

/** Staff add a shop; its owner follows the email and sets it up on a phone. */
async function addShop(page: Page, phone: Page): Promise<string> {
  await (await stepOf(page, 'installers')).getByRole('link').click()
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

  await phone.goto(linkIn(await newestMail(store, shopOwner.email, 'You work at Belmont Tire'), '/portal'))
  await registerAndVerify(phone, shopOwner, '/portal')
  const setUp = `${phone.url().split('?')[0]}/set-up`
  await phone.goto(`${setUp}/hours`)
  for (let day = 1; day <= 7; day += 1) {
    await phone.locator(`[name=opens-${day}]`).selectOption({ label: '8:00 AM' })
    await phone.locator(`[name=closes-${day}]`).selectOption({ label: '6:00 PM' })
  }
  await phone.getByRole('button', { name: 'Save hours' }).click()
  await phone.waitForURL(/done=saved/)
  await phone.goto(`${setUp}/bays`)
  await phone.getByLabel('Bays with a lift').fill('2')
  await phone.getByLabel('Cars that can be dropped off').fill('0')
  await phone.getByRole('button', { name: 'Save bays' }).click()
  await phone.waitForURL(/done=saved/)
  await phone.goto(`${setUp}/prices`)
  for (const kind of ['standard', 'low-profile'])
    for (const rim of [12, 17, 19, 21]) await phone.locator(`[name=${kind}-${rim}]`).fill('25')
  await phone.getByLabel('Sensor service kit').fill('8')
  await phone.getByLabel('Disposal of an old tire').fill('4')
  await phone.getByRole('button', { name: 'Save prices' }).click()
  await phone.waitForURL(/done=saved/)
  await phone.goto(`${setUp}/lengths`)
  await phone.getByRole('button', { name: 'Save job lengths' }).click()
  await phone.waitForURL(/done=saved/)
  await phone.goto(`${setUp}/blackout-days`)
  await phone.getByRole('button', { name: 'No blackout days' }).click()
  await phone.waitForURL(/done=saved/)
  expect(await axeFindings(phone)).toEqual([])
  await phone.getByRole('button', { name: 'Open the shop' }).click()
  await phone.getByText('Your shop is open. Shoppers can book it now.').waitFor()
  await expectDone(page, 'installers')
  return setUp.replace(/\/set-up$/, '')
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

test(
  'a retailer opens a store, a shopper buys on a phone, a shop installs and is paid',
  { timeout: 300_000 },
  async () => {
    const desk = await openBrowser(browser, 1280)
    const shopPhone = await openBrowser(browser, 360)
    const shopperPhone = await openBrowser(browser, 360)
    const { page } = desk

    // The first owner, by the link in the log.
    const link = await eventually('owner link in the log', () =>
      Promise.resolve(/http\S+\/office\/first-owner\?key=[\w-]+/.exec(store.output('web'))?.[0]),
    )
    await page.goto(link)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByRole('button', { name: 'Continue to sign in' }).click()
    await registerAndVerify(page, owner, '/office')
    await page.getByText('Open your store').first().waitFor()
    expect(await (await stepOf(page, 'live')).getAttribute('class')).toContain('is-blocked')

    await describeBusiness(page)
    await stockTires(page)
    await connectProgram(page)
    const shopPage = await addShop(page, shopPhone.page)

    // A shopper can look around, but not pay; staff place the test order, and cancel it.
    await shopperPhone.page.goto(at('/'))
    await shopperPhone.page.getByText('This store isn’t open yet').waitFor()
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
      await shopperPhone.page.goto(at('/'))
      return (await shopperPhone.page.getByText('This store isn’t open yet').count()) === 0
    })

    // A shopper's order is charged, shipped to the shop and installed.
    const orderId = await buyTires({ page: shopperPhone.page, store })
    await eventually(
      'delivery to the shop',
      async () => {
        await page.goto(at(`/office/orders/${orderId}`))
        return /Delivered/.test(await page.locator('main').innerText())
      },
      120,
    )
    const [booking] = await store.database.db
      .selectFrom('booking')
      .select('id')
      .where('order_id', '=', orderId)
      .execute()
    await bringToToday(store.database, booking?.id ?? '', Temporal.Now.instant())
    const shop = shopPhone.page
    await shop.goto(`${shopPage}/jobs/${booking?.id}`)
    for (let counted = 1; counted <= 4; counted += 1) {
      await shop
        .getByRole('button', { name: /^One more: / })
        .first()
        .click()
      await shop.getByText(`${counted} of 4 counted`, { exact: true }).waitFor()
    }
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
    await shop
      .getByText(/\$\d+\.\d\d/)
      .first()
      .waitFor()

    expect(await verify(store.database.db, Temporal.Now.instant())).toEqual([])
    for (const { complaints } of [desk, shopPhone, shopperPhone]) expect(complaints).toEqual([])
  },
)
