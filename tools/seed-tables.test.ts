/**
 * Tests that operators can create everything in the demo. Each table that the demo data fills is also filled by a use
 * case or by the reference data.
 */
import { expect, test } from 'vitest'
import { tableOwners } from '#db/table-owners.ts'
import { readSeedSources } from './seed-sources.testing.ts'

const tables = Object.keys(tableOwners)

test('every table of the demo data is filled by the product, too', async () => {
  const { seed, product } = await readSeedSources()
  const seeded = tables.filter((table) => seed.some(({ text }) => namesTable(text, table)))
  const filled = new Set(product.flatMap(({ text }) => tablesFilledBy(text)))
  expect(seeded.length).toBeGreaterThan(60)
  expect(seeded.filter((table) => !filled.has(table))).toEqual([])
})

test('an insert is found however it is written', () => {
  expect(tablesFilledBy("db.insertInto('brand').values(row)")).toEqual(['brand'])
  expect(tablesFilledBy('sql`insert into brand (name) values (1)`')).toEqual(['brand'])
  expect(tablesFilledBy("const entity = 'brand'; sql`insert into ${sql.table(entity)} (name)`")).toEqual(['brand'])
  expect(tablesFilledBy("db.updateTable('brand').set(row)")).toEqual([])
  expect(tablesFilledBy("db.selectFrom('brand')")).toEqual([])
})

/** Whether the text has the table as a value or a key, as the demo data names what it fills. */
function namesTable(text: string, table: string): boolean {
  return new RegExp(`'${table}'|^\\s*${table}:`, 'm').test(text)
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
