/**
 * Tests the statements and round trips of each request. Round trips determine the store's speed. The budgets are the
 * current costs, so that increases are detected.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { readDocument, type ApiDocument } from '#tests/support/api-document.ts'
import { createApiShopper } from '#tests/support/api-shopper.ts'
import { eventually } from '#tests/support/eventually.ts'
import { activeItems } from '#tests/support/items.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
let document: ApiDocument
let itemId: number
beforeAll(async () => {
  store = await startStore({ env: { LOG_LEVEL: 'debug', API_CALLS_PER_MINUTE: '1000000' } })
  document = readDocument(await (await fetch(`${store.origin}/api/openapi.json`)).json())
  const item = await activeItems(store.database.db).orderBy('item.id').limit(1).executeTakeFirstOrThrow()
  itemId = item.id
})
afterAll(() => store[Symbol.asyncDispose]())

type Line = {
  msg: string
  requestId?: string
  statements?: number
  roundTrips?: number
  method?: string
  route?: string
}

const lines = () =>
  store
    .output('web')
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
    .filter(({ msg }) => msg === 'request')

async function costOf(requestId: string, method: string): Promise<Line> {
  return eventually('line of the request', () =>
    lines().find((each) => each.requestId === requestId && each.method === method),
  )
}

/** Each step of a guest's order with installation over the API, how many statements it takes, and in how many round trips. */
const order: [operation: string, statements: number, roundTrips: number][] = [
  ['createCart', 6, 4],
  ['listShopChoices', 5, 4],
  ['listTimes', 4, 3],
  // Two lock and hold the tires, in the packet that takes the bay.
  ['holdSlot', 14, 8],
  ['saveContact', 3, 2],
  ['saveBilling', 3, 2],
  // One more reads the price shown before, in the packet that reads the cart.
  ['chooseServices', 6, 4],
  ['openPayment', 12, 9],
  ['readPayment', 4, 4],
  // Both read the chosen time, which is part of what the shopper agrees to.
  // One more reads whether the store released the time.
  ['priceCart', 8, 5],
  // One more reads whether the customer is blocked, in a packet that is sent anyway.
  ['placeOrder', 30, 9],
  ['readOrder', 2, 2],
]

test('a guest’s order takes no more round trips than before', async () => {
  let requestId = ''
  const newShopper = () =>
    createApiShopper(store, document, {
      headersFor: (_, { createCart }) => ({
        'x-request-id': requestId,
        ...(createCart && { authorization: `Bearer ${createCart.key}` }),
      }),
      own: { createCart: { body: { zip: '60614', lines: [{ itemId, quantity: 4 }] } } },
    })
  const spent: typeof order = []
  // The first shopper has an empty cache.
  for (const shopper of [newShopper(), newShopper()]) {
    spent.length = 0
    for (const [id] of order) {
      requestId = randomUUID()
      const operation = shopper.operationOf(id)
      const answer = await shopper.make(operation)
      if (answer.status >= 300) throw new Error(`${id}: ${answer.text}`)
      const { statements = Number.NaN, roundTrips = Number.NaN } = await costOf(
        requestId,
        operation.method.toUpperCase(),
      )
      spent.push([id, statements, roundTrips])
    }
  }
  expect(spent.map(([id]) => id)).toEqual(order.map(([id]) => id))
  // At most, because the provider's webhook can arrive before the payment is read, which then doesn't write.
  expect(overBudget(spent, order)).toEqual([])
})

/** The requests that took more than their budget, with their costs. */
function overBudget(spent: typeof order, budget: typeof order): typeof order {
  return budget.flatMap(([, statements, roundTrips], index) => {
    const [id, ...took] = spent[index] ?? ['', Number.NaN, Number.NaN]
    return took[0] <= statements && took[1] <= roundTrips ? [] : [[id, ...took]]
  })
}

const recipient = {
  firstName: 'Dana',
  lastName: 'Ruiz',
  address1: '2100 N Clark St',
  city: 'Chicago',
  state: 'IL',
  zip: '60614',
  phone: '312-555-0142',
  phoneType: 'mobile',
  vehicleNote: '2019 Honda CR-V',
}

/** The same order in three calls, shipped to a home. */
const inThree: typeof order = [
  ['createCheckout', 15, 12],
  ['openPayment', 12, 9],
  // At most, because the provider's message can arrive first.
  ['placeOrder', 30, 9],
]

test('an order in three calls takes no more round trips than before', async () => {
  const spent: typeof order = []
  for (const email of ['ann@example.com', 'bob@example.com']) {
    spent.length = 0
    let key = ''
    const call = async (id: string, method: string, path: string, body: object) => {
      const requestId = randomUUID()
      const answer = await fetch(`${store.origin}/api${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
          'x-request-id': requestId,
          ...(key && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(body),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${id}: ${text}`)
      const { statements = Number.NaN, roundTrips = Number.NaN } = await costOf(requestId, method)
      spent.push([id, statements, roundTrips])
      return JSON.parse(text) as Record<string, unknown>
    }
    const checkout = await call('createCheckout', 'POST', '/checkouts', {
      zip: '60614',
      lines: [{ itemId, quantity: 4 }],
      delivery: { fulfillment: 'home' },
      contact: { ...recipient, email },
      billing: { sameAsShipping: '1' },
      services: { coverage: false, roadside: false },
    })
    expect(checkout['problems']).toEqual([])
    key = String(checkout['key'])
    const { clientSecret } = await call('openPayment', 'POST', '/cart/payment', { flow: 'fields' })
    await payWithFields(
      { origin: store.sandboxOrigin, storeOrigin: store.origin },
      String(clientSecret),
      '4242424242424242',
    )
    const { agreedPrice } = checkout['price'] as { agreedPrice: string }
    await call('placeOrder', 'POST', '/orders', { agreedPrice, termsAccepted: true, conditionsAccepted: true })
  }
  expect(overBudget(spent, inThree)).toEqual([])
})

test('a message of the payment provider takes no more round trips than before', async () => {
  const heard = lines().filter(({ route }) => route === '/webhooks/payments')
  expect(heard.length).toBeGreaterThan(2)
  expect(Math.max(...heard.map(({ statements = Number.NaN }) => statements))).toBeLessThanOrEqual(4)
  expect(Math.max(...heard.map(({ roundTrips = Number.NaN }) => roundTrips))).toBeLessThanOrEqual(3)
})

test('the office’s page of an order takes no more statements than before', async () => {
  const support = createVisitor()
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  const { id } = await store.database.db
    .selectFrom('sales_order')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const costs: Line[] = []
  // A process reads what changed elsewhere at most once a second, with one of the requests.
  for (let times = 0; times < 3; times++) {
    const requestId = randomUUID()
    const answer = await support.ask(`${store.origin}/office/orders/${id}`, { headers: { 'x-request-id': requestId } })
    expect(answer.status).toBe(200)
    costs.push(await costOf(requestId, 'GET'))
  }
  const statements = Math.min(...costs.map((cost) => cost.statements ?? Number.NaN))
  const roundTrips = Math.min(...costs.map((cost) => cost.roundTrips ?? Number.NaN))
  // Most are sent at the same time; a role that sees less reads less.
  // Two read the bins of its parcels and the seller, and one the reader's draft.
  expect(statements).toBeLessThanOrEqual(38)
  expect(roundTrips).toBeLessThanOrEqual(15)
})
