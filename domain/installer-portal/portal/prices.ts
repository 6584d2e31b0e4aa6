/** A shop's price list and service durations, with form and examples. Safe in the browser. */
import {
  quoteInstallation,
  serviceKinds,
  usualTimes,
  type Job,
  type JobTimes,
  type ServicePrice,
  type ShopLimits,
  type ShopRate,
  type TireSpec,
} from '#domain/scheduling/installers/installers.ts'
import { parseDollars } from '#platform/money.ts'
import { z } from 'zod'
import { readDay } from './own-job-form.ts'
import { priceField, pricesStepForm } from './set-up-form.ts'
import { pricedJobs, rimBands } from './set-up.ts'

/** How far ahead a price list may start. */
export const pricesDaysAhead = 366
/** The most price lists to come of one shop. */
export const mostPriceLists = 12

/** Returns the name of the minutes-per-tire field for a price. */
export function minutesField(job: Job, rimFromIn: number): string {
  return `${priceField(job, rimFromIn)}-minutes`
}

/** Returns the names of the fields for a service without new tires. */
export function serviceFields(service: string): { price: string; minutes: string } {
  return { price: `service-${service}`, minutes: `service-${service}-minutes` }
}

/** The most that a shop may charge for a service, and its shortest and longest duration, per unit. */
const serviceLimits = { priceCents: 100_000, leastMinutes: 5, mostMinutes: 240 }

/** A job's additional minutes by field, excluding its tires. */
export const timeFields: readonly { name: keyof JobTimes; least?: number; most: number; label: string }[] = [
  { name: 'takeInMinutes', most: 60, label: 'Taking the car in, per job' },
  { name: 'sensorMinutes', most: 15, label: 'Pressure sensor service, per tire' },
  { name: 'dualMinutes', most: 120, label: 'Dual rear wheels, per job of six tires' },
  { name: 'alignmentMinutes', least: 15, most: 180, label: 'Wheel alignment, in shop jobs' },
]

const typedText = z.string().optional()
const typedAmount = typedText.meta({ formUnit: 'cents', description: 'In cents' })
const typedMinutes = typedText.meta({ formUnit: 'number', description: 'In minutes' })
/** `basedOn` is the version of the price lists that the form was read with. */
const pricesFields: Readonly<Record<string, typeof typedText>> = {
  from: typedText.meta({ description: 'The first day, such as 2027-03-01' }),
  basedOn: typedText,
  kit: typedAmount,
  disposal: typedAmount,
  ...Object.fromEntries(
    pricedJobs.flatMap(({ job }) =>
      rimBands.flatMap(([rimFromIn]) => [
        [priceField(job, rimFromIn), typedAmount],
        [minutesField(job, rimFromIn), typedMinutes],
      ]),
    ),
  ),
  ...Object.fromEntries(timeFields.map(({ name }) => [name, typedMinutes])),
  ...Object.fromEntries(
    serviceKinds.flatMap(({ key }) => {
      const { price, minutes } = serviceFields(key)
      return [
        [price, typedAmount],
        [minutes, typedMinutes],
      ]
    }),
  ),
}

/** The form of a price list from a day on. */
export const pricesForm = z.object(pricesFields).transform((typed, issues) => {
  const from = readDay(typed['from'])
  if (!from) issues.addIssue({ code: 'custom', path: ['from'], message: 'Choose a day.' })
  const minutesOf = (name: string, least: number, most: number) => {
    const text = (typed[name] ?? '').trim()
    const minutes = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
    if (minutes >= least && minutes <= most) return minutes
    issues.addIssue({ code: 'custom', path: [name], message: `Enter whole minutes, ${least} to ${most}.` })
    return least
  }
  const prices = pricesStepForm.safeParse(typed)
  if (!prices.success)
    for (const { path, message } of prices.error.issues) issues.addIssue({ code: 'custom', path, message })
  const { serviceKitCents, disposalCents } = prices.data ?? { serviceKitCents: 0, disposalCents: 0 }
  const rates = (prices.data?.prices ?? []).map((price): ShopRate => {
    const minutesPerTire = minutesOf(minutesField(price.job, price.rimFromIn), 5, 60)
    return { ...price, serviceKitCents, disposalCents, minutesPerTire }
  })
  const times = { ...usualTimes }
  for (const { name, least = 0, most } of timeFields) times[name] = minutesOf(name, least, most)
  const services = serviceKinds.flatMap(({ key }): ServicePrice[] => {
    const fields = serviceFields(key)
    const [price, duration] = [fields.price, fields.minutes].map((name) => (typed[name] ?? '').trim())
    if (!price && !duration) return []
    const priceCents = parseDollars(price ?? '')
    if (priceCents === undefined || priceCents < 1 || priceCents > serviceLimits.priceCents) {
      const message = price ? 'Enter an amount such as 22.00.' : 'Enter a price, or remove the minutes.'
      issues.addIssue({ code: 'custom', path: [fields.price], message })
    }
    const minutes = minutesOf(fields.minutes, serviceLimits.leastMinutes, serviceLimits.mostMinutes)
    return [{ service: key, priceCents: priceCents ?? 0, minutes }]
  })
  return from ? { from, rates, times, services, basedOn: typed['basedOn'] || null } : z.NEVER
})
export type PricesFormInput = z.output<typeof pricesForm>

