/** The vehicle finder and the vehicle directory. */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import type { Requirement } from '#domain/catalog/fitment/fitment.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { slugOf } from '#platform/slug.ts'
import { stateCodeOf } from '#platform/us-states.ts'
import { brandListingsOf } from './brand-listings.server.ts'
import { decodedName, modelNames, type ModelName } from './model-names.ts'
import type { PlateLookup } from './plate-lookup.port.ts'
import { requirementFor, requirementForKnownModel, type Settled } from './requirement.ts'
import {
  selectBrandFitments,
  selectChoices,
  selectKnownModel,
  selectMakes,
  selectModels,
  selectModelsByAlias,
  selectSizedVehicles,
  selectSizedVehiclesOf,
  selectSizesOfMake,
  selectVehiclesOnSize,
  selectVehiclesWithSize,
  selectVehicleYears,
  selectYears,
  type BrandFitmentRow,
  type Choices,
  type MakeEntry,
  type ModelEntry,
  type VehicleOfSize,
  type VehicleYear,
} from './vehicles.sql.server.ts'
import type { ChosenVehicle } from './chosen-vehicle.ts'
import { trimText, vehicleName, type KnownModel, type SizedVehicle, type Vehicle } from './vehicle.ts'
import type { DecodedVin, VinDecoder } from './vin-decoder.port.ts'
import type { NotFound, PlateRefusal, VinRefusal } from './lookup-refusals.ts'
import { isVinChecked, readVin } from './vin.ts'

export { listVehiclesOfItem } from './brand-listings.server.ts'
export { listPopularVehicles, type PopularVehicle } from './popular-vehicles.server.ts'
export { askForSizes, readSizeProvider, type SizeProviderUse } from './provided-sizes.server.ts'
export { forgetProvidedSizes } from './provided-sizes.sql.server.ts'
export { findModelIn, hasBrandCatalogs } from './vehicles.sql.server.ts'
export type { Choices, MakeEntry, ModelEntry, VehicleYear }
type Deps = { readonly db: Database }

/** What the shopper has chosen so far; a list opens once everything before it is chosen. */
export type Cascade = {
  readonly year?: number | undefined
  readonly makeSlug?: string | undefined
  readonly modelSlug?: string | undefined
}

/**
 * Returns the finder's lists in one statement. Years are newest first, followed by makes, models, and trims as far as
 * chosen. Makes and models with listed sizes come before those without.
 */
export async function listChoices({ db }: Deps, { year, makeSlug, modelSlug }: Cascade): Promise<Choices> {
  const choices = await selectChoices(db, year ?? null, makeSlug ?? null, modelSlug ?? null)
  return { ...choices, trims: choices.trims.map((choice) => ({ ...choice, name: trimText(choice.name) })) }
}

export type VehicleFound =
  | {
      readonly kind: 'sized'
      readonly name: string
      /** The possible trims, either all or the requested one. */
      readonly trims: readonly [SizedVehicle, ...SizedVehicle[]]
      readonly otherTrims: readonly SizedVehicle[]
    }
  | { readonly kind: 'known'; readonly name: string; readonly model: KnownModel }

/**
 * Returns one year of a model with its trims and original sizes, or its known data, including by an alternative model
 * name. Refuses an unknown vehicle or trim, and a name shared by several models.
 */
export async function findVehicle(
  { db }: Deps,
  {
    year,
    makeSlug,
    modelSlug,
    trimSlug,
  }: { year: number; makeSlug: string; modelSlug: string; trimSlug?: string | undefined },
): Promise<Outcome<VehicleFound, Refused<'vehicle-not-found'>>> {
  const { all, known } = await readModelYear(db, year, makeSlug, modelSlug)
  return all.length === 0
    ? foundKnown(known)
    : foundSized(all, ({ vehicle }) => trimSlug === undefined || vehicle.trimSlug === trimSlug)
}

type ModelYear = { all: SizedVehicle[]; known: KnownModel | undefined }

async function readModelYear(db: Database, year: number, makeSlug: string, modelSlug: string): Promise<ModelYear> {
  const all = await selectSizedVehicles(db, year, makeSlug, modelSlug)
  const known = all.length === 0 ? await selectKnownModel(db, year, makeSlug, modelSlug) : undefined
  if (all.length > 0 || known) return { all, known }
  const [model, ...others] = await selectModelsByAlias(db, year, makeSlug, modelSlug)
  const isAnother = model && (model.makeSlug !== makeSlug || model.modelSlug !== modelSlug)
  return isAnother && others.length === 0 ? readModelYear(db, year, model.makeSlug, model.modelSlug) : { all, known }
}

