/** The forms of a new shop's set-up. Safe in the browser. */
import { openingWeek } from '#domain/scheduling/installers/installers.ts'
import { parseDollars } from '#platform/money.ts'
import { z } from 'zod'
import { mostBays, pricedJobs, rimBands, slotLengths, tireMinutes } from './set-up.ts'
import type { Job } from '#domain/scheduling/installers/installers.ts'

/** The most a shop may ask per tire. */
const mostCents = 50_000

/** The days as typed; at least one is open. */
export const hoursStepForm = openingWeek('Enter your hours for at least one day.')

function count(least: number, message: string) {
  return z.string(message).transform((text, issue) => {
    const given = /^\d{1,2}$/.test(text.trim()) ? Number(text) : Number.NaN
    if (given >= least && given <= mostBays) return given
    issue.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

export const baysStepForm = z.object({
  bays: count(1, `Enter the number of bays, from 1 to ${mostBays}.`),
  dropOffs: count(0, `Enter the number of cars you can keep, from 0 to ${mostBays}.`),
})

const amountMessage = 'Enter an amount such as 22.00.'

/** The field of one price. */
export function priceField(job: Job, rimFromIn: number): string {
  return `${job}-${rimFromIn}`
}

const priceFields = pricedJobs.flatMap(({ job, isRequired }) =>
  rimBands.map(([rimFromIn, rimToIn]) => ({ name: priceField(job, rimFromIn), job, isRequired, rimFromIn, rimToIn })),
)

type PriceInput = { job: Job; rimFromIn: number; rimToIn: number; installCents: number }

/** Prices per tire by rim and kind of work. A kind the agreement does not ask for may be left empty as a whole. */
export const pricesStepForm = z.record(z.string(), z.string().optional()).transform((typed, issues) => {
  const textOf = (name: string) => (typed[name] ?? '').trim()
  const centsOf = (name: string, leastCents: number, empty = amountMessage) => {
    const cents = parseDollars(textOf(name))
    if (cents !== undefined && cents >= leastCents && cents <= mostCents) return cents
    issues.addIssue({ code: 'custom', path: [name], message: textOf(name) === '' ? empty : amountMessage })
    return 0
  }
  const isTaken = (job: Job) => priceFields.some((field) => field.job === job && textOf(field.name) !== '')
  return {
    prices: priceFields
      .filter(({ job, isRequired }) => isRequired || isTaken(job))
      .map(({ name, job, rimFromIn, rimToIn }): PriceInput => {
        const installCents = centsOf(name, 1, 'Enter a price. The agreement covers every rim size.')
        return { job, rimFromIn, rimToIn, installCents }
      }),
    serviceKitCents: centsOf('kit', 0),
    disposalCents: centsOf('disposal', 0),
  }
})
export type PricesInput = z.output<typeof pricesStepForm>

function oneOf(choices: readonly number[], message: string) {
  return z.string(message).transform((text, issue) => {
    const found = choices.find((choice) => String(choice) === text)
    if (found !== undefined) return found
    issue.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

/** Minutes per tire by kind of work, and how often a car may start. A kind without prices is left out. */
export const lengthsStepForm = z
  .object({
    slot: oneOf(slotLengths, 'Choose how often a car may start.'),
    ...Object.fromEntries(
      pricedJobs.map(({ job }) => [job, oneOf(tireMinutes, 'Choose the minutes per tire.').optional()]),
    ),
  })
  .transform((typed) => {
    const given = typed as Record<string, number | undefined>
    return {
      slotMinutes: typed.slot,
      minutes: pricedJobs.flatMap(({ job }) => {
        const minutes = given[job]
        return minutes === undefined ? [] : [{ job, minutes }]
      }),
    }
  })
export type LengthsInput = z.output<typeof lengthsStepForm>

export const blackoutForm = z.object({
  on: z
    .string('Choose a day.')
    .regex(/^20\d{2}-\d{2}-\d{2}$/, 'Choose a day.')
    .refine(isDay, 'Choose a day.'),
  reason: z
    .string('Say why, such as Inventory.')
    .trim()
    .min(1, 'Say why, such as Inventory.')
    .max(60, 'Please keep this under 60 characters.'),
})

function isDay(text: string): boolean {
  try {
    Temporal.PlainDate.from(text)
    return true
  } catch {
    return false
  }
}
