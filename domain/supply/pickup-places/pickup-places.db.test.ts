import { expect, test } from 'vitest'
import { must, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { findPickupPlace, findPlacesNear, listKnownPlaces, readPlaceAgain } from './pickup-places.server.ts'
import type { FoundPlace, PickupPlaces } from './pickup-places.port.ts'

const [port = 0] = await freePorts(3)
const zip = '60614'

const place: FoundPlace = {
  ref: 'CHIK',
  name: 'FedEx Office',
  street: '2 Oak St',
  city: 'Chicago',
  state: 'IL',
  zip,
  latitude: 41.92,
  longitude: -87.65,
  week: [{ weekday: 1, opens: '09:00', closes: '18:00' }],
  holdsDays: 7,
  miles: 1.2,
}

/** A fake carrier with these places, which can be unavailable, and counts requests. */
function carrierWith(places: FoundPlace[]) {
  const carrier: PickupPlaces & { places: FoundPlace[]; isAway: boolean; asked: number } = {
    carrier: 'FedEx',
    places,
    isAway: false,
    asked: 0,
    async near() {
      carrier.asked += 1
      return carrier.isAway ? { ok: false, reason: 'unavailable' } : { ok: true, value: carrier.places }
    },
  }
  return carrier
}

test('an answer is good for a day, and the last one is shown while the carrier is away', async () => {
  await using store = await openTestStore(port)
  const carrier = carrierWith([place, { ...place, ref: 'NOWHERE', zip: '00000' }])
  const deps = { ...store, pickupPlaces: carrier }
  const [near, same] = await Promise.all([findPlacesNear(deps, { zip }), findPlacesNear(deps, { zip })])
  expect(must(near).places).toMatchObject([{ carrier: 'FedEx', ref: 'CHIK', miles: 1.2, timeZone: 'America/Chicago' }])
  expect(must(same).places).toEqual(must(near).places)
  const before = carrier.asked
  store.clock.set(store.clock.now().add({ hours: 23 }))
  expect(must(await findPlacesNear(deps, { zip })).isOld).toBe(false)
  expect(carrier.asked).toBe(before)

  carrier.isAway = true
  store.clock.set(store.clock.now().add({ hours: 2 }))
  expect(must(await findPlacesNear(deps, { zip }))).toMatchObject({ isOld: true, places: [{ ref: 'CHIK' }] })
  expect(await findPlacesNear(deps, { zip: '90001' })).toMatchObject({ ok: false, reason: 'unavailable' })
  store.clock.set(store.clock.now().add({ hours: 24 * 31 }))
  expect(await findPlacesNear(deps, { zip })).toMatchObject({ ok: false, reason: 'unavailable' })

  carrier.isAway = false
  carrier.places = []
  expect(must(await findPlacesNear(deps, { zip }))).toMatchObject({ isOld: false, places: [] })
  // An order may refer to it.
  expect(await findPickupPlace(store, must(near).places[0]?.id ?? 0)).toMatchObject({ ref: 'CHIK' })
  expect(await listKnownPlaces(store, { zip })).toMatchObject([{ ref: 'CHIK' }])
  expect(await findPlacesNear(deps, { zip: '00000' })).toMatchObject({ ok: false, reason: 'zip-not-found' })
  expect(must(await findPlacesNear({ ...store, pickupPlaces: null }, { zip })).places).toEqual([])
})

test('a selected location is refreshed, because it may have moved or closed', async () => {
  await using store = await openTestStore(port)
  const carrier = carrierWith([place])
  const deps = { ...store, pickupPlaces: carrier }
  const [known] = must(await findPlacesNear(deps, { zip })).places
  const id = known?.id ?? 0
  expect(await readPlaceAgain(deps, { zip, id: id + 1 })).toMatchObject({ ok: false, reason: 'not-near' })
  expect(await readPlaceAgain(deps, { zip: '90001', id })).toMatchObject({ ok: true })
  carrier.places = [{ ...place, street: '4 Oak St' }]
  expect(await readPlaceAgain(deps, { zip, id })).toMatchObject({ ok: true, value: { street: '4 Oak St' } })
  expect(await findPickupPlace(store, id)).toMatchObject({ street: '4 Oak St' })
  carrier.isAway = true
  expect(await readPlaceAgain(deps, { zip, id })).toMatchObject({ ok: true })
  carrier.isAway = false
  carrier.places = []
  expect(await readPlaceAgain(deps, { zip, id })).toMatchObject({ ok: false, reason: 'gone' })
})
