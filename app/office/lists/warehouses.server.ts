/** The warehouses by code, including suppliers' warehouses. */
import { allRows, defineList } from '#app/office/define-list.server.ts'
import { warehouseState } from '#app/views/warehouse-state.ts'
import { counterHoursText, wallClockText } from '#app/views/warehouse-hours.ts'
import { officePaths } from '#content/office-paths.ts'
import { countOf } from '#platform/count-text.ts'
import { zoneName } from '#platform/time-text.ts'
import { dayTimesText } from '#platform/week-hours.ts'
import { listWarehouses } from '#domain/supply/delivery/delivery.server.ts'

export const warehouses = defineList({
  name: 'warehouses',
  title: 'Warehouses',
  path: officePaths.officeWarehouses(),
  permission: 'warehouses.read',
  caption: 'Warehouses by code',
  empty: 'No warehouses yet. Add the one that your tires ship from.',
  nouns: ['warehouse', 'warehouses'],
  columns: [
    { key: 'name', label: 'Name', isFixed: true },
    { key: 'code', label: 'Code', isFileOnly: true },
    { key: 'place', label: 'City', isFileOnly: true },
    { key: 'zip', label: 'ZIP', isFileOnly: true },
    { key: 'holder', label: 'Holder' },
    { key: 'cutoff', label: 'Cutoff', isLabeled: true },
    { key: 'handling', label: 'Handling days', kind: 'count', isFileOnly: true },
    { key: 'hours', label: 'Pickup' },
    { key: 'state', label: 'State' },
  ],
  links: [
    {
      label: 'Add a warehouse',
      path: officePaths.officeWarehouse('new'),
      permission: 'warehouses.manage',
      isPrimary: true,
    },
  ],
  news: { added: 'Warehouse added. Import its stock to sell from it.' },
  read: ({ app, now }) =>
    allRows(
      listWarehouses(app),
      ({ id, code, name, city, state, zip, timeZone, cutoff, handlingDays, hours, offersPickup, ...warehouse }) => ({
        id: String(id),
        label: name,
        path: officePaths.officeWarehouse(String(id)),
        cells: {
          name: { text: name, note: `${code} · ${city}, ${state} ${zip}`, file: name },
          code,
          place: `${city}, ${state}`,
          zip,
          holder:
            warehouse.supplierId === null
              ? 'The store'
              : warehouse.isSupplierRetired
                ? 'A retired supplier'
                : 'A supplier',
          state: stateCell(warehouseState(warehouse)),
          cutoff: {
            text: [`${wallClockText(cutoff)} ${zoneName(now, timeZone)}`, dayTimesText(warehouse.dayCutoffs)]
              .filter((text) => text !== '')
              .join('; '),
            note: handlingDays === 0 ? 'Ships the same day' : `Ships after ${countOf(handlingDays, 'day')}`,
          },
          handling: handlingDays,
          hours: counterHoursText(offersPickup ? hours : [], zoneName(now, timeZone)),
        },
      }),
    ),
})

const stateCell = ({ label, tone }: ReturnType<typeof warehouseState>) => ({ text: label, tone })
