/**
 * Reference data: what every store needs and no store has to enter. `npm run migrate` installs it and later releases
 * update it. Sets are only added to: a row that a store has added stays, and so does a name or a description that it has
 * changed.
 */
import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { insertRows, type Row } from '#db/insert-rows.ts'
import { createPool } from '#platform/db.ts'
import { readModelAliases } from './model-aliases.ts'
import { categories } from './categories.ts'
import { readOtherBrands } from './other-brands.ts'
import { readZips } from './zips.ts'
import { tireTypes } from './tire-types.ts'
import { readKnownModels, readVehicles } from './vehicles.ts'

type Cell = string | number | null | undefined

type ReferenceSet = {
  name: string
  table: string
  /** The columns that name a row. */
  key: readonly string[]
  /** Whether a store may change a row, which then stays as it is. */
  isOwned: boolean
  rows: readonly Readonly<Record<string, Cell>>[]
  /** Fills the empty table. */
  fill(client: ClientBase): Promise<void>
}

/** The names of the sets, for `npm run verify`. */
export const referenceTables = {
  'ZIP codes': 'zip',
  vehicles: 'vehicle',
  'original tire sizes': 'oe_fitment',
  'models without listed sizes': 'known_model',
  'other names of models': 'model_alias',
  'tire brands': 'other_brand',
  'tire types': 'tire_type',
  categories: 'category',
} as const

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
  return { name, table, key, isOwned, rows, fill: (client) => insertRows(client, table, rows, identity) }
}

function readSets(): ReferenceSet[] {
  const { vehicles, fitments } = readVehicles()
  return [
    set('ZIP codes', { key: ['zip'], rows: readZips() }),
    set('vehicles', { key: ['year', 'make_slug', 'model_slug', 'trim_slug'], rows: vehicles, identity: 'id' }),
    set('original tire sizes', { key: ['vehicle_id', 'front_size', 'rear_size'], rows: fitments, identity: 'id' }),
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

/** Installs the reference data in the migrated database at `databaseUrl`. Returns the sets that were new or changed. */
export async function installReferenceData(databaseUrl: string): Promise<Installed[]> {
  const pool = createPool(databaseUrl, { size: 1, application: 'sidewall-reference-data' })
  try {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const installed = await addReferenceData(client)
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

/** As `installReferenceData`, in the transaction of `client`. Two at once wait for each other. */
export async function addReferenceData(client: ClientBase): Promise<Installed[]> {
  await client.query("select pg_advisory_xact_lock(hashtext('reference_data'))")
  const { rows: known } = await client.query<{ name: string; version: string }>(
    'select name, version from reference_data',
  )
  const versions = new Map(known.map(({ name, version }) => [name, version]))
  const installed: Installed[] = []
  for (const set of readSets()) {
    const version = createHash('sha256').update(JSON.stringify(set.rows)).digest('hex')
    if (versions.get(set.name) === version) continue
    await install(client, set)
    await client.query(
      `insert into reference_data (name, version, rows, installed_at) values ($1, $2, $3, now())
       on conflict (name) do update set version = excluded.version, rows = excluded.rows, installed_at = excluded.installed_at`,
      [set.name, version, set.rows.length],
    )
    installed.push({ name: set.name, rows: set.rows.length })
  }
  return installed
}

async function install(client: ClientBase, set: ReferenceSet): Promise<void> {
  const { rows } = await client.query<{ isEmpty: boolean }>(`select not exists (select from ${set.table}) as "isEmpty"`)
  if (rows[0]?.isEmpty) await set.fill(client)
  else await update(client, set, set.table === 'oe_fitment' ? await withStoredVehicles(client, set.rows) : set.rows)
}

/** Adds the rows that are missing and changes those that differ, by the key; what a store owns is left as it is. */
async function update(
  client: ClientBase,
  { table, key, isOwned }: ReferenceSet,
  rows: ReferenceSet['rows'],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id')
  const rest = columns.filter((column) => !key.includes(column))
  const list = (prefix: string, names: readonly string[]) => names.map((name) => `${prefix}${name}`).join(', ')
  await client.query(
    `insert into ${table} (${list('', columns)})
     select ${list('', columns)} from json_populate_recordset(null::${table}, $1::json)
     on conflict (${list('', key)}) ${
       isOwned || rest.length === 0
         ? 'do nothing'
         : `do update set ${rest.map((name) => `${name} = excluded.${name}`).join(', ')}
            where (${list(`${table}.`, rest)}) is distinct from (${list('excluded.', rest)})`
     }`,
    [JSON.stringify(rows)],
  )
}

/** The rows of original sizes with the ids that this database has for their vehicles. */
async function withStoredVehicles(client: ClientBase, fitments: ReferenceSet['rows']): Promise<ReferenceSet['rows']> {
  const nameOf = (vehicle: { year: Cell; make_slug: Cell; model_slug: Cell; trim_slug: Cell }) =>
    [vehicle.year, vehicle.make_slug, vehicle.model_slug, vehicle.trim_slug].join(' ')
  const { rows } = await client.query<{
    id: number
    year: number
    make_slug: string
    model_slug: string
    trim_slug: string
  }>('select id, year, make_slug, model_slug, trim_slug from vehicle')
  const stored = new Map(rows.map((vehicle) => [nameOf(vehicle), vehicle.id]))
  const own = new Map(readVehicles().vehicles.map((vehicle) => [vehicle.id, stored.get(nameOf(vehicle))]))
  return fitments.map((row) => ({ ...row, vehicle_id: own.get(Number(row['vehicle_id'])) }))
}
