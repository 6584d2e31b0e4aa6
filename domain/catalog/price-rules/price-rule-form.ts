/** The forms of price rules. Safe in the browser. */
import { z } from 'zod'
import { dollars, emptyOr, ticked } from '#platform/form-fields.ts'

/** The endings of prices by their names in the form, in cents. */
export const priceEndings = { exact: null, '00': 0, '49': 49, '95': 95, '99': 99 } as const
type Ending = keyof typeof priceEndings

const markupMessage = 'Enter a percentage from 0 to 999, such as 22.5.'
const beatMessage = 'Enter a percentage from 0 to 50, such as 2.'
const daysMessage = 'Enter 1 to 365 days.'
const marginMessage = 'Enter a percentage from 0 to 90, such as 8.'

const percent = (message: string, most: number) =>
  z
    .string(message)
    .trim()
    .transform((text) => text || '0')
    .pipe(z.string().regex(/^\d{1,3}(?:\.\d{1,4})?$/, message))
    .transform((text) => Math.round(Number(text) * 10_000))
    .pipe(z.int().max(most * 10_000, message))
    .meta({ formUnit: 'text' })

const rowId = (message: string) =>
  emptyOr(
    z
      .string()
      .regex(/^[1-9]\d{0,8}$/, message)
      .transform(Number)
      .meta({ formUnit: 'number' }),
  )

const version = z.coerce.number().int().min(0).max(2_000_000_000).default(0)

/** A rule as it is entered. Its tires are of any brand and from any supplier if these are empty. */
export const priceRuleForm = z
  .object({
    brandId: rowId('Choose a brand.').describe('The number of the brand; empty for every brand'),
    supplierId: rowId('Choose a supplier.').describe(
      'The number of the supplier with the cheapest units in stock; empty for any, and the store’s stock',
    ),
    markup: percent(markupMessage, 999).describe('Percent on top of the cost'),
    add: emptyOr(dollars('Enter an amount in dollars, such as 5.', 1_000_000)).describe('Added after the percentage'),
    margin: percent(marginMessage, 90).describe('The minimum margin in percent of the price'),
    map: ticked().describe('Whether prices are at least the minimum advertised price'),
    days: emptyOr(
      z
        .string()
        .regex(/^[1-9]\d{0,2}$/, daysMessage)
        .transform(Number)
        .pipe(z.int().max(365, daysMessage))
        .meta({ formUnit: 'number' }),
    ).describe('The maximum age in days of competitors’ prices; empty if they don’t count'),
    beat: percent(beatMessage, 50).default(0).describe('Percent below the lowest competitor’s price; 0 matches it'),
    beatBy: emptyOr(dollars('Enter an amount in dollars, such as 2.', 1_000_000)).describe('Dollars below that'),
    ending: z
      .enum(Object.keys(priceEndings) as [Ending, ...Ending[]], 'Choose an ending.')
      .describe('The last two digits of prices, or `exact`'),
    version,
  })
  .superRefine(({ days, beat, beatBy }, issues) => {
    if (days === null && (beat > 0 || beatBy !== null))
      issues.addIssue({ code: 'custom', path: ['days'], message: daysMessage })
  })
  .transform(({ brandId, supplierId, markup, add, margin, map, days, beat, beatBy, ending, version: seen }) => ({
    brandId,
    supplierId,
    markupPpm: markup,
    addCents: add ?? 0,
    marginFloorPpm: margin,
    raisesToMap: map,
    competitorDays: days,
    competitorBeatPpm: beat,
    competitorBeatCents: beatBy ?? 0,
    endingCents: priceEndings[ending],
    version: seen,
  }))

export type PriceRuleInput = z.output<typeof priceRuleForm>

/** The form that removes a rule. */
export const priceRuleVersionForm = z.object({ version })

/** The form that makes a price import of the rules. Sent again with the same key, it returns the same import. */
export const publishPricesForm = z.object({ key: z.uuid('Send a new UUID as `key`.') })
