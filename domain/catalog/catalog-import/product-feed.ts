import { z } from 'zod'
import { loadOf, rangeOf } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { federalExciseTaxCents } from '#domain/pricing/pricing/pricing.ts'
import { maxTireTypeName } from '#domain/catalog/catalog/catalog.ts'
import { countOf } from '#platform/count-text.ts'
import { slugOf } from '#platform/slug.ts'
import {
  dearestCents,
  decimal,
  dollars,
  ifReadable,
  longestAbout,
  oneOf,
  optional,
  pictureUrl,
  required,
  sku,
  text,
  whole,
  yesNo,
  type Reader,
} from './cells.ts'
import { disagree, makeFeed, type Feed, type Staged } from './feed.ts'
import { country, dotWeek, gtin, loadIndex, loadRange, name, size, speed } from './tire-cells.ts'
import { brandTiers, treads } from './tire-fields.ts'

/** Why a row with an unknown category is refused. */
export const unknownCategory = 'is not a category of this store'

/** Tolerances from nominal, which fit real tires but reject inches mistaken for millimeters. */
const tolerance = { width: 0.1, diameter: 0.05, load: 0.03 }

/**
 * Tires with all known facts; `categories` are the slugs in use, `retired` the others, `today` is for DOT weeks and the
 * excise tax.
 */
export function productFeed({
  today,
  categories,
  retired = [],
}: {
  today: Temporal.PlainDate
  categories: readonly string[]
  retired?: readonly string[]
}): Feed {
  const cells = cellsOf(today, categories, retired)
  return makeFeed({
    table: 'import_product',
    columns: Object.keys(cells.shape),
    required: [
      'sku',
      'brand',
      'line',
      'category',
      'tread',
      'size',
      'rim_width_min_in',
      'rim_width_max_in',
      'max_psi',
      'tread_depth_32nds',
      'weight_lb',
    ],
    either: { columns: ['price', 'price_cents'], isRequired: false },
    staged,
    row: cells.superRefine(checkTogether).transform((cells) => toStaged(cells, today)),
    // A brand's tier and text may stand in a row that is refused for another reason.
    key: z
      .object({
        sku: ifReadable(cells.shape.sku),
        brand: ifReadable(cells.shape.brand),
        brand_tier: ifReadable(cells.shape.brand_tier),
        brand_about: ifReadable(cells.shape.brand_about),
      })
      .transform(({ sku, brand, brand_tier, brand_about }) => ({
        sku,
        brand: brand?.name ?? null,
        brand_slug: brand?.slug ?? null,
        brand_tier,
        brand_about,
      })),
  })
}

/** The slug of the category that a cell names. */
export const categoryWord = (text: string) => slugOf(text.slice(0, maxTireTypeName))

/** How much of the categories a message lists, in characters. */
const maxListed = 500

/** A category by its slug, or written as its name. `retired` ones are refused later, for models that are not in them. */
function category(open: readonly string[], retired: readonly string[]): Reader<string> {
  const known = new Set([...open, ...retired])
  return {
    expected: `one of ${listedWords(open)}`,
    problem: unknownCategory,
    read(text) {
      const word = known.has(text) ? text : categoryWord(text)
      return known.has(word) ? word : undefined
    },
  }
}

/** The words with commas, as many as a message has room for. */
function listedWords(words: readonly string[]): string {
  const shown: string[] = []
  let room = maxListed
  for (const word of words) {
    room -= word.length + 2
    if (room < 0) break
    shown.push(word)
  }
  const more = words.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${countOf(more, 'more category', 'more categories')}` : ''}`
}

type Cells = z.output<ReturnType<typeof cellsOf>>

function cellsOf(today: Temporal.PlainDate, categories: readonly string[], retired: readonly string[]) {
  return z.object({
    sku: required(sku),
    brand: required(name),
    brand_tier: optional(oneOf(brandTiers), null),
    brand_about: optional(text(longestAbout), null),
    line_about: optional(text(longestAbout), null),
    ...lineCells(categories, retired).shape,
    size: required(size),
    load_index: optional(loadIndex, null),
    dual_load_index: optional(loadIndex, null),
    speed: optional(speed, null),
    load_class: optional(oneOf(['SL', 'XL', 'HL']), null),
    load_range: optional(loadRange, null),
    ply_rating: optional(whole(2, 24), null),
    max_load_lb: optional(whole(90, 15_000, 'pounds'), null),
    max_psi: required(whole(20, 150, 'psi')),
    measured_width_mm: optional(decimal(80, 600, 2, 'millimeters'), null),
    measured_diameter_mm: optional(decimal(350, 1_500, 2, 'millimeters'), null),
    rim_width_min_in: required(decimal(2, 20, 2, 'inches')),
    rim_width_max_in: required(decimal(2, 20, 2, 'inches')),
    tread_depth_32nds: required(decimal(1, 40, 1, '32nds of an inch')),
    weight_lb: required(decimal(2, 400, 1, 'pounds')),
    utqg_treadwear: optional(whole(20, 1_200), null),
    utqg_traction: optional(oneOf(['AA', 'A', 'B', 'C']), null),
    utqg_temperature: optional(oneOf(['A', 'B', 'C']), null),
    run_flat: optional(yesNo, false),
    sidewall: optional(oneOf(['BSW', 'OWL', 'VSB']), 'BSW'),
    oe_mark: optional(text(20), null),
    warranty_miles: optional(whole(1, 200_000, 'miles'), null),
    oldest_dot: optional(dotWeek(today), null),
    price: optional(dollars(1), null),
    price_cents: optional(whole(1, dearestCents, 'cents'), null),
    fet: optional(dollars(0), null),
    active: optional(yesNo, true),
    gtin: optional(gtin, null),
    mpn: optional(text(70), null),
    origin_country: optional(country, null),
    picture_url: optional(pictureUrl, null),
  })
}

