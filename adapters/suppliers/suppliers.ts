/** The configured supplier systems, which receive purchase orders and provide files to import. */
import type { SupplierWire } from '#domain/supply/stock/supplier.port.ts'
import type { SupplierFiles } from '#domain/catalog/supplier-feeds/supplier-files.port.ts'
import type { Config } from '#platform/config.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { createCxmlSuppliers } from './cxml.ts'
import { createSupplierFiles } from './supplier-files.ts'

export type Suppliers = { suppliers: SupplierWire; supplierFiles: SupplierFiles }

/** Opens the way to suppliers. A demo on this machine also fetches files from it. */
export function openSuppliers({ demo, web, suppliers, store, outgoing }: Config): Suppliers {
  const trustsThisMachine = demo && !web.isSecure
  return {
    suppliers: createCxmlSuppliers(suppliers, { store, outgoing: createOutgoing(outgoing) }),
    supplierFiles: createSupplierFiles(createOutgoing({ ...outgoing, trustsThisMachine })),
  }
}
