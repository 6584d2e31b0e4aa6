/**
 * Tests that operators can create everything in the demo. Each table that the demo data fills is also filled by a use
 * case or by the reference data.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tableOwners } from '#db/table-owners.ts'
import { project } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'

type File = { path: string; text: string }

const tables = Object.keys(tableOwners)

test('every table of the demo data is filled by the product, too', async () => {
  const files = await readSources()
  const seeded = tables.filter((table) => files.some(({ path, text }) => isSeed(path) && namesTable(text, table)))
  const filled = new Set(
    files
      .filter(({ path }) => isProduct(path))
      .flatMap(({ path, text }) => tablesFilledBy(path.endsWith('.sql') ? functionsOf(text) : text)),
  )
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

const isSeed = (path: string) => path.startsWith('db/seed/')
const isProduct = (path: string) => /^(?:domain|adapters|platform|db\/reference|db\/migrations)\//.test(path)

async function readSources(): Promise<File[]> {
  const paths = (await listProjectFiles(project)).filter(
    (path) => /\.(?:ts|sql)$/.test(path) && !/\.(?:test|testing)\.ts$/.test(path) && (isSeed(path) || isProduct(path)),
  )
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(project, path), 'utf8') })))
}

/** Whether the text has the table as a value or a key, as the demo data names what it fills. */
function namesTable(text: string, table: string): boolean {
  return new RegExp(`'${table}'|^\\s*${table}:`, 'm').test(text)
}

/** Returns the function bodies in a migration, because triggers also fill tables. */
function functionsOf(sql: string): string {
  return [...sql.matchAll(/\bas \$(?<tag>\w*)\$(?<body>[\s\S]*?)\$\k<tag>\$/gi)]
    .map(({ groups }) => groups?.['body'] ?? '')
    .join('\n')
}

function tablesFilledBy(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, ' ').replaceAll(/^\s*\/\/.*$/gm, ' ')
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