/** A brand form's fields for name and tier. */
export const brandCells = z.object({ brand: required(name), brand_tier: required(oneOf(brandTiers)) })

/** A model form's fields; `categories` lists the valid slugs. */
export function lineCells(categories: readonly string[], retired: readonly string[] = []) {
  return z.object({
    line: required(name),
    category: required(category(categories, retired)),
    tread: required(oneOf(treads)),
    m_plus_s: optional(yesNo, false),
    three_peak: optional(yesNo, false),
    ev: optional(yesNo, false),
    line_warranty_miles: optional(whole(1, 200_000, 'miles'), null),
  })
}

type Say = (column: string, problem: string, expected: string) => void

/** Checks cells against each other. Each check names the column most likely wrong. */
function checkTogether(cells: Cells, context: z.RefinementCtx): void {
  const say: Say = (column, problem, expected) => disagree(context, column, problem, expected)
  checkLoadMarking(cells, say)
  checkMaxLoad(cells, say)
  checkMeasures(cells, say)
  checkGrades(cells, say)
}

/** Passenger sizes have a load class, all others a load range. */
function checkLoadMarking(cells: Cells, say: Say): void {
  const isPassenger = cells.size.kind === 'P'
  if (isPassenger && cells.load_range !== null)
    say('load_range', 'is for light-truck, trailer and commercial sizes', 'empty; use load_class for a passenger size')
  if (!isPassenger && cells.load_class !== null)
    say('load_class', 'is for passenger sizes', 'empty; use load_range for this size')
  if (cells.dual_load_index !== null && (cells.load_index === null || cells.dual_load_index > cells.load_index)) {
    say('dual_load_index', 'is above the load index', 'at most the load index: two tires side by side carry less each')
  }
}

/** Pounds and load index state the same load; either may be omitted. */
function checkMaxLoad(cells: Cells, say: Say): void {
  const load = loadOf(cells.load_index ?? undefined)
  if (cells.max_load_lb === null && load === undefined)
    say('max_load_lb', 'is empty, and so is load_index', 'the load of one tire in pounds, or its load index')
  if (cells.max_load_lb !== null && load !== undefined && isFar(cells.max_load_lb, load.lb, tolerance.load)) {
    say('max_load_lb', `does not go with load index ${cells.load_index}`, `about ${load.lb}`)
  }
}

/** The rim range is valid, and measurements are close to the size's nominal ones. */
function checkMeasures(cells: Cells, say: Say): void {
  if (cells.rim_width_min_in > cells.rim_width_max_in)
    say('rim_width_max_in', 'is below rim_width_min_in', `${cells.rim_width_min_in} or more`)
  if (cells.measured_width_mm !== null && isFar(cells.measured_width_mm, cells.size.sectionWidthMm, tolerance.width)) {
    say(
      'measured_width_mm',
      `does not go with ${cells.size.designation}`,
      `about ${Math.round(cells.size.sectionWidthMm)}`,
    )
  }
  if (
    cells.measured_diameter_mm !== null &&
    isFar(cells.measured_diameter_mm, cells.size.overallDiameterMm, tolerance.diameter)
  ) {
    say(
      'measured_diameter_mm',
      `does not go with ${cells.size.designation}`,
      `about ${Math.round(cells.size.overallDiameterMm)}`,
    )
  }
}

/**
 * 49 CFR 575.104 requires all three grades or an absence of grades, and allows them only on passenger tires that are
 * not winter-type.
 */
