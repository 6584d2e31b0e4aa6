/** The list of manifests, newest first. */
import { manifestRecord } from '#app/office/records/shipping.server.ts'
import { defineList, idPlace, placeOfId, time } from '#app/office/define-list.server.ts'
import { warehouseChoices, warehouseFilter } from '#app/office/warehouse-filter.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { manifestNumber, manifestStateNames, manifestStates } from '#domain/ordering/parcels/parcels.ts'
import { listManifests } from '#domain/ordering/parcels/parcels.server.ts'
import { listWarehouses } from '#domain/supply/delivery/delivery.server.ts'

export const manifests = defineList({
  name: 'manifests',
  title: 'Manifests',
  path: officePaths.officeManifests(),
  crumbs: [{ label: 'Parcels to pack', path: officePaths.officeParcels() }],
  permission: 'parcels.read',
  caption: 'Manifests, newest first',
  nouns: ['manifest', 'manifests'],
  view: {
    name: 'state',
    label: 'State',
    tabs: [['', 'All'], ...manifestStates.map((state) => [state, manifestStateNames[state]] as const)],
  },
  filters: [warehouseFilter],
  choices: warehouseChoices,
  news: { requested: 'Manifests requested, one for each carrier.' },
  columns: [
    { key: 'number', label: 'Manifest', isFixed: true },
    { key: 'warehouse', label: 'Warehouse', isFixed: true },
    { key: 'carrier', label: 'Carrier' },
    { key: 'parcels', label: 'Parcels', kind: 'count', isFixed: true },
    { key: 'state', label: 'State', isFixed: true },
    { key: 'requested', label: 'Requested', kind: 'time' },
    { key: 'by', label: 'Requested by' },
  ],
  record: manifestRecord,
  read: async ({ app }, { filters, after, before, limit }) => {
    const warehouses = await listWarehouses(app)
    const code = filters['warehouse']
    const { manifests: found, next } = await listManifests(
      app,
      {
        state: manifestStates.find((state) => state === filters['state']) ?? null,
        // No warehouse has the ID 0.
        warehouseId: code === undefined ? null : (warehouses.find((each) => each.code === code)?.id ?? 0),
        before: idPlace(after ?? before),
      },
      limit,
    )
    return {
      rows: found.map((manifest) => {
        const warehouse = warehouses.find(({ id }) => id === manifest.warehouseId)
        return {
          id: String(manifest.id),
          label: manifestNumber(manifest.id),
          path: officePaths.officeManifest(manifest.id),
          cells: {
            number: manifestNumber(manifest.id),
            warehouse: warehouse?.code ?? null,
            carrier: manifest.carrier,
            parcels: manifest.parcels,
            state: {
              text: manifestStateNames[manifest.state],
              note: manifest.failure,
              ...(manifest.state === 'failed' && { tone: 'stop' as const }),
            },
            requested: time(manifest.requestedAt, warehouse?.timeZone),
            by: manifest.requestedBy,
          },
        }
      }),
      next: placeOfId(next),
    }
  },
})
