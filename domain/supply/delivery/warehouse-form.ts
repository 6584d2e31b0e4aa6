/** The form of a warehouse. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import { emptyOr, rowFields, tickedNames } from '#platform/form-fields.ts'
import { hoursFields, readWeek } from '#platform/week-hours.ts'
import { WAREHOUSE_PICKUP_READY_HOURS } from '#platform/business-constants.ts'
import { carrierNames, type CarrierName } from './carriers.ts'
import { pickupKeptDays, pickupReadyHours, standardKeptDays } from './pickup-hours.ts'
import { standardTransit, transitZones, type TransitZone } from './transit.ts'

const time = (message: string) => z.string(message).regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, message)

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

const transitMessage = 'Enter a whole number of days from 1 to 30.'

/** The days in transit to a zone; null if empty, which needs the zone to be off. */
const transitField = (standard: number, where: string) =>
  z
    .string(transitMessage)
    .trim()
    .regex(/^\d{0,2}$/, transitMessage)
    .transform((text) => (text === '' ? null : Number(text)))
    .pipe(z.int(transitMessage).min(1, transitMessage).max(30, transitMessage).nullable())
    .meta({ formUnit: 'number', description: `Business days in transit ${where}, 1 to 30` })
    .prefault(String(standard))

/** The switches, days, and carriers of the zones. */
export const zoneFields = {
  near: { ships: 'zoneNear', days: 'transitNear', carrier: 'carrierNear' },
  mid: { ships: 'zoneMid', days: 'transitMid', carrier: 'carrierMid' },
  far: { ships: 'zoneFar', days: 'transitFar', carrier: 'carrierFar' },
  AK: { ships: 'zoneAlaska', days: 'transitAlaska', carrier: 'carrierAlaska' },
  HI: { ships: 'zoneHawaii', days: 'transitHawaii', carrier: 'carrierHawaii' },
  TERRITORY: { ships: 'zoneTerritories', days: 'transitTerritories', carrier: 'carrierTerritories' },
} as const satisfies Record<TransitZone, { ships: string; days: string; carrier: string }>

const zoneField = (where: string) =>
  z
    .enum(['on', 'off'], 'Choose whether it ships there.')
    .default('on')
    .meta({ description: `Whether it ships ${where}; if not, it needs no transit days there` })

type ZoneCarrierField = (typeof zoneFields)[TransitZone]['carrier']

const zoneCarrierField = (where: string) =>
  emptyOr(z.enum(carrierNames, 'Choose a carrier.')).meta({ description: `The first choice for labels ${where}` })

/** A warehouse buys its labels from the carrier, or staff create them and enter tracking numbers. */
export const labelWays = ['carrier', 'by-hand'] as const

/** A supplier's warehouse ships to its region or everywhere. */
export const supplierPools = ['local', 'nationwide'] as const

/** Whether shoppers can choose to pick up at a warehouse. */
export const pickupChoices = ['on', 'off'] as const

const oneOf = (numbers: readonly number[], standard: number, description: string) =>
  z
    .enum(numbers.map(String), 'Choose one of the list.')
    .transform(Number)
    .meta({ formUnit: 'number', description: `${description}, one of ${numbers.join(', ')}` })
    .prefault(String(standard))

/** Weekdays on which a warehouse ships by default. */
export const standardShipDays: readonly number[] = [1, 2, 3, 4, 5]

/** The checkboxes of the days on which it ships, by weekday from 1, Monday. */
export const shipDayFields: ReadonlyMap<number, string> = new Map(
  hoursFields.map(({ weekday }) => [weekday, `ships-${weekday}`]),
)

/** The checkbox of a carrier. */
export function carrierField(name: CarrierName): `carrier-${CarrierName}` {
  return `carrier-${name}`
}

/** A carrier's place, from 1. */
export function carrierPlaceField(name: CarrierName): `place-${CarrierName}` {
  return `place-${name}`
}

