/** A purchase order of two tires for tests. */
import type { SupplierOrder } from '#domain/supply/stock/supplier.port.ts'

/** Returns an order to a supplier. `name` is the recipient's, which determines the sandbox's answer. */
export function sampleOrder(networkId: string, name: string, id = 5001): SupplierOrder {
  return {
    number: `PO-${id}`,
    payloadId: `PO-${id}-1@sidewall`,
    networkId,
    own: null,
    at: Temporal.Instant.from('2026-06-15T12:00:00Z'),
    isWhole: true,
    note: null,
    shipTo: { name, street: '2 Oak Ave', city: 'Evanston', state: 'IL', zip: '60201', phone: '3125550100' },
    lines: [
      {
        lineNo: 1,
        sku: 'KES-TOUR-2256517',
        part: { brand: 'Kestrel', mpn: 'KT-22565' },
        name: 'Kestrel Tour 225/65R17 102H',
        quantity: 4,
        unitCents: 9_950,
      },
      {
        lineNo: 2,
        sku: 'KES-TOUR-2156017',
        part: null,
        name: 'Kestrel Tour 215/60R17 96H',
        quantity: 2,
        unitCents: 0,
      },
    ],
  }
}
