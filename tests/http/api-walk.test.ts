/** Every operation of the API, called as its document says by the examples it gives: what is asked and what is answered is what is described. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleCall, makeCall, readDocument, type ApiDocument, type Known, type Operation } from '#tests/support/api-document.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor } from '#tests/support/visitor.ts'

let store: RunningStore
let document: ApiDocument
let session: string
beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  document = readDocument(await (await fetch(`${store.origin}/api/openapi.json`)).json())
  session = await signIn()
})
afterAll(() => store[Symbol.asyncDispose]())

async function signIn(): Promise<string> {
  const visitor = createVisitor()
  const asked = await visitor.follow(`${store.origin}/sign-in`, { form: { back: '/' } })
  const action = new URL(await visitor.formAction(asked.response, '/login'), asked.url)
  await visitor.follow(action, { form: { email: 'dana@example.com', password: 'sidewall-demo' } })
  return `sw_session=${visitor.cookie('sw_session')?.value ?? ''}`
}

/** What a walk has come by, for the calls that follow. */
const found: {
  createCart?: { key: string }
  listShopChoices?: { shop: { id: number } }[]
  listTimes?: Times
  openPayment?: { clientSecret: string }
  readPayment?: object
  priceCart?: { agreedPrice: string }
  placeOrder?: { orderId: number }
  keepVehicle?: { id: string }[]
  saveAddress?: { id: string }
  [id: string]: unknown
} = {}
const cartHeaders = (): Record<string, string> => ({ authorization: `Bearer ${found.createCart?.key ?? ''}` })
const shopId = () => found.listShopChoices?.[0]?.shop.id ?? 1
const orderId = () => found.placeOrder?.orderId ?? 1

/** Operations that go on from each other, as a shopper does: from a cart to its order, with a time held and given up and a payment let go on the way. */
const purchase = `
  createCart readCart addToCart setQuantity removeLine acceptPrices setCartZip setCartVehicle useCredit judgeCart priceCart
  listShopChoices listTimes holdTime readHold extendHold releaseHold listPickupLocations chooseDelivery
  saveContact saveBilling chooseServices readDetails openPayment dropPayment openPayment readPayment priceCart
  placeOrder readOrder lookUpOrder listOrders cancelOrder forgetSearches
  keepVehicle noteReadings removeVehicle saveAddress removeAddress`
  .trim()
  .split(/\s+/)

type Times = { days: { date: string; times: { start: string; free: boolean }[]; dropOffs: { window: string; free: boolean }[] }[] }

/** What the examples cannot know. */
const known: Record<string, () => Known | Promise<Known>> = {
  listTires: () => ({ values: { size: '225-65r17' } }),
  recommendTires: () => ({ values: { size: '225-65r17' } }),
  noteReadings: () => ({ values: { id: found.keepVehicle?.[0]?.id } }),
  removeVehicle: () => ({ values: { id: found.keepVehicle?.[0]?.id } }),
  removeAddress: () => ({ values: { id: found.saveAddress?.id } }),
  addToCart: () => ({ body: { lines: [{ itemId: 100002, quantity: 2 }] } }),
  removeLine: () => ({ values: { itemId: 100002 } }),
  listTimes: () => ({ values: { shopId: shopId() } }),
  holdTime() {
    const { days } = found.listTimes ?? { days: [] }
    const start = days.flatMap(({ times }) => times).find(({ free }) => free)?.start
    const dropOff = days.flatMap(({ date, dropOffs }) => dropOffs.filter(({ free }) => free).map(({ window }) => ({ date, window })))[0]
    return { body: { shopId: shopId(), ...(start === undefined ? dropOff : { start }) } }
  },
  // Whoever is signed in has the cart in the browser.
  useCredit: () => ({ headers: { cookie: `${session}; sw_cart=${found.createCart?.key ?? ''}` } }),
  openPayment: () => ({ body: { flow: 'fields' } }),
  async readPayment() {
    const opened = found.openPayment
    if (opened && !found.readPayment) await payWithCard(opened.clientSecret)
    return {}
  },
  placeOrder: () => ({
    body: { agreedPrice: found.priceCart?.agreedPrice ?? 'none', termsAccepted: true, conditionsAccepted: true },
  }),
  readOrder: () => ({ values: { orderId: orderId() } }),
  cancelOrder: () => ({ values: { orderId: orderId() } }),
  lookUpOrder: () => ({ body: { order: `S-${orderId()}`, zip: '60614' } }),
  voteHelpful: () => ({ headers: cartHeaders() }),
}

