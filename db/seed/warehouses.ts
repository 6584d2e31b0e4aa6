import type { PoolClient } from 'pg'
import type { Row } from '#db/insert-rows.ts'
import { addSupplier } from '#domain/supply/stock/stock.server.ts'
import { supplierForm } from '#domain/supply/stock/stock.ts'
import { byDemo, databaseWithin } from './seed-transaction.ts'

/**
 * Twelve shipping locations, so that most of the contiguous states are within two days by ground. Cities are real,
 * buildings are not.
 */
export const warehouses: Row<'warehouse'>[] = [
  ['JOL', 'Prairie Dock', 'Joliet', 'IL', '60436', 41.4887, -88.1596, 'America/Chicago', '16:00'],
  ['IND', 'Whitelick', 'Plainfield', 'IN', '46168', 39.6947, -86.3708, 'America/Indiana/Indianapolis', '16:30'],
  ['MDT', 'Susquehanna', 'Middletown', 'PA', '17057', 40.2004, -76.7311, 'America/New_York', '17:00'],
  ['MCD', 'Southlane', 'McDonough', 'GA', '30253', 33.4533, -84.1699, 'America/New_York', '17:00'],
  ['LAK', 'Phosphate Road', 'Lakeland', 'FL', '33801', 28.0381, -81.9392, 'America/New_York', '16:00'],
  ['LCS', 'Bear Creek', 'Lancaster', 'TX', '75146', 32.5908, -96.7728, 'America/Chicago', '16:00'],
  ['OLA', 'Flatlands', 'Olathe', 'KS', '66061', 38.8865, -94.8203, 'America/Chicago', '15:30'],
  ['AUR', 'Front Range', 'Aurora', 'CO', '80011', 39.7378, -104.8152, 'America/Denver', '15:00'],
  ['TOL', 'Saguaro', 'Tolleson', 'AZ', '85353', 33.4376, -112.2572, 'America/Phoenix', '15:30'],
  ['FON', 'Cajon', 'Fontana', 'CA', '92335', 34.0868, -117.4652, 'America/Los_Angeles', '16:00'],
  ['SPK', 'Truckee', 'Sparks', 'NV', '89431', 39.5468, -119.7563, 'America/Los_Angeles', '15:00'],
  ['KNT', 'Green River', 'Kent', 'WA', '98032', 47.3929, -122.2584, 'America/Los_Angeles', '16:00'],
].map(([code, name, city, state, zip, latitude, longitude, time_zone, cutoff], index) => ({
  id: index + 1,
  code,
  name,
  street: `${100 * (index + 1)} ${name} Parkway`,
  city,
  state,
  zip,
  latitude,
  longitude,
  time_zone,
  cutoff,
})) as Row<'warehouse'>[]

/** The pickup hours at the store's own warehouses, on weekdays and some Saturdays. */
export const warehouseHours: Row<'warehouse_hours'>[] = warehouses.flatMap(({ id }, index) => [
  ...[1, 2, 3, 4, 5].map((weekday) => ({ warehouse_id: id, weekday, opens: '08:00', closes: '17:30' })),
  ...(index % 2 === 0 ? [{ warehouse_id: id, weekday: 6, opens: '09:00', closes: '13:00' }] : []),
])

/** Wholesalers with warehouses that ship for the store. The sandbox simulates them on the purchasing network. */
export const suppliers: readonly Readonly<Record<string, string>>[] = [
  {
    code: 'GREATLAKES',
    name: 'Great Lakes Tire Supply',
    accountNumber: 'GL-20417',
    leadDays: '2',
    discount: '4',
    minimumOrder: '500',
    paymentDays: '30',
    networkId: 'GREATLAKES',
  },
  {
    code: 'BROADMOOR',
    name: 'Broadmoor Wholesale',
    accountNumber: '88-1093',
    leadDays: '5',
    discount: '6.5',
    minimumOrder: '2000',
    paymentDays: '45',
    networkId: 'BROADMOOR',
  },
]

/** Adds the suppliers as a manager does. They are numbered from 1, in order. */
export async function loadSuppliers(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const deps = { db: databaseWithin(client), clock: { now: () => now }, config: { session: { secret: 'never used' } } }
  for (const typed of suppliers) {
    const added = await addSupplier(deps, byDemo, supplierForm.parse(typed))
    if (!added.ok) throw new Error(`The supplier ${typed['code']} was refused: ${added.reason}.`)
  }
}

/**
 * The suppliers' warehouses. Sample orders ship from the store's warehouses, except for the orders in demo-supplies.ts.
 */
export const supplierWarehouses: Row<'warehouse'>[] = [
  {
    id: 13,
    code: 'GCO',
    name: 'Grove City',
    street: '1300 Hoover Road',
    city: 'Grove City',
    state: 'OH',
    zip: '43123',
    latitude: 39.8814,
    longitude: -83.093,
    time_zone: 'America/New_York',
    cutoff: '14:00',
    supplier_id: 1,
    pool: 'local',
  },
  {
    id: 14,
    code: 'WVC',
    name: 'West Valley',
    street: '1400 Decker Lake Drive',
    city: 'West Valley City',
    state: 'UT',
    zip: '84119',
    latitude: 40.6916,
    longitude: -112.0011,
    time_zone: 'America/Denver',
    cutoff: '14:00',
    supplier_id: 2,
    pool: 'nationwide',
  },
]
