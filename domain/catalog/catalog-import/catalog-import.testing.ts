/** Feeds for tests, and a catalog to import them into. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { customerRecords } from '#domain/customers/customers/customers.server.ts'
import type { BelowMapRule } from '#domain/kernel/settings/settings.ts'
import { insertSettings } from '#domain/kernel/settings/settings.sql.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createPool, type Database } from '#platform/db.ts'
import type { Outcome, Refused } from '#platform/outcome.ts'
import { createTestDatabase, smallDataMadeAt, type TestDatabase } from '#tests/support/database.ts'
import type { FeedKind, ImportRun } from './catalog-import.ts'
import { importFeed, reportOf, type FeedSource, type ImportDeps, type ImportRequest } from './catalog-import.server.ts'

export type TestCatalog = AsyncDisposable & {
  database: TestDatabase
  deps: ImportDeps
  clock: ReturnType<typeof fixedClock>
  /** Imports rows of cells, header first, and returns the run; throws if it did not start. */
  bring(kind: FeedKind, rows: readonly (readonly unknown[])[], options?: Partial<ImportRequest>): Promise<ImportRun>
  report(run: ImportRun): Promise<string[]>
}

/** The small demo catalog, or an empty one, in its own database. */
export async function openCatalog(from: 'small' | 'empty' = 'small'): Promise<TestCatalog> {
  const database = await createTestDatabase({ from })
  const pool = createPool(database.url, { size: 3 })
  const clock = fixedClock(smallDataMadeAt)
  const deps = { db: database.db, pool, clock, customerRecords, by: desk }
  return {
    database,
    deps,
    clock,
    bring: async (kind, rows, options = {}) =>
      value(
        await importFeed(deps, {
          kind,
          source: feedOf(rows),
          mode: 'all-or-nothing',
          isDry: false,
          isYes: false,
          ...options,
        }),
      ),
    async report(run) {
      const pieces = await Array.fromAsync(reportOf(deps, run.id))
      return pieces.join('').trimEnd().split('\r\n').slice(1)
    },
    async [Symbol.asyncDispose]() {
      await pool.end()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Sets what the store does with prices below a minimum advertised price. */
export async function setBelowMap({ deps }: Pick<TestCatalog, 'deps'>, rule: BelowMapRule): Promise<void> {
  await deps.db
    .transaction()
    .execute((tx) => insertSettings(tx, [{ name: 'below-map', value: rule }], { by: 'desk', at: deps.clock.now() }))
}

/** Returns the value of an outcome; throws if it is a refusal. */
export function value<Value>(outcome: Outcome<Value, Refused<string, unknown>>): Value {
  if (!outcome.ok) throw new Error(`refused: ${outcome.reason} ${JSON.stringify(outcome.detail)}`)
  return outcome.value
}

export function feedOf(rows: readonly (readonly unknown[])[]): FeedSource {
  return textFeed(rows.map((row) => row.map(csvCell).join(',')).join('\n'))
}

export function textFeed(text: string | Buffer): FeedSource {
  return { name: 'test.csv', open: () => Readable.from([Buffer.from(text)], { objectMode: false }) }
}

function csvCell(value: unknown): string {
  const text =
    typeof value === 'boolean'
      ? value
        ? 'yes'
        : 'no'
      : typeof value === 'string' || typeof value === 'number'
        ? String(value)
        : ''
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Serializes everything an import may write. Two snapshots are equal exactly when the catalogs are. Excludes
 * modification times.
 */
export async function snapshot(db: Database): Promise<string> {
  const tables = [
    'brand',
    'product_line',
    'size',
    'item',
    'stock',
    'vehicle',
    'oe_fitment',
    'size_list',
    'vehicle_code',
    'competitor_price',
    'brand_catalog',
    'brand_fitment',
  ]
  const hashes = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await sql<{ text: string }>`
        select coalesce(string_agg(row, chr(10) order by row), '') as text
        from (select (to_jsonb(present) - 'changed_at')::text as row from ${sql.table(table)} as present) as rows`.execute(
        db,
      )
      return `${table} ${createHash('sha256')
        .update(rows[0]?.text ?? '')
        .digest('hex')}`
    }),
  )
  return hashes.join('\n')
}

/** The columns of a complete products feed. */
const productColumns = [
  'sku', 'brand', 'line', 'line_about', 'line_warranty_miles', 'category', 'tread', 'm_plus_s', 'three_peak', 'ev', 'size', 'load_index', 'dual_load_index',
  'speed', 'load_class', 'load_range', 'ply_rating', 'max_load_lb', 'max_psi', 'measured_width_mm', 'measured_diameter_mm', 'rim_width_min_in',
  'rim_width_max_in', 'tread_depth_32nds', 'weight_lb', 'utqg_treadwear', 'utqg_traction', 'utqg_temperature', 'run_flat', 'sidewall', 'oe_mark',
  'warranty_miles', 'oldest_dot', 'price_cents', 'fet', 'active',
] // prettier-ignore

export type ProductRow = Record<string, string | number | boolean | null>

/** The catalog as a products feed; only one brand if its slug is given. */
export async function exportProducts(db: Database, brandSlug: string | null = null): Promise<ProductRow[]> {
  const { rows } = await sql<ProductRow>`
    select item.sku, brand.name as brand, product_line.name as line, product_line.feed_about as line_about, product_line.warranty_miles as line_warranty_miles,
      category_slug as category, tread, m_plus_s, three_peak, ev, designation as size, load_index, dual_load_index, speed, load_class, load_range, ply_rating,
      max_load_lb, max_psi, measured_width_mm, measured_diameter_mm, rim_width_min_in, rim_width_max_in, tread_depth_32nds, weight_lb, utqg_treadwear,
      utqg_traction, utqg_temperature, run_flat, sidewall, oe_mark, item.warranty_miles, to_char(oldest_dot_week, 'IWIY') as oldest_dot,
      retail_cents as price_cents, (fet_cents / 100.0)::numeric(7, 2)::text as fet, listed as active
    from item join product_line on product_line.id = product_line_id join brand on brand.id = brand_id join size on size.id = size_id
    where ${brandSlug}::text is null or brand.slug = ${brandSlug} order by item.id`.execute(db)
  return rows
}

/** Converts rows by column name to rows of cells under a header. */
export function withHeader(rows: readonly ProductRow[], columns: readonly string[] = productColumns): unknown[][] {
  return [[...columns], ...rows.map((row) => columns.map((column) => row[column]))]
}