/** The rate of a list for the rims that are priced together. */
export function rateFor(rates: readonly ShopRate[], job: Job, rimFromIn: number): ShopRate | undefined {
  return rates.find((rate) => rate.job === job && rate.rimFromIn <= rimFromIn && rimFromIn <= rate.rimToIn)
}

/** What the form has for a list. */
export function pricesValues({
  rates,
  times,
  services,
}: {
  rates: readonly ShopRate[]
  times: JobTimes
  services: readonly ServicePrice[]
}): Record<string, string> {
  const typed = (cents: number) => (cents / 100).toFixed(2)
  const [first] = rates
  return {
    ...(first && { kit: typed(first.serviceKitCents), disposal: typed(first.disposalCents) }),
    ...Object.fromEntries(
      pricedJobs.flatMap(({ job }) =>
        rimBands.flatMap(([rimFromIn]) => {
          const rate = rateFor(rates, job, rimFromIn)
          return rate
            ? [
                [priceField(job, rimFromIn), typed(rate.installCents)],
                [minutesField(job, rimFromIn), String(rate.minutesPerTire)],
              ]
            : []
        }),
      ),
    ),
    ...Object.fromEntries(timeFields.map(({ name }) => [name, String(times[name])])),
    ...Object.fromEntries(
      services.flatMap(({ service, priceCents, minutes }) => {
        const fields = serviceFields(service)
        return [
          [fields.price, typed(priceCents)],
          [fields.minutes, String(minutes)],
        ]
      }),
    ),
  }
}

const tire = (change: Partial<TireSpec>): TireSpec => ({
  quantity: 4,
  rimIn: 17,
  aspect: 65,
  runFlat: false,
  sizeKind: 'P',
  ...change,
})
const examples: readonly { words: string; tires: TireSpec }[] = [
  { words: 'Two tires, 16 in', tires: tire({ quantity: 2, rimIn: 16 }) },
  { words: 'Four tires, 17 in', tires: tire({}) },
  { words: 'Four low-profile tires, 19 in', tires: tire({ rimIn: 19, aspect: 40 }) },
  { words: 'Four run-flat tires, 19 in', tires: tire({ rimIn: 19, aspect: 45, runFlat: true }) },
  { words: 'Four light truck tires, 17 in', tires: tire({ sizeKind: 'LT', aspect: 70 }) },
  { words: 'Six light truck tires, 17 in, dual rear wheels', tires: tire({ quantity: 6, sizeKind: 'LT', aspect: 70 }) },
]

/** How long jobs take by a list and what their shopper pays for the work; `minutes` null for one it does not take. */
export function jobExamples(list: {
  rates: readonly ShopRate[]
  times: JobTimes
  limits: ShopLimits
}): { words: string; minutes: number | null; cents: number }[] {
  return examples.map(({ words, tires }) => {
    const quote = quoteInstallation(list, [tires])
    return quote.ok
      ? {
          words,
          minutes: quote.value.minutes,
          cents: quote.value.installCents + quote.value.serviceKitCents + quote.value.disposalCents,
        }
      : { words, minutes: null, cents: 0 }
  })
}