function checkGrades(cells: Cells, say: Say): void {
  const grades = {
    utqg_treadwear: cells.utqg_treadwear,
    utqg_traction: cells.utqg_traction,
    utqg_temperature: cells.utqg_temperature,
  }
  const given = Object.entries(grades).filter(([, grade]) => grade !== null)
  if (given.length === 0) return
  const missing = Object.entries(grades).find(([, grade]) => grade === null)
  if (missing) say(missing[0], 'is empty while another grade is given', 'all three grades, or none')
  if (cells.size.kind !== 'P' || cells.tread === 'winter')
    say(
      'utqg_treadwear',
      'stands on a tire the law does not grade',
      'empty on winter tires and outside passenger sizes',
    )
}

function isFar(value: number, from: number, share: number): boolean {
  return Math.abs(value - from) > from * share
}

function toStaged(cells: Cells, today: Temporal.PlainDate): Staged<'import_product'> {
  const { size } = cells
  const maxLoadLb = cells.max_load_lb ?? loadOf(cells.load_index ?? undefined)?.lb ?? 0
  const construction = size.parsed.construction === 'radial' ? 'radial' : 'bias-ply'
  return {
    sku: cells.sku,
    brand: cells.brand.name,
    brand_slug: cells.brand.slug,
    brand_tier: cells.brand_tier,
    brand_about: cells.brand_about,
    line: cells.line.name,
    line_slug: cells.line.slug,
    category_slug: cells.category,
    tread: cells.tread,
    m_plus_s: cells.m_plus_s,
    three_peak: cells.three_peak,
    ev: cells.ev,
    line_warranty_miles: cells.line_warranty_miles,
    line_about: cells.line_about,
    designation: size.designation,
    size_slug: size.slug,
    size_kind: size.kind,
    section_width_mm: size.sectionWidthMm,
    aspect: size.aspect,
    rim_in: size.rimIn,
    overall_diameter_mm: size.overallDiameterMm,
    load_index: cells.load_index,
    dual_load_index: cells.dual_load_index,
    speed: cells.speed,
    load_class: cells.load_class,
    load_range: cells.load_range,
    ply_rating: cells.ply_rating ?? (cells.load_range === null ? 4 : rangeOf(cells.load_range).plyRating),
    max_load_lb: maxLoadLb,
    max_psi: cells.max_psi,
    measured_width_mm: cells.measured_width_mm ?? size.sectionWidthMm,
    measured_diameter_mm: cells.measured_diameter_mm ?? size.overallDiameterMm,
    rim_width_min_in: cells.rim_width_min_in,
    rim_width_max_in: cells.rim_width_max_in,
    tread_depth_32nds: cells.tread_depth_32nds,
    weight_lb: cells.weight_lb,
    utqg_treadwear: cells.utqg_treadwear,
    utqg_traction: cells.utqg_traction,
    utqg_temperature: cells.utqg_temperature,
    run_flat: cells.run_flat,
    sidewall: cells.sidewall,
    oe_mark: cells.oe_mark,
    warranty_miles: cells.warranty_miles,
    oldest_dot_week: cells.oldest_dot,
    retail_cents: cells.price ?? cells.price_cents,
    fet_cents: federalExciseTaxCents(
      { maxLoadLb, construction, supplierCents: cells.fet, forDefenseUse: false },
      today,
    ),
    active: cells.active,
    gtin: cells.gtin,
    mpn: cells.mpn,
    origin_country: cells.origin_country,
    picture_url: cells.picture_url,
  }
}

/** Item facts, named the same in the staging table and the catalog. */
export const itemFacts = [
  'sku',
  'load_index',
  'dual_load_index',
  'speed',
  'load_class',
  'load_range',
  'ply_rating',
  'max_load_lb',
  'max_psi',
  'measured_width_mm',
  'measured_diameter_mm',
  'rim_width_min_in',
  'rim_width_max_in',
  'tread_depth_32nds',
  'weight_lb',
  'utqg_treadwear',
  'utqg_traction',
  'utqg_temperature',
  'run_flat',
  'sidewall',
  'oe_mark',
  'warranty_miles',
  'oldest_dot_week',
  'fet_cents',
  'active',
] as const satisfies readonly (keyof Staged<'import_product'>)[]

/** Facts that a feed without them leaves unchanged. */
export const keptFacts = [
  'gtin',
  'mpn',
  'origin_country',
] as const satisfies readonly (keyof Staged<'import_product'>)[]

const staged = [
  'brand',
  'brand_slug',
  'brand_tier',
  'brand_about',
  'line',
  'line_slug',
  'category_slug',
  'tread',
  'm_plus_s',
  'three_peak',
  'ev',
  'line_warranty_miles',
  'line_about',
  'designation',
  'size_slug',
  'size_kind',
  'section_width_mm',
  'aspect',
  'rim_in',
  'overall_diameter_mm',
  ...itemFacts,
  ...keptFacts,
  'retail_cents',
  'picture_url',
] as const satisfies readonly (keyof Staged<'import_product'>)[]
