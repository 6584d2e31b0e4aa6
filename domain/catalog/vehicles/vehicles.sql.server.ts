/** Reads vehicles, one statement each. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'
import { providedSizes } from './provided-sizes.sql.server.ts'
import { withProvided, type ProvidedSizes } from './provided-options.server.ts'
import { combineLists, type OptionOfList } from './size-lists.ts'
import { toFitment, toVehicle } from './vehicle-rows.ts'
import type { Choice, KnownModel, SizedVehicle, Vehicle } from './vehicle.ts'

export type Choices = { years: number[]; makes: Choice[]; models: Choice[]; trims: Choice[] }

/** All lists of the finder that are open after these choices, in one round trip. */
export async function selectChoices(
  db: Database,
  year: number | null,
  makeSlug: string | null,
  modelSlug: string | null,
): Promise<Choices> {
  const { rows } = await sql<Choices>`
    select
      (select coalesce(jsonb_agg(year order by year desc), '[]')
        from (select least(min(first_year), (select min(year) from vehicle))::int as first, greatest(max(last_year), (select max(year) from vehicle))::int as last from known_model) span,
          generate_series(span.first, span.last) as year
        where exists (select from known_model where year.year between first_year and last_year)
          or (select true from vehicle where vehicle.year = year.year limit 1)) as years,
      (select coalesce(jsonb_agg(jsonb_build_object('slug', slug, 'name', name, 'hasSizes', sized) order by sized desc, name), '[]') from (
        select slug, min(name) as name, bool_or(sized) as sized from (
          select make_slug as slug, make as name, true as sized from vehicle where vehicle.year = ${year}
          union all select make_slug, make, false from known_model where ${year} between first_year and last_year) make group by slug) makes) as makes,
      (select coalesce(jsonb_agg(jsonb_build_object('slug', slug, 'name', name, 'hasSizes', sized) order by sized desc, name), '[]') from (
        select slug, min(name) as name, bool_or(sized) as sized from (
          select model_slug as slug, model as name, true as sized from vehicle where vehicle.year = ${year} and make_slug = ${makeSlug}
          union all select model_slug, model, false from known_model where ${year} between first_year and last_year and make_slug = ${makeSlug}) model group by slug) models) as models,
      (select coalesce(jsonb_agg(jsonb_build_object('slug', trim_slug, 'name', trim, 'hasSizes', true) order by trim), '[]')
        from vehicle where vehicle.year = ${year} and make_slug = ${makeSlug} and model_slug = ${modelSlug}) as trims`.execute(
    db,
  )
  return rows[0] ?? { years: [], makes: [], models: [], trims: [] }
}

/** Selects all trims of one year of a model with their original sizes and a provider’s, by name; empty if unlisted. */
export async function selectSizedVehicles(
  db: Database,
  year: number,
  makeSlug: string,
  modelSlug: string,
): Promise<SizedVehicle[]> {
  return toSized(
    await fitmentRows(db)
      .select(providedSizes.as('provided'))
      .where('v.year', '=', year)
      .where('v.make_slug', '=', makeSlug)
      .where('v.model_slug', '=', modelSlug)
      .execute(),
  )
}

export async function selectKnownModel(
  db: Database,
  year: number,
  makeSlug: string,
  modelSlug: string,
): Promise<KnownModel | undefined> {
  const row = await db
    .selectFrom('known_model')
    .selectAll()
    .where('make_slug', '=', makeSlug)
    .where('model_slug', '=', modelSlug)
    .where('first_year', '<=', year)
    .where('last_year', '>=', year)
    .executeTakeFirst()
  return (
    row && {
      year,
      make: row.make,
      model: row.model,
      makeSlug,
      modelSlug,
      vehicleClass: row.vclass as Vehicle['vehicleClass'],
    }
  )
}

