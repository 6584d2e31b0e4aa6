import type { Row } from '#db/insert-rows.ts'
import { readRows } from './read-data.ts'
import { canonicalSize } from './tire-sizes.ts'
import { slugOf } from '#platform/slug.ts'
import { modelNamer } from './model-aliases.ts'
import { lastYearFinder } from './model-years.ts'
import { classFinder, driveFinder, nameKey, readEpa, readListedYears, type VehicleClass } from './vehicle-class.ts'

export type Vehicle = Row<'vehicle'> & { id: number }
export type Fitment = Row<'oe_fitment'> & { id: number }

type FitmentRow = Record<
  | 'year'
  | 'make'
  | 'model'
  | 'trim'
  | 'front_size'
  | 'front_load_index'
  | 'front_speed'
  | 'rear_size'
  | 'rear_load_index'
  | 'rear_speed'
  | 'vehicle_check'
  | 'trim_check',
  string
>

/**
 * Vehicles with the sizes listed for them. A row is 'catalog' if another list has the vehicle with this size and no
 * list gives its trim a different one; every other row is 'weak', which never yields a plain "fits". Two sizes listed
 * for one trim are two fitments of one vehicle.
 */
export function readVehicles(): { vehicles: Vehicle[]; fitments: Fitment[] } {
  const classIn = classFinder(readListedYears())
  const driveIn = driveFinder()
  const vehicles = new Map<string, Vehicle>()
  const fitments = new Map<string, Fitment>()
  for (const row of readRows<keyof FitmentRow>('oe-fitments.csv.br')) {
    const slugs = { make_slug: slugOf(row.make), model_slug: slugOf(row.model), trim_slug: slugOf(row.trim) }
    const key = `${row.year} ${slugs.make_slug} ${slugs.model_slug} ${slugs.trim_slug}`
    const vehicle = vehicles.get(key) ?? {
      id: vehicles.size + 1,
      year: Number(row.year),
      make: row.make,
      model: row.model,
      trim: row.trim,
      ...slugs,
      vclass: classIn(row.make, row.model),
      drive: driveIn(Number(row.year), row.make, row.model, row.trim),
    }
    vehicles.set(key, vehicle)
    const fitmentKey = `${vehicle.id} ${canonicalSize(row.front_size)} ${canonicalSize(row.rear_size)}`
    const known = fitments.get(fitmentKey)
    // Of duplicate rows, the better source wins.
    if (known === undefined || (known.source === 'weak' && sourceOf(row) === 'catalog'))
      fitments.set(fitmentKey, fitmentOf(row, { id: known?.id ?? fitments.size + 1, vehicleId: vehicle.id }))
  }
  return { vehicles: [...vehicles.values()], fitments: [...fitments.values()] }
}

/**
 * Returns vPIC and EPA models in years without a listed size, as ranges of years. For these, shoppers read the size on
 * the placard. Each model has one name. Those lists use "F-250", "Silverado" or "330i" for models we list as "F-250
 * Super Duty", "Silverado 1500" or "3 Series" (model-aliases.csv), and combine several ("Caravan/Grand Caravan").
 * Excludes years after a model's last one (model-years.ts).
 */
export function readKnownModels(vehicles: readonly Vehicle[]): Row<'known_model'>[] {
  const listed = new Set(vehicles.map((vehicle) => `${vehicle.year} ${nameKey(vehicle.make, vehicle.model)}`))
  const fromVpic = readListedYears()
  const classIn = classFinder(fromVpic)
  const modelsOf = modelNamer()
  const models = new Map<string, KnownModel>()
  const makes = new Map([...vehicles, ...fromVpic].map(({ make }) => [slugOf(make), make] as const))
  const lastYearOf = lastYearFinder(fromVpic, lastSizedYears(vehicles))
  const names = new Map(vehicles.map(({ make, model }) => [nameKey(make, model), model]))
  for (const { year, ...filed } of [...fromVpic, ...readEpa()]) {
    if (year < 1984) continue
    for (const { make, model } of modelsOf(year, filed)) {
      const key = nameKey(make, model)
      // A model with no letters or digits has no slug.
      if (listed.has(`${year} ${key}`) || slugOf(model) === '' || year > lastYearOf({ make, model })) continue
      const known = models.get(key) ?? {
        make: makes.get(slugOf(make)) ?? make,
        model: names.get(key) ?? model,
        vclass: classIn(filed.make, filed.model),
        years: new Set<number>(),
      }
      known.years.add(year)
      models.set(key, known)
    }
  }
  dropYearsFiledTogether(models, listed)
  return runRows(models.values())
}

/** The last year of each model with listed sizes, by `nameKey`. */
function lastSizedYears(vehicles: readonly Vehicle[]): Map<string, number> {
  const years = new Map<string, number>()
  for (const { make, model, year } of vehicles)
    years.set(nameKey(make, model), Math.max(years.get(nameKey(make, model)) ?? 0, year))
  return years
}

type KnownModel = { make: string; model: string; vclass: VehicleClass; years: Set<number> }

/** Removes from "Caravan/Grand Caravan" the years in which one of the two is listed separately. */
function dropYearsFiledTogether(models: ReadonlyMap<string, KnownModel>, listed: ReadonlySet<string>): void {
  const isModel = (year: number, key: string) =>
    listed.has(`${year} ${key}`) || models.get(key)?.years.has(year) === true
  for (const { make, model, years } of models.values()) {
    const parts = model.includes('/') ? model.split('/').map((part) => nameKey(make, part)) : []
    for (const year of years) if (parts.some((part) => isModel(year, part))) years.delete(year)
  }
}

/** One row per run of years; of two models with the same slug, the first. */
function runRows(models: Iterable<KnownModel>): Row<'known_model'>[] {
  const rows = new Map<string, Row<'known_model'>>()
  for (const { make, model, vclass, years } of models) {
    const slugs = { make_slug: slugOf(make), model_slug: slugOf(model) }
    for (const [first_year, last_year] of runsOf(years)) {
      const key = `${slugs.make_slug} ${slugs.model_slug} ${first_year}`
      if (!rows.has(key)) rows.set(key, { make, model, ...slugs, first_year, last_year, vclass })
    }
  }
  return [...rows.values()]
}

/** {2001, 2002, 2005} → [[2001, 2002], [2005, 2005]] */
function runsOf(years: ReadonlySet<number>): [number, number][] {
  const runs: [number, number][] = []
  for (const year of [...years].sort((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && last[1] === year - 1) last[1] = year
    else runs.push([year, year])
  }
  return runs
}

function sourceOf(row: FitmentRow): 'catalog' | 'weak' {
  return ['both', 'one'].includes(row.vehicle_check) && row.trim_check !== 'differ' ? 'catalog' : 'weak'
}

function fitmentOf(row: FitmentRow, { id, vehicleId }: { id: number; vehicleId: number }): Fitment {
  return {
    id,
    vehicle_id: vehicleId,
    list_id: 1,
    front_size: canonicalSize(row.front_size),
    front_load_index: Number(row.front_load_index),
    front_speed: row.front_speed,
    rear_size: canonicalSize(row.rear_size),
    rear_load_index: Number(row.rear_load_index),
    rear_speed: row.rear_speed,
    source: sourceOf(row),
  }
}
