/**
 * Tests that PostgreSQL reuses the plans of frequent statements. A statement whose parameters change its plan, such as
 * an array, is planned for each request, which can take longer than the statement.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDocument } from '#tests/support/api-document.ts'
import { createApiShopper } from '#tests/support/api-shopper.ts'
import { activeItems } from '#tests/support/items.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: '1000000' } })
  await sql`create extension pg_stat_statements`.execute(store.database.db)
})
afterAll(() => store[Symbol.asyncDispose]())

/** PostgreSQL plans a statement five times per connection before it can keep a plan. */
const fewest = 60

/** Returns the statements with parameters that were planned for almost every call while `work` ran. */
async function plannedDuring(work: () => Promise<void>): Promise<string[]> {
  await sql`select pg_stat_statements_reset()`.execute(store.database.db)
  await work()
  const { rows } = await sql<{ query: string; calls: number; plans: number }>`
    select query, calls::int, plans::int from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database()) and query like '%$1%'
      and calls >= ${fewest} and plans > calls * 0.9`.execute(store.database.db)
  return rows.map(({ query, calls, plans }) => `${plans} of ${calls}: ${query.replaceAll(/\s+/g, ' ').slice(0, 200)}`)
}

test('pages with a ZIP code use kept plans', async () => {
  const read = async (path: string) => {
    const answer = await fetch(`${store.origin}${path}?fresh=${randomUUID()}`, { headers: { cookie: 'sw_zip=60614' } })
    expect(answer.status, path).toBe(200)
    return answer.text()
  }
  const product =
    /href="(\/brands\/[a-z0-9-]+\/[a-z0-9-]+\/p\/\d+)[?"]/.exec(await read('/tire-sizes/225-65r17'))?.[1] ?? '/none'
  const planned = await plannedDuring(async () => {
    for (let round = 0; round < fewest; round++)
      for (const path of ['/tire-sizes/225-65r17', '/vehicles/honda/cr-v/2020', product]) await read(path)
  })
  expect(planned).toEqual([])
})

test('brand, type, search, shop, and cart pages use kept plans', async () => {
  const guest = createVisitor()
  const item = await activeItems(store.database.db).orderBy('item.id').limit(1).executeTakeFirstOrThrow()
  await guest.ask(`${store.origin}/cart`, { form: { item: String(item.id), quantity: '4', axle: 'all' } })
  const planned = await plannedDuring(async () => {
    for (let round = 0; round < fewest; round++) {
      for (const path of ['/brands/kestrel', '/types/winter', '/search', '/tire-shops', '/cart']) {
        const answer = await guest.ask(`${store.origin}${path}?q=silverado&fresh=${randomUUID()}`)
        expect(answer.status, path).toBe(200)
        await answer.text()
      }
    }
  })
  expect(planned).toEqual([])
})

test('orders use kept plans', async () => {
  const document = readDocument(await (await fetch(`${store.origin}/api/openapi.json`)).json())
  const item = await activeItems(store.database.db).orderBy('item.id').limit(1).executeTakeFirstOrThrow()
  const planned = await plannedDuring(async () => {
    for (let round = 0; round < fewest; round++) {
      const shopper = createApiShopper(store, document, {
        headersFor: (_, { createCart }) => ({ ...(createCart && { authorization: `Bearer ${createCart.key}` }) }),
        own: { createCart: { body: { zip: '60614', lines: [{ itemId: item.id, quantity: 1 }] } } },
      })
      for (const id of [
        'createCart',
        'listShopChoices',
        'listTimes',
        'holdSlot',
        'saveContact',
        'saveBilling',
        'chooseServices',
        'openPayment',
        'readPayment',
        'priceCart',
        'placeOrder',
        'readOrder',
      ]) {
        const answer = await shopper.make(shopper.operationOf(id))
        if (answer.status >= 300) throw new Error(`${id}: ${answer.text}`)
      }
    }
  })
  expect(planned).toEqual([])
})
