/** The services that shops can offer without new tires. Safe in the browser. */

/**
 * A service with its name, and how shops price it, by vehicle or by tire. `usualMinutes` is how long one takes at most
 * shops.
 */
type ServiceKind = {
  key: string
  name: string
  note: string
  unit: 'vehicle' | 'tire'
  usualMinutes: number
}

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
  },
  {
    key: 'flat-repair',
    name: 'Flat repair',
    note: 'A puncture in the tread, plugged and patched from inside',
    unit: 'tire',
    usualMinutes: 30,
  },
  {
    key: 'alignment',
    name: 'Wheel alignment',
    note: 'All wheels measured and set to the vehicle’s specification',
    unit: 'vehicle',
    usualMinutes: 60,
  },
  {
    key: 'sensors',
    name: 'Pressure sensor service',
    note: 'New seals and valve core, and the sensor checked',
    unit: 'tire',
    usualMinutes: 15,
  },
  {
    key: 'changeover',
    name: 'Seasonal changeover',
    note: 'Your other set of mounted wheels put on',
    unit: 'vehicle',
    usualMinutes: 40,
  },
]

/** Returns the services that a price list has, in the order of their kinds. A kind that was removed is left out. */
export function offeredServices(prices: readonly ServicePrice[]): (ServiceKind & ServicePrice)[] {
  return serviceKinds.flatMap((kind) => {
    const price = prices.find(({ service }) => service === kind.key)
    return price ? [{ ...kind, ...price }] : []
  })
}
