/** Forms and files of parts. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { dollars, emptyOr } from '#platform/form-fields.ts'
import { partKinds } from './part-kinds.ts'

export {
  factTexts,
  partKindOf,
  partKinds,
  type FittedVehicle,
  type PartField,
  type PartFit,
  type PartKind,
} from './part-kinds.ts'

/** In units, in one warehouse. */
const maxPartUnits = 100_000

/** A part with its price in cents, and its available units in all warehouses. */
export type Part = {
  id: number
  kind: string
  sku: string
  brand: string
  name: string
  facts: Record<string, string>
  priceCents: number
  costCents: number | null
  isOnSale: boolean
  version: number
  units: number
}

/** A part's units in one warehouse; null where it was never stocked. */
export type PartStock = { warehouseId: number; code: string; name: string; units: number | null }

/** "Northpeak Sense 433", as carts and orders name a part. */
export function partName({ brand, name }: Pick<Part, 'brand' | 'name'>): string {
  return `${brand} ${name}`
}

const text = (max: number) =>
  z
    .string('Fill this in.')
    .trim()
    .min(1, 'Fill this in.')
    .max(max, `Please keep this under ${countOf(max, 'character')}.`)
    .regex(/^[^<>{}\\\p{Cc}]*$/u, 'Leave out < > { } and \\.')

const skuMessage = 'Enter 2 to 40 letters, digits, or dashes.'
const amountMessage = 'Enter an amount in dollars, such as 39.99.'
const maxPartCents = 10_000_000

const factFields = Object.fromEntries(
  partKinds.flatMap(({ fields }) => fields.map(({ key }) => [key, z.string().trim().max(40).default('')])),
)

/** The names of all fields that some kind has. */
export const factKeys: readonly string[] = Object.keys(factFields)

/** A part as staff enter it. Fields of other kinds are left out of `facts`. */
export const partForm = z
  .object({
    kind: z.enum(
      partKinds.map(({ key }) => key),
      'Choose a kind.',
    ),
    sku: z
      .string(skuMessage)
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9][A-Z0-9-]{1,39}$/, skuMessage)
      // The page of a new one has this address.
      .refine((sku) => sku !== 'NEW', 'Choose another SKU.'),
    brand: text(60),
    name: text(80),
    price: dollars(amountMessage, maxPartCents),
    cost: emptyOr(dollars(amountMessage, maxPartCents)).meta({ formUnit: 'cents' }),
    sale: z.enum(['on', 'off'], 'Choose whether it is for sale.'),
    version: z.coerce.number('Load the page again.').int().min(0).max(999_999_999).default(0),
    ...factFields,
  })
  .superRefine((typed, issues) => {
    for (const { key, options } of partKinds.find(({ key: kind }) => kind === typed.kind)?.fields ?? []) {
      if (!options.some(([value]) => value === factOf(typed, key)))
        issues.addIssue({ code: 'custom', path: [key], message: 'Choose one from the list.' })
    }
  })
  .transform((typed) => {
    const fields = partKinds.find(({ key }) => key === typed.kind)?.fields ?? []
    const { kind, sku, brand, name, price: priceCents, cost: costCents, sale, version } = typed
    const facts = Object.fromEntries(fields.map(({ key }) => [key, factOf(typed, key)]))
    return { kind, sku, brand, name, facts, priceCents, costCents, isOnSale: sale === 'on', version }
  })

function factOf(typed: object, key: string): string {
  const entries: [string, unknown][] = Object.entries(typed)
  const found = entries.find(([name]) => name === key)?.[1]
  return typeof found === 'string' ? found : ''
}

/** A part to add or change; its kind and SKU stay. */
export type PartDraft = z.output<typeof partForm>

const unitsMessage = 'Enter a whole number from 0 to 100,000.'

/** A count of available units in one warehouse. `seen` is the number that the form showed. */
export const partStockForm = z.object({
  warehouse: z.coerce
    .number('Choose a warehouse.')
    .int('Choose a warehouse.')
    .min(1, 'Choose a warehouse.')
    .max(32_767, 'Choose a warehouse.'),
  units: z
    .string(unitsMessage)
    .trim()
    .regex(/^\d{1,6}$/, unitsMessage)
    .transform(Number)
    .refine((units) => units <= maxPartUnits, unitsMessage)
    .meta({ formUnit: 'number' }),
  seen: z
    .string()
    .trim()
    .regex(/^\d{0,6}$/, 'Load the page again.')
    .default('')
    .transform((seen) => (seen === '' ? null : Number(seen)))
    .meta({ formUnit: 'number' })
    .describe('The units as they were read; empty to replace any number'),
})

/** The values of a part's form. */
export function partValues(part: Part): Record<string, string> {
  const { kind, sku, brand, name, facts, priceCents, costCents, isOnSale, version } = part
  return {
    kind,
    sku,
    brand,
    name,
    price: (priceCents / 100).toFixed(2),
    cost: costCents === null ? '' : (costCents / 100).toFixed(2),
    sale: isOnSale ? 'on' : 'off',
    version: String(version),
    ...facts,
  }
}

/** The columns of the file of parts, by field. */
export const partColumns: Readonly<Record<string, string>> = {
  sku: 'SKU',
  kind: 'Kind',
  brand: 'Brand',
  name: 'Name',
  price: 'Price',
  cost: 'Cost',
  sale: 'For sale',
  version: 'Version',
  ...Object.fromEntries(partKinds.flatMap(({ fields }) => fields.map(({ key, label }) => [key, label]))),
}

/** The fields of columns that a file can lack. */
const optionalColumns: ReadonlySet<string> = new Set(['cost', 'version', ...factKeys])

/** The columns that a file of parts needs, and the others. */
export const partFileColumns = {
  required: Object.keys(partColumns).flatMap((key) => (optionalColumns.has(key) ? [] : [partColumns[key] ?? key])),
  optional: Object.keys(partColumns).flatMap((key) => (optionalColumns.has(key) ? [partColumns[key] ?? key] : [])),
}
export const maxPartFileBytes = 256 * 1024
export const maxPartFileRows = 1_000
export const partFileLimits = `up to ${countOf(maxPartFileRows, 'row')} and ${maxPartFileBytes / 1024} kB`