/** Rereads the shopper's vehicle with its requirement. A choice with a removed trim or size counts as open. */
export async function findChosenVehicle(
  { db }: Deps,
  chosen: ChosenVehicle,
): Promise<Outcome<VehicleFound & { readonly requirement: Requirement }, Refused<'vehicle-not-found'>>> {
  const { year, makeSlug, modelSlug } = chosen
  // In one packet, because the choice usually has the model's present name.
  const [{ all, known }, listed] = await Promise.all([
    readModelYear(db, year, makeSlug, modelSlug),
    selectBrandFitments(db, chosen),
  ])
  const isChosen = ({ vehicle }: SizedVehicle) => vehicle.id === chosen.vehicleId
  const found = all.length === 0 ? foundKnown(known) : foundSized(all, all.some(isChosen) ? isChosen : () => true)
  if (!found.ok) return found
  const model = modelOf(found.value)
  const isSame = model.makeSlug === makeSlug && model.modelSlug === modelSlug
  const requirement = isSame
    ? requirementOf(found.value, chosen, listed)
    : await findRequirement({ db }, found.value, chosen)
  return ok({ ...found.value, requirement })
}

/**
 * Returns the requirement of a vehicle that was read, as far as the shopper has settled it, with the brands' listings. An
 * original size that the vehicle doesn't have counts as open.
 */
export async function findRequirement({ db }: Deps, found: VehicleFound, settled: Settled): Promise<Requirement> {
  return requirementOf(found, settled, await selectBrandFitments(db, modelOf(found)))
}

function requirementOf(found: VehicleFound, settled: Settled, listed: readonly BrandFitmentRow[]): Requirement {
  const trims = found.kind === 'known' ? [] : found.trims
  const brandListings = brandListingsOf(listed, trims)
  const isListed = trims.some(({ fitments }) => fitments.some(({ id }) => id === settled.fitmentId))
  const requirement =
    found.kind === 'known'
      ? requirementForKnownModel(found.model, settled)
      : requirementFor(found.trims, isListed ? settled : { ...settled, fitmentId: null }, found.otherTrims)
  return { ...requirement, ...(brandListings && { brandListings }) }
}

function modelOf(found: VehicleFound): KnownModel | Vehicle {
  return found.kind === 'known' ? found.model : found.trims[0].vehicle
}

/** Lists every known make, by name, those with listed sizes first. */
export function listMakes({ db }: Deps): Promise<MakeEntry[]> {
  return selectMakes(db)
}

/** Lists every year of every model of these makes with listed sizes, with the sizes. */
export function listVehicleYears({ db }: Deps, makeSlugs: readonly string[]): Promise<VehicleYear[]> {
  return selectVehicleYears(db, makeSlugs)
}

/**
 * Lists the models of a make, by name and those with listed sizes first, and its twelve most common original sizes.
 * Refuses a make without models.
 */
export async function listModels(
  { db }: Deps,
  makeSlug: string,
): Promise<Outcome<{ make: string; models: ModelEntry[]; sizes: string[] }, Refused<'vehicle-not-found'>>> {
  const [models, sizes] = await Promise.all([selectModels(db, makeSlug), selectSizesOfMake(db, makeSlug, 12)])
  return models[0] ? ok({ make: models[0].make, models, sizes }) : refused('vehicle-not-found')
}

export type ModelYears = {
  readonly make: string
  readonly model: string
  readonly makeSlug: string
  readonly modelSlug: string
  readonly years: readonly { readonly year: number; readonly sizes: string[] }[]
}

/**
 * Lists the years of a model, newest first, with the original sizes of each, also by another name of it. Refuses an
 * unknown model.
 */
export async function listYears(
  { db }: Deps,
  makeSlug: string,
  modelSlug: string,
): Promise<Outcome<ModelYears, Refused<'vehicle-not-found'>>> {
  const entries = await selectYears(db, makeSlug, modelSlug)
  const [first] = entries
  if (first)
    return ok({
      make: first.make,
      model: first.model,
      makeSlug,
      modelSlug,
      years: entries.map(({ year, sizes }) => ({ year, sizes })),
    })
  const [model, ...others] = await selectModelsByAlias(db, null, makeSlug, modelSlug)
  return model && others.length === 0
    ? listYears({ db }, model.makeSlug, model.modelSlug)
    : refused('vehicle-not-found')
}

