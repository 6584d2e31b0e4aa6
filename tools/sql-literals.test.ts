/**
 * Tests that states and kinds in SQL match the database's spelling, because a misspelled one silently finds no rows.
 * The values come from the check constraints in db/schema.sql.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'
import { findTableUses } from './table-uses.ts'

type Values = Map<string, Map<string, Set<string>>>

/** By table and column, what its check constraints name. */
function readValues(schema: string): Values {
  const tables: Values = new Map()
  let columns = new Map<string, Set<string>>()
  for (const line of schema.split('\n')) {
    const table = /^create table (\w+) \(/.exec(line)?.[1]
    if (table !== undefined) tables.set(table, (columns = new Map<string, Set<string>>()))
    if (!/^ {2}constraint \w+ CHECK /.test(line)) continue
    for (const [, column = '', values = ''] of line.matchAll(/\b(\w*(?:state|kind)) = ANY \(ARRAY\[([^\]]*)\]/g)) {
      const known = columns.get(column) ?? new Set()
      for (const [, value = ''] of values.matchAll(/'([^']+)'/g)) known.add(value)
      columns.set(column, known)
    }
  }
  return tables
}

/** Each value that the text of a file compares a state or kind with, or writes into one. */
function findLiterals(text: string): { column: string; value: string }[] {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, '')
  const column = String.raw`(?<column>[a-z_]*(?:state|kind))`
  const one = String.raw`'(?<value>[a-z][\w-]*)'`
  const patterns = [
    // state = 'open', o.state <> 'open'
    new RegExp(String.raw`\b${column}"? *(?:=|<>|!=) *${one}`, 'g'),
    // 'o.state', '=', 'open'
    new RegExp(String.raw`'(?:\w+\.)?${column}', *'(?:=|<>|!=)', *${one}`, 'g'),
    // state: 'open' of set() and values()
    new RegExp(String.raw`\.(?:set|values)\(\{[^{}]*?\b${column}: *${one}`, 'g'),
    // state in ('open', 'closed')
    new RegExp(String.raw`\b${column}"? (?:not )?in \((?<values>'[^()]*')\)`, 'g'),
    // 'o.state', 'in', ['open', 'closed']
    new RegExp(String.raw`'(?:\w+\.)?${column}', *'(?:not )?in', *\[(?<values>[^\]]*)\]`, 'g'),
  ]
  return patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].flatMap(({ groups }) =>
      [...(groups?.['values'] ?? `'${groups?.['value']}'`).matchAll(/'([a-z][\w-]*)'/g)].map(([, value = '']) => ({
        column: groups?.['column'] ?? '',
        value,
      })),
    ),
  )
}

/** What files compare with that no table which they name has. */
function strangersIn(files: readonly { path: string; text: string }[], values: Values): string[] {
  return files.flatMap(({ path, text }) => {
    const used = findTableUses([{ path, text }], [...values.keys()]).map(({ table }) => table)
    // A part of a statement may name only the columns of a table.
    const isSql = path.endsWith('.sql.server.ts')
    const tables = [...used, ...[...values.keys()].filter((table) => isSql && text.includes(`${table}.`))]
    return findLiterals(text).flatMap(({ column, value }) => {
      const known = tables.flatMap((table) => [...(values.get(table)?.get(column) ?? [])])
      const isKnown = known.length === 0 || known.includes(value)
      return isKnown ? [] : [`${path}: ${column} ${value}`]
    })
  })
}

async function sqlFiles(): Promise<{ path: string; text: string }[]> {
  const paths = (await listProjectFiles(project)).filter((path) => path.endsWith('.server.ts'))
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(project, path), 'utf8') })))
}

test('every state and kind in SQL exists in the database', async () => {
  const values = readValues(await readFile(join(project, 'db/schema.sql'), 'utf8'))
  const files = await sqlFiles()
  const compared = files.flatMap(({ text }) => findLiterals(text))
  expect(compared.length).toBeGreaterThan(200)
  expect(strangersIn(files, values)).toEqual([])
})

test('a misspelled one is found however it is written', () => {
  const values: Values = new Map([['shipment', new Map([['state', new Set(['open', 'canceled'])]])]])
  const found = (text: string) =>
    strangersIn([{ path: 'domain/a/a.sql.server.ts', text: `import 'kysely' from 'kysely'\n${text}` }], values)
  const right = "db.selectFrom('shipment').where('state', '=', 'canceled')"
  expect(found(right)).toEqual([])
  for (const text of [
    right.replace('canceled', 'cancelled'),
    "sql`select from shipment where state <> 'cancelled'`",
    "sql`select from shipment s where s.state not in ('open', 'cancelled')`",
    "db.updateTable('shipment').set({ at, state: 'cancelled' })",
    "db.selectFrom('shipment').where('shipment.state', 'not in', ['open', 'cancelled'])",
  ])
    expect(found(text), text).toEqual(['domain/a/a.sql.server.ts: state cancelled'])
})