/** The models of a year that a name refers to if it is not a model's own: "F-250" is the F-250 Super Duty. */
export async function selectModelsByAlias(
  db: Database,
  year: number | null,
  makeSlug: string,
  aliasSlug: string,
): Promise<{ makeSlug: string; modelSlug: string }[]> {
  return db
    .selectFrom('model_alias')
    .select(['model_make_slug as makeSlug', 'model_slug as modelSlug'])
    .distinct()
    .where('make_slug', '=', makeSlug)
    .where('alias_slug', '=', aliasSlug)
    .where(
      sql<boolean>`(${year}::int is null or ${year}::int between coalesce(first_year, ${year}::int) and coalesce(last_year, ${year}::int))`,
    )
    .execute()
}

/** `hasSizes`: original sizes are listed for one of its vehicles; otherwise only the make is known. */
export type MakeEntry = {
  slug: string
  name: string
  models: number
  firstYear: number
  lastYear: number
  hasSizes: boolean
}

/** Makes by name, those with listed sizes first. */
export async function selectMakes(db: Database): Promise<MakeEntry[]> {
  const { rows } = await sql<MakeEntry>`
    select slug, min(name) as name, count(distinct model) as models, min(first)::int as "firstYear", max(last)::int as "lastYear", bool_or(sized) as "hasSizes"
    from (
      select make_slug as slug, make as name, model_slug as model, year as first, year as last, true as sized from vehicle
      union all select make_slug, make, model_slug, first_year, last_year, false from known_model) entry
    group by slug order by bool_or(sized) desc, lower(min(name))`.execute(db)
  return rows
}

/** One year of a model with its original sizes, front and rear. */
export type VehicleYear = {
  makeSlug: string
  modelSlug: string
  year: number
  sizes: { front: string; rear: string }[]
}

