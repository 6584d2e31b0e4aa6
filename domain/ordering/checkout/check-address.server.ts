/**
 * Requires the shopper to confirm an address that a driver may not find. Checks it against the catalog's places and,
 * for shipped tires, with the carrier. A confirmed address is accepted, because both sources can be wrong about a new
 * street.
 */
import { createHash } from 'node:crypto'
import { addressMessages } from '#content/messages/addresses.ts'
import {
  isSameAddress,
  isSameCity,
  isStreet,
  plainStreet,
  type StreetAddress,
} from '#domain/supply/delivery/delivery.ts'
import { findShopsAtZip } from '#domain/scheduling/installers/installers.server.ts'
import type { Carrier } from '#domain/ordering/orders/carrier.port.ts'
import { listCitiesAround } from '#domain/kernel/places/places.server.ts'
import type { Place } from '#domain/kernel/places/places.ts'
import type { Database } from '#platform/db.ts'

export type AddressDeps = { db: Database; carrier?: Pick<Carrier, 'verifyAddress'> }

/** A question about an address, with the recommended spelling. Sending `key` confirms this exact address. */
export type AddressAdvice = { words: string; recommended: StreetAddress | null; key: string }

/**
 * Returns a fingerprint of an address, which the shopper sends to confirm it. A changed address needs a new
 * confirmation.
 */
export function addressFingerprint({ address1, address2, city, state, zip }: StreetAddress): string {
  const whole = JSON.stringify([address1, address2, city, state, zip])
  return createHash('sha256').update(whole).digest('base64url').slice(0, 22)
}

/**
 * Checks an address with the ZIP code at `place`. Its street must name a building or road, and its city must be in or
 * near the ZIP code. With `isDelivered`, the carrier must find it too, unless the carrier is unavailable. Returns
 * undefined if the address passes.
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

/** Returns the shop at an address if it takes jobs for this store; otherwise undefined. */
export async function findShopAt(
  { db }: { db: Database },
  { address1, zip }: Pick<StreetAddress, 'address1' | 'zip'>,
): Promise<{ id: number; name: string } | undefined> {
  const street = plainStreet(address1)
  return (await findShopsAtZip({ db }, zip)).find((shop) => plainStreet(shop.street) === street)
}
