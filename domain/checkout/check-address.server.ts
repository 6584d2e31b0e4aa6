/**
 * Asks before an address is kept that a driver may not find: by the places of the catalog, and by the carrier where it
 * brings the tires. What the shopper keeps after that is kept: both can be wrong about a new street.
 */
import { createHash } from 'node:crypto'
import { addressMessages } from '#content/messages/addresses.ts'
import { isSameAddress, isSameCity, isStreet, plainStreet, type StreetAddress } from '#domain/delivery/delivery.ts'
import { findShopsAtZip } from '#domain/installers/installers.server.ts'
import type { Carrier } from '#domain/orders/carrier.port.ts'
import { listCitiesAround } from '#domain/places/places.server.ts'
import type { Place } from '#domain/places/places.ts'
import type { Database } from '#platform/db.ts'

export type AddressDeps = { db: Database; carrier?: Pick<Carrier, 'verifyAddress'> }

/** What to ask about an address: why, and how it may be spelled. `key` keeps this very address as it is. */
export type AddressAdvice = { words: string; recommended: StreetAddress | null; key: string }

/** Names an address: whoever keeps it sends this, and a changed address is asked about again. */
export function addressFingerprint({ address1, address2, city, state, zip }: StreetAddress): string {
  const whole = JSON.stringify([address1, address2, city, state, zip])
  return createHash('sha256').update(whole).digest('base64url').slice(0, 22)
}

/**
 * Checks an address whose ZIP is at `place`: its street names a building or road, its city is of the ZIP or around it,
 * and with `isDelivered` the carrier finds it. A carrier that is away has no say. Undefined if there is nothing to ask.
 */
export async function adviseOnAddress(
  { db, carrier }: AddressDeps,
  { address, name, place, isDelivered }: { address: StreetAddress; name: string; place: Place; isDelivered: boolean },
): Promise<AddressAdvice | undefined> {
  const key = addressFingerprint(address)
  if (!isStreet([address.address1, address.address2])) return { words: addressMessages.street, recommended: null, key }
  if (!isSameCity(address.city, place.city)) {
    const cities = await listCitiesAround(db, place)
    if (!cities.some((city) => isSameCity(city, address.city)))
      return {
        words: addressMessages.city(place),
        recommended: { ...address, city: place.city },
        key,
      }
  }
  return isDelivered && carrier ? adviceOfCarrier(carrier, { address, name, key }) : undefined
}

async function adviceOfCarrier(
  carrier: Pick<Carrier, 'verifyAddress'>,
  { address, name, key }: { address: StreetAddress; name: string; key: string },
): Promise<AddressAdvice | undefined> {
  const { address1, address2, city, state, zip } = address
  const street = [address1, address2].filter(Boolean).join(', ')
  const answer = await carrier.verifyAddress({ name, street, city, state, zip })
  if (!answer.ok) return undefined
  if (!answer.value.isDeliverable) return { words: addressMessages.notFound, recommended: null, key }
  const found = answer.value.address
  const recommended: StreetAddress = {
    address1: found.street.slice(0, 100),
    address2: null,
    city: found.city,
    state: found.state,
    zip: found.zip.slice(0, 5),
  }
  return isSameAddress(recommended, address) ? undefined : { words: addressMessages.spelling, recommended, key }
}

/** The shop that stands at an address and takes jobs of this store; undefined if there is none. */
export async function findShopAt(
  { db }: { db: Database },
  { address1, zip }: Pick<StreetAddress, 'address1' | 'zip'>,
): Promise<{ id: number; name: string } | undefined> {
  const street = plainStreet(address1)
  return (await findShopsAtZip({ db }, zip)).find((shop) => plainStreet(shop.street) === street)
}
