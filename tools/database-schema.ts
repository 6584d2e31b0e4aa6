/**
 * Generates db/schema.sql, the schema after all migrations, for reading. Reads PostgreSQL's own catalogs because the
 * project doesn't bundle pg_dump. The file is never executed.
 */
import pg from 'pg'

/** Tables managed by a library or by the migrations themselves. */
const notOurs = ['schema_migration']

const tablesQuery = `
  select oid, relname as name, obj_description(oid, 'pg_class') as comment, pg_get_partkeydef(oid) as divided from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> all ($1) order by relname`

const columnsQuery = `
  select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as "isNotNull", attidentity as identity, attgenerated as generated,
    pg_get_expr(adbin, adrelid) as expression, col_description(attrelid, attnum) as comment
  from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = $1 and attnum > 0 and not attisdropped order by attnum`

const constraintsQuery = `
  select conname as name, pg_get_constraintdef(oid) as definition, obj_description(oid, 'pg_constraint') as comment from pg_constraint
  where conrelid = $1 and contype in ('p', 'u', 'x', 'c', 'f') order by array_position(array['p', 'u', 'x', 'c', 'f']::"char"[], contype), conname`

const indexesQuery = `
  select pg_get_indexdef(indexrelid) as definition from pg_index
  where indrelid = $1 and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x')) order by indexrelid::regclass::text collate "C"`

const triggersQuery = `
  select pg_get_triggerdef(oid) as definition, obj_description(oid, 'pg_trigger') as comment from pg_trigger
  where tgrelid = $1 and not tgisinternal order by tgname`

const functionsQuery = `
  select pg_get_functiondef(pg_proc.oid) as definition from pg_proc
  where pronamespace = 'public'::regnamespace and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') order by proname`

type Column = {
  name: string
  type: string
  isNotNull: boolean
  identity: string
  generated: string
  expression: string | null
  comment: string | null
}
type Definition = { name: string; definition: string; comment: string | null }

/**
 * Returns the text of db/schema.sql for the database at `url`: every table with its constraints, indexes and triggers,
 * then the functions.
 */
export async function describeSchema(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const read = async <Row extends pg.QueryResultRow>(query: string, value?: unknown) =>
      (await client.query<Row>(query, value === undefined ? [] : [value])).rows
    const parts = ['-- What the migrations come to: written by `npm run generate-types`, to be read and not to be run.']
    for (const { oid, name, comment, divided } of await read<{
      oid: number
      name: string
      comment: string | null
      divided: string | null
    }>(tablesQuery, notOurs)) {
      const lines = [
        ...(await read<Column>(columnsQuery, oid)).map((column) => columnLine(column)),
        ...(await read<Definition>(constraintsQuery, oid)).map(
          (each) => `  constraint ${each.name} ${each.definition}${noted(each.comment)}`,
        ),
      ]
      const after = [...(await read<Definition>(indexesQuery, oid)), ...(await read<Definition>(triggersQuery, oid))]
      const table = `create table ${name} (\n${joinLines(lines)}\n)${divided === null ? '' : ` partition by ${divided}`};`
      parts.push(
        [
          ...(comment === null ? [] : [`-- ${comment}`]),
          table,
          ...after.map(
            ({ definition, comment: note }) => `${definition.replaceAll('public.', '')};${noted(note ?? null)}`,
          ),
        ].join('\n'),
      )
    }
    for (const { definition } of await read<Definition>(functionsQuery))
      parts.push(`${definition.replaceAll('public.', '').trimEnd()};`)
    return `${parts.join('\n\n')}\n`
  } finally {
    await client.end()
  }
}

function columnLine({ name, type, isNotNull, identity, generated, expression, comment }: Column): string {
  const value =
    generated !== ''
      ? ` generated always as (${expression}) stored`
      : identity !== ''
        ? ' generated always as identity'
        : expression === null
          ? ''
          : ` default ${expression}`
  return `  ${name} ${type}${isNotNull ? ' not null' : ''}${value}${noted(comment)}`
}

function noted(comment: string | null): string {
  return comment === null ? '' : ` -- ${comment}`
}

/** Adds a comma to every line but the last, before any trailing comment. */
function joinLines(lines: readonly string[]): string {
  return lines
    .map((line, index) => (index === lines.length - 1 ? line : line.replace(/( -- .*)?$/, (note) => `,${note}`)))
    .join('\n')
}
