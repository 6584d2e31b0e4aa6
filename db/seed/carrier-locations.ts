import type { Row } from './insert.ts'
import type { Place } from './places.ts'
import { randomStream } from './random.ts'
import { streetAddress } from './shop-names.ts'

/** Carrier pickup counters: one in each of `count` towns, spread over the given places. */
export function makeCarrierLocations(places: readonly Place[], count: number): Row<'carrier_location'>[] {
  const random = randomStream('carrier counters')
  const towns = [...new Map(random.shuffled(places).map((place) => [`${place.city} ${place.state}`, place])).values()]
  return towns.slice(0, count).map((place, index) => ({
    id: index + 1,
    carrier: 'Sandbox Freight',
    name: `Carrier counter, ${place.city}`,
    street: streetAddress(random),
    city: place.city,
    state: place.state,
    zip: place.zip,
    latitude: place.latitude,
    longitude: place.longitude,
    hours: random.pick(['Mon–Fri 9–6', 'Mon–Fri 8:30–7, Sat 9–3', 'Mon–Sat 10–8', 'Every day 9–9']),
  }))
}
