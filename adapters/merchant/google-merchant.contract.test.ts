/** The client against the sandbox, and Google's own client against the sandbox. */
import { createServer } from 'node:http'
import { ProductInputsServiceClient, ProductsServiceClient, protos } from '@google-shopping/products'
import { OAuth2Client } from 'google-auth-library'
import { expect, test } from 'vitest'
import type { Listing } from '#domain/catalog/google-listings/merchant-center.port.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { demoMerchant, demoTokenPath } from '#platform/merchant-demo-account.ts'
import { startTestSandbox, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createGoogleMerchant } from './google-merchant.ts'
import { productInputOf } from './product-input.ts'

const [port = 0] = await freePorts(4)

const listing: Listing = {
  itemId: 100_101,
  fields: [
    ['id', '100101'],
    ['item_group_id', '7'],
    ['title', 'Kestrel Path 225/65R17 102H Tire'],
    ['description', 'Kestrel Path 225/65R17 102H, touring all-season.'],
    ['link', 'https://tires.example/tires/kestrel/path?item=100101'],
    ['image_link', 'https://tires.example/pictures/100101.webp'],
    ['availability', 'in_stock'],
    ['price', '184.99 USD'],
    ['sale_price', '170.00 USD'],
    ['sale_price_effective_date', '2026-06-01T05:00:00Z/2026-06-30T05:00:00Z'],
    ['brand', 'Kestrel'],
    ['gtin', '036000291452'],
    ['mpn', 'P1-22565'],
    ['identifier_exists', 'yes'],
    ['condition', 'new'],
    ['size', '225/65R17 102H'],
    ['google_product_category', 'Vehicles & Parts > Tires'],
    ['product_type', 'Tires > Touring'],
    ['shipping_weight', '26.4 lb'],
  ],
  shipping: [
    { country: 'US', region: null, postalCode: null, price: '0.00 USD' },
    { country: 'US', region: 'AK', postalCode: null, price: '50.00 USD' },
    { country: 'US', region: null, postalCode: '995*-999*', price: '60.00 USD' },
  ],
}
const withField = (name: string, value: string): Listing => ({
  ...listing,
  fields: listing.fields.map((field) => (field[0] === name ? [name, value] : field)),
})

function centerAt(sandbox: Pick<TestSandbox, 'origin' | 'clock'>, change: { privateKey?: string } = {}) {
  return createGoogleMerchant({
    apiOrigin: sandbox.origin,
    accountId: demoMerchant.accountId,
    dataSourceId: demoMerchant.dataSourceId,
    key: { ...demoMerchant.key, tokenUrl: sandbox.origin + demoTokenPath, ...change },
    clock: sandbox.clock,
  })
}

type Stored = { products: { offerId: string; attributes: Record<string, unknown> }[] }
const productsAt = async ({ origin }: Pick<TestSandbox, 'origin'>) =>
  ((await (await fetch(`${origin}/google/products.json`)).json()) as Stored).products

