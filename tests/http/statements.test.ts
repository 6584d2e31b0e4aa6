/**
 * What a request costs the database: each statement is a round trip, and their number decides how fast the store is. The
 * budgets are what a step takes today, so that nothing comes later unnoticed.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDocument, type ApiDocument } from '#tests/support/api-document.ts'
import { createApiShopper } from '#tests/support/api-shopper.ts'
import { eventually } from '#tests/support/eventually.ts'
import { activeItems } from '#tests/support/items.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
let document: ApiDocument
let itemId: number
beforeAll(async () => {
  store = await startStore({ env: { LOG_LEVEL: 'debug', DEBUG_SQL: '1', API_CALLS_PER_MINUTE: '1000000' } })
  document = readDocument(await (await fetch(`${store.origin}/api/openapi.json`)).json())
  const item = await activeItems(store.database.db).orderBy('item.id').limit(1).executeTakeFirstOrThrow()
  itemId = item.id
})
afterAll(() => store[Symbol.asyncDispose]())

type Line = { msg: string; requestId?: string; statements?: number; method?: string; route?: string }

const lines = () =>
  store
    .output('web')
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
    .filter(({ msg }) => msg === 'request')

async function statementsOf(requestId: string, method: string): Promise<number | undefined> {
  const line = await eventually('line of the request', () =>
    lines().find((each) => each.requestId === requestId && each.method === method),
  )
  return line.statements
}

/** Each step of a guest's order with installation over the API, and how many statements it takes. */
const order: [operation: string, statements: number][] = [
  ['createCart', 7],
  ['listShopChoices', 5],
  ['listTimes', 4],
  ['holdSlot', 14],
  ['saveContact', 3],
  ['saveBilling', 3],
  ['chooseServices', 5],
  ['openPayment', 14],
  ['readPayment', 7],
  ['priceCart', 7],
  ['placeOrder', 30],
  ['readOrder', 2],
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
  // The first shopper finds nothing kept.
  for (const shopper of [newShopper(), newShopper()]) {
    spent.length = 0
    for (const [id] of order) {
      requestId = randomUUID()
      const operation = shopper.operationOf(id)
      const answer = await shopper.make(operation)
      if (answer.status >= 300) throw new Error(`${id}: ${answer.text}`)
      spent.push([id, (await statementsOf(requestId, operation.method.toUpperCase())) ?? Number.NaN])
    }
  }
  expect(spent).toEqual(order)
})

test('a message of the payment provider takes no more round trips than before', async () => {
  const heard = lines().filter(({ route }) => route === '/webhooks/payments')
  expect(heard.length).toBeGreaterThan(2)
  expect(Math.max(...heard.map(({ statements = Number.NaN }) => statements))).toBe(5)
})
