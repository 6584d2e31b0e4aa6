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
  // 13 for reports, 9 for the stock list, 14 for coupons, promotions, and price lists with their tires and recipients,
  // 8 for work orders with their tires, shops, and orders, 5 for branded stores, 1 for the waitlist, 3 for payment
  // method offers that count customers, and 2 read-only for price explanations. A shop's rates check the carts that
  // lock them. 10 for fraud rules, which read everything in one query, and held orders; 6 for reconciliation, which
  // compares other folders' tables. 6 for charges that need staff, which show the purpose and the contact of each. The
  // order page reads the opening hours of its pickup location or warehouse, except for unknown ZIP codes. A partner's
  // commission depends on the orders' lines and refunds, and an order contains the partner. An agent session reads its
  // cart's order, and a webhook its order's company. A purchasing system's documents depend on the order, packages, and
  // invoice, and its price on the channel. An order contains its purchasing system and an exchange's customer. An
  // approval request contains the names of the requester and the approver. A message and a dispute show their files'
  // sizes. Saving a minimum price lists the coupons and price lists below it. The office home page shows the progress
  // of a day's jobs, and how many had their tires in time. Carts and delivery plans exclude the units held by other
  // carts with appointments. The customer list filters by account, company, credit, and orders. Orders find guests by
  // the customer's email. Carts and promotions read the tires that a promotion leaves out. The onboarding steps are computed from other folders' data.
  expect(named.reads.length).toBeLessThanOrEqual(243)
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
    file('domain/x/a/a.sql.server.ts', "db.selectFrom('cart as c').innerJoin('item', 'item.id', 'c.id')"),
    file(
      'domain/x/b/b.sql.server.ts',
      'sql`with x as (insert into cart (id) values (1)) select from x join item using (id)`',
    ),
    file('domain/x/c/c.sql.server.ts', "db.updateTable('cart').from('item'); db.deleteFrom('stock')"),
    file(
      'domain/x/d/d.sql.server.ts',
      "const tables = ['cart']; sql`delete from ${sql.table(tables[0])} where '${1}' = 'item'`",
    ),
    file('domain/x/e/e.sql.server.ts', "const rows = { table: 'cart' }; sql`select from ${sql.table(rows.table)}`"),
    file('platform/f.ts', "client.query('update item set id = 1')"),
  ]
  expect(usesIn(files)).toEqual([
    'domain/x/a reads cart',
    'domain/x/a reads item',
    'domain/x/b writes cart',
    'domain/x/b reads item',
    'domain/x/c writes cart',
    'domain/x/c writes stock',
    'domain/x/c reads item',
    'domain/x/d writes cart',
    'domain/x/e reads cart',
    'platform writes item',
  ])
})

test('text that only looks like a use is ignored', () => {
  const files = [
    file('domain/x/a/a.sql.server.ts', '/** Takes it from cart. */\n// update item\nsql`select 1 for no key update`'),
    file('domain/x/b/b.sql.server.ts', 'sql`select from other where a is distinct from cart.a for update of item`'),
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

/** Maps "domain/ordering/orders reads shop" to its files, for every use of a table outside its owner's folder. */
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
