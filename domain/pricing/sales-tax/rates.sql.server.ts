/** Queries for sales tax rates. */
import { sql } from 'kysely'
import type { TaxPart } from '#domain/pricing/pricing/pricing.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { RateRow } from './rate-rows.ts'
import type { TaxPlace } from './sales-tax.ts'
import { stateTaxesOn, type StateTaxRow } from './state-taxes.sql.server.ts'

const columns = sql`rate.state, rate.zip, rate.starts_on::text as "startsOn", rate.ends_on::text as "endsOn",
  rate.state_ppm as "statePpm", rate.county, rate.county_ppm as "countyPpm", rate.city, rate.city_ppm as "cityPpm",
  rate.special_ppm as "specialPpm", rate.source`

/** The inputs of a place's tax rule (imported rates, the provider's answers, and staff changes). */
export type PlaceRates = {
  rows: RateRow[]
  answers: (TaxPlace & { parts: TaxPart[] })[]
  edits: Pick<StateTaxRow, 'state' | 'startsOn' | 'ratePpm' | 'tireFee' | 'tireFeeName' | 'taxed' | 'source'>[]
}

/**
 * Selects the rows in effect on a day for these locations' ZIP codes and states, and the provider's rates for the ZIP
 * codes since the day `since`. With `asOf`, what staff set of a state later is left out.
 */
export async function selectPlaceRates(
  db: Database,
  places: readonly TaxPlace[],
  { day, since, asOf }: { day: string; since: string; asOf: string | null },
): Promise<PlaceRates> {
  const zips = places.map(({ zip }) => zip)
  const states = places.map(({ state }) => state)
  const { rows } = await sql<PlaceRates>`
    select
      (select coalesce(json_agg(found), '[]') from (${rateRows(places, day)}) found) as rows,
      (select coalesce(json_agg(json_build_object('zip', zip, 'state', state, 'parts', parts)), '[]')
        from sales_tax_answer where zip = any(${zips}::text[]) and answered_on >= ${since}::date) as answers,
      (select coalesce(json_agg(found), '[]') from (${stateTaxesOn(states, { day, asOf })}) found) as edits`.execute(db)
  return rows[0] ?? { rows: [], answers: [], edits: [] }
}

function rateRows(places: readonly TaxPlace[], day: string) {
  return sql<RateRow>`
    select ${columns} from sales_tax_rate rate
    where (rate.zip = any(${places.map(({ zip }) => zip)}::text[])
        or rate.zip is null and rate.state = any(${places.map(({ state }) => state)}::text[]))
      and rate.starts_on <= ${day}::date and (rate.ends_on is null or rate.ends_on >= ${day}::date)`
}

/** The rows that apply on a day to the ZIPs of these places, and to their states. */
export async function selectRates(db: Database, places: readonly TaxPlace[], day: string): Promise<RateRow[]> {
  return (await rateRows(places, day).execute(db)).rows
}

/** The rows of states, of all days. */
export async function selectRatesOfStates(db: Database, states: readonly string[]): Promise<RateRow[]> {
  const { rows } = await sql<RateRow>`
    select ${columns} from sales_tax_rate rate where rate.state = any(${states}::text[])
    order by rate.state, rate.zip nulls first, rate.starts_on`.execute(db)
  return rows
}

/** A page of the table by state, ZIP and first day, after the row with these. */
export async function selectRatePage(
  db: Database,
  after: { state: string; zip: string; startsOn: string } | null,
  limit: number,
): Promise<RateRow[]> {
  const { rows } = await sql<RateRow>`
    select ${columns} from sales_tax_rate rate
    where ${after === null}::boolean or (rate.state, coalesce(rate.zip, ''), rate.starts_on)
      > (${after?.state ?? ''}::text, ${after?.zip ?? ''}::text, ${after?.startsOn ?? '0001-01-01'}::date)
    order by rate.state, coalesce(rate.zip, ''), rate.starts_on limit ${limit}`.execute(db)
  return rows
}

