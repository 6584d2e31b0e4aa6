/** The services that shops can offer without new tires. Safe in the browser. */
import { countOf } from '#platform/count-text.ts'

/**
 * A service with its name, and how shops price it, by vehicle or by tire. `usualMinutes` is how long one takes at most
 * shops, and `mostUnits` the most that one visit has. `storageMonths` is how long the shop stores the removed set; missing
 * for services without storage.
 */
type ServiceKind = {
  key: string
  name: string
  note: string
  unit: 'vehicle' | 'tire'
  usualMinutes: number
  mostUnits: number
  storageMonths?: number
}

/** How long shops store a set. */
const storageMonths = 6

/** A shop's price of a service in cents, and its duration, each per unit of its kind. */
export type ServicePrice = { service: string; priceCents: number; minutes: number }

/** Every kind, in the order in which pages list them. A new kind is one row here. */
export const serviceKinds: readonly ServiceKind[] = [
  {
    key: 'rotation',
    name: 'Rotation and balance',
    note: 'All four wheels balanced and moved to new positions',
    unit: 'vehicle',
    usualMinutes: 45,
    mostUnits: 1,
  },
  {
    key: 'flat-repair',
    name: 'Flat repair',
    note: 'A puncture in the tread, plugged and patched from inside',
    unit: 'tire',
    usualMinutes: 30,
    mostUnits: 4,
  },
  {
    key: 'alignment',
    name: 'Wheel alignment',
    note: 'All wheels measured and set to the vehicle’s specification',
    unit: 'vehicle',
    usualMinutes: 60,
    mostUnits: 1,
  },
  {
    key: 'sensors',
    name: 'Pressure sensor service',
    note: 'New seals and valve core, and the sensor checked',
    unit: 'tire',
    usualMinutes: 15,
    mostUnits: 4,
  },
  {
    key: 'changeover',
    name: 'Seasonal changeover',
    note: 'Your other set of mounted wheels put on',
    unit: 'vehicle',
    usualMinutes: 40,
    mostUnits: 1,
  },
  {
    key: 'changeover-storage',
    name: 'Seasonal changeover with storage',
    note: `Your other set put on, and the removed set stored at the shop for ${countOf(storageMonths, 'month')}`,
    unit: 'vehicle',
    usualMinutes: 50,
    mostUnits: 1,
    storageMonths,
  },
]

/** Returns the months for which a shop stores the removed set; null for services without storage. */
export function storageMonthsOf(service: string | null): number | null {
  return serviceKinds.find(({ key }) => key === service)?.storageMonths ?? null
}

/** Returns the services that a price list has, in the order of their kinds. A kind that was removed is left out. */
export function offeredServices(prices: readonly ServicePrice[]): (ServiceKind & ServicePrice)[] {
  return serviceKinds.flatMap((kind) => {
    const price = prices.find(({ service }) => service === kind.key)
    return price ? [{ ...kind, ...price }] : []
  })
}

/** A service to book, with its number of units. */
export type BookedService = { service: string; units: number }

/** A booked service with its price at a shop; cents and minutes per unit. */
export type QuotedService = BookedService & { name: string; eachCents: number; minutes: number }

/** Prices services at a shop; undefined if the shop doesn't offer one of them. */
export function quoteServices(
  prices: readonly ServicePrice[],
  services: readonly BookedService[],
): QuotedService[] | undefined {
  const offered = offeredServices(prices)
  const quoted = services.flatMap(({ service, units }) => {
    const kind = offered.find(({ key, mostUnits }) => key === service && units <= mostUnits)
    return kind ? [{ service, units, name: kind.name, eachCents: kind.priceCents, minutes: kind.minutes }] : []
  })
  return quoted.length === services.length ? quoted : undefined
}