/** What the provider's fields do in a browser. */
async function payWithCard(clientSecret: string): Promise<void> {
  const [id = ''] = clientSecret.split('_secret_')
  const answer = await fetch(`${store.sandboxOrigin}/v1/payment_intents/${id}/confirm`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_sidewall' },
    body: new URLSearchParams({ payment_method: 'pm_card_visa' }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

async function callOf(operation: Operation): Promise<Known> {
  const { values, headers, body } = (await known[operation.id]?.()) ?? {}
  const isOfAccount = operation.security.includes('session') && !operation.security.includes('cartKey')
  const who: Record<string, string> = isOfAccount ? { cookie: session, origin: store.origin } : operation.security.includes('cartKey') ? cartHeaders() : {}
  const isOnce = operation.parameters.some(({ name }) => name === 'Idempotency-Key')
  const etag = operation.parameters.some(({ name }) => name === 'If-Match') ? { 'if-match': await etagOfCart() } : {}
  return { ...(values && { values }), body, headers: { ...who, ...etag, ...(isOnce && { 'idempotency-key': randomUUID() }), ...headers } }
}

async function etagOfCart(): Promise<string> {
  const answer = await fetch(`${store.origin}/api/cart`, { headers: cartHeaders() })
  return answer.headers.get('etag') ?? ''
}

test('every operation does what it says when it is called by its example', async () => {
  const byId = new Map(document.operations.map((operation) => [operation.id, operation]))
  const steps = purchase.map((id) => byId.get(id) ?? id)
  expect(steps.filter((step) => typeof step === 'string')).toEqual([])
  const inOrder = [...(steps as Operation[]), ...document.operations.filter(({ id }) => !purchase.includes(id))]
  const complaints: unknown[] = []
  for (const operation of inOrder) {
    const answer = await makeCall(store.origin, exampleCall(document, operation, await callOf(operation)))
    if (answer.status >= 300) complaints.push([operation.id, answer.status, answer.text.slice(0, 300)])
    for (const complaint of document.complaints(operation, answer)) complaints.push([operation.id, complaint])
    if (answer.status < 300 && answer.text !== '') found[operation.id] = JSON.parse(answer.text)
  }
  expect(complaints).toEqual([])
})

test('whatever else may be asked is taken by its example', async () => {
  const complaints: unknown[] = []
  for (const operation of document.operations.filter(({ method }) => method === 'GET')) {
    const base = await callOf(operation)
    for (const { name, in: where, required, example } of operation.parameters) {
      if (where !== 'query' || required || example === undefined) continue
      const answer = await makeCall(store.origin, exampleCall(document, operation, { ...base, values: { ...base.values, [name]: example } }))
      if (answer.status >= 300) complaints.push([operation.id, name, answer.status, answer.text.slice(0, 200)])
      for (const complaint of document.complaints(operation, answer)) complaints.push([operation.id, name, complaint])
    }
  }
  expect(complaints).toEqual([])
})

test('whoever says nothing of themselves is refused by what belongs to somebody, in the form described', async () => {
  const complaints: unknown[] = []
  for (const operation of document.operations.filter(({ security }) => security.length > 0)) {
    const { headers: _, ...rest } = await callOf(operation)
    const answer = await makeCall(store.origin, exampleCall(document, operation, { ...rest, headers: { 'idempotency-key': randomUUID(), 'if-match': '"1"' } }))
    // An order is also opened by the key of a mail, so without one it is not refused but not found.
    if (![401, 404].includes(answer.status)) complaints.push([operation.id, answer.status])
    for (const complaint of document.complaints(operation, answer)) complaints.push([operation.id, complaint])
  }
  expect(complaints).toEqual([])
})

test('a question that is not described, and a body that is none, are refused by every operation', async () => {
  const complaints: unknown[] = []
  for (const operation of document.operations) {
    const call = exampleCall(document, operation, await callOf(operation))
    const asked = await makeCall(store.origin, { ...call, path: `${call.path}${call.path.includes('?') ? '&' : '?'}zq9x=1` })
    if (asked.status !== 400) complaints.push([operation.id, asked.status])
    for (const complaint of document.complaints(operation, asked)) complaints.push([operation.id, complaint])
    if (operation.body === null) continue
    for (const [body, type, status] of [
      ['{"a":', 'application/json', 400],
      ['[[]]', 'application/json', 400],
      ['{"zq9x":1}', 'application/json', 400],
      ['a=b', 'application/x-www-form-urlencoded', 415],
      [JSON.stringify('x'.repeat(70_000)), 'application/json', 413],
    ] as const) {
      const answer = await makeCall(store.origin, { ...call, body, headers: { ...call.headers, 'content-type': type, 'idempotency-key': randomUUID() } })
      if (answer.status !== status) complaints.push([operation.id, body.slice(0, 20), answer.status])
      for (const complaint of document.complaints(operation, answer)) complaints.push([operation.id, complaint])
    }
  }
  expect(complaints).toEqual([])
})

test('an answer that is not as described is noticed', () => {
  const operation = document.operations.find(({ id }) => id === 'findPlace')
  if (!operation) throw new Error('There is no findPlace.')
  const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': 'x', ratelimit: 'x' })
  const place = { zip: '60614', city: 'Chicago', state: 'IL', latitude: 41.9, longitude: -87.6, region: 'CONUS' }
  const complaintsOf = (status: number, body: unknown) => document.complaints(operation, { status, headers, text: JSON.stringify(body) })
  expect(complaintsOf(200, place)).toEqual([])
  expect(complaintsOf(200, { ...place, zip: 60614 })).toHaveLength(1)
  expect(complaintsOf(200, { ...place, more: 1 })).toHaveLength(1)
  expect(complaintsOf(418, place)).toEqual(['status 418 is not described'])
  expect(() => exampleCall(document, { ...operation, parameters: [{ name: 'zip', in: 'path', required: true, schema: { type: 'string' } }] })).toThrow(
    'no example',
  )
})