/**
 * Lists models that share a name, each with its years. For example, "Silverado" is the Silverado 1500, 2500HD and
 * 3500HD. With `year`, only models of that year. Empty unless the name is shared.
 */
export async function listModelsNamed(
  { db }: Deps,
  { year, makeSlug, modelSlug }: { year: number | null; makeSlug: string; modelSlug: string },
): Promise<ModelYears[]> {
  const models = await selectModelsByAlias(db, year, makeSlug, modelSlug)
  if (models.length < 2) return []
  // A model that had this exact name in other years is that model, unless the year rules it out.
  if (year === null && (await selectYears(db, makeSlug, modelSlug)).length > 0) return []
  const found = await Promise.all(models.map((model) => listYears({ db }, model.makeSlug, model.modelSlug)))
  return found
    .flatMap((model) => (model.ok ? [model.value] : []))
    .filter(({ years }) => year === null || years.some((entry) => entry.year === year))
    .toSorted((a, b) => a.model.localeCompare(b.model, 'en'))
}

const namedForSize = 3

/**
 * Lists up to three models that came with the size, those with the most trims first, each with its newest such year.
 * Excludes rows our sources disagree about.
 */
export function listVehiclesWithSize({ db }: Deps, designation: string): Promise<VehicleOfSize[]> {
  return selectVehiclesWithSize(db, designation, namedForSize)
}

/** Lists every vehicle that came with the size on all wheels, with all of its original sizes, except weak sources. */
export function listSizedVehicles({ db }: Deps, designation: string): Promise<SizedVehicle[]> {
  return selectVehiclesOnSize(db, designation)
}

/** Lists trims with listed sizes for several models, each in one year; unknown models are omitted. */
export function findModelTrims(
  { db }: Deps,
  models: readonly { year: number; makeSlug: string; modelSlug: string }[],
): Promise<SizedVehicle[]> {
  return selectSizedVehiclesOf(db, models)
}

function foundSized(
  all: readonly SizedVehicle[],
  isPossible: (each: SizedVehicle) => boolean,
): Outcome<VehicleFound, Refused<'vehicle-not-found'>> {
  const [first, ...rest] = all.filter(isPossible)
  if (!first) return refused('vehicle-not-found')
  const name = vehicleName(rest.length === 0 ? first.vehicle : { ...first.vehicle, trim: undefined })
  return ok({ kind: 'sized', name, trims: [first, ...rest], otherTrims: all.filter((each) => !isPossible(each)) })
}

function foundKnown(model: KnownModel | undefined): Outcome<VehicleFound, Refused<'vehicle-not-found'>> {
  return model ? ok({ kind: 'known', name: vehicleName(model), model }) : refused('vehicle-not-found')
}

/** One year of a model. `trimSlug` is the trim that the VIN names, null if the finder has several possible ones. */
export type VinVehicle = ModelName & { readonly year: number; readonly trimSlug: string | null }

type LookupDeps = { db: Database; vinDecoder: VinDecoder; rateLimits: RateLimits }

/**
 * Decodes a VIN as typed, counting one lookup for the network address `from`. Refuses text that is not a VIN and one with
 * a wrong check digit (49 CFR 565.15) without counting; `unavailable` while the decoder is down; `unknown` if it does not
 * know the VIN; `not-listed` if the finder does not have the vehicle. Stores and logs no VIN.
 */
export async function findByVin(
  deps: LookupDeps,
  { typed, from }: { typed: string; from: string },
): Promise<Outcome<VinVehicle, VinRefusal>> {
  const vin = typed.length > 40 ? undefined : readVin(typed)
  if (vin === undefined) return refused('not-a-vin')
  if (!isVinChecked(vin)) return refused('wrong-check-digit')
  const taken = await deps.rateLimits.take('vin', { network: from })
  return taken.ok ? findDecodedVin(deps, vin) : taken
}

type PlateDeps = LookupDeps & { plateLookup: PlateLookup | null }
type PlateFault = Exclude<PlateRefusal, { reason: 'not-listed' }>
type TypedPlate = { readonly typed: string; readonly state: string; readonly from: string }

/**
 * Looks up a license plate as typed, with its state, counting one lookup for the network address
 * `from` and for the store. Refuses `not-a-plate` and `not-a-state` without counting, `not-offered` without a provider,
 * and otherwise as `findByVin`. Stores and logs neither the plate nor the VIN.
 */
