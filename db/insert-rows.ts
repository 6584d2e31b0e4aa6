import type { Insertable } from 'kysely'
import type { ClientBase } from 'pg'
import type { DB } from '#db/types.ts'

/** A row to insert; identity columns are set, so that the same seed gives the same keys. */
export type Row<Table extends keyof DB> = Insertable<DB[Table]>

const rowsPerStatement = 25_000

/**
 * Inserts `rows` in a few large statements. Each sends its rows as one JSON text, which the server expands by the
 * table's column types. All rows must have the same columns. Identity columns continue after the highest inserted key.
 */
export async function insertRows<Table extends keyof DB>(
  client: ClientBase,
  table: Table,
  rows: readonly Row<Table>[],
  identity?: keyof Row<Table> & string,
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
    .map((column) => `"${column}"`)
    .join(', ')
  const text = `insert into ${table} (${columns}) overriding system value select ${columns} from json_populate_recordset(null::${table}, $1::json)`
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    await client.query({
      name: `seed-${table}-${columns.length}`,
      text,
      values: [JSON.stringify(rows.slice(from, from + rowsPerStatement))],
    })
  }
  if (identity)
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', '${identity}'), (select max(${identity}) from ${table}))`,
    )
}
