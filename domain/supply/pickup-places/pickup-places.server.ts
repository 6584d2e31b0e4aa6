/**
 * Which of a carrier's places keep a parcel near a ZIP. An answer is good for a day; while the carrier is away, the last
 * one is shown, with how old it is.
 */
import { heaviestTireLb } from '#domain/supply/delivery/delivery.ts'
import type { PickupPlaces } from './pickup-places.port.ts'
import {
  placesListed,
  placesWithinMiles,
  type NearbyPlace,
  type PickupPlace,
  type PlacesNear,
} from './pickup-places.ts'
import { insertAnswer, selectAnswer, selectPlace, selectPlacesAround, updatePlace } from './pickup-places.sql.server.ts'
import { findPlace, findServedPlace } from '#domain/kernel/places/places.server.ts'
import type { ZipRefusal } from '#domain/kernel/places/places.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type { PickupPlaces } from './pickup-places.port.ts'

export type PickupDeps = { db: Database; clock: Clock; pickupPlaces: PickupPlaces | null }

/** How long a carrier's response is fresh, and how long it is shown while the carrier is unavailable. */
const answerLife = { goodHours: 24, shownHours: 24 * 30 } as const

/**
 * Returns places near `zip`, nearest first. Empty if the store's carrier has no pickup places. Refuses with
 * `unavailable` while the carrier is unavailable and there is no cached result for this ZIP code.
 */
export async function findPlacesNear(
  { db, clock, pickupPlaces }: PickupDeps,
  { zip }: { zip: string },
): Promise<Outcome<PlacesNear, ZipRefusal | Refused<'unavailable'>>> {
  const place = await findServedPlace(db, zip)
  if (!place.ok) return place
  if (!pickupPlaces) return ok({ places: [], answeredAt: null, isOld: false })
  const now = clock.now()
  const known = await selectAnswer(db, zip)
  if (known && isYounger(known.answeredAt, now, answerLife.goodHours)) return ok({ ...known, isOld: false })
  const answer = await pickupPlaces.near({
    at: { zip },
    radiusMiles: placesWithinMiles,
    limit: placesListed,
    weightLb: heaviestTireLb,
  })
  if (answer.ok) {
    await insertAnswer(db, { zip, carrier: pickupPlaces.carrier, places: answer.value, at: now })
    const kept = await selectAnswer(db, zip)
    if (kept) return ok({ ...kept, isOld: false })
  }
  return known && isYounger(known.answeredAt, now, answerLife.shownHours)
    ? ok({ ...known, isOld: true })
    : refused('unavailable')
}

/**
 * Rereads a place near `zip` before it is chosen, to check that it still exists and holds parcels. While the carrier is
 * unavailable, a response from the last day is used. Refuses `not-near` for any other place.
 */
export async function readPlaceAgain(
  deps: PickupDeps,
  { zip, id }: { zip: string; id: number },
): Promise<Outcome<NearbyPlace, Refused<'not-near'> | Refused<'gone'> | Refused<'unavailable'>>> {
  const near = await findPlacesNear(deps, { zip })
  if (!near.ok) return near.reason === 'unavailable' ? near : refused('not-near')
  const place = near.value.places.find((candidate) => candidate.id === id)
  if (!place || !deps.pickupPlaces) return refused('not-near')
  const { latitude, longitude } = place
  const answer = await deps.pickupPlaces.near({
    at: { latitude, longitude },
    radiusMiles: 1,
    limit: placesListed,
    weightLb: heaviestTireLb,
  })
  if (!answer.ok) return near.value.isOld ? refused('unavailable') : ok(place)
  const again = answer.value.find(({ ref }) => ref === place.ref)
  if (!again) return refused('gone')
  await updatePlace(deps.db, place.id, again, deps.clock.now())
  return ok({ ...place, ...again, miles: place.miles })
}

/** Returns a place by our id; undefined if it doesn't exist. */
export async function findPickupPlace({ db }: Pick<PickupDeps, 'db'>, id: number): Promise<PickupPlace | undefined> {
  return selectPlace(db, id)
}

/** The places that are known near `zip` without asking the carrier, nearest first. */
export async function listKnownPlaces(
  { db }: Pick<PickupDeps, 'db'>,
  { zip }: { zip: string },
): Promise<NearbyPlace[]> {
  const here = await findPlace(db, zip)
  if (!here?.latitude || !here.longitude) return []
  const { latitude, longitude } = here
  return selectPlacesAround(db, { latitude, longitude }, { withinMiles: placesWithinMiles, limit: placesListed })
}

function isYounger(at: Temporal.Instant, now: Temporal.Instant, hours: number): boolean {
  return now.since(at).total('hours') < hours
}
