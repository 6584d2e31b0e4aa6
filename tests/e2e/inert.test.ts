/** Markup in text that people enter about themselves, vehicles, tires and shops is shown literally and never runs. */
import { afterAll, expect, test } from 'vitest'
import { remember } from '#http/visitor.ts'
import { encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { readConfig } from '#platform/config.ts'
import { newTimedId } from '#platform/ids.ts'
import { launchBrowser } from '#tests/support/browser.ts'
import { giveCompany } from '#tests/support/company.ts'
import { eventually } from '#tests/support/eventually.ts'
import { mailFor } from '#tests/support/mailbox.ts'
import { openStartedStore } from '../faults/started-store.ts'
import { openPage, signInAsDana } from './journey.ts'

const store = await openStartedStore()
const browser = await launchBrowser()
afterAll(async () => {
  await browser.close()
  await store[Symbol.asyncDispose]()
})

/** Breaks out of attributes, text and scripts if unescaped; short enough for the shortest field. */
const hostile = '"><img src=x onerror=ran=1><script>ran=1</script>'
const cookies = (list: Record<string, string>) =>
  Object.entries(list).map(([name, value]) => ({ name, value, url: store.origin }))
const vehicle = {
  vehicleId: null,
  fitmentId: null,
  year: 2019,
  makeSlug: 'honda',
  modelSlug: 'cr-v',
  name: hostile,
  confirmed: false,
  label: null,
}

test('user text never runs, even without a content security policy', { timeout: 240_000 }, async () => {
  const { db } = store
  await using context = await browser.newContext({ bypassCSP: true, viewport: { width: 1280, height: 900 } })
  const { page, complaints } = await openPage(context)
  await signInAsDana({ page, store })
  const [ready, bought] = [await store.prepare(), await store.prepare()]
  const placed = await store.press(bought)
  if (!('orderId' in placed)) throw new Error(placed.text)

  // As if every input check had been bypassed.
  const { id: account } = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', 'dana@example.com')
    .executeTakeFirstOrThrow()
  await db.updateTable('account').set({ name: hostile }).where('id', '=', account).execute()
  await db.updateTable('account_session').set({ browser: hostile }).where('account_id', '=', account).execute()
  const companyId = await giveCompany(db, 'dana@example.com')
  await db.updateTable('company').set({ name: hostile, about: hostile }).where('id', '=', companyId).execute()
  const now = Temporal.Now.instant()
  const garage = {
    id: newTimedId(),
    account_id: account,
    choice: encodeChosenVehicle(vehicle),
    year: 2019,
    make_slug: 'honda',
    model_slug: 'cr-v',
  }
  await db
    .insertInto('account_vehicle')
    .values({ ...garage, added_at: now, used_at: now })
    .execute()
  const person = {
    first_name: hostile,
    last_name: hostile,
    company: hostile,
    address1: hostile,
    address2: hostile,
    city: hostile,
  }
  const address = {
    ...person,
    id: newTimedId(),
    account_id: account,
    state: 'IL',
    zip: '60614',
    phone: '3125550142',
    phone_type: 'mobile',
  }
  await db
    .insertInto('account_address')
    .values({ ...address, added_at: now, used_at: now })
    .execute()
  await db
    .updateTable('cart_contact')
    .set({ ...person, instructions: hostile, vehicle_note: hostile })
    .where('cart_id', '=', ready.cartId)
    .execute()
  await db
    .updateTable('sales_order')
    .set({ ...person, instructions: hostile, ship_to_name: hostile, ship_to_street: hostile })
    .execute()
  await db.updateTable('cart').set({ account_id: account }).where('id', '=', bought.cartId).execute()
  await db
    .updateTable('review')
    .set({ author_name: hostile, summary: hostile, comments: hostile, vehicle: hostile })
    .execute()
  await db.updateTable('shop').set({ name: hostile, street: hostile }).execute()
  // The process has cached earlier reads.
  await store.stop('web')
  await store.revive('web')

  const config = readConfig({ DATABASE_URL: store.database.url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const orders = remember(false, config.value.session.secret).orders([placed.orderId])
  await context.addCookies(
    cookies({
      sw_cart: ready.cartId,
      sw_zip: '60614',
      sw_vehicle: encodeURIComponent(encodeChosenVehicle(vehicle)),
      sw_recent: encodeURIComponent(JSON.stringify([[hostile, '/tire-sizes/225-65r17']])),
      sw_orders: orders.slice(orders.indexOf('=') + 1, orders.indexOf(';')),
    }),
  )

  const asked = encodeURIComponent(hostile)
  const addresses: [path: string, isShown: boolean][] = [
    ['/', true],
    ['/account', true],
    [`/account/my-garage?vehicle=${garage.id}`, true],
    ['/account/my-orders', true],
    ['/account/addresses', true],
    ['/account/company', true],
    ['/account/company/members', true],
    ['/brands/kestrel/alltide-as2/reviews', true],
    ['/brands/kestrel/alltide-as2/p/100001', true],
    ['/brands/kestrel/alltide-as2/write-a-review', true],
    ['/tire-reviews/newest', true],
    ['/tire-shops?zip=60614', true],
    ['/cart', true],
    ['/checkout/shipping', true],
    ['/checkout/shipping-confirmation', true],
    ['/checkout/payments', true],
    ['/checkout/order-summary', true],
    [`/checkout/order-confirmation?order=${placed.orderId}`, true],
    [`/track-your-order/result?order=${placed.orderId}`, true],
    [`/search?q=${asked}`, true],
    [`/help-center?q=${asked}`, true],
    [`/zip?back=${asked}`, false],
    [`/sign-in?back=${asked}`, false],
    [`/find?year=${asked}&make=${asked}`, false],
    [`/compare?items=${asked}`, false],
    [`/tire-sizes/225-65r17?sort=${asked}&brand=${asked}`, false],
    [`/api/sso-landing?state=${asked}`, false],
    [`/no/${asked}`, false],
  ]
  for (const [path, isShown] of addresses) {
    await page.goto(`${store.origin}${path}`)
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(whatRan), path).toEqual([])
    // The name must be shown because it could be real.
    if (isShown) expect(await page.evaluate(isWritten, hostile), path).toBe(true)
  }
  expect(complaints).toEqual([])
})

test('nor does it run in our emails', async () => {
  const email = 'markup@example.com'
  const fields = {
    firstName: 'Dana',
    lastName: 'Ruiz',
    email,
    subject: 'Does it fit?',
    message: hostile,
    orderNumber: '',
    phone: '312-555-0142',
  }
  const { origin } = store
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  const answer = await fetch(`${origin}/contact`, { method: 'POST', body, headers: { origin }, redirect: 'manual' })
  expect(answer.status).toBe(303)
  const mails = await eventually('mail to the store', async () => {
    const written = await mailFor(store, 'help@sidewall.example')
    return written.some(({ text }) => text.includes(hostile)) && written
  })
  for (const { html } of mails) expect(html).not.toMatch(/<script|<img[^>]+onerror/)
})

/** The parts of the text that became markup. */
function whatRan(): string[] {
  const foreign = [...document.querySelectorAll('img[src=x], [onerror], script:not([src])')]
  const scripts = foreign.filter((element) => element.tagName !== 'SCRIPT' || element.textContent === 'ran=1')
  return [...scripts.map((element) => element.outerHTML), ...('ran' in window ? ['it ran'] : [])]
}

function isWritten(text: string): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].map(
    ({ value }) => value,
  )
  return (document.body.textContent ?? '').includes(text) || fields.some((value) => value.includes(text))
}
