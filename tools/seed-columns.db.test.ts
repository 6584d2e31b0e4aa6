/**
 * Tests that operators can fill every column in the demo. Each column with a value in the demo data is also written by
 * a use case, in code that writes its table or calls that code.
 */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { attributes } from '#domain/catalog/catalog/catalog.ts'
import { tableOwners } from '#db/table-owners.ts'
import type { Database } from '#platform/db.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { readSeedSources, type SourceFile } from './seed-sources.testing.ts'

type Column = { table: string; name: string; standard: string | null }

/** Columns that no writing code names, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  ...Object.fromEntries(attributes.map((attribute) => [`review.${attribute}`, 'written from the list of attributes'])),
  ...Object.fromEntries(
    ['section_width_mm', 'aspect', 'rim_in', 'overall_diameter_mm'].map((column) => [
      `size.${column}`,
      'read from the size in domain/catalog/catalog-import',
    ]),
  ),
  'review.sample': 'marks reviews as part of the demo',
}

const tables = Object.keys(tableOwners)

test('every column that the demo data fills is filled by the product, too', async () => {
  await using demo = await createTestDatabase({ from: 'small' })
  await using installed = await createTestDatabase({ from: 'new' })
  const columns = await listColumns(demo.db)
  const known = new Set(await filledColumns(installed.db, columns))
  const seeded = (await filledColumns(demo.db, columns)).filter((column) => !known.has(column))
  expect(seeded.length).toBeGreaterThan(500)
  const { product } = await readSeedSources()
  expect(columnsWithoutWriter(seeded, product).toSorted()).toEqual(Object.keys(exceptions).toSorted())
})

test('a column is written by code that changes its table and names it', () => {
  const written = { path: 'domain/a.ts', text: "db.insertInto('brand').values({ name, slug })" }
  const read = { path: 'domain/b.ts', text: "db.selectFrom('brand').select('tier')" }
  expect(columnsWithoutWriter(['brand.name', 'brand.tier'], [written, read])).toEqual(['brand.tier'])
})

function columnsWithoutWriter(columns: readonly string[], product: readonly SourceFile[]): string[] {
  const files = product.map(readNames)
  const namedNextTo = new Map(tables.map((table) => [table, namesNextTo(table, files)]))
  return columns.filter((column) => {
    const [table = '', name = ''] = column.split('.')
    return !namedNextTo.get(table)?.some((words) => words.has(name))
  })
}

type Names = { words: Set<string>; writes: Set<string>; calls: Set<string>; functions: string[] }

/** Returns a file's identifiers, the tables it writes, and the functions it calls and exports. */
function readNames({ path, text }: SourceFile): Names {
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
  const built = all(/(?:insertInto|updateTable|mergeInto)\(\s*'(\w+)'/g)
  const written = all(/\b(?:insert into|update|merge into)\s+(\w+)\b/gi)
  const isDynamic = /(?:insert into|merge into|update)\s+\$\{/i.test(text)
  return {
    words: new Set(all(/\b(\w+)\b/g)),
    writes: new Set([...built, ...written, ...(isDynamic ? all(/'(\w+)'/g) : [])]),
    calls: new Set(path.endsWith('.ts') ? all(/\b(\w+)\(/g) : []),
    functions: all(/^export (?:async )?function (\w+)/gm),
  }
}

/** Returns the identifiers in files that write a table, and in files that call them. */
function namesNextTo(table: string, files: readonly Names[]): Set<string>[] {
  const writers = files.filter(({ writes }) => writes.has(table))
  const called = writers.flatMap(({ functions }) => functions)
  return [...writers, ...files.filter(({ calls }) => called.some((name) => calls.has(name)))].map(({ words }) => words)
}

async function listColumns(db: Database): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select table_name as table, column_name as name, column_default as standard from information_schema.columns
    where table_schema = 'public' and table_name in (${sql.join(tables)}) and is_generated = 'NEVER'
      and is_identity = 'NO' and coalesce(column_default, '') !~ '^(?:now|gen_random_uuid|nextval|clock_timestamp|pg_current_xact_id)'
    order by table_name, ordinal_position`.execute(db)
  return rows
}

/** The columns, as `table.column`, with at least one value that is neither missing nor the default. */
async function filledColumns(db: Database, columns: readonly Column[]): Promise<string[]> {
  const filled: string[] = []
  for (const { table, name, standard } of columns) {
    const { rows } = await sql`
      select from ${sql.table(table)} where ${sql.ref(name)} is distinct from ${sql.raw(standard ?? 'null')} limit 1`.execute(
      db,
    )
    if (rows.length > 0) filled.push(`${table}.${name}`)
  }
  return filled
}
