/**
 * Reference data that every store needs. `npm run migrate` installs it, and later releases update it. Rows are never
 * removed. A store's changes are preserved, including added rows, edited names and descriptions of tire types and
 * categories, and every vehicle that its fitment imports changed.
 */
import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { insertRows, type Row } from '#db/insert-rows.ts'
import { createPool } from '#platform/db.ts'
import { isOfNewerRelease } from '#platform/migrate.ts'
import { readModelAliases } from './model-aliases.ts'
import { categories } from './categories.ts'
import { readOtherBrands } from './other-brands.ts'
import { countRows, referenceTables } from './reference-tables.ts'
import { readZips } from './zips.ts'
import { tireTypes } from './tire-types.ts'
import { readKnownModels, readVehicles } from './vehicles.ts'

type Cell = string | number | boolean | null | undefined

type ReferenceSet = {
  name: string
  table: TableOf<SetName>
  /** The columns that name a row. */
  key: readonly string[]
  /** Whether stores can change the rows. Changed rows aren't updated. */
  isOwned: boolean
  rows: readonly Readonly<Record<string, Cell>>[]
  /** Inserts `rows` into the empty table. */
  fill(client: ClientBase, rows: ReferenceSet['rows']): Promise<void>
}

type SetName = keyof typeof referenceTables
type TableOf<Name extends SetName> = (typeof referenceTables)[Name]
type RowOf<Name extends SetName> = Row<TableOf<Name>> & Readonly<Record<string, Cell>>

function set<Name extends SetName>(
  name: Name,
  {
    key,
    rows,
    identity,
    isOwned = false,
  }: {
    key: readonly (keyof RowOf<Name> & string)[]
    rows: readonly RowOf<Name>[]
    /** The column with generated keys. */
    identity?: keyof Row<TableOf<Name>> & string
    isOwned?: boolean
  },
): ReferenceSet {
  const table: TableOf<Name> = referenceTables[name]
  return {
    name,
    table,
    key,
    isOwned,
    rows,
    fill(client, present: readonly RowOf<Name>[]) {
      return insertRows(client, table, present, identity)
    },
  }
}

function readSets(): ReferenceSet[] {
  const { vehicles, fitments } = readVehicles()
  return [
    set('ZIP codes', { key: ['zip'], rows: readZips() }),
    set('vehicles', { key: ['year', 'make_slug', 'model_slug', 'trim_slug'], rows: vehicles, identity: 'id' }),
    set('original tire sizes', {
      key: ['vehicle_id', 'list_id', 'front_size', 'rear_size'],
      rows: fitments,
      identity: 'id',
    }),
    set('models without listed sizes', {
      key: ['make_slug', 'model_slug', 'first_year'],
      rows: readKnownModels(vehicles),
    }),
    set('other names of models', {
      key: ['make_slug', 'alias_slug', 'model_make_slug', 'model_slug'],
      rows: readModelAliases(),
    }),
    set('tire brands', { key: ['slug'], rows: readOtherBrands() }),
    set('tire types', { key: ['slug'], rows: tireTypes, isOwned: true }),
    set('categories', { key: ['slug'], rows: categories, isOwned: true }),
  ]
}

export type Installed = { name: string; rows: number }

/**
 * Installs the reference data in the migrated database at `databaseUrl`. Returns the sets that were new or changed. Leaves
 * the database of a newer release as it is.
 */
export async function installReferenceData(databaseUrl: string): Promise<Installed[]> {
  const pool = createPool(databaseUrl, { size: 1, application: 'sidewall-reference-data' })
  try {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const installed = (await isOfNewerRelease(client)) ? [] : await addReferenceData(client)
      await client.query('commit')
      return installed
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  } finally {
    await pool.end()
  }
}

