/** The form of a state's base rate, tire fee, and taxability. Safe in the browser. */
import { z } from 'zod'
import type { TaxableKind } from '#domain/pricing/pricing/pricing.ts'
import { optionalText, ticked } from '#platform/form-fields.ts'
import { countOf } from '#platform/count-text.ts'
import { maxTireFeeText, parseTireFee } from './tire-fee-text.ts'

/** The charges that a state may tax, as the office names them. */
export const taxableKinds = {
  tire: 'Tires',
  installation: 'Installation labor',
  shipping: 'Shipping',
  'tire-fee': 'The tire fee',
  fet: 'Federal excise tax',
  disposal: 'Disposal',
  'service-kit': 'Service kits',
  coverage: 'Tire protection',
  roadside: 'Roadside assistance',
} as const satisfies Record<TaxableKind, string>

export const taxableKindNames = Object.keys(taxableKinds) as TaxableKind[]

const maxSource = 300
const maxRatePercent = 30

const day = (message: string) =>
  z
    .string()
    .trim()
    .max(10, message)
    .default('')
    .transform((text, issue) => {
      if (text === '') return null
      if (/^20\d{2}-\d{2}-\d{2}$/.test(text))
        try {
          return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString()
        } catch {
          // The calendar doesn't have this day.
        }
      issue.addIssue({ code: 'custom', message })
      return z.NEVER
    })

/** The fields that the form and each CSV row have. Days are `YYYY-MM-DD`. */
export const stateTaxFields = {
  rate: z
    .string('Enter a percentage such as 6.25.')
    .trim()
    .max(10, 'Enter a percentage such as 6.25.')
    .regex(/^\d{1,2}(?:\.\d{1,4})? ?%?$/, 'Enter a percentage such as 6.25.')
    .transform((text) => Math.round(Number(text.replaceAll(/[ %]/g, '')) * 10_000))
    .refine((ppm) => ppm <= maxRatePercent * 10_000, `Enter at most ${maxRatePercent}%.`)
    .describe('The state’s own rate in percent, such as 6.25'),
  tireFee: z
    .string('Enter the fee.')
    .max(maxTireFeeText, `Keep this under ${countOf(maxTireFeeText, 'character')}.`)
    .transform((text, issue) => {
      const bands = parseTireFee(text)
      if (bands) return bands
      issue.addIssue({ code: 'custom', message: 'Enter an amount such as 2.50, or $1.00 below 24 in; $2.00.' })
      return z.NEVER
    })
    .describe('Per new tire: $2.50, 1% up to $2.00, $1.00 below 24 in; $2.00, or None'),
  tireFeeName: optionalText(60),
  source: z
    .string('Enter the source.')
    .trim()
    .min(1, 'Enter the page or law that you checked.')
    .max(maxSource, `Keep this under ${countOf(maxSource, 'character')}.`),
  checkedOn: day('Choose the day that you checked it.'),
  startsOn: day('Choose a day.'),
}

/** Reports a verified state without the day of the check. */
export function isStateTaxVerifiable(
  { isVerified, checkedOn }: { isVerified: boolean; checkedOn: string | null },
  issues: z.RefinementCtx,
): void {
  if (isVerified && checkedOn === null)
    issues.addIssue({ code: 'custom', path: ['checkedOn'], message: 'Enter the day that you checked it.' })
}

const seenField = z
  .string()
  .regex(/^\d{1,14}$/, 'Load the page again.')
  .transform(Number)
  .meta({ formUnit: 'number', description: 'The newest change that was read' })

/** The form that returns a state to its built-in values. */
export const resetStateTaxForm = z.object({ seen: seenField })

/** The form of a state. `seen` is the newest row that the form was filled from. */
export const stateTaxForm = z
  .object({
    ...stateTaxFields,
    isVerified: ticked(),
    seen: seenField,
    ...(Object.fromEntries(taxableKindNames.map((kind) => [`taxed-${kind}`, ticked()])) as Record<
      `taxed-${TaxableKind}`,
      ReturnType<typeof ticked>
    >),
  })
  .superRefine(isStateTaxVerifiable)
  .transform(({ seen, ...typed }) => ({
    seen,
    draft: {
      ratePpm: typed.rate,
      tireFee: typed.tireFee,
      tireFeeName: typed.tireFeeName,
      taxed: taxableKindNames.filter((kind) => typed[`taxed-${kind}`]),
      source: typed.source,
      checkedOn: typed.checkedOn,
      isVerified: typed.isVerified,
      startsOn: typed.startsOn,
    },
  }))

/** What is saved of a state; `startsOn` null for now. */
export type StateTaxDraft = z.output<typeof stateTaxForm>['draft']

/** The form that cancels a scheduled change. */
export const cancelStateTaxForm = z.object({
  change: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'Load the page again.')
    .transform(Number)
    .meta({ formUnit: 'number', description: 'The `seen` of the change to cancel' }),
})
