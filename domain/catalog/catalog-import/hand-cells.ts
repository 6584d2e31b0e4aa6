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

const fieldsForm = <Field extends string>(fields: readonly Field[]) =>
  z.record(z.string(), z.string()).transform((typed) => ({
    cells: Object.fromEntries(fields.map((field) => [field, (typed[field] ?? '').trim()])) as Cells<Field>,
    mark: (typed['mark'] ?? '').slice(0, 40),
    accepts: typed['acceptsBelow'] === 'yes',
    isHidden: typed['status'] === 'hidden',
  }))

/** Forms for a tire, a model and a brand. `mark` identifies the original values. */
export const tireForm = fieldsForm(tireFields)
export const lineForm = fieldsForm(lineFields)
export const brandForm = fieldsForm(['brand', 'brand_tier', 'about'])
export type TireTyped = z.output<typeof tireForm>
export type LineTyped = z.output<typeof lineForm>
export type BrandTyped = z.output<typeof brandForm>
