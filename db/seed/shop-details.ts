/** A shop's bays, hours, closures, and rates. */
import { federalHolidays } from './holidays.ts'
import type { Row } from '#db/insert-rows.ts'
import { randomStream } from './random.ts'
import type { Shop } from './shops.ts'
import { installerAgreement, serviceKinds } from '#domain/scheduling/installers/installers.ts'

type Bay = Row<'shop_bay'>

/** Two to eight bays and some drop-off places; a van is a single mobile bay. */
export function baysOf(shops: readonly Shop[]): Bay[] {
  const bays: Bay[] = []
  for (const shop of shops) {
    const random = randomStream(`bays ${shop.code}`)
    const counts =
      shop.name === 'Halsted Tire'
        ? { bay: 3, 'drop-off': 3 }
        : { bay: random.weighted([2, 3, 4, 5, 6, 8], (count) => 10 - count), 'drop-off': random.between(2, 6) }
    const kinds = shop.kind === 'van' ? { bay: 1 } : counts
    for (const [kind, count] of Object.entries(kinds))
      for (let number = 1; number <= count; number++) bays.push({ id: bays.length + 1, shop_id: shop.id, kind, number })
  }
  return bays
}

/** Weekdays, most Saturdays, few Sundays. ISO weekdays. */
export function hoursOf(shops: readonly Shop[]): Row<'shop_hours'>[] {
  return shops.flatMap((shop) => {
    const random = randomStream(`hours ${shop.code}`)
    const isPlain = shop.name === 'Halsted Tire'
    const weekday = isPlain
      ? ['08:00', '17:00']
      : [
          random.pick(['07:00', '07:30', '08:00', '08:00', '08:00', '08:30']),
          random.pick(['17:00', '17:30', '18:00', '18:00', '19:00']),
        ]
    const days: [number, string[]][] = [1, 2, 3, 4, 5].map((day) => [day, weekday])
    if (isPlain || random.chance(0.82) || shop.amenities?.includes('Open Saturday'))
      days.push([6, ['08:00', isPlain ? '15:00' : random.pick(['13:00', '14:00', '15:00', '16:00', '17:00'])]])
    if (!isPlain && random.chance(0.07)) days.push([7, ['10:00', random.pick(['15:00', '16:00'])]])
    return days.map(([day, [opens = '08:00', closes = '17:00']]) => ({ shop_id: shop.id, weekday: day, opens, closes }))
  })
}

/**
 * Returns closures from the previous month, which sample orders reach, to 13 months ahead. Every shop closes on major
 * federal holidays, a third on all of them, and some take a week off.
 */
export function closuresOf(shops: readonly Shop[], today: Temporal.PlainDate): Row<'shop_closure'>[] {
  const holidays = federalHolidays(today.subtract({ months: 1 }), 14)
  return shops.flatMap((shop) => {
    const random = randomStream(`closures ${shop.code}`)
    const takesAll = random.chance(0.33)
    const days = new Map(
      holidays
        .filter((holiday) => takesAll || holiday.everyoneCloses)
        .map((holiday) => [holiday.date.toString(), holiday.name]),
    )
    if (shop.name !== 'Halsted Tire' && random.chance(0.06)) {
      const start = today.add({ days: random.between(20, 300) })
      for (let day = 0; day < 5; day++) days.set(start.add({ days: day }).toString(), 'Closed for vacation')
    }
    return [...days].map(([closed_on, reason]) => ({ shop_id: shop.id, closed_on, reason }))
  })
}

type Job = 'standard' | 'low-profile' | 'run-flat' | 'light-truck'

/** Rim bands in inches, and the extra dollars and minutes per tire for larger wheels. */
const bands = [
  { from: 12, to: 17.9, dollars: 0, minutes: 0 },
  { from: 18, to: 20.9, dollars: 3, minutes: 1 },
  { from: 21, to: installerAgreement.rimMaxIn, dollars: 7, minutes: 3 },
]
const jobs: Record<Job, { dollars: number; minutes: number }> = {
  standard: { dollars: 0, minutes: 0 },
  'low-profile': { dollars: 4, minutes: 2 },
  'run-flat': { dollars: 11, minutes: 6 },
  'light-truck': { dollars: 5, minutes: 3 },
}
/** Installation, sensor service kit, and disposal in cents, for shops with prices mentioned elsewhere. */
const namedPrices: Record<string, readonly [number, number, number]> = {
  'Halsted Tire': [2_200, 600, 350],
  'Ravenswood Wheel & Axle': [1_950, 600, 350],
  'Clybourn Tire & Brake': [2_600, 600, 350],
}

/** What a service costs on average, in dollars per unit. */
const serviceDollars: Readonly<Record<string, number>> = {
  rotation: 45,
  'flat-repair': 32,
  alignment: 110,
  sensors: 18,
  changeover: 80,
}

/** Prices of services without new tires, in whole dollars. Vans don't offer alignments. */
export function servicePricesOf(shops: readonly Shop[]): Row<'shop_service_price'>[] {
  return shops.flatMap((shop) => {
    const random = randomStream(`services ${shop.code}`)
    return serviceKinds
      .filter(({ key }) => (shop.kind === 'van' ? key !== 'alignment' : namedPrices[shop.name] || random.chance(0.8)))
      .map(({ key, usualMinutes }) => ({
        shop_id: shop.id,
        service: key,
        price_cents: 100 * Math.max(5, Math.round((serviceDollars[key] ?? 50) * random.normal(1, 0.08))),
        minutes: usualMinutes + 5 * random.between(0, 2),
      }))
  })
}

/** Prices per tire for each kind of work the shop takes, in half dollars. */
export function ratesOf(shops: readonly Shop[]): Row<'shop_rate'>[] {
  return shops.flatMap((shop) => {
    const random = randomStream(`rates ${shop.code}`)
    const [install, kit, disposal] = namedPrices[shop.name] ?? [
      Math.round(random.normal(shop.kind === 'van' ? 34 : 21, 3.2) * 2) * 50,
      random.pick([400, 500, 500, 600, 600, 700, 800]),
      random.pick([250, 300, 300, 350, 400, 500]),
    ]
    const minutes = namedPrices[shop.name] ? 15 : random.between(12, 16)
    const taken = (Object.keys(jobs) as Job[]).filter(
      (job) => (job !== 'run-flat' || shop.takes_run_flat) && (job !== 'light-truck' || shop.takes_light_truck),
    )
    return taken.flatMap((job) =>
      bands
        .filter((band) => band.from <= shop.rim_max_in)
        .map((band) => ({
          shop_id: shop.id,
          job,
          rim_from_in: band.from,
          rim_to_in: band.to,
          // A named price applies to both common wheel sizes, 17 and 18 inches.
          install_cents:
            install + 100 * jobs[job].dollars + 100 * (namedPrices[shop.name] && band.from === 18 ? 0 : band.dollars),
          service_kit_cents: kit,
          disposal_cents: disposal,
          minutes_per_tire: minutes + jobs[job].minutes + band.minutes,
        })),
    )
  })
}
