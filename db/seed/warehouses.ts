import type { PoolClient } from 'pg'
import { readZips } from '#db/reference/zips.ts'
import { warehouseForm } from '#domain/supply/delivery/delivery.ts'
import { addHeldWarehouse, addSupplier } from '#domain/supply/stock/stock.server.ts'
import { supplierForm } from '#domain/supply/stock/stock.ts'
import { weekValues } from '#platform/week-hours.ts'
import { accepted, byDemo, depsAt } from './seed-transaction.ts'

type Form = { code: string; name: string; street: string; zip: string; cutoff: string }

/** A warehouse, located at its ZIP code. IDs follow the order of the lists. */
export type DemoWarehouse = {
  id: number
  form: Form & Readonly<Record<string, string>>
  latitude: number
  longitude: number
  timeZone: string
  supplierId: number | null
}

const weekdays = weekValues([1, 2, 3, 4, 5].map((weekday) => ({ weekday, opens: '08:00', closes: '17:30' })))
const saturday = weekValues([{ weekday: 6, opens: '09:00', closes: '13:00' }])

/**
 * Twelve shipping locations, so that most of the contiguous states are within two days by ground. Cities are real,
 * buildings are not. They offer pickup on weekdays, and some on Saturdays.
 */
const ownForms: DemoWarehouse['form'][] = [
  ['JOL', 'Prairie Dock', '60436', '16:00'],
  ['IND', 'Whitelick', '46168', '16:30'],
  ['MDT', 'Susquehanna', '17057', '17:00'],
  ['MCD', 'Southlane', '30253', '17:00'],
  ['LAK', 'Phosphate Road', '33801', '16:00'],
  ['LCS', 'Bear Creek', '75146', '16:00'],
  ['OLA', 'Flatlands', '66061', '15:30'],
  ['AUR', 'Front Range', '80011', '15:00'],
  ['TOL', 'Saguaro', '85353', '15:30'],
  ['FON', 'Cajon', '92335', '16:00'],
  ['SPK', 'Truckee', '89431', '15:00'],
  ['KNT', 'Green River', '98032', '16:00'],
].map(([code = '', name = '', zip = '', cutoff = ''], index) => ({
  code,
  name,
  street: `${100 * (index + 1)} ${name} Parkway`,
  zip,
  cutoff,
  ...weekdays,
  ...(index % 2 === 0 && saturday),
}))

/** Wholesalers with warehouses that ship for the store. The sandbox simulates them on the purchasing network. */
const suppliers: readonly Readonly<Record<string, string>>[] = [
  {
    code: 'GREATLAKES',
    name: 'Great Lakes Tire Supply',
    accountNumber: 'GL-20417',
    leadDays: '2',
    discount: '4',
    freight: '9.50',
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
    freight: '14.00',
    minimumOrder: '2000',
    paymentDays: '45',
    networkId: 'BROADMOOR',
  },
]

const supplierForms: DemoWarehouse['form'][] = [
  {
    code: 'GCO',
    name: 'Grove City',
    street: '1300 Hoover Road',
    zip: '43123',
    cutoff: '14:00',
    supplier: '1',
    branch: '31',
    pool: 'local',
  },
  {
    code: 'WVC',
    name: 'West Valley',
    street: '1400 Decker Lake Drive',
    zip: '84119',
    cutoff: '14:00',
    supplier: '2',
    branch: '7',
    pool: 'nationwide',
  },
]

const places = new Map(readZips().map((place) => [place.zip, place]))
const all = [...ownForms, ...supplierForms].map((form, index): DemoWarehouse => {
  const place = places.get(form.zip)
  if (place?.latitude == null || place.longitude == null || place.time_zone == null)
    throw new Error(`The warehouse ${form.code} has no place.`)
  const { latitude, longitude, time_zone: timeZone } = place
  const supplierId = form['supplier'] === undefined ? null : Number(form['supplier'])
  return { id: index + 1, form, latitude, longitude, timeZone, supplierId }
})

/** The store's own warehouses. */
export const warehouses = all.slice(0, ownForms.length)

/**
 * The suppliers' warehouses. Sample orders ship from the store's warehouses, except for the orders in demo-supplies.ts.
 */
export const supplierWarehouses = all.slice(ownForms.length)

/** Adds the suppliers and all warehouses as a manager does. Both are numbered from 1, in order. */
export async function loadWarehouses(client: PoolClient, now: Temporal.Instant): Promise<void> {
  // `npm start` connects the availability services (tools/demo-wholesalers.ts).
  const deps = { ...depsAt(client, now), supplierAvailability: { refuse: () => null } }
  for (const typed of suppliers)
    accepted(`The supplier ${typed['code']}`, await addSupplier(deps, byDemo, supplierForm.parse(typed)))
  for (const { form } of all)
    accepted(`The warehouse ${form.code}`, await addHeldWarehouse(deps, byDemo, warehouseForm.parse(form)))
}
