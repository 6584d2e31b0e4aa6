/** Warehouse packing slips and pick lists, which don't show prices. */
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { cityLine } from '#domain/ordering/orders/orders.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import type { ParcelToPack } from './to-pack.server.ts'
import { cutoffOn } from '#domain/supply/delivery/delivery.ts'
import type { Config } from '#platform/config.ts'
import { countOf } from '#platform/count-text.ts'
import { dateText } from '#platform/day-text.ts'
import { clockText } from '#platform/time-text.ts'

/** A slip of one parcel, US Letter. */
export type PackingSlip = {
  store: string
  orderNumber: string
  /** "Parcel 1 of 2" */
  parcel: string
  /** "Nov 26, 2026" */
  placedOn: string
  from: string[]
  shipTo: string[]
  /** The carrier and tracking number; null before they are known. */
  tracking: string | null
  items: { quantity: number; sku: string; name: string; size: string; bin: string | null }[]
  /** "4 tires in this parcel" */
  count: string
  sample: boolean
}

type Printer = Pick<Config, 'store' | 'demo'>

/** Returns the packing slip of parcel number `place` (from 1) out of `of` in its order. */
export function packingSlipOf(
  { store, demo }: Printer,
  order: OrderView,
  parcel: ParcelToPack,
  { place, of }: { place: number; of: number },
): PackingSlip {
  const { shipTo, placedAt, timeZone } = order
  const count = parcel.items.reduce((sum, { quantity }) => sum + quantity, 0)
  const from = order.shipments.find(({ id }) => id === parcel.id)?.warehouse
  return {
    store: store.name,
    orderNumber: orderNumber(order.id),
    parcel: `Parcel ${place} of ${of}`,
    placedOn: dateText(placedAt.toZonedDateTimeISO(timeZone).toPlainDate().toString()),
    from: from ? [store.name, from.street, cityLine(from)].filter(Boolean) : [store.name],
    shipTo: [shipTo.name, shipTo.street, cityLine(shipTo)],
    tracking: parcel.trackingNumber && `${parcel.carrier ?? 'Carrier'} ${parcel.trackingNumber}`,
    items: [
      ...parcel.items.map(({ quantity, sku, name, size, bin }) => ({ quantity, sku, name, size, bin })),
      ...parcel.parts.map(({ quantity, sku, name }) => ({ quantity, sku, name, size: '', bin: null })),
    ],
    count: `${countOf(count, 'tire')} in this parcel`,
    sample: demo,
  }
}

/** The parcels to pack, by warehouse; each row is a SKU of a parcel, by bin. */
export type PickList = {
  store: string
  printedAt: string
  warehouses: {
    title: string
    cutoff: string
    rows: { bin: string; sku: string; name: string; size: string; quantity: number; order: string; shipsBy: string }[]
    count: string
  }[]
}

/** Sorts parcels by shelf position for picking. `when` formats a deadline in the time zone of its warehouse. */
export function pickListOf(
  store: string,
  parcels: readonly ParcelToPack[],
  { now, zone, when }: { now: Temporal.Instant; zone: string; when(at: Temporal.Instant, zone: string): string },
): PickList {
  const byWarehouse = Map.groupBy(parcels, ({ warehouse }) => warehouse.id)
  return {
    store,
    printedAt: clockText(now, zone),
    warehouses: [...byWarehouse.values()].map((own) => {
      const [first] = own
      if (!first) throw new Error('A group of parcels is empty.')
      const { code, name, timeZone } = first.warehouse
      const today = now.toZonedDateTimeISO(timeZone).toPlainDate()
      const cutoff = today.toZonedDateTime({ timeZone, plainTime: cutoffOn(first.warehouse, today) })
      const rows = own
        .flatMap((parcel) => [
          ...parcel.items.map((item) => rowOf(parcel, item, when)),
          ...parcel.parts.map((part) => rowOf(parcel, { ...part, size: '', bin: null }, when)),
        ])
        .toSorted((a, b) => (a.bin || '~').localeCompare(b.bin || '~') || a.sku.localeCompare(b.sku))
      return {
        title: `${code} ${name}`,
        cutoff: clockText(cutoff.toInstant(), timeZone),
        rows,
        count: `${countOf(own.length, 'parcel')}, ${countOf(
          own.flatMap(({ items }) => items).reduce((sum, { quantity }) => sum + quantity, 0),
          'tire',
        )}`,
      }
    }),
  }
}

function rowOf(
  { orderId, shipsBy, warehouse }: ParcelToPack,
  { bin, sku, name, size, quantity }: Omit<ParcelToPack['items'][number], 'itemId'>,
  when: (at: Temporal.Instant, zone: string) => string,
) {
  return {
    bin: bin ?? '',
    sku,
    name,
    size,
    quantity,
    order: orderNumber(orderId),
    shipsBy: shipsBy ? when(shipsBy, warehouse.timeZone) : '',
  }
}
