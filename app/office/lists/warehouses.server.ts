/** The list of the store's and suppliers' warehouses by code. */
import { startWithWarehouse } from '#app/office/no-warehouses.server.ts'
import { allRows, defineList } from '#app/office/define-list.server.ts'
import type { ListCell } from '#app/office/list.ts'
import { warehouseState } from '#app/views/warehouse-state.ts'
import { counterHoursText, wallClockText } from '#app/views/warehouse-hours.ts'
import { officePaths } from '#content/office-paths.ts'
import { countOf } from '#platform/count-text.ts'
import { zoneName } from '#platform/time-text.ts'
import { dayTimesText } from '#platform/week-hours.ts'
import { readStockCountTimes } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { listWarehouses, readWarehouseUnits } from '#domain/supply/delivery/delivery.server.ts'
import { warehouseStateOf, type TransitZone } from '#domain/supply/delivery/delivery.ts'

type Warehouse = Awaited<ReturnType<typeof listWarehouses>>[number]

const kinds = ['ours', 'suppliers', 'closed'] as const
const kindLabels: Readonly<Record<(typeof kinds)[number], string>> = {
  ours: 'Ours',
  suppliers: 'Suppliers’',
  closed: 'Closed',
}

function kindOf(warehouse: Warehouse): (typeof kinds)[number] {
  if (['closed', 'retired'].includes(warehouseStateOf(warehouse))) return 'closed'
  return warehouse.supplierId === null ? 'ours' : 'suppliers'
}

/** All warehouses if the filters name no kind. */
async function readKind(
  app: Parameters<typeof listWarehouses>[0],
  filters: Readonly<Record<string, string>>,
): Promise<Warehouse[]> {
  const { kind } = filters
  return (await listWarehouses(app)).filter((warehouse) => kind === undefined || kindOf(warehouse) === kind)
}

const shared = ['name', 'code', 'place', 'zip', 'cutoff', 'handling', 'ships', 'tires', 'state']

export const warehouses = defineList({
  name: 'warehouses',
  title: 'Warehouses',
  path: officePaths.officeWarehouses(),
  permission: 'warehouses.read',
  caption: 'Warehouses by code',
  start: startWithWarehouse,
  nouns: ['warehouse', 'warehouses'],
  view: {
    name: 'kind',
    label: 'Kind',
    tabs: kinds.map((kind) => [kind, kindLabels[kind]] as const),
    isFirstFiltered: true,
  },
  columns: [
    { key: 'name', label: 'Warehouse', isFixed: true },
    { key: 'code', label: 'Code', isFileOnly: true },
    { key: 'place', label: 'City', isFileOnly: true },
    { key: 'zip', label: 'ZIP', isFileOnly: true },
    { key: 'holder', label: 'Holder' },
    { key: 'cutoff', label: 'Cut-off, handling', isLabeled: true },
    { key: 'handling', label: 'Handling days', kind: 'count', isFileOnly: true },
    { key: 'carriers', label: 'Carriers', isLabeled: true },
    { key: 'ships', label: 'Ships to', isLabeled: true },
    { key: 'hours', label: 'Pickup', isLabeled: true },
    { key: 'tires', label: 'Tires', kind: 'count' },
    { key: 'state', label: 'Status' },
  ],
  relevantColumns: ({ kind }) =>
    kind === 'ours'
      ? [...shared, 'carriers', 'hours']
      : kind === 'suppliers'
        ? [...shared, 'holder']
        : [...shared, 'holder', 'carriers', 'hours'],
  links: [
    {
      label: 'Add a warehouse',
      path: officePaths.officeWarehouse('new'),
      permission: 'warehouses.manage',
      isPrimary: true,
    },
  ],
  news: { added: 'Warehouse added. Import its stock to sell from it.' },
  count: async ({ app }, filters) => ({ count: (await readKind(app, filters)).length, isAtLeast: false }),
  read: async ({ app, now }, { filters }) => {
    const [units, counted] = await Promise.all([readWarehouseUnits(app.db), readStockCountTimes(app.db)])
    return allRows(readKind(app, filters), (warehouse) => {
      const { id, code, name, city, state, zip, timeZone, handlingDays, hours, offersPickup, carriers } = warehouse
      return {
        id: String(id),
        label: name,
        path: officePaths.officeWarehouse(String(id)),
        cells: {
          name: { text: name, note: `${code} · ${city}, ${state} ${zip}`, file: name },
          code,
          place: `${city}, ${state}`,
          zip,
          holder: holderText(warehouse),
          cutoff: {
            text: [`${wallClockText(warehouse.cutoff)} ${zoneName(now, timeZone)}`, dayTimesText(warehouse.dayCutoffs)]
              .filter((text) => text !== '')
              .join('; '),
            note: handlingDays === 0 ? 'Ships the same day' : `Ships after ${countOf(handlingDays, 'day')}`,
          },
          handling: handlingDays,
          carriers: warehouse.shipsByHand ? 'Tracking by hand' : carriers.join(', ') || 'Any',
          ships: zonesText(warehouse.unservedZones),
          hours: counterHoursText(offersPickup ? hours : [], zoneName(now, timeZone)),
          tires: unitsCell(units.get(id) ?? 0),
          state: stateCell(warehouse, counted.get(id), now),
        },
      }
    })
  },
})

const unitsCell = (units: number) => ({ text: units.toLocaleString('en-US'), file: units, value: units })

function holderText({ supplierId, isSupplierRetired }: Warehouse): string {
  if (supplierId === null) return 'The store'
  return isSupplierRetired ? 'A retired supplier' : 'A supplier'
}

const contiguous: readonly TransitZone[] = ['near', 'mid', 'far']
const farZones = [
  ['AK', 'AK'],
  ['HI', 'HI'],
  ['TERRITORY', 'territories'],
] as const

/** "48 states, AK, HI"; "Nearby states" if it doesn't ship to all distances. */
function zonesText(unserved: readonly TransitZone[]): string {
  const near = contiguous.filter((zone) => !unserved.includes(zone))
  const states = near.length === contiguous.length ? ['48 states'] : near.length > 0 ? ['Some of 48 states'] : []
  const others = farZones.flatMap(([zone, label]) => (unserved.includes(zone) ? [] : [label]))
  return [...states, ...others].join(', ') || 'Nowhere'
}

const hoursUntilOld = 24

/** The state of a warehouse, or the age of its stock file if the file is old. */
function stateCell(warehouse: Warehouse, counted: Temporal.Instant | undefined, now: Temporal.Instant): ListCell {
  const { label, tone } = warehouseState(warehouse)
  const hours = counted ? Math.floor(now.since(counted).total('hours')) : 0
  if (warehouseStateOf(warehouse) !== 'open' || hours <= hoursUntilOld) return { text: label, tone }
  const age = hours < 2 * hoursUntilOld ? `${hours} h` : countOf(Math.floor(hours / hoursUntilOld), 'day')
  return { text: `Stock file ${age} old`, tone: 'signal' }
}
