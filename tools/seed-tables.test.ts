/**
 * Tests that operators can create everything in the demo. The demo data fills tables by the use cases of the product,
 * except the listed ones. The product fills every table.
 */
import { expect, test } from 'vitest'
import { tableOwners } from '#db/table-owners.ts'
import { readSeedSources } from './seed-sources.testing.ts'

/** The tables that the demo data inserts rows into, by the reason that no use case does. */
const insertedDirectly: Readonly<Record<string, readonly string[]>> = {
  'The catalog, the shops and their reviews are generated in bulk, up to a million rows.': [
    'brand',
    'item',
    'product_line',
    'promotion',
    'review',
    'shop',
    'shop_bay',
    'shop_closure',
    'shop_hours',
    'shop_rate',
    'shop_service_price',
    'size',
    'stock',
    'van_area',
  ],
  'The orders of the last weeks, with their payments, packages, appointments, payouts and returns, would take thousands of steps.':
    [
      'bank_payout',
      'booking',
      'booking_event',
      'cart',
      'charge_refund',
      'concession',
      'customer',
      'invoice',
      'invoice_payment',
      'job_pay',
      'job_pay_line',
      'ledger_entry',
      'order_event',
      'order_line',
      'order_refund',
      'order_refund_line',
      'order_return',
      'pay_transfer',
      'pay_transfer_item',
      'payment',
      'payment_event',
      'payout_account',
      'purchase_order',
      'purchase_order_line',
      'referral',
      'return_event',
      'return_refund',
      'return_tire',
      'sales_order',
      'shipment',
      'shipment_event',
      'stock_allocation',
      'tire_registration',
      'work_order',
      'work_order_event',
      'work_order_piece',
      'work_order_tire',
    ],
  'A quote is priced, and a membership is paid, by services that run only in a store.': [
    'membership_event',
    'membership_term',
    'sales_quote',
    'sales_quote_event',
    'sales_quote_line',
  ],
  'Tests, the README and the sandbox know the key or the code, which the use case draws at random.': [
    'account',
    'partner',
    'partner_widget',
    'widget_rate',
  ],
}

/** Tables that the product fills with statements that don't name them, by statement. */
const filledByName: Readonly<Record<string, readonly string[]>> = {
  'A migration inserts the only row, which the product updates.': [
    'catalog_version',
    'google_listing_run',
    'item_number',
    'sales_tax_table',
    'store_state',
  ],
  'The reference data of every store, by the names in db/reference/reference-tables.ts.': [
    'known_model',
    'model_alias',
    'other_brand',
  ],
  'The rows of an import, by the table of its feed.': [
    'import_brand_fitment',
    'import_competitor_price',
    'import_customer',
    'import_fitment',
    'import_item_data',
    'import_order',
    'import_price',
    'import_product',
    'import_stock',
    'import_vehicle_code',
  ],
  'The sessions of staff and shops, by the table of workSessions.': ['office_session', 'portal_session'],
  'Replaced by shop_notification, and dropped in a later release.': ['shop_email_subscription'],
}

const tables = Object.keys(tableOwners)

test('the demo data inserts only into the listed tables, and into all of them', async () => {
  const { seed } = await readSeedSources()
  const listed = Object.values(insertedDirectly).flat()
  expect(insertedBySeed(seed.map(({ text }) => text))).toEqual(listed.toSorted())
})

test('the product fills every table, so that none depends on the demo data, fixtures or tests', async () => {
  const { product } = await readSeedSources()
  expect(tablesNotFilledBy(product.map(({ text }) => text)).toSorted()).toEqual(
    Object.values(filledByName).flat().toSorted(),
  )
})

test('a table that only fixtures insert into is reported', () => {
  const all = tables.map((table) => `db.insertInto('${table}')`)
  expect(tablesNotFilledBy(all.filter((code) => !code.includes("('brand')")))).toEqual(['brand'])
})

test('an insert of the product is found however it is written', () => {
  expect(tablesFilledBy("db.insertInto('brand').values(row)")).toEqual(['brand'])
  expect(tablesFilledBy('sql`insert into brand (name) values (1)`')).toEqual(['brand'])
  expect(tablesFilledBy("const entity = 'brand'; sql`insert into ${sql.table(entity)} (name)`")).toEqual(['brand'])
  expect(tablesFilledBy("db.updateTable('brand').set(row)")).toEqual([])
  expect(tablesFilledBy("db.selectFrom('brand')")).toEqual([])
})

test('an insert of the demo data is found however it is written', () => {
  expect(insertedBySeed(["await insertRows(client, 'brand', rows)"])).toEqual(['brand'])
  expect(insertedBySeed(["await insertRows(\n    client,\n    'brand',\n    rows,\n  )"])).toEqual(['brand'])
  expect(insertedBySeed(['client.query(`insert into brand (name) select 1`)'])).toEqual(['brand'])
  expect(insertedBySeed(["db.insertInto('brand').values(row)"])).toEqual(['brand'])
  expect(
    insertedBySeed([
      "export const parts: readonly Table[] = ['item', 'brand']",
      'for (const table of parts) await insertRows(client, table, rows[table])',
    ]),
  ).toEqual(['brand', 'item'])
  expect(() => insertedBySeed(['await insertRows(client, name, rows)'])).toThrow('insertRows')
})

/** Returns the tables that the sources insert into, sorted. Throws for a table that is neither a literal nor in a list. */
function insertedBySeed(sources: readonly string[]): string[] {
  const all = sources.join('\n')
  const literal = matchesOf(all, /\binsertRows\(\s*client,\s*'(\w+)'/g)
  const looped = matchesOf(all, /\bof (\w+)\) await insertRows\(client, table, rows\[table\]\)/g)
  if (literal.length + looped.length !== matchesOf(all, /\binsertRows(\()/g).length)
    throw new Error('A call of insertRows names its table in a way that this test does not read.')
  const lists = looped.flatMap((name) => matchesOf(all, new RegExp(`\\bconst ${name}\\b[^=]*= \\[([^\\]]*)\\]`, 'g')))
  const found = [
    ...literal,
    ...lists.flatMap((list) => matchesOf(list, /'(\w+)'/g)),
    ...matchesOf(all, /\binsertInto\(\s*'(\w+)'/g),
    ...matchesOf(all, /\binsert into (\w+)/gi),
  ]
  return tables.filter((table) => found.includes(table)).toSorted()
}

function matchesOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found)
}

function tablesNotFilledBy(product: readonly string[]): string[] {
  const filled = new Set(product.flatMap(tablesFilledBy))
  return tables.filter((table) => !filled.has(table))
}

function tablesFilledBy(code: string): string[] {
  const isDynamic = /\b(?:insert into|merge into|copy)\s+\$\{/i.test(code) || code.includes('insertRows(')
  return tables.filter(
    (table) =>
      new RegExp(
        `(?:insertInto|mergeInto)\\(\\s*'${table}'|\\b(?:insert into|merge into|copy)\\s+${table}\\b`,
        'i',
      ).test(code) ||
      (isDynamic && code.includes(`'${table}'`)),
  )
}
