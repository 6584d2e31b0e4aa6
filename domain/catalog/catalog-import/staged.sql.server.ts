/**
 * Operations on all staged rows, which refuse contradictory ones, list problems, and delete rows. Also the names cells
 * may refer to.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { Problem, StagingTable } from './feed.ts'
import { mostProblems } from './stage.server.ts'

export type FaultyRow = { row_no: number; value: string; problem: string; expected: string }

/**
 * Refuses the rows `faulty` selects (row_no, value, problem, expected), and records the reason under `column`: a name,
 * or the selected expression that gives it.
 */
export async function refuseRows(
  tx: Tx,
  runId: number,
  table: StagingTable,
  column: string | RawBuilder<string>,
  faulty: RawBuilder<FaultyRow>,
): Promise<void> {
  await sql`
    with faulty as materialized (${faulty}),
    noted as (
      insert into import_problem (run_id, row_no, column_name, value, problem, expected)
      select ${runId}::int, row_no, ${typeof column === 'string' ? sql.lit(column) : column}, left(value, 200), problem, expected from faulty order by row_no
      limit greatest(0, ${mostProblems}::int - (select count(*) from import_problem where run_id = ${runId}::int)))
    update ${sql.table(table)} as staged set refused = true from faulty where staged.run_id = ${runId}::int and staged.row_no = faulty.row_no`.execute(
    tx,
  )
}

/** Refuses the later of two rows with equal `keys`. `value` is what the report shows, and `place` ends the problem. */
export async function refuseTwins(
  tx: Tx,
  runId: number,
  table: StagingTable,
  {
    keys,
    column,
    value,
    problem,
    expected,
    place = sql`''`,
  }: {
    keys: readonly (string | RawBuilder<string>)[]
    column: string
    value: RawBuilder<string>
    problem: string
    expected: string
    place?: RawBuilder<string>
  },
): Promise<void> {
  await refuseRows(
    tx,
    runId,
    table,
    column,
    sql<FaultyRow>`
      select row_no, value, ${problem}::text || ' ' || first_row || place as problem, ${expected}::text as expected
      from (
        select row_no, ${value} as value, ${place} as place, min(row_no) over (partition by ${sql.join(keys.map((key) => (typeof key === 'string' ? sql.ref(key) : key)))}) as first_row
        from ${sql.table(table)} where run_id = ${runId}::int and not refused) as twins
      where row_no > first_row`,
  )
}

/** Refuses rows about tires that no products feed has imported. */
export async function refuseUnknownTires(tx: Tx, runId: number, table: 'import_price' | 'import_stock'): Promise<void> {
  await refuseRows(
    tx,
    runId,
    table,
    'sku',
    sql<FaultyRow>`
      select row_no, sku as value, 'is not a tire we have' as problem, 'the SKU of a tire that a products feed brought' as expected
      from ${sql.table(table)} as staged where run_id = ${runId} and not refused and not exists (select from item where item.sku = staged.sku)`,
  )
}

export async function clearStaged(tx: Tx, runId: number, table: StagingTable): Promise<void> {
  await sql`delete from ${sql.table(table)} where run_id = ${runId}`.execute(tx)
}

/** Deletes the problems of a run, to check it again. */
export async function clearProblems(tx: Tx, runId: number): Promise<void> {
  await tx.deleteFrom('import_problem').where('run_id', '=', runId).execute()
}

/** The most frequent values with this problem, at most `limit`. */
export async function selectRefusedValues(
  db: Database,
  { runId, problem, limit }: { runId: number; problem: string; limit: number },
): Promise<{ value: string; rows: number }[]> {
  return db
    .selectFrom('import_problem')
    .select(({ fn }) => ['value', fn.countAll<number>().as('rows')])
    .where('run_id', '=', runId)
    .where('problem', '=', problem)
    .groupBy('value')
    .orderBy('rows', 'desc')
    .orderBy('value')
    .limit(limit)
    .execute()
}

const problemsPerPage = 5_000

/** Returns a run's problems in row order, a page after `after`; empty at the end. */
export async function selectProblems(
  db: Database,
  runId: number,
  after: { rowNo: number; id: number },
  count = problemsPerPage,
): Promise<(Problem & { id: number; rowNo: number })[]> {
  const rows = await db
    .selectFrom('import_problem')
    .selectAll()
    .where('run_id', '=', runId)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('row_no', 'id'), '>', tuple(after.rowNo, after.id)))
    .orderBy('row_no')
    .orderBy('id')
    .limit(count)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    rowNo: row.row_no,
    column: row.column_name,
    value: row.value,
    problem: row.problem,
    expected: row.expected,
  }))
}

/** The categories a products feed may name, in catalog order; `retired` ones only for models that are in them. */
export async function selectCategorySlugs(
  db: Database | Tx,
): Promise<{ categories: readonly string[]; retired: readonly string[] }> {
  const all = await db.selectFrom('category').select(['slug', 'retired']).orderBy('position').execute()
  const slugsOf = (isRetired: boolean) => all.flatMap(({ slug, retired }) => (retired === isRetired ? [slug] : []))
  return { categories: slugsOf(false), retired: slugsOf(true) }
}

/** The codes of minimum advertised prices in PIES files. */
export async function selectMapTypes(db: Database | Tx): Promise<ReadonlySet<string>> {
  const codes = await db
    .selectFrom('vehicle_code')
    .select('code')
    .where('kind', '=', 'price-type')
    .where('slug', '=', 'map')
    .execute()
  return new Set(codes.map(({ code }) => code))
}

/** The warehouses a stock feed may name, as id by code. They belong to active suppliers or to the store. */
export async function selectWarehouseIds(db: Database | Tx): Promise<Map<string, number>> {
  const warehouses = await db
    .selectFrom('warehouse')
    .select(['code', 'id'])
    .where('retired_at', 'is', null)
    .orderBy('code')
    .execute()
  return new Map(warehouses.map(({ code, id }) => [code, id]))
}
