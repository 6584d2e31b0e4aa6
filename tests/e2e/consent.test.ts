/**
 * Tests analytics in a browser. No data is sent before consent. After it, each step of a purchase is sent once, without
 * personal data.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import {
  chooseFirstTire,
  chooseServices,
  dana,
  expectNoAxeFindings,
  fillDetails,
  holdFirstTime,
  openPage,
  payInFields,
  placeOrder,
  setZip,
} from './journey.ts'
import { startStoreAndBrowser } from './store-and-browser.ts'
import { tooWide } from './phone.ts'

/** A typical third-party tag that forwards everything pushed to it. */
const tagScript = `(() => {
  const collect = new URL('/collect', document.currentScript.src)
  const send = (entry) => void fetch(collect, { method: 'POST', mode: 'no-cors', keepalive: true, body: JSON.stringify(Array.from(entry)) })
  window.dataLayer.forEach(send)
  window.dataLayer.push = (entry) => (send(entry), Array.prototype.push.call(window.dataLayer, entry))
})()`

type Told = { name: string; params: Record<string, unknown> }
const requests: string[] = []
const told: Told[] = []
/** Everything that was sent, events or not. */
const sent: string[] = []
const server = createServer((request, response) => {
  requests.push(request.url ?? '')
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.method === 'GET')
      return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(tagScript)
    const body = Buffer.concat(chunks).toString()
    sent.push(body)
    const [what, name, params] = JSON.parse(body) as [string, string, Record<string, unknown>]
    if (what === 'event') told.push({ name, params })
    response.writeHead(204).end()
  })
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const { port } = server.address() as AddressInfo
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const { store, browser } = await startStoreAndBrowser({
  env: { ANALYTICS_TAG_URL: `http://127.0.0.1:${port}/tag.js`, ANALYTICS_TAG_ID: 'G-DEMO' },
})

function forget(): void {
  requests.length = 0
  told.length = 0
  sent.length = 0
}
const names = () => told.map(({ name }) => name)
const until = (happened: () => boolean) => eventually('word of it', happened)

test('the tag loads only after consent, then sends each purchase step once, without personal data', async () => {
  forget()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: false })
  const { page, complaints } = await openPage(context)
  const journey = { page, store }
  await setZip(journey, '60614')
  await page.goto(`${store.origin}/tire-sizes/225-65r17`)
  await page.getByRole('region', { name: 'Measuring visits' }).waitFor()
  expect(requests).toEqual([])

  await page.getByRole('button', { name: 'Yes' }).click()
  await until(() => names().includes('view_item_list'))
  expect(requests.filter((url) => url.startsWith('/tag.js'))).toEqual(['/tag.js?id=G-DEMO'])
  expect(await page.getByRole('region', { name: 'Measuring visits' }).count()).toBe(0)

  await chooseFirstTire(journey)
  await holdFirstTime(journey)
  await fillDetails(journey)
  await chooseServices(journey)
  await payInFields(journey, '4242424242424242')
  const orderId = await placeOrder(journey)
  await until(() => names().includes('purchase'))
  await page.reload()
  await page.goto(`${store.origin}/types`)
  await page.goBack()
  await page.getByText('Cancel this order').click()
  await page.getByRole('button', { name: /^Cancel order/ }).click()
  await until(() => names().includes('refund'))

  const wanted = [
    'view_item_list',
    'view_item',
    'add_to_cart',
    'view_cart',
    'begin_checkout',
    'add_shipping_info',
    'add_payment_info',
    'purchase',
    'refund',
  ]
  expect(wanted.map((name) => [name, names().filter((other) => other === name).length])).toEqual(
    wanted.map((name) => [name, 1]),
  )
  const purchase = told.find(({ name }) => name === 'purchase')?.params as {
    transaction_id: string
    value: number
    tax: number
  }
  const order = await store.database.db
    .selectFrom('sales_order')
    .select('total_cents')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  expect(purchase.transaction_id).toBe(`S-${orderId}`)
  expect(Math.round((purchase.value + purchase.tax) * 100)).toBeLessThanOrEqual(order.total_cents)
  const all = JSON.stringify([requests, sent]).toLowerCase()
  for (const secret of [dana.lastName, dana.email, dana.address, '5550142', '4242', 'key=', 'order=', '60614'])
    expect(all).not.toContain(secret.toLowerCase())
  expect(complaints).toEqual([])
  await context.close()
})

test('a refusal is remembered, and the question does not return', async () => {
  forget()
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, bypassCSP: true })
  const { page, complaints } = await openPage(context)
  await page.goto(`${store.origin}/brands/kestrel/alltide-as2/p/100001`)
  await page.getByRole('region', { name: 'Measuring visits' }).waitFor()
  await expectNoAxeFindings(page)
  expect(await tooWide(page)).toEqual([])
  await page.getByRole('button', { name: 'No, thanks' }).click()
  for (const path of ['/', '/cart', '/tire-sizes/225-65r17']) {
    await page.goto(`${store.origin}${path}`, { waitUntil: 'networkidle' })
    expect(await page.getByRole('region', { name: 'Measuring visits' }).count()).toBe(0)
  }
  expect(requests).toEqual([])
  expect(complaints).toEqual([])
  await context.close()
})

test('a browser with Global Privacy Control is neither measured nor asked, regardless of earlier consent', async () => {
  forget()
  const context = await browser.newContext({ extraHTTPHeaders: { 'sec-gpc': '1' } })
  await context.addInitScript(`Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })`)
  await context.addCookies([{ name: 'sidewall_consent', value: 'yes', url: store.origin }])
  const { page } = await openPage(context)
  for (const path of ['/', '/tire-sizes/225-65r17', '/brands/kestrel/alltide-as2/p/100001']) {
    await page.goto(`${store.origin}${path}`, { waitUntil: 'networkidle' })
    expect(await page.getByRole('contentinfo').getByText('Global Privacy Control honored').count()).toBe(1)
    expect(await page.getByRole('region', { name: 'Measuring visits' }).count()).toBe(0)
  }
  expect(requests).toEqual([])
  await context.close()
})

test('a cached page of another visitor does not change that', async () => {
  forget()
  const context = await browser.newContext()
  await context.addInitScript(`Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })`)
  await context.addCookies([{ name: 'sidewall_consent', value: 'yes', url: store.origin }])
  const { page } = await openPage(context)
  await page.goto(`${store.origin}/tire-sizes/225-65r17`, { waitUntil: 'networkidle' })
  expect(requests).toEqual([])
  await context.close()
})

test('signing in is sent as an event, without naming anyone', async () => {
  forget()
  const context = await browser.newContext()
  await context.addCookies([{ name: 'sidewall_consent', value: 'yes', url: store.origin }])
  const { page } = await openPage(context)
  await page.goto(`${store.origin}/sign-in`)
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).first().click()
  await page.getByLabel('Email').fill('dana@example.com')
  await page.getByLabel('Password').fill('sidewall-demo')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await until(() => names().some((name) => name === 'login' || name === 'sign_up'))
  expect(JSON.stringify(sent)).not.toMatch(/dana|example\.com/i)
  await context.close()
})
