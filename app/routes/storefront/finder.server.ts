/** The finder's state, read from the address, and where it leads once complete. */
import type { Visitor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import type { SizeReadOut } from '#app/ui/finder-drawing.tsx'
import { joinSizeParts, narrowSizes, sizeParts, type SizeParts } from '#app/ui/finder-sizes.ts'
import type { Choice } from '#app/ui/finder-vehicle.tsx'
import type { FinderView, FinderWay } from '#app/ui/finder.tsx'
import { listBrands, listLines, listSizes, listTires, type SizeEntry } from '#domain/catalog/catalog/catalog.server.ts'
import { plainQuery, type Offer } from '#domain/catalog/catalog/catalog.ts'
import { parseTireSize, sizeDesignation, sizeSlug, type TireSize } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { ChosenVehicle, SizedVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { askForSizes, findVehicle, listChoices } from '#domain/catalog/vehicles/vehicles.server.ts'
import type { Application } from '#application'
import { pictureOf } from './listing-cards.server.ts'
import { isKnownSize, nearSizes, notSoldText } from './path-filters.server.ts'
import { chosenPath, onlyTrim, sizeMeasures } from './vehicle-panel.server.ts'

/** Where a completed search leads, the label it is saved under, and the vehicle if it was one. */
export type Answer = { path: string; label: string; vehicle?: ChosenVehicle }
export type FinderRead = { view: FinderView; answer: Answer | null }

type VehicleAsked = { year: string; make: string; model: string; trim: string }

/** Reads the finder's state from the URL. `by` is the tab; the other parameters are the choices so far. */
export async function readFinder(
  app: Application,
  visitor: Visitor,
  params: URLSearchParams,
  defaults: { vehicle?: VehicleAsked | undefined; size?: string | undefined } = {},
): Promise<FinderRead> {
  const text = (name: string) => (params.get(name) ?? '').trim().slice(0, 60)
  const asked = vehicleAsked(text)
  const [vehicle, sizes, brand] = await Promise.all([
    readCascade(app, namesVehicle(asked) ? asked : (defaults.vehicle ?? asked)),
    listSizes(app.catalog),
    readBrandChoice(app, text('brand')),
  ])
  const view: FinderView = {
    way: wayOf(params),
    vehicle,
    size: sizeChoice(sizes, text, defaults.size),
    brand,
    recent: visitor.recent,
    problem: null,
    near: [],
  }
  if (!params.has('by')) return { view, answer: null }
  if (view.way === 'vehicle') return { view, answer: await vehicleAnswer(app, visitor, vehicle) }
  if (view.way === 'brand') return { view, answer: brandAnswer(brand, text('line')) }
  return answerSize(app, view, params.has('size') || params.has('width'))
}

/** Returns a parameter of the address, '' if missing. */
type ReadText = (name: string) => string

function vehicleAsked(text: ReadText): VehicleAsked {
  return { year: text('year'), make: text('make'), model: text('model'), trim: text('trim') }
}

function namesVehicle({ year, make, model }: VehicleAsked): boolean {
  return year !== '' || make !== '' || model !== ''
}

/** Every list of the sizes sold, and the choices made; `usual` is the default size. */
function sizeChoice(sizes: readonly SizeEntry[], text: ReadText, usual: string | undefined): FinderView['size'] {
  const parts = (prefix: string): SizeParts => ({
    width: text(`${prefix}width`),
    ratio: text(`${prefix}ratio`),
    rim: text(`${prefix}rim`),
  })
  const [front, typed] = [parts(''), text('size')]
  return {
    ...narrowSizes(
      sizes.flatMap(({ designation }) => sizeParts(designation) ?? []),
      { width: '', ratio: '' },
    ),
    front: isNothing(front) && typed === '' ? (sizeParts(usual ?? '') ?? front) : front,
    rear: parts('rear-'),
    typed,
  }
}

async function readBrandChoice(app: Application, slug: string): Promise<FinderView['brand']> {
  const brands = await listBrands(app.catalog)
  const brand = brands.find((entry) => entry.slug === slug)
  return {
    brands: brands.map(({ slug: each, name }) => ({ slug: each, name })),
    brand: brand?.slug ?? '',
    lines: brand ? await listLines(app.catalog, brand.slug) : [],
  }
}

/** Returns the listing of a size that exists, otherwise the problem. `wasAsked`: an unreadable size is an error. */
async function answerSize(app: Application, view: FinderView, wasAsked: boolean): Promise<FinderRead> {
  const both = sizesAsked(view.size)
  if (!both) return { view: { ...view, problem: wasAsked ? unreadableSize : null }, answer: null }
  for (const size of [both.front, both.rear])
    if (!(await isKnownSize(app, sizeSlug(size))))
      return {
        view: {
          ...view,
          problem: `${notSoldText(sizeDesignation(size))}.`,
          near: await nearSizes(app, sizeSlug(size)),
        },
        answer: null,
      }
  return { view, answer: sizeAnswer(both) }
}

/** The cascading lists, as far as the choices exist; an unknown choice is dropped with everything below it. */
async function readCascade(app: Application, asked: VehicleAsked): Promise<FinderView['vehicle']> {
  const year = /^\d{4}$/.test(asked.year) ? Number(asked.year) : undefined
  const lists = await listChoices(app, {
    year,
    makeSlug: asked.make || undefined,
    modelSlug: asked.model || undefined,
  })
  const known = (choices: readonly Choice[], slug: string) =>
    choices.some((choice) => choice.slug === slug) ? slug : ''
  const chosenYear = year !== undefined && lists.years.includes(year) ? asked.year : ''
  const make = chosenYear === '' ? '' : known(lists.makes, asked.make)
  const model = make === '' ? '' : known(lists.models, asked.model)
  const trim = model === '' ? '' : asked.trim === 'any' ? 'any' : known(lists.trims, asked.trim)
  return {
    years: lists.years,
    hasPlates: app.plateLookup !== null,
    makes: chosenYear === '' ? [] : lists.makes,
    models: make === '' ? [] : lists.models,
    trims: model === '' ? [] : lists.trims,
    chosen: { year: chosenYear, make, model, trim },
  }
}

/** Details of a size, and the offer shown for it; undefined if the text is not a size. */
export async function readSizeReadOut(
  app: Application,
  text: string,
): Promise<{ view: SizeReadOut; best: Offer | undefined } | undefined> {
  const size = parseTireSize(text)
  if (!size) return undefined
  const slug = sizeSlug(size)
  const found = await listTires(app.catalog, { scope: { sizes: [{ front: slug, rear: slug }] }, query: plainQuery })
  const best = found.ok ? (found.value.picks[0]?.offer ?? found.value.offers[0]) : undefined
  const drawn = best && {
    name: `${best.line.brand.name} ${best.line.name}`,
    path: paths.item(best.line.brand.slug, best.line.slug, best.items[0].id),
    picture: pictureOf(best),
  }
  return {
    view: {
      size: sizeDesignation(size),
      measures: sizeMeasures(sizeDesignation(size)),
      count: found.ok ? found.value.inScope : 0,
      drawn: drawn ?? null,
    },
    best,
  }
}

export const unreadableSize =
  'We can’t read that size. Choose width, ratio and rim, or type it as on the sidewall, like 225/65R17.'

function wayOf(params: URLSearchParams): FinderWay {
  const by = params.get('by')
  if (by === 'size' || by === 'brand') return by
  return 'vehicle'
}

function isNothing(parts: SizeParts): boolean {
  return Object.values(parts).every((part) => part === '')
}

/** Returns the answer after the trim is selected, is marked as unknown, or is the only one. */
async function vehicleAnswer(
  app: Application,
  visitor: Visitor,
  { chosen, trims }: FinderView['vehicle'],
): Promise<Answer | null> {
  if (chosen.model === '' || (trims.length > 1 && chosen.trim === '')) return null
  const where = { year: Number(chosen.year), makeSlug: chosen.make, modelSlug: chosen.model }
  await askForSizes(app, { ...where, from: visitor.networkKey })
  const asked = trims.length === 1 ? trims[0]?.slug : chosen.trim
  const read = await findVehicle(app, { ...where, trimSlug: asked === 'any' || asked === '' ? undefined : asked })
  if (!read.ok) return null
  const found = read.value
  const trim = onlyTrim(found)
  const vehicle: ChosenVehicle = {
    ...where,
    vehicleId: trim?.vehicle.id ?? null,
    fitmentId: trim ? onlyFitmentId(trim) : null,
    name: found.name,
    confirmed: false,
    label: null,
  }
  return { path: chosenPath(vehicle, found), label: found.name, vehicle }
}

/** Where a vehicle leads that is named as in the finder's address; null while a trim has to be chosen. */
export async function findVehicleAnswer(
  app: Application,
  visitor: Visitor,
  asked: VehicleAsked,
): Promise<Answer | null> {
  return vehicleAnswer(app, visitor, await readCascade(app, asked))
}

/** Returns the original size of a trim with exactly one. Returns null otherwise. */
function onlyFitmentId({ fitments: [first, ...others] }: SizedVehicle): number | null {
  return first && others.length === 0 ? first.id : null
}

/** The chosen brand, or its line `lineSlug` if it has it; null until a brand is chosen. */
function brandAnswer({ brands, brand: slug, lines }: FinderView['brand'], lineSlug: string): Answer | null {
  const brand = brands.find((entry) => entry.slug === slug)
  if (!brand) return null
  const line = lines.find((entry) => entry.slug === lineSlug)
  return line
    ? { path: paths.line(brand.slug, line.slug), label: `${brand.name} ${line.name}` }
    : { path: paths.brand(brand.slug), label: brand.name }
}

type SizesAsked = { front: TireSize; rear: TireSize }

/**
 * Typed text takes precedence over the lists; without a rear size, the front one counts for both. Null if either is
 * invalid.
 */
function sizesAsked({ front, rear, typed }: FinderView['size']): SizesAsked | null {
  const size = parseTireSize(typed === '' ? joinSizeParts(front) : typed)
  if (!size) return null
  const rearSize = isNothing(rear) ? size : parseTireSize(joinSizeParts(rear))
  return rearSize ? { front: size, rear: rearSize } : null
}

/** A rear size equal to the front one is ignored. */
function sizeAnswer({ front, rear }: SizesAsked): Answer {
  const differs = sizeSlug(rear) !== sizeSlug(front)
  return {
    path: paths.listing({ size: sizeSlug(front), rear: differs ? sizeSlug(rear) : undefined }),
    label: differs ? `${sizeDesignation(front)} and ${sizeDesignation(rear)}` : sizeDesignation(front),
  }
}
