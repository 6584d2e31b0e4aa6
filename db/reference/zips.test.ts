import { expect, test } from 'vitest'
import { deliveryPlaces, readZips } from './zips.ts'

const zips = readZips()

/**
 * States with two time zones, and places that are often wrong. Rules: 49 CFR 71; the Navajo Nation observes daylight
 * time in Arizona, its neighbors do not.
 */
test.for([
  ['32301', 'Tallahassee', 'America/New_York'],
  ['32401', 'Panama City', 'America/Chicago'],
  ['46204', 'Indianapolis', 'America/Indiana/Indianapolis'],
  ['46402', 'Gary', 'America/Chicago'],
  ['46534', 'Knox', 'America/Indiana/Knox'],
  ['40202', 'Louisville', 'America/Kentucky/Louisville'],
  ['42101', 'Bowling Green', 'America/Chicago'],
  ['37402', 'Chattanooga', 'America/New_York'],
  ['37201', 'Nashville', 'America/Chicago'],
  ['49938', 'Ironwood', 'America/Menominee'],
  ['58601', 'Dickinson', 'America/Denver'],
  ['57701', 'Rapid City', 'America/Denver'],
  ['69361', 'Scottsbluff', 'America/Denver'],
  ['67758', 'Sharon Springs', 'America/Denver'],
  ['79901', 'El Paso', 'America/Denver'],
  ['83814', "Coeur d'Alene", 'America/Los_Angeles'],
  ['83702', 'Boise', 'America/Boise'],
  ['97914', 'Ontario', 'America/Boise'],
  ['86001', 'Flagstaff', 'America/Phoenix'],
  ['86515', 'Window Rock', 'America/Denver'],
  ['99501', 'Anchorage', 'America/Anchorage'],
  ['99546', 'Adak', 'America/Adak'],
  ['96813', 'Honolulu', 'Pacific/Honolulu'],
])('%s %s is in the time zone %s', ([zip, city, timeZone]) => {
  expect(zips.find((place) => place.zip === zip)).toMatchObject({ city, time_zone: timeZone })
})

test('this machine knows the time zone of every delivery place', () => {
  const zones = new Set(deliveryPlaces(zips).map((place) => place.time_zone))
  expect(zones.size).toBeGreaterThan(20)
  for (const zone of zones)
    expect(() => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone)).not.toThrow()
})
