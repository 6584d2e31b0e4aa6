/** The form of a warehouse. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { emptyOr } from '#platform/form-fields.ts'
import { standardTransit } from './transit.ts'

const time = (message: string) => z.string(message).regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, message)

const optionalTime = z
  .string()
  .trim()
  .default('')
  .transform((text) => text || null)
  .pipe(time('Enter a time such as 8:00 AM.').nullable())

/** Whole days within limits; `standard` if a program leaves them out. */
function daysField({ min, max, standard }: { min: number; max: number; standard: number }, description: string) {
  const message = `Enter a whole number of days from ${min} to ${max}.`
  return z
    .string(message)
    .trim()
    .regex(/^\d{1,2}$/, message)
    .transform(Number)
    .pipe(z.int(message).min(min, message).max(max, message))
    .meta({ formUnit: 'number', description: `${description}, ${min} to ${max}` })
    .prefault(String(standard))
}

const transitField = (standard: number, where: string) =>
  daysField({ min: 1, max: 30, standard }, `Business days in transit ${where}`)

/** A warehouse buys its labels from the carrier, or staff create them and enter tracking numbers. */
export const labelWays = ['carrier', 'by-hand'] as const

/** A supplier's warehouse ships to its region or everywhere. */
export const supplierPools = ['local', 'nationwide'] as const

/** Whether shoppers can choose to pick up at a warehouse. */
export const pickupChoices = ['on', 'off'] as const

/** The days that share opening hours, as numbers from 1 for Monday. */
export const counterDays = { weekdays: [1, 2, 3, 4, 5], saturday: [6], sunday: [7] } as const
export type CounterDays = keyof typeof counterDays

const line = (noun: string, max: number) =>
  z
    .string(`Enter the ${noun}.`)
    .trim()
    .min(1, `Enter the ${noun}.`)
    .max(max, `Enter a ${noun} of at most ${countOf(max, 'character')}.`)

/** The warehouse form. Pickup needs hours on at least one day. */
export const warehouseForm = z
  .object({
    code: z
      .string('Enter a code.')
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9]{2,10}$/, 'Enter a code of 2 to 10 letters and digits.'),
    name: line('name', 60),
    street: line('street', 100),
    zip: z
      .string('Enter a ZIP code.')
      .trim()
      .regex(/^\d{5}$/, 'Enter a ZIP code of 5 digits.'),
    cutoff: time('Enter the cutoff time.'),
    handlingDays: daysField({ min: 0, max: 10, standard: 0 }, 'Business days until the warehouse ships an order'),
    transitNear: transitField(standardTransit.near, 'within 500 miles'),
    transitMid: transitField(standardTransit.mid, 'from 500 to 1,200 miles'),
    transitFar: transitField(standardTransit.far, 'beyond 1,200 miles'),
    transitAlaska: transitField(standardTransit.AK, 'to Alaska'),
    transitHawaii: transitField(standardTransit.HI, 'to Hawaii'),
    transitTerritories: transitField(standardTransit.TERRITORY, 'to the territories'),
    labels: z.enum(labelWays, 'Choose where shipping labels come from.').default('carrier'),
    /** The supplier that holds the tires; empty for the store itself. */
    supplier: emptyOr(z.string().regex(/^[1-9]\d{0,4}$/, 'Choose who holds the tires.')),
    pool: z.enum(supplierPools, 'Choose where it ships to.').default('local'),
    /** If a program leaves it out, a warehouse with pickup hours offers pickup. */
    pickup: emptyOr(z.enum(pickupChoices, 'Choose whether shoppers can pick up orders.')),
    version: z.coerce.number().int().min(0).default(0),
    weekdaysOpens: optionalTime,
    weekdaysCloses: optionalTime,
    saturdayOpens: optionalTime,
    saturdayCloses: optionalTime,
    sundayOpens: optionalTime,
    sundayCloses: optionalTime,
  })
  .superRefine((typed, issues) => {
    for (const days of Object.keys(counterDays) as CounterDays[]) {
      const { opens, closes } = hoursOn(typed, days)
      if ((opens === null) !== (closes === null))
        issues.addIssue({
          code: 'custom',
          path: [opens === null ? `${days}Opens` : `${days}Closes`],
          message: 'Enter both times, or neither.',
        })
      if (opens !== null && closes !== null && opens >= closes)
        issues.addIssue({ code: 'custom', path: [`${days}Closes`], message: 'Closing must be after opening.' })
    }
    if (typed.pickup === 'on' && hoursIn(typed).length === 0)
      issues.addIssue({ code: 'custom', path: ['pickup'], message: 'Enter pickup hours for at least one day.' })
  })
  .transform(
    ({ code, name, street, zip, cutoff, handlingDays, labels, supplier, pool, pickup, version, ...fields }) => ({
      code,
      name,
      street,
      zip,
      cutoff,
      handlingDays,
      transit: {
        near: fields.transitNear,
        mid: fields.transitMid,
        far: fields.transitFar,
        AK: fields.transitAlaska,
        HI: fields.transitHawaii,
        TERRITORY: fields.transitTerritories,
      },
      shipsByHand: labels === 'by-hand',
      supplierId: supplier === null ? null : Number(supplier),
      pool,
      version,
      // A supplier's tires are only shipped and never picked up.
      hours: supplier === null ? hoursIn(fields) : [],
      offersPickup: supplier === null && pickup !== 'off' && hoursIn(fields).length > 0,
    }),
  )

type Times = Readonly<Record<`${CounterDays}${'Opens' | 'Closes'}`, string | null>>

function hoursIn(times: Times): { weekday: number; opens: string; closes: string }[] {
  return (Object.keys(counterDays) as CounterDays[]).flatMap((days) => {
    const { opens, closes } = hoursOn(times, days)
    return opens === null || closes === null ? [] : counterDays[days].map((weekday) => ({ weekday, opens, closes }))
  })
}

function hoursOn(times: Times, days: CounterDays) {
  return { opens: times[`${days}Opens`], closes: times[`${days}Closes`] }
}

export type WarehouseDraft = z.output<typeof warehouseForm>