/** Returns the checked carriers by place, or without places in the order of their fields. */
function readCarriers(typed: Readonly<Record<string, unknown>>): CarrierName[] {
  const names = Object.keys(typed).flatMap((field) => carrierNames.filter((name) => field === carrierField(name)))
  const placeOf = (name: CarrierName) => Number(typed[carrierPlaceField(name)] ?? 0)
  return names
    .filter((name) => typed[carrierField(name)] === '1')
    .toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Returns the chosen carrier of each of `transitZones`, or an empty list without one. */
function readZoneCarriers(typed: Readonly<Record<ZoneCarrierField, CarrierName | null>>): (CarrierName | null)[] {
  const carriers = transitZones.map((zone) => typed[zoneFields[zone].carrier])
  return carriers.every((name) => name === null) ? [] : carriers
}

const placeMessage = 'Choose a different place for each carrier.'

/** Adds to `issues` at each checked carrier with an unknown place or another carrier's. */
function checkPlaces(typed: Readonly<Record<string, unknown>>, issues: Pick<z.core.$RefinementCtx, 'addIssue'>): void {
  const taken = new Set<unknown>()
  for (const name of readCarriers(typed)) {
    const field = carrierPlaceField(name)
    const place = typed[field]
    if (place === undefined) continue
    if (taken.has(place) || !carrierNames.some((_, index) => String(index + 1) === place))
      issues.addIssue({ code: 'custom', path: [field], message: placeMessage })
    taken.add(place)
  }
}

/** The optional cutoffs of the weekdays, by weekday from 1, Monday. */
export const dayCutoffFields: ReadonlyMap<number, string> = new Map(
  hoursFields.map(({ weekday }) => [weekday, `cutoff-${weekday}`]),
)

/**
 * Reads the cutoffs of the weekdays, null where the field is empty, or an empty list if all are. Adds to `issues` at each field that
 * isn't a time.
 */
function readDayCutoffs(
  typed: Readonly<Record<string, unknown>>,
  issues?: Pick<z.core.$RefinementCtx, 'addIssue'>,
): (string | null)[] {
  const cutoffs = [...dayCutoffFields.values()].map((field) => {
    const value = typed[field]
    const text = typeof value === 'string' ? value.trim() : ''
    const message = 'Enter a time, or leave it empty.'
    if (text !== '' && !time(message).safeParse(text).success)
      issues?.addIssue({ code: 'custom', path: [field], message })
    return text === '' ? null : text
  })
  return cutoffs.every((cutoff) => cutoff === null) ? [] : cutoffs
}

const maxClosedDays = 60

const closedDaysField = z
  .string()
  .trim()
  .max(1_000, 'At most 1,000 characters.')
  .default('')
  .transform((text) => [...new Set(text.split(/[\s,]+/).filter((day) => day !== ''))].toSorted())
  .pipe(
    z
      .array(z.string())
      .max(maxClosedDays, `Enter up to ${countOf(maxClosedDays, 'day')}.`)
      .superRefine((days, issues) => {
        const wrong = days.find((day) => !isDay(day))
        if (wrong === undefined) return
        const message = `“${wrong.slice(0, 20)}” isn’t a day. Enter one day per line, such as 2026-12-24.`
        issues.addIssue({ code: 'custom', message })
      }),
  )

const line = (noun: string, max: number) =>
  z
    .string(`Enter the ${noun}.`)
    .trim()
    .min(1, `Enter the ${noun}.`)
    .max(max, `Enter a ${noun} of at most ${countOf(max, 'character')}.`)

/** Time zones that staff can choose. By default, a warehouse has the ZIP code’s. */
export const warehouseTimeZones: Readonly<Record<string, string>> = {
  'America/New_York': 'Eastern',
  'America/Chicago': 'Central',
  'America/Denver': 'Mountain',
  'America/Phoenix': 'Arizona',
  'America/Los_Angeles': 'Pacific',
  'America/Anchorage': 'Alaska',
  'Pacific/Honolulu': 'Hawaii',
  'America/Puerto_Rico': 'Atlantic',
}

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
    timeZone: emptyOr(z.string().refine((zone) => Object.hasOwn(warehouseTimeZones, zone), 'Choose a time zone.')).meta(
      {
        description: `Its time zone, one of ${Object.keys(warehouseTimeZones).join(', ')}; the ZIP code’s without one`,
      },
    ),
    cutoff: time('Enter the cut-off time.'),
    handlingDays: daysField({ min: 0, max: 10, standard: 0 }, 'Business days until the warehouse ships an order'),
    transitNear: transitField(standardTransit.near, 'within 500 miles'),
    transitMid: transitField(standardTransit.mid, 'from 500 to 1,200 miles'),
    transitFar: transitField(standardTransit.far, 'beyond 1,200 miles'),
    transitAlaska: transitField(standardTransit.AK, 'to Alaska'),
    transitHawaii: transitField(standardTransit.HI, 'to Hawaii'),
    transitTerritories: transitField(standardTransit.TERRITORY, 'to the territories'),
    zoneNear: zoneField('within 500 miles'),
    zoneMid: zoneField('from 500 to 1,200 miles'),
    zoneFar: zoneField('beyond 1,200 miles'),
    zoneAlaska: zoneField('to Alaska'),
    zoneHawaii: zoneField('to Hawaii'),
    zoneTerritories: zoneField('to the territories'),
    carrierNear: zoneCarrierField('within 500 miles'),
    carrierMid: zoneCarrierField('from 500 to 1,200 miles'),
    carrierFar: zoneCarrierField('beyond 1,200 miles'),
    carrierAlaska: zoneCarrierField('to Alaska'),
    carrierHawaii: zoneCarrierField('to Hawaii'),
    carrierTerritories: zoneCarrierField('to the territories'),
    labels: z.enum(labelWays, 'Choose where shipping labels come from.').default('carrier'),
    carriers: tickedNames('carrier', carrierNames).optional().meta({
      description:
        'The only carriers that it ships with; any carrier without one. The first that takes a parcel sells its label',
    }),
    /** The supplier that holds the tires; empty for the store itself. */
    supplier: emptyOr(z.string().regex(/^[1-9]\d{0,4}$/, 'Choose who holds the tires.')),
    pool: z.enum(supplierPools, 'Choose where it ships to.').default('local'),
    branch: emptyOr(
      z.string().regex(/^[A-Za-z0-9._-]{1,40}$/, 'Enter up to 40 letters, digits, dots, dashes and underscores.'),
    ).meta({ description: 'The warehouse’s ID in the supplier’s availability service' }),
    /** If a program leaves it out, a warehouse with pickup hours offers pickup. */
    pickup: emptyOr(z.enum(pickupChoices, 'Choose whether shoppers can pick up orders.')),
    pickupReadyHours: oneOf(pickupReadyHours, WAREHOUSE_PICKUP_READY_HOURS, 'Hours until an order is ready for pickup'),
    pickupKeptDays: oneOf(pickupKeptDays, standardKeptDays, 'Days that a ready order is kept'),
    pickupNote: z
      .string()
      .trim()
      .max(300, 'At most 300 characters.')
      .default('')
      .meta({ description: 'Directions to the counter for customers' }),
    version: z.coerce.number().int().min(0).default(0),
    /** Days without row are closed. A warehouse without ship days ships from Monday to Friday. */
    hours: rowFields<unknown>({
      key: 'weekday',
      fields: { opens: 'text', closes: 'text', ships: 'checkbox', cutoff: 'text' },
    })
      .optional()
      .meta({ description: 'Pickup hours, whether it ships, and its own cutoff, by weekday from 1, Monday' }),
    closedDays: closedDaysField,
  })
  .catchall(z.string().max(20, 'Write times as 08:00.'))
  .superRefine((typed, issues) => {
    readDayCutoffs(typed, issues)
    checkPlaces(typed, issues)
    const chosen = readCarriers(typed)
    for (const { ships, days, carrier } of Object.values(zoneFields)) {
      if (typed[days] === null && typed[ships] === 'on')
        issues.addIssue({ code: 'custom', path: [days], message: transitMessage })
      const first = typed[carrier]
      if (first !== null && chosen.length > 0 && !chosen.includes(first))
        issues.addIssue({
          code: 'custom',
          path: [carrier],
          message: `Turn ${first} on above, or choose another carrier.`,
        })
    }
    if (readWeek(typed, issues).length === 0 && typed.pickup === 'on')
      issues.addIssue({ code: 'custom', path: ['pickup'], message: 'Enter pickup hours for at least one day.' })
  })
  .transform((typed) => {
    const { code, name, street, zip, cutoff, handlingDays, closedDays, labels, supplier, pool, version } = typed
    const { branch, pickup, pickupReadyHours: readyHours, pickupKeptDays: keptDays, pickupNote } = typed
    const week = readWeek(typed)
    const shipDays = [...shipDayFields].flatMap(([weekday, field]) => (typed[field] === '1' ? [weekday] : []))
    return {
      code,
      name,
      street,
      zip,
      timeZone: typed.timeZone,
      cutoff,
      dayCutoffs: readDayCutoffs(typed),
      handlingDays,
      transit: {
        near: typed.transitNear ?? standardTransit.near,
        mid: typed.transitMid ?? standardTransit.mid,
        far: typed.transitFar ?? standardTransit.far,
        AK: typed.transitAlaska ?? standardTransit.AK,
        HI: typed.transitHawaii ?? standardTransit.HI,
        TERRITORY: typed.transitTerritories ?? standardTransit.TERRITORY,
      },
      unservedZones: transitZones.filter((zone) => typed[zoneFields[zone].ships] === 'off'),
      shipDays: shipDays.length > 0 ? shipDays : [...standardShipDays],
      closedDays,
      // A supplier chooses its carriers itself.
      carriers: supplier === null ? readCarriers(typed) : [],
      zoneCarriers: supplier === null ? readZoneCarriers(typed) : [],
      shipsByHand: labels === 'by-hand',
      supplierId: supplier === null ? null : Number(supplier),
      pool,
      branch: supplier === null ? null : branch,
      version,
      // A supplier's tires are only shipped and never picked up.
      hours: supplier === null ? week : [],
      offersPickup: supplier === null && pickup !== 'off' && week.length > 0,
      pickupReadyHours: readyHours,
      pickupKeptDays: keptDays,
      pickupNote,
    }
  })

export type WarehouseDraft = z.output<typeof warehouseForm>

function isDay(text: string): boolean {
  return /^20\d\d-\d\d-\d\d$/.test(text) && z.iso.date().safeParse(text).success
}
