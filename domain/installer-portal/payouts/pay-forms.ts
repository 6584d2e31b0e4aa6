/** Installer payout forms. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { payBands, payBandText, payBounds, payJobs } from './matrix.ts'

const words = (least: number, most: number, missing: string) =>
  z
    .string()
    .trim()
    .max(most, `Please keep this under ${countOf(most, 'character')}.`)
    .min(least, missing)

const submission = z.uuid('Load the page again.').describe('A new UUID per request')
const id = z.uuid('Load the page again.')
const money = z
  .string()
  .trim()
  .max(14, 'Write the amount as 22.00.')
  .regex(/^\$?\d{1,3}(?:,?\d{3}){0,1}(?:\.\d{2})?$/, 'Write the amount as 22.00.')
  .transform((text) => Math.round(Number(text.replaceAll(/[$,]/g, '')) * 100))
  .refine((cents) => 0 < cents && cents <= 10_000_00, 'From $0.01 to $10,000.00.')
  .meta({ formUnit: 'cents' })

/** A payout adjustment is an addition, a deduction, or a clawback for bad work. */
export const adjustForm = z.object({
  submission,
  kind: z.enum(['add', 'deduct', 'chargeback'], 'Choose what it is.'),
  amount: money,
  job: z.union([z.literal(''), id]).default(''),
  reason: words(3, 500, 'Say why, the shop reads it.'),
})

/** Approves or declines another person's proposal. */
export const decideForm = z.object({ adjustment: id, decision: z.enum(['approve', 'decline']) })

/** A shop's dispute of a job's payout or an adjustment. */
export const disputeForm = z.object({
  about: z
    .string()
    .regex(/^(?:job|adjustment):[0-9a-f-]{36}$/, 'Choose what it is about.')
    .transform((text) => {
      const [kind, of] = text.split(':') as ['job' | 'adjustment', string]
      return { kind, id: of }
    })
    .refine(({ id: of }) => id.safeParse(of).success, 'Choose what it is about.'),
  words: words(10, 2000, 'Describe the problem in at least 10 characters.'),
})

/** The office's answer to a dispute; with an amount, it is granted. */
export const answerForm = z.object({
  dispute: id,
  submission,
  answer: words(3, 2000, 'Write the answer, the shop reads it.'),
  granted: z
    .union([z.literal('').transform(() => null), money])
    .default(null)
    .meta({ formUnit: 'cents', description: 'In cents. The dispute is declined without it' }),
})

/** Takes a part of a transfer back from the shop's account. */
export const reverseForm = z.object({ transfer: id, submission, back: money })

/** A rate of the matrix from a day on. */
export const rateForm = z.object({
  job: z.enum(
    payJobs.map(({ job }) => job),
    'Choose the kind of job.',
  ),
  band: z
    .string()
    .regex(/^[0-4]$/, 'Choose the rims.')
    .transform((text) => payBands[Number(text) as 0 | 1 | 2 | 3 | 4])
    .meta({
      description: `Rims in inches: ${payBands.map((band, index) => `${index} is ${payBandText(band)}`).join('; ')}`,
    }),
  state: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^(?:[A-Z]{2})?$/, 'Write the state as IL, or leave it empty.')
    .transform((text) => text || null),
  amount: money.refine((cents) => payBounds.from <= cents && cents <= payBounds.to, 'From $15.00 to $24.00 a tire.'),
  startsOn: z
    .string()
    .regex(/^20\d{2}-\d{2}-\d{2}$/, 'Choose the day it starts.')
    .transform((text, issue) => {
      try {
        return Temporal.PlainDate.from(text, { overflow: 'reject' })
      } catch {
        issue.addIssue({ code: 'custom', message: 'That date doesn’t exist.' })
        return z.NEVER
      }
    }),
})

export type RateInput = z.output<typeof rateForm>