const post = (url: string, form: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
const failNext = (sandbox: Pick<TestSandbox, 'origin'>, status: number, more: Record<string, string> = {}) =>
  post(`${sandbox.origin}/google/faults`, { status: String(status), calls: '1', ...more })

test('a listing is put, replaced, and removed', async () => {
  await using sandbox = await startTestSandbox(port)
  const center = centerAt(sandbox)
  const done = { ok: true, value: null }
  expect(await center.put(listing)).toEqual(done)
  expect(await center.put(withField('price', '190.05 USD'))).toEqual(done)
  const [stored, ...others] = await productsAt(sandbox)
  expect(others).toEqual([])
  expect(stored?.attributes).toMatchObject({
    price: { amountMicros: '190050000', currencyCode: 'USD' },
    salePriceEffectiveDate: { startTime: '2026-06-01T05:00:00Z', endTime: '2026-06-30T05:00:00Z' },
    identifierExists: true,
    gtins: ['036000291452'],
    shippingWeight: { value: 26.4, unit: 'lb' },
    shipping: [
      { country: 'US' },
      { country: 'US', region: 'AK', price: { amountMicros: '50000000' } },
      { country: 'US', postalCode: '995*-999*', price: { amountMicros: '60000000' } },
    ],
  })
  expect(await center.remove(listing.itemId)).toEqual(done)
  expect(await center.remove(listing.itemId)).toEqual(done)
  expect(await productsAt(sandbox)).toEqual([])
})

test('Google’s own description has each attribute and value', () => {
  const { ProductInput } = protos.google.shopping.merchant.products.v1
  const input = productInputOf(listing)
  const back = ProductInput.toObject(ProductInput.fromObject(withoutTimes(input)), {
    enums: String,
    longs: String,
    json: true,
  })
  expect(withoutTimes(back)).toEqual(withoutTimes(input))
  expect(() => productInputOf({ ...listing, fields: [['new_field', 'x']] })).toThrow('new_field')
})

/** Protocol buffers have other forms of times, which the sandbox checks. */
function withoutTimes(input: object): object {
  const { productAttributes, ...rest } = input as { productAttributes: Record<string, unknown> }
  const { salePriceEffectiveDate: _, ...attributes } = productAttributes
  return { ...rest, productAttributes: attributes }
}

test('Google’s own client puts, lists, and removes at the sandbox', async () => {
  await using sandbox = await startTestSandbox(port)
  const token = await tokenAt(sandbox)
  const authClient = new OAuth2Client()
  authClient.setCredentials({ access_token: token, expiry_date: Date.now() + 3_600_000 })
  const options = { fallback: true, protocol: 'http', apiEndpoint: '127.0.0.1', port, authClient } as const
  const inputs = new ProductInputsServiceClient(options)
  const products = new ProductsServiceClient(options)
  const parent = `accounts/${demoMerchant.accountId}`
  const dataSource = `${parent}/dataSources/${demoMerchant.dataSourceId}`
  const { ProductInput } = protos.google.shopping.merchant.products.v1
  const [put] = await inputs.insertProductInput({
    parent,
    dataSource,
    productInput: ProductInput.fromObject(withoutTimes(productInputOf({ ...listing, itemId: 100_200 }))),
  })
  expect(put).toMatchObject({ name: `${parent}/productInputs/en~US~100200`, offerId: '100200' })
  expect(put.productAttributes?.availability).toBe('IN_STOCK')
  const [found] = await products.listProducts({ parent, pageSize: 1 })
  const [issue] = found[0]?.productStatus?.itemLevelIssues ?? []
  expect(issue).toMatchObject({ severity: 'DISAPPROVED', attribute: 'image link', reportingContext: 'SHOPPING_ADS' })
  const [read] = await products.getProduct({ name: found[0]?.base64EncodedName ?? '' })
  expect(read.dataSource).toBe(dataSource)
  await expect(
    inputs.insertProductInput({
      parent,
      dataSource,
      productInput: { offerId: '1', contentLanguage: 'en', feedLabel: 'US' },
    }),
  ).rejects.toMatchObject({ code: 3, reason: 'INVALID_ARGUMENT', domain: 'merchantapi.googleapis.com' })
  await inputs.deleteProductInput({ name: put.name ?? '', dataSource })
  expect(await productsAt(sandbox)).toEqual([])
  await Promise.all([inputs.close(), products.close()])
})

/** A token as our client gets one, read from the sandbox's answer to a call. */
async function tokenAt(sandbox: TestSandbox): Promise<string> {
  let token = ''
  const server = createServer((request, response) => {
    token = request.headers.authorization?.slice('Bearer '.length) ?? ''
    response.end('{}')
  })
  server.maxRequestsPerSocket = 1
  await new Promise<void>((resolve) => server.listen(port + 3, '127.0.0.1', resolve))
  const center = createGoogleMerchant({
    apiOrigin: `http://127.0.0.1:${port + 3}`,
    accountId: demoMerchant.accountId,
    dataSourceId: demoMerchant.dataSourceId,
    key: { ...demoMerchant.key, tokenUrl: sandbox.origin + demoTokenPath },
    clock: sandbox.clock,
  })
  await center.readIssues(null)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  return token
}

test('a wrong GTIN is refused in Google’s words, and calls that fail say when to try again', async () => {
  await using sandbox = await startTestSandbox(port)
  const center = centerAt(sandbox)
  expect(await center.put(withField('gtin', '036000291453'))).toEqual({
    ok: false,
    reason: 'refused',
    message: '[product_attributes.gtins] Invalid GTIN: 036000291453',
  })
  const unavailable = { ok: false, reason: 'unavailable' }
  await failNext(sandbox, 429, { retryAfter: '7' })
  expect(await center.put(listing)).toMatchObject({ ...unavailable, retrySeconds: 7 })
  await failNext(sandbox, 503)
  expect(await center.put(listing)).toMatchObject({ ...unavailable, retrySeconds: 60 })
  const date = new Date(sandbox.clock.now().add({ seconds: 90 }).epochMilliseconds).toUTCString()
  await failNext(sandbox, 503, { retryAfter: date })
  expect(await center.remove(1)).toMatchObject({ ...unavailable, retrySeconds: 90 })
  // Once with a new token.
  await failNext(sandbox, 401)
  expect(await center.put(listing)).toMatchObject({ ok: true })
  await failNext(sandbox, 401, { calls: '2' })
  expect(await center.put(listing)).toMatchObject({ ...unavailable, retrySeconds: 300 })
  await sandbox.pass({ hours: 2 })
  expect(await center.put(listing)).toMatchObject({ ok: true })
})

test('a wrong key, and a server that stalls or is away, are unavailable', async () => {
  await using sandbox = await startTestSandbox(port)
  const wrong = demoMerchant.key.privateKey.replace(/A/, 'B')
  expect(await centerAt(sandbox, { privateKey: wrong }).put(listing)).toMatchObject({ reason: 'unavailable' })
  const clock = fixedClock('2026-06-15T12:00:00Z')
  const away = centerAt({ origin: `http://127.0.0.1:${port + 3}`, clock })
  expect(await away.readIssues(null)).toMatchObject({ reason: 'unavailable', retrySeconds: 60 })
})

test('problems are read page by page, once per problem', async () => {
  await using sandbox = await startTestSandbox(port)
  const center = centerAt(sandbox)
  for (const itemId of [100_200, 100_201, 100_202]) await center.put({ ...listing, itemId })
  await post(`${sandbox.origin}/google/products/en~US~100201`, { disapproval: 'Not a tire' })
  const read = await center.readIssues(null)
  expect(read).toEqual({
    ok: true,
    value: {
      listings: [
        {
          itemId: 100_201,
          issues: [
            { severity: 'disapproved', text: 'Not a tire', detail: 'Disapproved on the sandbox’s board.', help: null },
          ],
        },
        {
          itemId: 100_200,
          issues: [
            {
              severity: 'disapproved',
              text: 'Invalid image [image link]',
              detail: 'Replace the image with one that meets the requirements.',
              help: 'https://support.google.com/merchants/answer/6324350',
            },
          ],
        },
      ],
      next: null,
    },
  })
})
