/** The configured supplier systems, which receive purchase orders, provide files to import, and answer about stock. */
import type { AvailabilityService } from '#domain/supply/stock/availability.port.ts'
import type { SupplierWire } from '#domain/supply/stock/supplier.port.ts'
import type { SupplierFiles } from '#domain/catalog/supplier-feeds/supplier-files.port.ts'
import type { Config } from '#platform/config.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { createAvailabilityService } from './availability.ts'
import { createCxmlSuppliers } from './cxml.ts'
import { createSupplierFiles } from './supplier-files.ts'

export type Suppliers = {
  suppliers: SupplierWire
  supplierFiles: SupplierFiles
  availabilityService: AvailabilityService
}

/** Opens the way to suppliers. A demo on this machine also fetches files from it. */
export function openSuppliers({ demo, web, suppliers, store, outgoing }: Config): Suppliers {
  const trustsThisMachine = demo && !web.isSecure
  const trusting = createOutgoing({ ...outgoing, trustsThisMachine })
  return {
    suppliers: createCxmlSuppliers(suppliers, { store, outgoing: createOutgoing(outgoing) }),
    supplierFiles: createSupplierFiles(trusting),
    availabilityService: createAvailabilityService(trusting),
  }
}
