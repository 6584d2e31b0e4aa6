/** The list of parcels to pack now, by warehouse and then oldest first: a row for each SKU of a parcel. */
import { parcelActs, unfitActs } from '#app/office/bulk/parcels.server.ts'
import { parcelRecord } from '#app/office/records/shipping.server.ts'
import { defineList, fileTime } from '#app/office/define-list.server.ts'
import { placeText, readPlace } from '#app/office/list-place.ts'
import { warehouseChoices, warehouseFilter } from '#app/office/warehouse-filter.server.ts'
import { parcelDue, parcelStep } from '#app/views/office/parcel.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listParcelsToPack } from '#domain/ordering/parcels/parcels.server.ts'
import { isId } from '#platform/ids.ts'

export const parcels = defineList({
  name: 'parcels',
  title: 'Parcels to pack',
  path: officePaths.officeParcels(),
  permission: 'parcels.read',
  caption: 'Parcels to pack, by warehouse and oldest first',
  empty: 'No parcels to pack right now.',
  nouns: ['line', 'lines'],
  filters: [warehouseFilter],
  columns: [
    { key: 'order', label: 'Order', isFixed: true },
    { key: 'warehouse', label: 'Warehouse' },
    { key: 'due', label: 'Ships by', kind: 'time' },
    { key: 'bin', label: 'Bin', isFixed: true },
    { key: 'sku', label: 'SKU', isFixed: true },
    { key: 'tire', label: 'Tire', isFileOnly: true },
    { key: 'size', label: 'Size' },
    { key: 'quantity', label: 'Quantity', kind: 'count', isFixed: true },
    { key: 'step', label: 'Next step' },
  ],
  record: parcelRecord,
  bulk: parcelActs,
  choices: warehouseChoices,
  read: async ({ app, now }, { filters, after, before, limit }) => {
    const [, warehouse = '0', text = ''] = /^([1-9]\d{0,3})\.(.{1,90})$/.exec(after ?? before ?? '') ?? []
    const place = readPlace(text)
    const { parcels: found, next } = await listParcelsToPack(app, {
      code: filters['warehouse'] ?? null,
      after: place && isId(place.id) ? { warehouseId: Number(warehouse), releasedAt: place.at, id: place.id } : null,
      limit,
    })
    return {
      rows: found.flatMap((parcel) =>
        parcel.items.map(({ sku, name, size, quantity, bin }) => ({
          id: `${parcel.id} ${sku}`,
          selectId: parcel.id,
          unfit: unfitActs(parcel),
          label: `${orderNumber(parcel.orderId)}, ${sku}`,
          path: officePaths.officeParcel(parcel.id),
          cells: {
            order: orderNumber(parcel.orderId),
            warehouse: parcel.warehouse.code,
            due: parcel.shipsBy && {
              ...parcelDue(parcel.shipsBy, parcel.warehouse, now),
              file: fileTime(parcel.shipsBy),
              value: parcel.shipsBy.toString(),
            },
            bin,
            sku: { text: sku, note: name },
            tire: name,
            size,
            quantity,
            step: parcelStep(parcel),
          },
        })),
      ),
      next: next && `${next.warehouseId}.${placeText(next.releasedAt, next.id)}`,
    }
  },
})
