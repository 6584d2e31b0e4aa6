/** What the finder shows, from what is in the address, and where it leads once that is enough. */
import type { Visitor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import type { SizeReadOut } from '#app/ui/finder-drawing.tsx'
import { joinSizeParts, narrowSizes, sizeParts, type SizeParts } from '#app/ui/finder-sizes.ts'
import type { Choice } from '#app/ui/finder-vehicle.tsx'
import type { FinderView, FinderWay } from '#app/ui/finder.tsx'
import { listBrands, listLines, listSizes, listTires } from '#domain/catalog/catalog.server.ts'
import { plainQuery, type Offer } from '#domain/catalog/catalog.ts'
import { parseTireSize, sizeDesignation, sizeSlug, type TireSize } from '#domain/fitment/fitment.ts'
import type { ChosenVehicle } from '#domain/vehicles/vehicles.ts'
import { findVehicle, listChoices } from '#domain/vehicles/vehicles.server.ts'
import type { Shop } from '#shop'
import { pictureOf } from './listing-cards.server.ts'
import { isMade, nearSizes } from './path-filters.server.ts'
import { chosenPath, sizeMeasures } from './vehicle-panel.server.ts'

/** Where a finished search leads, under which name it is remembered, and the vehicle if it was one. */
export type Answer = { path: string; label: string; vehicle?: ChosenVehicle }
export type FinderRead = { view: FinderView; answer: Answer | null }

type VehicleAsked = { year: string; make: string; model: string; trim: string }

/** Reads the finder's state out of an address: `by` says the way, the other parameters what was chosen so far. */
export async function readFinder(
  shop: Shop,
  visitor: Visitor,
  params: URLSearchParams,
  defaults: { vehicle?: VehicleAsked | undefined; size?: string | undefined } = {},
): Promise<FinderRead> {
  const text = (name: string) => (params.get(name) ?? '').trim().slice(0, 60)
  const way = wayOf(params)
  const hasVehicle = ['year', 'make', 'model'].some((name) => text(name) !== '')
  const asked =
    hasVehicle || !defaults.vehicle
      ? { year: text('year'), make: text('make'), model: text('model'), trim: text('trim') }
      : defaults.vehicle
  const parts = (prefix: string): SizeParts => ({
    width: text(`${prefix}width`),
    ratio: text(`${prefix}ratio`),
    rim: text(`${prefix}rim`),
  })
  const front = isNothing(parts('')) && text('size') === '' ? (sizeParts(defaults.size ?? '') ?? parts('')) : parts('')

  const [vehicle, sizes, brands] = await Promise.all([
    readCascade(shop, asked),
    listSizes(shop.catalog),
    listBrands(shop.catalog),
  ])
  const brand = brands.find(({ slug }) => slug === text('brand'))
  const view: FinderView = {
    way,
    vehicle,
    size: {
      ...narrowSizes(
        sizes.flatMap(({ designation }) => sizeParts(designation) ?? []),
        { width: '', ratio: '' },
      ),
      front,
      rear: parts('rear-'),
      typed: text('size'),
    },
    brand: {
      brands: brands.map(({ slug, name }) => ({ slug, name })),
      brand: brand?.slug ?? '',
      lines: brand ? await listLines(shop.catalog, brand.slug) : [],
    },
    recent: visitor.recent,
    problem: null,
    near: [],
  }
  if (!params.has('by')) return { view, answer: null }
  if (way === 'vehicle') return { view, answer: await vehicleAnswer(shop, vehicle) }
  if (way === 'brand')
    return {
      view,
      answer: brand
        ? brandAnswer(
            brand,
            view.brand.lines.find(({ slug }) => slug === text('line')),
          )
        : null,
    }
  const both = sizesAsked(view.size)
  const wasAsked = params.has('size') || params.has('width')
  if (!both) return { view: { ...view, problem: wasAsked ? unreadableSize : null }, answer: null }
  for (const size of [both.front, both.rear])
    if (!(await isMade(shop, sizeSlug(size))))
      return {
        view: {
          ...view,
          problem: `Nobody makes ${sizeDesignation(size)}, as far as we know.`,
          near: await nearSizes(shop, sizeSlug(size)),
        },
        answer: null,
      }
  return { view, answer: sizeAnswer(both) }
}

/** The lists of the cascade, as far as what was asked exists; what does not is dropped with everything below it. */
async function readCascade(shop: Shop, asked: VehicleAsked): Promise<FinderView['vehicle']> {
  const year = /^\d{4}$/.test(asked.year) ? Number(asked.year) : undefined
  const lists = await listChoices(shop, {
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
    makes: chosenYear === '' ? [] : lists.makes,
    models: make === '' ? [] : lists.models,
    trims: model === '' ? [] : lists.trims,
    chosen: { year: chosenYear, make, model, trim },
  }
}

/** What is known of a size, and the offer that is drawn for it; undefined for a text that is no size. */
export async function readSizeReadOut(
  shop: Shop,
  text: string,
): Promise<{ view: SizeReadOut; best: Offer | undefined } | undefined> {
  const size = parseTireSize(text)
  if (!size) return undefined
  const slug = sizeSlug(size)
  const found = await listTires(shop.catalog, { scope: { sizes: [{ front: slug, rear: slug }] }, query: plainQuery })
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

/** Finished once the trim is settled: chosen, said to be unknown, or the only one. */
async function vehicleAnswer(shop: Shop, { chosen, trims }: FinderView['vehicle']): Promise<Answer | null> {
  if (chosen.model === '' || (trims.length > 1 && chosen.trim === '')) return null
  const trimSlug =
    trims.length === 1 ? trims[0]?.slug : chosen.trim === 'any' || chosen.trim === '' ? undefined : chosen.trim
  const where = { year: Number(chosen.year), makeSlug: chosen.make, modelSlug: chosen.model }
  const read = await findVehicle(shop, { ...where, trimSlug })
  if (!read.ok) return null
  const found = read.value
  const [trim, ...others] = found.kind === 'sized' ? found.trims : []
  const only = trim && others.length === 0 ? trim : undefined
  const vehicle: ChosenVehicle = {
    ...where,
    vehicleId: only?.vehicle.id ?? null,
    fitmentId: only?.fitments.length === 1 ? (only.fitments[0]?.id ?? null) : null,
    name: found.name,
    confirmed: false,
    label: null,
  }
  return { path: chosenPath(vehicle, found), label: found.name, vehicle }
}

function brandAnswer(brand: { slug: string; name: string }, line: { slug: string; name: string } | undefined): Answer {
  return line
    ? { path: paths.line(brand.slug, line.slug), label: `${brand.name} ${line.name}` }
    : { path: paths.brand(brand.slug), label: brand.name }
}

type SizesAsked = { front: TireSize; rear: TireSize }

/** The text typed comes before the lists; without a rear size it is the front one. Null where one of them is none. */
function sizesAsked({ front, rear, typed }: FinderView['size']): SizesAsked | null {
  const size = parseTireSize(typed === '' ? joinSizeParts(front) : typed)
  if (!size) return null
  const rearSize = isNothing(rear) ? size : parseTireSize(joinSizeParts(rear))
  return rearSize ? { front: size, rear: rearSize } : null
}

/** A rear size the same as the front one is none. */
function sizeAnswer({ front, rear }: SizesAsked): Answer {
  const differs = sizeSlug(rear) !== sizeSlug(front)
  return {
    path: paths.listing({ size: sizeSlug(front), rear: differs ? sizeSlug(rear) : undefined }),
    label: differs ? `${sizeDesignation(front)} and ${sizeDesignation(rear)}` : sizeDesignation(front),
  }
}
