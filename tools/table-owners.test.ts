/** Each table is written by its owner, and read only by those named in `db/table-owners.ts` and `db/table-readers.ts`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tableOwners } from '#db/table-owners.ts'
import { otherReaders } from '#db/table-readers.ts'
import { otherWriters } from '#db/table-writers.ts'
import { project } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'
import { findTableUses, type TableUse } from './table-uses.ts'

const owners: Readonly<Record<string, string>> = tableOwners
const named = {
  writes: otherWriters.flatMap(({ folder, tables }) => tables.map((table) => `${folder} writes ${table}`)),
  reads: Object.entries(otherReaders).flatMap(([folder, tables]) => tables.map((table) => `${folder} reads ${table}`)),
}

test('only folders named with a reason write to another’s table, and all of them still do', async () => {
  expect(unlike(named.writes, await foreignUses('writes'))).toEqual([])
})

test('only named folders read another’s table, and all of them still do', async () => {
  expect(unlike(named.reads, await foreignUses('reads'))).toEqual([])
})

test('the exception lists only get shorter', () => {
  expect(named.writes.length).toBeLessThanOrEqual(8)
  // 13 of them are the reports', 9 the stock list's, 14 those of coupons, promotions and price lists, which name the
  // tires and people they are for, 8 those of work orders, which name the tires, shops and orders of a job, 5 those of
  // branded stores, which carts, checkout and orders name with their shop, one that of who waits for a time, 3 those of offers for
  // ways to pay, which count customers, 2 those of what a price rests on: they show
  // what the others own and write none of it. A shop's prices look at what a cart holds there, which keeps its price.
  // 10 are those of fraud rules, which look up all they ask in one statement, and of what they hold; 6 those of the
  // reconciliation, which compares what the others own.
  // 6 are those of charges that need people, which name what each is for and whom to write to.
  // The page of an order reads when its pickup place or warehouse is open; places of unknown ZIPs are left out.
  // A partner’s commission follows from the lines of its orders and what was refunded of them; an order says whose it is.
  // A session of an agent asks for the order of its cart; a webhook says whose company an order is.
  // What a purchasing system is told follows from its order, parcels and invoice; its price rests on its channel.
  // An order says which purchasing system it is of, and for which customer of an exchange.
  // A request for an approval says the names of who asked and who decided.
  // A message and a dispute show how large their files are.
  // Saving a minimum price names the coupons and price lists that undercut it.
  // The office's first page shows how far the jobs of a day are, and how many had their tires in time.
  // Carts and delivery plans leave out the units that other carts hold with their appointments.
  // The customer list filters by account, company, credit and orders; orders find guests by the customer's email.
  // The steps of the store setup are computed from what each of the others has.
  expect(named.reads.length).toBeLessThanOrEqual(240)
})

test('no folder is named twice for a table, nor for its own', () => {
  const all = [...named.writes, ...named.reads]
  const own = Object.entries(owners).flatMap(([table, folder]) => [
    `${folder} writes ${table}`,
    `${folder} reads ${table}`,
  ])
  expect(all.filter((use, at) => all.indexOf(use) !== at || own.includes(use))).toEqual([])
})

test('a use is found however it is written', () => {
  const files = [
    file('domain/a/a.sql.server.ts', "db.selectFrom('cart as c').innerJoin('item', 'item.id', 'c.id')"),
    file(
      'domain/b/b.sql.server.ts',
      'sql`with x as (insert into cart (id) values (1)) select from x join item using (id)`',
    ),
    file('domain/c/c.sql.server.ts', "db.updateTable('cart').from('item'); db.deleteFrom('stock')"),
    file(
      'domain/d/d.sql.server.ts',
      "const tables = ['cart']; sql`delete from ${sql.table(tables[0])} where '${1}' = 'item'`",
    ),
    file('domain/e/e.sql.server.ts', "const rows = { table: 'cart' }; sql`select from ${sql.table(rows.table)}`"),
    file('platform/f.ts', "client.query('update item set id = 1')"),
  ]
  expect(usesIn(files)).toEqual([
    'domain/a reads cart',
    'domain/a reads item',
    'domain/b writes cart',
    'domain/b reads item',
    'domain/c writes cart',
    'domain/c writes stock',
    'domain/c reads item',
    'domain/d writes cart',
    'domain/e reads cart',
    'platform writes item',
  ])
})

test('text that only looks like a use is ignored', () => {
  const files = [
    file('domain/a/a.sql.server.ts', '/** Takes it from cart. */\n// update item\nsql`select 1 for no key update`'),
    file('domain/b/b.sql.server.ts', 'sql`select from other where a is distinct from cart.a for update of item`'),
    { path: 'app/routes/cart.ts', text: "export const label = 'Update cart'" },
  ]
  expect(usesIn(files)).toEqual([])
})

function file(path: string, text: string): { path: string; text: string } {
  return { path, text: `import { sql } from 'kysely'\n${text}` }
}

function usesIn(files: Parameters<typeof findTableUses>[0]): string[] {
  return findTableUses(files, ['cart', 'item', 'stock']).map(({ folder, kind, table }) => `${folder} ${kind} ${table}`)
}

/** Uses found but not named, with their files, and uses named but not found. */
function unlike(names: readonly string[], found: ReadonlyMap<string, readonly string[]>): string[] {
  const news = [...found]
    .filter(([use]) => !names.includes(use))
    .map(([use, files]) => `new: ${use} (${files.join(', ')})`)
  return [...news, ...names.filter((name) => !found.has(name)).map((name) => `no longer: ${name}`)]
}

/** Maps "domain/orders reads shop" to its files, for every use of a table outside its owner's folder. */
async function foreignUses(kind: TableUse['kind']): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const use of findTableUses(await readProduct(), Object.keys(owners))) {
    if (use.kind !== kind || owners[use.table] === use.folder) continue
    const name = `${use.folder} ${use.kind} ${use.table}`
    found.set(name, [...(found.get(name) ?? []), use.file])
  }
  return found
}

async function readProduct(): Promise<{ path: string; text: string }[]> {
  const paths = (await listProjectFiles(project)).filter(
    (path) =>
      /^(?:domain|pictures|adapters|platform|api|http|content|app)\/.*\.tsx?$/.test(path) &&
      !/\.(?:test|testing)\.tsx?$|\/fixtures\//.test(path),
  )
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(project, path), 'utf8') })))
}
