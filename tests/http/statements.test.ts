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

type Line = { msg: string; requestId?: string; statements?: number; path?: string; method?: string; job?: string }

const lines = (process: 'web' | 'worker') =>
  store
    .output(process)
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))

async function statementsOf(requestId: string): Promise<number> {
  const line = await eventually('line of the request', () =>
    lines('web').find(({ msg, requestId: of }) => msg === 'request' && of === requestId),
  )
  return line.statements ?? 0
}

test('an order', async () => {
  const spent: Record<string, number> = {}
  for (const round of [1, 2]) {
    const shopper = createApiShopper(store, document, {
      headersFor: (_, { createCart }) => ({
        'x-request-id': requestId,
        ...(createCart && { authorization: `Bearer ${createCart.key}` }),
      }),
      own: { createCart: { body: { zip: '60614', lines: [{ itemId, quantity: 4 }] } } },
    })
    let requestId = ''
    for (const id of 'createCart listShopChoices listTimes holdSlot saveContact saveBilling chooseServices openPayment readPayment priceCart placeOrder readOrder'.split(
      ' ',
    )) {
      requestId = randomUUID()
      const answer = await shopper.make(shopper.operationOf(id))
      if (answer.status >= 300) throw new Error(`${id}: ${answer.text}`)
      if (round === 2) {
        spent[id] = await statementsOf(requestId)
        console.log(
          id +
            '\n' +
            store
              .output('web')
              .split('\n')
              .filter((l) => l.startsWith('SQL ' + requestId))
              .map((l) => l.slice(41))
              .join('\n'),
        )
      }
    }
  }
  console.log(
    spent,
    Object.values(spent).reduce((a, b) => a + b, 0),
  )
  console.log(lines('web').filter(({ msg, path }) => msg === 'request' && path?.includes('hook')))
  console.log(lines('worker').filter(({ msg }) => msg === 'job'))
  expect(spent).toEqual({})
})
