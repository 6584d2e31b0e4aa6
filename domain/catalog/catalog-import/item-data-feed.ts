import { z } from 'zod'
import { decimal, longestCell, oneOf, optional, required, text, whole, type Reader } from './cells.ts'
import { disagree, makeFeed, type CellsByColumn, type Feed, type Problem } from './feed.ts'
import { readForeignCell } from './foreign-cells.ts'
import { itemPrices, minimumPriceOn } from './item-prices.ts'
import { brandCode, country, gtin, name, partNumber } from './tire-cells.ts'

/** Pounds in each unit of weight. */
const pounds = { PG: 1, LB: 1, GT: 1 / 0.453_592_37, KG: 1 / 0.453_592_37 } as const
const weightUnits = Object.keys(pounds) as (keyof typeof pounds)[]

/** A description with or without HTML, as text. */
const about: Reader<string> = {
  ...text(longestCell),
  read: (html) => readForeignCell('line_about', html, ''),
}

/** The item's line, and lines of values that are on other ones, such as "12 gtin=14 weight=20". */
const itemLine = whole(1, 999_999_999)
const linesOfItem: Reader<number> = { ...itemLine, read: (text) => itemLine.read(text.split(' ', 1)[0] ?? '') }

const cells = z.object({
  maintenance: required(oneOf(['A', 'C', 'D'])),
  part: required(partNumber(48)),
  brand_code: optional(brandCode, null),
  brand: optional(name, null),
  gtin: optional(gtin, null),
  weight: optional(decimal(0.5, 400, 4, 'pounds or kilograms'), null),
  weight_unit: optional(oneOf(weightUnits), null),
  origin_country: optional(country, null),
  about: optional(about, null),
  prices: optional(itemPrices, null),
  line: optional(linesOfItem, null),
})

/** The columns of item data, as the rows of a PIES file have them. */
export const itemDataColumns = Object.keys(cells.shape) as (keyof typeof cells.shape)[]

/** The codes of minimum advertised prices, and the day on the store's calendar. */
type PriceContext = { mapTypes: ReadonlySet<string>; day: Temporal.PlainDate }

const feedOf = (context: PriceContext) =>
  makeFeed({
    table: 'import_item_data',
    xml: 'pies',
    columns: itemDataColumns,
    required: ['maintenance', 'part'],
    staged: [
      'maintenance',
      'part',
      'part_key',
      'brand_code',
      'brand_slug',
      'gtin',
      'weight_lb',
      'origin_country',
      'about',
      'map_cents',
      'line_no',
      'brand_id',
      'item_id',
    ],
    row: cells.transform((row, check) => {
      const weight_lb = poundsOf(row)
      const map_cents = minimumPriceOn(row.prices ?? [], context)
      if (weight_lb === undefined) {
        const problem = row.weight_unit === null ? 'is empty' : 'makes no weight from 2 to 400 pounds'
        disagree(check, 'weight_unit', problem, `the unit of the weight: ${weightUnits.join(', ')}`)
        return z.NEVER
      }
      if (map_cents === undefined) {
        disagree(check, 'prices', 'has two minimum advertised prices from the same day', 'one for each first day')
        return z.NEVER
      }
      return {
        maintenance: row.maintenance,
        part: row.part.number,
        part_key: row.part.key,
        brand_code: row.brand_code,
        brand_slug: row.brand?.slug ?? null,
        gtin: row.gtin,
        weight_lb,
        origin_country: row.origin_country,
        about: row.about === '' ? null : row.about,
        map_cents,
        line_no: row.line,
        brand_id: null,
        item_id: null,
      }
    }),
    key: cells.pick({ part: true }).transform(({ part }) => ({ part: part.number, part_key: part.key })),
  })

/** Data of existing tires from their manufacturer. Problems name the line of the value in an XML file. */
export function itemDataFeed(context: PriceContext): Feed {
  const feed = feedOf(context)
  return {
    ...feed,
    read(cells) {
      const read = feed.read(cells)
      return 'problems' in read ? { ...read, problems: read.problems.map((problem) => withLine(problem, cells)) } : read
    },
  }
}

function withLine(problem: Problem, { line: cell = '' }: CellsByColumn): Problem {
  const [ofItem = '', ...others] = cell.split(' ')
  const line =
    others.find((other) => other.startsWith(`${problem.column}=`))?.slice(problem.column.length + 1) ?? ofItem
  return line === '' ? problem : { ...problem, problem: `${problem.problem} (line ${line})` }
}

/** Pounds with one decimal; null without a weight, undefined if it isn't the weight of a tire. */
function poundsOf({
  weight,
  weight_unit,
}: Pick<z.output<typeof cells>, 'weight' | 'weight_unit'>): number | null | undefined {
  if (weight === null) return null
  if (weight_unit === null) return undefined
  const exact = weight * pounds[weight_unit]
  return exact >= 2 && exact <= 400 ? Math.round(exact * 10) / 10 : undefined
}
