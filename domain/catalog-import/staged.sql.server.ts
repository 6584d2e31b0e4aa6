/** What looks at staged rows as a whole: refusing those that contradict each other, and clearing them away. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#platform/db.ts'
import type { StagingTable } from './feed.ts'
import { mostProblems } from './stage.server.ts'

export type FaultyRow = { row_no: number; value: string; problem: string; expected: string }

/**
 * Refuses the rows that `faulty` selects (row_no, value, problem, expected), and notes why by `column`: a name, or what
 * of the selected says it.
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

/** Refuses the later of two rows with the same values in `keys`. `value` is what the report shows of it. */
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
  }: { keys: readonly string[]; column: string; value: RawBuilder<string>; problem: string; expected: string },
): Promise<void> {
  await refuseRows(
    tx,
    runId,
    table,
    column,
    sql<FaultyRow>`
      select row_no, value, ${problem}::text || ' ' || first_row as problem, ${expected}::text as expected
      from (
        select row_no, ${value} as value, min(row_no) over (partition by ${sql.join(keys.map((key) => sql.ref(key)))}) as first_row
        from ${sql.table(table)} where run_id = ${runId}::int and not refused) as twins
      where row_no > first_row`,
  )
}

/** Refuses rows about tires that no products feed brought. */
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