/** Every year of every model of these makes, by make, model and year. */
export async function selectVehicleYears(db: Database, makeSlugs: readonly string[]): Promise<VehicleYear[]> {
  const { rows } = await sql<VehicleYear>`
    select v.make_slug as "makeSlug", v.model_slug as "modelSlug", v.year,
      jsonb_agg(distinct jsonb_build_object('front', f.front_size, 'rear', f.rear_size)) as sizes
    from vehicle v join oe_fitment f on f.vehicle_id = v.id
    where v.make_slug = any (${[...makeSlugs]}::text[])
    group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return rows
}

export type ModelEntry = {
  slug: string
  name: string
  make: string
  firstYear: number
  lastYear: number
  hasSizes: boolean
}

/** Models of a make by name, those with listed sizes first. */
export async function selectModels(db: Database, makeSlug: string): Promise<ModelEntry[]> {
  const { rows } = await sql<ModelEntry>`
    select slug, min(name) as name, min(make) as make, min(first)::int as "firstYear", max(last)::int as "lastYear", bool_or(sized) as "hasSizes"
    from (
      select model_slug as slug, model as name, make, year as first, year as last, true as sized from vehicle where make_slug = ${makeSlug}
      union all select model_slug, model, make, first_year, last_year, false from known_model where make_slug = ${makeSlug}) entry
    group by slug order by bool_or(sized) desc, lower(min(name))`.execute(db)
  return rows
}

/** The sizes listed for most vehicles (year, model and trim) of a make, at most `limit`. */
export async function selectSizesOfMake(db: Database, makeSlug: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ size: string }>`
    select size from vehicle v join oe_fitment f on f.vehicle_id = v.id cross join lateral (values (f.front_size), (f.rear_size)) axle (size)
    where v.make_slug = ${makeSlug} group by size order by count(distinct v.id) desc, size limit ${limit}`.execute(db)
  return rows.map(({ size }) => size)
}

export type YearEntry = { year: number; make: string; model: string; sizes: string[] }

/** The years of a model, newest first, with the sizes of each; no sizes if only the model is known. */
export async function selectYears(db: Database, makeSlug: string, modelSlug: string): Promise<YearEntry[]> {
  const { rows } = await sql<YearEntry>`
    select year, min(make) as make, min(model) as model, coalesce(jsonb_agg(distinct size) filter (where size is not null), '[]') as sizes
    from (
      select v.year::int as year, v.make, v.model, size
      from vehicle v join oe_fitment f on f.vehicle_id = v.id cross join lateral (values (f.front_size), (f.rear_size)) axle (size)
      where v.make_slug = ${makeSlug} and v.model_slug = ${modelSlug}
      union all
      select year, make, model, null from known_model cross join lateral generate_series(first_year::int, last_year::int) year
      where make_slug = ${makeSlug} and model_slug = ${modelSlug}) known
    group by year order by year desc`.execute(db)
  return rows
}

export type VehicleOfSize = { year: number; make: string; model: string; makeSlug: string; modelSlug: string }

/** The models with the most trims in the size, each with its newest year; "225/65R17" as printed. */
export async function selectVehiclesWithSize(
  db: Database,
  designation: string,
  limit: number,
): Promise<VehicleOfSize[]> {
  const { rows } = await sql<VehicleOfSize>`
    select max(v.year)::int as year, min(v.make) as make, min(v.model) as model, v.make_slug as "makeSlug", v.model_slug as "modelSlug"
    from vehicle v join oe_fitment f on f.vehicle_id = v.id
    where ${designation} in (f.front_size, f.rear_size) and f.source <> 'weak'
    group by v.make_slug, v.model_slug order by count(distinct v.id) desc, v.make_slug, v.model_slug limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Every vehicle with this size on all wheels among its original ones. */
export async function selectVehiclesOnSize(db: Database, designation: string): Promise<SizedVehicle[]> {
  return toSized(
    await fitmentRows(db)
      .where('v.id', 'in', (eb) =>
        eb
          .selectFrom('oe_fitment')
          .select('vehicle_id')
          .where('front_size', '=', designation)
          .where('rear_size', '=', designation)
          .where('source', '<>', 'weak'),
      )
      .execute(),
  )
}

/** Selects trims for several year, make and model combinations. */
export async function selectSizedVehiclesOf(
  db: Database,
  models: readonly { year: number; makeSlug: string; modelSlug: string }[],
): Promise<SizedVehicle[]> {
  const wanted = sql`(select * from unnest(${models.map(({ year }) => year)}::int[], ${models.map(({ makeSlug }) => makeSlug)}::text[], ${models.map(({ modelSlug }) => modelSlug)}::text[]))`
  return toSized(
    await fitmentRows(db)
      .where(sql<boolean>`(v.year, v.make_slug, v.model_slug) in ${wanted}`)
      .execute(),
  )
}

/** A row of a brand's catalog for one year of a model. `submodelSlug` is empty for all trims. */
export type BrandFitmentRow = {
  itemId: number
  axle: 'any' | 'front' | 'rear'
  terms: string
  submodel: string | null
  submodelSlug: string
  company: string
  transferredOn: string
}

/** Selects the brands' listings for one year of a model, in a stable order. */
export async function selectBrandFitments(
  db: Database,
  { year, makeSlug, modelSlug }: { year: number; makeSlug: string; modelSlug: string },
): Promise<BrandFitmentRow[]> {
  return db
    .selectFrom('brand_fitment as fitted')
    .innerJoin('brand_catalog as source', 'source.id', 'catalog_id')
    .select(['item_id as itemId', 'terms', 'submodel', 'submodel_slug as submodelSlug', 'company'])
    .select(['transferred_on as transferredOn', sql<BrandFitmentRow['axle']>`axle`.as('axle')])
    .where('make_slug', '=', makeSlug)
    .where('model_slug', '=', modelSlug)
    .where('first_year', '<=', year)
    .where('last_year', '>=', year)
    .orderBy('fitted.id')
    .execute()
}

/** A vehicle in the catalog of an item's brand; `total` counts all of them. */
type ItemVehicle = {
  firstYear: number
  lastYear: number
  name: string
  submodel: string | null
  axle: BrandFitmentRow['axle']
  terms: string
  company: string
  transferredOn: string
  total: number
}

/** Selects the vehicles that an item's brand lists it for, by name, the newest first. */
export async function selectItemVehicles(db: Database, itemId: number, limit: number): Promise<ItemVehicle[]> {
  const { rows } = await sql<ItemVehicle>`
    select first_year as "firstYear", last_year as "lastYear", submodel, axle, terms, company, transferred_on as "transferredOn",
      coalesce(
        (select make || ' ' || model from vehicle where vehicle.make_slug = fitted.make_slug and vehicle.model_slug = fitted.model_slug limit 1),
        (select make || ' ' || model from known_model where known_model.make_slug = fitted.make_slug and known_model.model_slug = fitted.model_slug limit 1),
        fitted.make_slug || ' ' || fitted.model_slug) as name,
      (count(*) over ())::int as total
    from brand_fitment as fitted join brand_catalog on brand_catalog.id = catalog_id
    where item_id = ${itemId} order by fitted.make_slug, fitted.model_slug, first_year desc, fitted.id limit ${limit}`.execute(
    db,
  )
  return rows
}

/** Whether any brand's catalog was imported. */
export async function hasBrandCatalogs(db: Database): Promise<boolean> {
  return (await db.selectFrom('brand_catalog').select('id').limit(1).executeTakeFirst()) !== undefined
}

function fitmentRows(db: Database) {
  return db
    .selectFrom('vehicle as v')
    .innerJoin('oe_fitment as f', 'f.vehicle_id', 'v.id')
    .innerJoin('size_list as l', 'l.id', 'f.list_id')
    .select([
      'v.id as vehicle_id',
      'v.year',
      'v.make',
      'v.model',
      'v.trim',
      'v.make_slug',
      'v.model_slug',
      'v.trim_slug',
      'v.vclass',
      'v.drive',
    ])
    .select([
      'f.id as fitment_id',
      'f.front_size',
      'f.front_load_index',
      'f.front_speed',
      'f.rear_size',
      'f.rear_load_index',
      'f.rear_speed',
      'f.source',
      'l.id as list_id',
      'l.name as list_name',
      'l.listed_on',
    ])
    .orderBy('v.trim')
    .orderBy('v.id')
    .orderBy('f.id')
}

type FitmentRow = Awaited<ReturnType<ReturnType<typeof fitmentRows>['execute']>>[number] & {
  provided?: ProvidedSizes | null
}

function toSized(rows: readonly FitmentRow[]): SizedVehicle[] {
  return [...Map.groupBy(rows, (row) => row.vehicle_id).values()].map((ofVehicle) => {
    const row = ofVehicle[0] as FitmentRow
    const stored = ofVehicle.map(optionOfList)
    const options = row.provided ? withProvided(stored, row.provided, row.trim_slug) : stored
    return { vehicle: toVehicle({ ...row, id: row.vehicle_id }), fitments: combineLists(options) }
  })
}

function optionOfList(row: FitmentRow): OptionOfList {
  return {
    ...toFitment({ ...row, id: row.fitment_id }),
    listId: row.list_id,
    ...(row.listed_on !== null && { list: { name: row.list_name, date: row.listed_on } }),
  }
}

/** "Toyota RAV4" if the text names a known model, the longest such name; null otherwise. */
export async function findModelIn(db: Database, vehicle: string): Promise<string | null> {
  const words = `-${vehicle.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-`
  const { rows } = await sql<{ name: string }>`
    select name from (
      select make || ' ' || model as name, '-' || make_slug || '-' || model_slug || '-' as words from vehicle
      union select make || ' ' || model, '-' || make_slug || '-' || model_slug || '-' from known_model) as known
    where position(words in ${words}) > 0 order by length(words) desc limit 1`.execute(db)
  return rows[0]?.name ?? null
}