/** How many rows the table has for ZIPs and for states, by state. */
export async function countRates(db: Database): Promise<{ state: string; zips: number; states: number }[]> {
  const { rows } = await sql<{ state: string; zips: number; states: number }>`
    select state, count(distinct zip)::int as zips, count(*) filter (where zip is null)::int as states
    from sales_tax_rate group by state order by state`.execute(db)
  return rows
}

/** An uploaded file; `rows` is null once it was imported. */
export type RateFile = {
  id: number
  fileName: string
  rows: RateRow[] | null
  rowCount: number
  states: string[]
  uploadedAt: Temporal.Instant
  uploadedBy: string
  importedAt: Temporal.Instant | null
  importedBy: string | null
}

const fileColumns = [
  'id',
  'file_name as fileName',
  'row_count as rowCount',
  'states',
  'uploaded_at as uploadedAt',
  'uploaded_by as uploadedBy',
  'imported_at as importedAt',
  'imported_by as importedBy',
] as const

/** A file with its rows; with `isLocked` until the transaction ends. */
export async function selectRateFile(
  db: Database,
  id: number,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<RateFile | undefined> {
  const row = await db
    .selectFrom('sales_tax_import')
    .select([...fileColumns, 'rows'])
    .where('id', '=', id)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst()
  return row && { ...row, rows: row.rows as RateRow[] | null }
}

/** Selects the newest files, including the pending one. */
export async function selectRateFiles(db: Database, limit: number): Promise<Omit<RateFile, 'rows'>[]> {
  return db.selectFrom('sales_tax_import').select(fileColumns).orderBy('id', 'desc').limit(limit).execute()
}

/** Stores a pending file, replacing any other pending one, once per form. */
export async function insertRateFile(
  tx: Tx,
  file: {
    formKey: string
    fileName: string
    rows: readonly RateRow[]
    states: string[]
    at: Temporal.Instant
    by: string
  },
): Promise<{ id: number; isNew: boolean }> {
  const made = await tx
    .insertInto('sales_tax_import')
    .values({
      form_key: file.formKey,
      file_name: file.fileName,
      rows: sql`${JSON.stringify(file.rows)}::jsonb`,
      row_count: file.rows.length,
      states: file.states,
      uploaded_at: file.at,
      uploaded_by: file.by,
    })
    .onConflict((conflict) => conflict.column('form_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) {
    await tx.deleteFrom('sales_tax_import').where('imported_at', 'is', null).where('id', '<', made.id).execute()
    return { id: made.id, isNew: true }
  }
  const { id } = await tx
    .selectFrom('sales_tax_import')
    .select('id')
    .where('form_key', '=', file.formKey)
    .executeTakeFirstOrThrow()
  return { id, isNew: false }
}

/** Deletes a file that was not imported. */
export async function deleteRateFile(tx: Tx, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sales_tax_import')
    .where('id', '=', id)
    .where('imported_at', 'is', null)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Replaces the rows for the file's states, and marks the file as imported. */
export async function replaceRates(
  tx: Tx,
  {
    id,
    states,
    rows,
    at,
    by,
  }: { id: number; states: string[]; rows: readonly RateRow[]; at: Temporal.Instant; by: string },
): Promise<void> {
  // Orders lock this row, so from here on they block, then reread the rates.
  await sql`update sales_tax_table set version = version + 1`.execute(tx)
  await tx.deleteFrom('sales_tax_rate').where('state', 'in', states).execute()
  await sql`
    insert into sales_tax_rate (state, zip, starts_on, ends_on, state_ppm, county, county_ppm, city, city_ppm, special_ppm, source)
    select state, zip, "startsOn", "endsOn", "statePpm", county, "countyPpm", city, "cityPpm", "specialPpm", source
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (state text, zip text, "startsOn" date, "endsOn" date,
      "statePpm" int, county text, "countyPpm" int, city text, "cityPpm" int, "specialPpm" int, source text)`.execute(
    tx,
  )
  await tx
    .updateTable('sales_tax_import')
    .set({ rows: null, imported_at: at, imported_by: by })
    .where('id', '=', id)
    .execute()
}
