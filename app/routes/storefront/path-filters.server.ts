/** Resolves the names in a listing's URL to brands, types, and categories with products. */
import { paths } from '#content/paths.ts'
import type { EmptyView } from '#app/ui/listing-data.ts'
import {
  findUnsoldKind,
  listBrands,
  listKinds,
  listSizes,
  type BrandEntry,
  type Kind,
} from '#domain/catalog/catalog/catalog.server.ts'
import { parseSizeSlug, sizeDesignation, tireGeometry, type TireSize } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { listVehiclesWithSize } from '#domain/catalog/vehicles/vehicles.server.ts'
import type { Application } from '#application'
import { movedTo, notFound } from './listing.server.ts'

export type PathFilters = {
  readonly brand: BrandEntry | undefined
  readonly type: Kind | undefined
  readonly category: Kind | undefined
  /** The type or the category. */
  readonly kind: Kind | undefined
  /** The same as an address or a catalog scope takes them. */
  readonly slugs: {
    readonly brand: string | undefined
    readonly type: string | undefined
    readonly category: string | undefined
  }
  /** How the type or category reads before "tires", and what a title adds if a category and a type share a name. */
  readonly kindName: string | undefined
  readonly titleNote: string
}

type Asked = { brand?: string | undefined; type?: string | undefined; category?: string | undefined }

/**
 * Returns the brand, type and category of an address; undefined if one of them is unknown. Case does not matter, and a
 * category requested as a type (or vice versa) is found as what it is: the caller compares the address with the
 * canonical one and redirects.
 */
export async function readPathFilters(app: Application, asked: Asked): Promise<PathFilters | undefined> {
  const [brands, { types, categories }] = await Promise.all([listBrands(app.catalog), listKinds(app.catalog)])
  const find = <Entry extends { slug: string }>(list: readonly Entry[], slug: string | undefined) =>
    slug === undefined ? undefined : list.find((entry) => entry.slug === slug.toLowerCase())
  const kindSlug = asked.type ?? asked.category
  const kind = find(asked.type === undefined ? [...categories, ...types] : [...types, ...categories], kindSlug)
  const brand = find(brands, asked.brand)
  if ((asked.brand !== undefined && !brand) || (kindSlug !== undefined && !kind)) return undefined
  const isType = kind !== undefined && types.includes(kind)
  const isTwin = !isType && types.some(({ name }) => name === kind?.name)
  const [type, category] = isType ? [kind, undefined] : [undefined, kind]
  return filtersOf({ brand, type, category, titleNote: isTwin ? ' (category)' : '' }, types)
}

function filtersOf(
  { brand, type, category, titleNote }: Pick<PathFilters, 'brand' | 'type' | 'category' | 'titleNote'>,
  types: readonly Kind[],
): PathFilters {
  const kind = type ?? category
  return {
    brand,
    type,
    category,
    kind,
    slugs: { brand: brand?.slug, type: type?.slug, category: category?.slug },
    kindName: kind && kindNameOf(kind, types),
    titleNote,
  }
}

/** Returns the filters for a type or category of the store without tires for sale. */
async function readUnsoldKind(app: Application, { brand, type, category }: Asked): Promise<PathFilters | undefined> {
  const slug = (type ?? category)?.toLowerCase()
  const kind = brand === undefined && slug !== undefined ? await findUnsoldKind(app.catalog, slug) : undefined
  if (!kind) return undefined
  const isType = kind.slug === kind.typeSlug
  return filtersOf(
    { brand: undefined, type: isType ? kind : undefined, category: isType ? undefined : kind, titleNote: '' },
    [],
  )
}

/**
 * The filters of the listing at `url`, for one size if `asked` has its slug. Throws 404 for an unknown name, and a
 * redirect if the canonical address is spelled differently.
 */
export async function requirePathFilters(
  app: Application,
  asked: Asked & { size?: string | undefined },
  url: URL,
): Promise<PathFilters> {
  const filters = (await readPathFilters(app, asked)) ?? (await readUnsoldKind(app, asked))
  if (!filters) throw notFound()
  const own = paths.listing({ size: asked.size, ...filters.slugs })
  if (own !== url.pathname) throw movedTo(own, url)
  return filters
}

/** "Touring all-season": "Touring" alone does not name the season, "Studless winter" does. */
function kindNameOf(kind: Kind, types: readonly Kind[]): string {
  const type = types.find(({ slug }) => slug === kind.typeSlug)
  const isSaid = !type || type.slug !== 'all-season' || kind.name.toLowerCase().includes(type.name.toLowerCase())
  return isSaid ? kind.name : `${kind.name} ${inSentence(type.name)}`
}

/** "Crossover and SUV touring" → "crossover and SUV touring" */
export function inSentence(name: string): string {
  return `${name[0]?.toLowerCase() ?? ''}${name.slice(1)}`
}

/**
 * The sizes sold that are closest to one that is not, for the same kind of vehicle and about as tall: by wheel, height and
 * width.
 */
export async function nearSizes(app: Application, slug: string): Promise<EmptyView['alternatives']> {
  const asked = parseSizeSlug(slug)
  if (!asked) return []
  const sizes = await listSizes(app.catalog)
  const distance = (other: TireSize) =>
    Math.abs(heightOf(other) - heightOf(asked)) +
    Math.abs(tireGeometry(other).sectionWidthMm - tireGeometry(asked).sectionWidthMm)
  return sizes
    .flatMap((entry) => {
      const size = parseSizeSlug(entry.slug)
      return size?.kind === asked.kind && isNear(size, asked) ? [{ size, slug: entry.slug, away: distance(size) }] : []
    })
    .sort((a, b) => Math.abs(a.size.rimIn - asked.rimIn) - Math.abs(b.size.rimIn - asked.rimIn) || a.away - b.away)
    .slice(0, 6)
    .map(({ size, slug: near }) => ({
      label: sizeDesignation(size),
      path: paths.size(near),
      detail: `${(heightOf(size) / 25.4).toFixed(1)} in high`,
    }))
}

/**
 * Returns whether the heights differ by at most one seventh. For example, a 25-inch ATV tire isn't near a 31-inch tire.
 */
function isNear(size: TireSize, asked: TireSize): boolean {
  return Math.abs(heightOf(size) - heightOf(asked)) <= heightOf(asked) / 7
}

/** Explains that this store doesn't sell the size. */
export function notSoldText(size: string): string {
  return `We don’t sell ${size} tires`
}

/** Whether we sell tires in this size or list it as original equipment of a vehicle. */
export async function isKnownSize(app: Application, slug: string): Promise<boolean> {
  const size = parseSizeSlug(slug)
  if (!size) return false
  const [sold, vehicles] = await Promise.all([listSizes(app.catalog), listVehiclesWithSize(app, sizeDesignation(size))])
  return sold.some((entry) => entry.slug === slug) || vehicles.length > 0
}

function heightOf(size: TireSize): number {
  return tireGeometry(size).overallDiameterMm ?? 0
}
