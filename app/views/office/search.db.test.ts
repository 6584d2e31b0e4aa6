import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findAccounts } from '#domain/customers/accounts/accounts.server.ts'
import { findItems } from '#domain/catalog/catalog/catalog.server.ts'
import { findCompanies } from '#domain/customers/companies/companies.server.ts'
import { findCustomers, findPastOrders } from '#domain/customers/customers/customers.server.ts'
import { findOfficeShops } from '#domain/scheduling/installers/installers.server.ts'
import { searchOrders } from '#domain/ordering/orders/orders.server.ts'
import { findJobOrders } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { systemClock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { createTestDatabase } from '#tests/support/database.ts'

/** One search text for each of the different queries. */
const texts = [
  'S-104001',
  '1040',
  '0117',
  '555-0117',
  '60614',
  'aman',
  'amna',
  'erin coel',
  'sa',
  'olive@',
  '@example.com',
  'PO-1',
  'SW-00001',
  'KEST',
  'EST-1000',
  '225/65R17',
  '4A004352',
  '7B3KXYZ922726',
  'kestrle',
  '%%%',
  '💥',
  'x'.repeat(100),
]

const byCustomer = { byCustomer: true, limit: 10, jobOrders: [103_001] }

const searches: readonly [name: string, tables: readonly string[], (db: Database, text: string) => Promise<unknown>][] =
  [
    [
      'orders',
      ['sales_order', 'shipment', 'order_vin', 'fleet_packet', 'order_line', 'item', 'company', 'booking'],
      (db, text) => searchOrders({ db, clock: systemClock }, text, byCustomer),
    ],
    ['jobs', ['work_order', 'work_order_tire'], (db, text) => findJobOrders({ db }, text, { byVin: true })],
    ['accounts', ['account', 'account_address'], (db, text) => findAccounts({ db }, text, 20)],
    ['customers', ['customer'], (db, text) => findCustomers({ db }, text, 20)],
    ['past orders', ['past_order', 'customer'], (db, text) => findPastOrders({ db }, text, 20)],
    ['companies', ['company'], (db, text) => findCompanies({ db }, text, 20)],
    ['shops', ['shop'], (db, text) => findOfficeShops({ db }, text, 20)],
    ['items', ['item'], (db, text) => findItems({ db }, text, 20)],
  ]

/** How often each table was read as a whole, by the connection of `tx`. */
async function countScans(tx: Database, tables: readonly string[]): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; scans: number }>`
    select relname as name, seq_scan::int as scans from pg_stat_xact_user_tables
    where relname = any(${[...tables]}::text[]) order by relname`.execute(tx)
  return Object.fromEntries(rows.map(({ name, scans }) => [name, scans]))
}

test.for(searches)('%s are found by an index, whatever is typed', async ([, tables, find]) => {
  await using database = await createTestDatabase({ from: 'small' })
  for (const text of texts)
    await database.db.transaction().execute(async (tx) => {
      // In a table as small as the test's, the planner would prefer to read all of it: it may not here, as in a large one.
      await sql`set local enable_seqscan = off`.execute(tx)
      // Generic plans are disabled too, because on a large table they cost more than one for the actual pattern.
      await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
      const before = await countScans(tx, tables)
      await find(tx, text)
      expect(await countScans(tx, tables), text).toEqual(before)
    })
})
