/**
 * `on conflict (column)` still fails on the table's other unique keys. Two identical concurrent requests violate all of
 * them, and PostgreSQL reports any one. The second request would then fail, or report that someone else uses the value.
 */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { readSeedSources } from './seed-sources.testing.ts'

/** Inserts with a conflict target on tables with other unique keys, and why identical requests can't violate those. */
const allowed: Record<string, string> = {
  'db/migrations/20261208050000_store-webhooks.sql webhook_event': 'An event of stock has no fact.',
  'domain/aftercare/disputes/disputes.sql.server.ts dispute_file': 'Each request stores a file with a new key.',
  'domain/catalog/coupons/coupons.sql.server.ts coupon': 'A draft has no times, so it overlaps none.',
  'domain/catalog/promotions/promotions.sql.server.ts promotion_plan': 'The promotion is set later.',
  'domain/channels/purchasing/systems.sql.server.ts purchasing_system': 'The company is locked.',
  'domain/customers/programs/membership.sql.server.ts membership_term': 'A draft overlaps none.',
  'domain/customers/programs/referrals.sql.server.ts referral_link': 'The code is random.',
  'domain/customers/programs/renewals.sql.server.ts membership_renewal': 'The new term is set later.',
  'domain/installer-portal/portal/shop-feed.sql.server.ts shop_feed': 'The secret is random.',
  'domain/installer-portal/work-orders/job-photos.sql.server.ts work_order_photo':
    'Each request stores a file with a new key.',
  'domain/messaging/texts/texts.sql.server.ts text_message': 'The provider’s id is set later.',
  'domain/ordering/fraud/fraud.sql.server.ts order_screening': 'A refused cart has no order.',
  'domain/ordering/quotes/quotes.sql.server.ts sales_quote': 'The replaced quote and the order are set later.',
  'domain/payments/saved-cards/saved-cards.sql.server.ts card_saving': 'The provider’s id is set later.',
  'domain/pricing/military/military.sql.server.ts military_verification': 'The account’s attempt is taken once.',
  'domain/pricing/price-tiers/import-price-list.sql.server.ts price_list': 'The list is not added by two requests.',
  'domain/pricing/price-tiers/office-price-lists.sql.server.ts price_list': 'A new list has no account type.',
  'domain/pricing/price-tiers/office-price-lists.sql.server.ts price_list_version': 'A draft has no start.',
}

/** Returns each insert with a conflict target, as "file table". */
async function namedConflicts(): Promise<Set<string>> {
  const { product } = await readSeedSources()
  const found = product.flatMap(({ path, text }) => {
    const built = [...text.matchAll(/\.onConflict\(\s*\((?<name>\w+)\) =>\s*\k<name>\s*\.(?:column|constraint)/g)]
    const written = [...text.matchAll(/\bon conflict (?:\(|on constraint )/g)]
    return [...built, ...written].map(({ index }) => {
      const inserts = text.slice(0, index).matchAll(/insertInto\('(?<built>\w+)'\)|insert into (?<written>\w+)/g)
      const groups = [...inserts].at(-1)?.groups
      return `${path} ${groups?.['built'] ?? groups?.['written']}`
    })
  })
  return new Set(found)
}

/** Counts the unique keys and exclusion constraints of each table, except for generated ids. */
async function keysOfTables(): Promise<Map<string, number>> {
  await using database = await createTestDatabase()
  const { rows } = await sql<{ table: string; keys: number }>`
    select class.relname as table, count(*)::int as keys
    from pg_index index join pg_class class on class.oid = index.indrelid join pg_namespace space on space.oid = class.relnamespace
    where space.nspname not in ('pg_catalog', 'pg_toast') and (index.indisunique or index.indisexclusion)
      and not exists (
        select from pg_attribute attribute
        where attribute.attrelid = class.oid and attribute.attnum = any (index.indkey) and attribute.attname = 'id')
    group by class.relname`.execute(database.db)
  return new Map(rows.map(({ table, keys }) => [table, keys]))
}

test('an insert has a conflict target only if identical requests can’t violate another unique key', async () => {
  const keys = await keysOfTables()
  const found = [...(await namedConflicts())].filter((insert) => (keys.get(insert.split(' ')[1] ?? '') ?? 0) > 1)
  expect(found.length).toBeGreaterThan(5)
  expect(found.toSorted()).toEqual(Object.keys(allowed).toSorted())
})