/** Like `installReferenceData`, in the transaction of `client`. Concurrent calls wait for each other. */
export async function addReferenceData(client: ClientBase): Promise<Installed[]> {
  await client.query("select pg_advisory_xact_lock(hashtext('reference_data'))")
  const { rows: known } = await client.query<{ name: string; version: string }>(
    'select name, version from reference_data',
  )
  const versions = new Map(known.map(({ name, version }) => [name, version]))
  const installed: Installed[] = []
  for (const set of readSets()) {
    const version = createHash('sha256').update(JSON.stringify(set.rows)).digest('hex')
    const present = await readCount(client, set.table)
    // Missing rows are added again even if this version was installed before.
    if (versions.get(set.name) === version && present >= set.rows.length) continue
    const rows = await rowsToInstall(client, set)
    if (present === 0) await set.fill(client, rows)
    else if (set.isOwned) await addMissing(client, set)
    else await update(client, set, rows)
    await client.query(
      `insert into reference_data (name, version, rows, installed_at) values ($1, $2, $3, now())
       on conflict (name) do update set version = excluded.version, rows = excluded.rows, installed_at = excluded.installed_at`,
      [set.name, version, set.rows.length],
    )
    installed.push({ name: set.name, rows: set.rows.length })
  }
  return installed
}

async function readCount(client: ClientBase, table: ReferenceSet['table']): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select ${countRows(table)} as count`)
  return Number(rows[0]?.count)
}

/** Adds the rows with new slugs, at the end if their position is taken. */
async function addMissing(client: ClientBase, { table, rows }: ReferenceSet): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'position')
  await client.query(
    `with incoming as (select * from json_populate_recordset(null::${table}, $1::json)),
       missing as (select * from incoming where not exists (select from ${table} as present where present.slug = incoming.slug))
     insert into ${table} (${columns.join(', ')}, position)
     select ${columns.join(', ')},
       case when exists (select from ${table} as present where present.position = missing.position)
         then (select max(position) from (select position from ${table} union all select position from incoming) as used) + row_number() over (order by missing.position)
         else missing.position end
     from missing`,
    [JSON.stringify(rows)],
  )
}

/** Adds the rows that are missing and changes those that differ, by the key. */
async function update(client: ClientBase, { table, key }: ReferenceSet, rows: ReferenceSet['rows']): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id')
  const rest = columns.filter((column) => !key.includes(column))
  const list = (prefix: string, names: readonly string[]) => names.map((name) => `${prefix}${name}`).join(', ')
  if (columns.length === 0) return
  await client.query(
    `insert into ${table} (${list('', columns)})
     select ${list('', columns)} from json_populate_recordset(null::${table}, $1::json)
     on conflict (${list('', key)}) do update set ${rest.map((name) => `${name} = excluded.${name}`).join(', ')}
     where (${list(`${table}.`, rest)}) is distinct from (${list('excluded.', rest)})`,
    [JSON.stringify(rows)],
  )
}

/**
 * The rows of a set without the vehicles that the store has imported itself. Original sizes get the ids that this
 * database has for their vehicles.
 */
async function rowsToInstall(client: ClientBase, { table, rows }: ReferenceSet): Promise<ReferenceSet['rows']> {
  if (table !== 'vehicle' && table !== 'oe_fitment') return rows
  const { rows: present } = await client.query<VehicleName & { id: number; imported: boolean }>(
    `with imported as (
       select id from import_change where entity = 'vehicle' and not undone
       union select vehicle_id from import_change join oe_fitment using (id) where entity = 'oe_fitment' and not undone and list_id = 1
       union select (before ->> 'vehicle_id')::int from import_change
         where entity = 'oe_fitment' and action = 'removed' and not undone and coalesce((before ->> 'list_id')::int, 1) = 1)
     select id, year, make_slug, model_slug, trim_slug, exists (select from imported where imported.id = vehicle.id) as imported
     from vehicle`,
  )
  const stored = new Map(present.map((vehicle) => [nameOf(vehicle), vehicle]))
  if (table === 'vehicle') return rows.filter((row) => stored.get(nameOf(row))?.imported !== true)
  const own = new Map(readVehicles().vehicles.map((vehicle) => [vehicle.id, stored.get(nameOf(vehicle))]))
  return rows.flatMap((row) => {
    const vehicle = own.get(Number(row['vehicle_id']))
    return vehicle === undefined || vehicle.imported ? [] : [{ ...row, vehicle_id: vehicle.id }]
  })
}

type VehicleName = { year?: Cell; make_slug?: Cell; model_slug?: Cell; trim_slug?: Cell }

function nameOf(vehicle: VehicleName): string {
  return [vehicle.year, vehicle.make_slug, vehicle.model_slug, vehicle.trim_slug].join(' ')
}