export async function findByPlate(deps: PlateDeps, plate: TypedPlate): Promise<Outcome<VinVehicle, PlateRefusal>> {
  const vin = await vinOfPlate(deps, plate)
  return vin.ok ? findDecodedVin(deps, vin.value) : vin
}

/**
 * Names a license plate's vehicle, such as "2019 Honda CR-V EX", also one that the finder doesn't have, with the last
 * eight characters of its VIN. Counts, refuses, and stores as little as `findByPlate`.
 */
export async function namePlateVehicle(
  deps: PlateDeps,
  plate: TypedPlate,
): Promise<Outcome<{ name: string; vinEnd: string }, PlateFault>> {
  const vin = await vinOfPlate(deps, plate)
  if (!vin.ok) return vin
  const decoded = await decodeVin(deps, vin.value)
  return decoded.ok ? ok({ name: decodedName(decoded.value), vinEnd: vin.value.slice(-8) }) : decoded
}

async function vinOfPlate(
  { plateLookup, rateLimits }: PlateDeps,
  { typed, state, from }: TypedPlate,
): Promise<Outcome<string, PlateFault>> {
  const plate = typed.length > 20 ? '' : typed.toUpperCase().replaceAll(/[\s.·-]/g, '')
  if (!/^[A-Z0-9]{1,8}$/.test(plate)) return refused('not-a-plate')
  const stateCode = stateCodeOf(state)
  if (stateCode === undefined) return refused('not-a-state')
  if (plateLookup === null) return refused('not-offered')
  const taken = await rateLimits.take('plate', { network: from, store: 'all' })
  if (!taken.ok) return taken
  const found = await plateLookup.vinOf({ plate, state: stateCode })
  if (!found.ok) return found
  const vin = readVin(found.value)
  return vin === undefined || !isVinChecked(vin) ? refused('unknown') : ok(vin)
}

async function decodeVin(
  { vinDecoder }: LookupDeps,
  vin: string,
): Promise<Outcome<DecodedVin, Refused<'unavailable' | 'unknown'>>> {
  const read = await vinDecoder.decode([vin])
  if (!read.ok) return read
  const decoded = read.value.get(vin)
  return decoded ? ok(decoded) : refused('unknown')
}

async function findDecodedVin(deps: LookupDeps, vin: string): Promise<Outcome<VinVehicle, NotFound>> {
  const decoded = await decodeVin(deps, vin)
  if (!decoded.ok) return decoded
  const found = await findDecoded(deps, decoded.value)
  return found ? ok(found) : refused('not-listed', { name: decodedName(decoded.value) })
}

/** Prefers a model with listed sizes; a model that is only known by name comes last. */
async function findDecoded({ db }: { db: Database }, decoded: DecodedVin): Promise<VinVehicle | undefined> {
  const { year } = decoded
  const names = modelNames(decoded)
  const sized = await findModelTrims(
    { db },
    names.map((name) => ({ year, ...name })),
  )
  for (const { makeSlug, modelSlug } of names) {
    const trims = sized.filter(
      ({ vehicle }) => vehicle.makeSlug === makeSlug && vehicle.modelSlug === modelSlug && vehicle.year === year,
    )
    if (trims.length > 0) return { year, makeSlug, modelSlug, trimSlug: trimNamed(trims, decoded) }
  }
  for (const name of names) {
    const found = await findVehicle({ db }, { year, ...name })
    if (!found.ok) continue
    const { makeSlug, modelSlug } = found.value.kind === 'sized' ? found.value.trims[0].vehicle : found.value.model
    const trimSlug = found.value.kind === 'sized' ? trimNamed(found.value.trims, decoded) : null
    return { year, makeSlug, modelSlug, trimSlug }
  }
  return undefined
}

/**
 * The only trim, or the only one that the VIN can mean: "XLE (M Grade)" is XLE, "EX-L/EX-L Navi" is EX-L, and the model
 * "330i" is a trim of the 3 Series. "L/LE/SE" means several.
 */
function trimNamed(trims: readonly SizedVehicle[], { model, trim }: DecodedVin): string | null {
  const slugs = [...new Set(trims.map(({ vehicle }) => vehicle.trimSlug))]
  if (slugs.length === 1) return slugs[0] ?? null
  const names = [trim ?? '', ...(trim ?? '').split(/[/+(]/), model].map(slugOf)
  const [named, ...others] = slugs.filter((slug) => names.includes(slug))
  return named !== undefined && others.length === 0 ? named : null
}
