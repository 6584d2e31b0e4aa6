/**
 * Tests that a store with the application's database role works normally, and that neither it nor readers have more
 * permissions than needed.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { grantRoles, withheldTables } from '#platform/role-grants.ts'
import { newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createApiShopper } from '#tests/support/api-shopper.ts'
import { readDocument } from '#tests/support/api-document.ts'
import { activeItems } from '#tests/support/items.ts'

const suffix = randomBytes(4).toString('hex')
const [app, read] = [`app_${suffix}`, `read_${suffix}`]
const password = randomBytes(12).toString('hex')

/** From an empty cart to the order, over the API. */
const purchase =
  'createCart listShopChoices listTimes holdSlot saveContact saveBilling chooseServices openPayment readPayment priceCart placeOrder readOrder'.split(
    ' ',
  )

let store: RunningStore
const clients: pg.Client[] = []
beforeAll(async () => {
  store = await startStore({
    async env(url) {
      const owner = await connect(url)
      for (const role of [app, read]) await owner.query(`create role ${role} login password '${password}'`)
      await grantRoles(owner, { app, read })
      return { DATABASE_URL: as(url, app), API_CALLS_PER_MINUTE: '1000000' }
    },
  })
})
afterAll(async () => {
  const owner = await connect(store.database.url)
  for (const role of [app, read]) await owner.query(`drop owned by ${role}`)
  for (const role of [app, read]) await owner.query(`drop role ${role}`).catch(() => {})
  for (const client of clients) await client.end().catch(() => {})
  await store[Symbol.asyncDispose]()
})

function as(url: string, role: string): string {
  return Object.assign(new URL(url), { username: role, password }).href
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  clients.push(client)
  return client
}

test('the store sells, and its worker writes the mail', async () => {
  const { id } = await activeItems(store.database.db).orderBy('item.id').limit(1).executeTakeFirstOrThrow()
  const document = readDocument(await (await fetch(`${store.origin}/api/openapi.json`)).json())
  const shopper = createApiShopper(store, document, {
    headersFor: (_, { createCart }) => (createCart ? { authorization: `Bearer ${createCart.key}` } : {}),
    own: { createCart: { body: { zip: '60614', lines: [{ itemId: id, quantity: 4 }] } } },
  })
  for (const step of purchase) {
    const answer = await shopper.make(shopper.operationOf(step))
    expect(answer.status, step).toBeLessThan(300)
  }
  const { placeOrder, readOrder } = shopper.found
  expect(placeOrder?.orderId).toBeGreaterThan(0)
  await newestMail(store, readOrder?.contact.email ?? '', String(placeOrder?.orderId))
})

test.for([
  'create table mine (id int)',
  'alter table sales_order add column mine int',
  'drop trigger audit_entry_append_only on audit_entry',
  'truncate sales_order cascade',
  'drop table item',
  "insert into schema_migration (name, sha256) values ('mine', 'x')",
  'create or replace function note_stock_changes() returns trigger language plpgsql as $$ begin return null; end $$',
])('the application cannot: %s', async (statement) => {
  const client = await connect(as(store.database.url, app))
  await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/)
})

test('readers can read orders and stock but can’t write', async () => {
  const client = await connect(as(store.database.url, read))
  for (const table of ['sales_order', 'stock', 'item'])
    expect((await client.query(`select count(*)::int as n from ${table}`)).rows[0].n).toBeGreaterThan(0)
  await expect(client.query('update brand set name = name')).rejects.toThrow(/read-only transaction/)
  await client.query('set default_transaction_read_only = off')
  await expect(client.query('update brand set name = name')).rejects.toThrow(/permission denied/)
  for (const table of [...withheldTables, 'cart', 'cart_line', 'cart_link'])
    await expect(client.query(`select * from ${table}`)).rejects.toThrow(/permission denied/)
  await expect(client.query('select * from graphile_worker.jobs')).rejects.toThrow(/permission denied/)
})

test('no column that readers see has a key in it', async () => {
  const owner = await connect(store.database.url)
  const { rows } = await owner.query<{ column: string }>(
    `select table_name || '.' || column_name as column from information_schema.columns
     where table_schema = 'public' and has_column_privilege($1, quote_ident(table_name), column_name, 'select')
       and column_name ~ '(secret|token|verifier|cart_id|cart_key|session_id|password)'
     order by 1`,
    [read],
  )
  // When one was shown, and which it was.
  expect(rows.map(({ column }) => column)).toEqual(['webhook_endpoint.secret_no', 'webhook_endpoint.secret_shown_at'])
})

test('a role that owns the tables, a superuser and an unknown one are refused', async () => {
  const owner = await connect(store.database.url)
  for (const role of [owner.user ?? '', 'nobody_of_that_name'])
    await expect(grantRoles(owner, { app: role })).rejects.toThrow(/superuser|Role not found:/)
  await expect(grantRoles(owner, { app, read: app })).rejects.toThrow('a role each')
})
