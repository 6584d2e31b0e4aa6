/** Parses staff input for brands, models and tires with the rules and messages of a products feed. */
import { z } from 'zod'
import { dollars, optional } from './cells.ts'
import { problemsOf, type Problem, type Staged } from './feed.ts'
import { brandCells, itemFacts, keptFacts, lineCells, productFeed } from './product-feed.ts'
import { lineFields, tireFields, type Cells, type LineField, type TireField } from './tire-fields.ts'

/** What is wrong in each field. */
export type FieldFaults = Readonly<Record<string, string>>
type Read<Value> = { ok: true; value: Value } | { ok: false; faults: FieldFaults }

/** A brand with its name, slug and tier. */
export function readBrandCells(
  cells: Readonly<Record<'brand' | 'brand_tier', string>>,
): Read<{ name: string; slug: string; tier: string }> {
  const read = brandCells.safeParse(cells)
  if (!read.success) return { ok: false, faults: faultsOf(problemsOf(read.error, cells)) }
  return { ok: true, value: { ...read.data.brand, tier: read.data.brand_tier } }
}

export type LineRow = {
  slug: string
  name: string
  category_slug: string
  tread: string
  m_plus_s: boolean
  three_peak: boolean
  winter: boolean
  ev: boolean
  warranty_miles: number | null
}

/** A model; `categories` are the slugs that it may have. */
export function readLineCells(cells: Cells<LineField>, categories: readonly string[]): Read<LineRow> {
  const read = lineCells(categories).safeParse(cells)
  if (!read.success) return { ok: false, faults: faultsOf(problemsOf(read.error, cells)) }
  const { line, category, tread, m_plus_s, three_peak, ev, line_warranty_miles } = read.data
  const winter = tread === 'winter'
  return {
    ok: true,
    value: {
      ...line,
      category_slug: category,
      tread,
      m_plus_s,
      three_peak,
      winter,
      ev,
      warranty_miles: line_warranty_miles,
    },
  }
}

const ownPrices = z.object({ cost: optional(dollars(1), null), map: optional(dollars(1), null) })

type StagedTire = Staged<'import_product'>
export type TireRow = {
  facts: Pick<StagedTire, Exclude<(typeof itemFacts)[number], 'active'> | (typeof keptFacts)[number]>
  size: {
    slug: string
    designation: string
    kind: string
    section_width_mm: number
    aspect: number
    rim_in: number
    overall_diameter_mm: number
  }
  retailCents: number
  costCents: number | null
  mapCents: number | null
}

/** Parses a model's tire; `today` is for DOT weeks and the excise tax. */
export function readTireCells(
  cells: Cells<TireField>,
  { brand, line, today }: { brand: string; line: Cells<LineField>; today: Temporal.PlainDate },
): Read<TireRow> {
  const { cost, map, ...own } = cells
  const feed = productFeed({ today, categories: [line.category] })
  const empty = Object.fromEntries(feed.columns.map((column) => [column, '']))
  const read = feed.read({ ...empty, ...line, ...own, brand })
  const prices = ownPrices.safeParse({ cost, map })
  const faults: Record<string, string> = {
    ...(own.price === '' && { price: faultText({ problem: 'is empty', expected: 'dollars such as 129.99' }) }),
    ...('problems' in read && faultsOf(read.problems)),
    ...(!prices.success && faultsOf(problemsOf(prices.error, { cost, map }))),
  }
  if ('problems' in read || !prices.success || Object.keys(faults).length > 0) return { ok: false, faults }
  // The feed's parsed rows match its own staging table.
  const row = read.row as unknown as StagedTire & { retail_cents: number; size_slug: string; designation: string }
  const facts = Object.fromEntries(
    [...itemFacts.filter((fact) => fact !== 'active'), ...keptFacts].map((fact) => [fact, row[fact]] as const),
  ) as TireRow['facts']
  return {
    ok: true,
    value: {
      facts,
      size: {
        slug: row.size_slug,
        designation: row.designation,
        kind: String(row.size_kind),
        section_width_mm: Number(row.section_width_mm),
        aspect: Number(row.aspect),
        rim_in: Number(row.rim_in),
        overall_diameter_mm: Number(row.overall_diameter_mm),
      },
      retailCents: row.retail_cents,
      costCents: prices.data.cost,
      mapCents: prices.data.map,
    },
  }
}

/** The first problem of each field, as a sentence. */
function faultsOf(problems: readonly Problem[]): FieldFaults {
  const faults: Record<string, string> = {}
  for (const problem of problems) faults[problem.column] ??= faultText(problem)
  return faults
}

/** "This is not a load index. Expected: a load index from 0 to 160." Columns are named as the form's labels are. */
function faultText({ problem, expected }: Pick<Problem, 'problem' | 'expected'>): string {
  return `This ${problem}. Expected: ${expected}.`.replaceAll('_', ' ')
}

/** The text of a cell, which the rules of the feed check. */
const cell = () => z.string().trim().default('')

const cellForms = <const Field extends string>(fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, cell()])) as Record<Field, ReturnType<typeof cell>>

/** Identifies the original values. */
const version = z.string().default('')

/** The ID of the brand or model that something is added to. */
const parentId = (message: string) =>
  z
    .string(message)
    .regex(/^[1-9]\d{0,8}$/, message)
    .transform(Number)

const money = () => cell().meta({ formUnit: 'cents' })
const tireCells = {
  ...cellForms(tireFields),
  price: money(),
  cost: money(),
  map: money(),
  fet: money().describe('Federal excise tax. Computed if empty'),
}

/** Saves prices below a minimum or far from the current price. */
const acceptsBelow = z
  .literal(['yes', '1'])
  .optional()
  .catch(undefined)
  .transform((value) => value !== undefined)
  .meta({ formUnit: 'checkbox', description: 'Saves prices below a minimum, or far from the current price' })

/** The forms of a brand. `mark` identifies the original values. */
export const newBrandForm = z
  .object({ ...cellForms(['brand', 'brand_tier']), about: cell() })
  .transform((cells) => ({ cells }))
export const brandForm = z
  .object({ ...cellForms(['brand', 'brand_tier']), version })
  .transform(({ version: mark, ...cells }) => ({ cells, mark }))

/** The forms of a model. */
export const newLineForm = z
  .object({ brandId: parentId('Enter the ID of a brand.'), ...cellForms(lineFields) })
  .transform(({ brandId, ...cells }) => ({ brandId, cells }))
export const lineForm = z
  .object({ ...cellForms(lineFields), version })
  .transform(({ version: mark, ...cells }) => ({ cells, mark }))

/** The forms of a tire. */
export const newTireForm = z
  .object({
    modelId: parentId('Enter the ID of a model.'),
    ...tireCells,
    status: z.enum(['on-sale', 'hidden']).default('on-sale'),
    acceptsBelow,
  })
  .transform(({ modelId, status, acceptsBelow: accepts, ...cells }) => ({
    modelId,
    cells,
    accepts,
    isHidden: status === 'hidden',
  }))
export const tireForm = z
  .object({ ...tireCells, version, acceptsBelow })
  .transform(({ version: mark, acceptsBelow: accepts, ...cells }) => ({ cells, mark, accepts }))

export type NewBrand = z.output<typeof newBrandForm>
export type BrandTyped = z.output<typeof brandForm>
export type LineTyped = z.output<typeof lineForm>
export type NewTire = Omit<z.output<typeof newTireForm>, 'modelId'>
export type TireTyped = z.output<typeof tireForm>
