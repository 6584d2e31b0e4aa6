import { sql } from 'kysely'
import type { Tx } from '#platform/db.ts'
import { changeRows, createRows } from './changes.sql.server.ts'
import { refuseTwins } from './staged.sql.server.ts'

const columns = ['year', 'make', 'make_slug', 'model', 'model_slug', 'name', 'slug'] as const

/** Checks that each code has one row. */
export async function checkVehicleCodes(tx: Tx, runId: number): Promise<void> {
  await refuseTwins(tx, runId, 'import_vehicle_code', {
    keys: ['kind', 'code'],
    column: 'code',
    value: sql`code`,
    problem: 'is explained already in row',
    expected: 'each code once',
  })
}

/** Adds and corrects codes. Codes that the file lacks stay, because lists don't reuse them. */
export async function mergeVehicleCodes(tx: Tx, runId: number): Promise<void> {
  const facts = sql.join(columns.map((column) => sql.ref(`staged.${column}`)))
  await changeRows(
    tx,
    runId,
    'vehicle_code',
    columns,
    sql`
      select code.id, ${facts} from import_vehicle_code as staged
      join vehicle_code as code on code.kind = staged.kind and code.code = staged.code
      where run_id = ${runId} and not refused`,
  )
  await createRows(
    tx,
    runId,
    'vehicle_code',
    ['kind', 'code', ...columns],
    sql`
      select staged.kind, staged.code, ${facts} from import_vehicle_code as staged
      where run_id = ${runId} and not refused and not exists (
        select from vehicle_code as code where code.kind = staged.kind and code.code = staged.code)
      order by row_no`,
  )
}
