/** The configured supplier systems, which receive purchase orders, provide files to import, and answer about stock. */
import type { AvailabilityService } from '#domain/supply/stock/availability.port.ts'
import type { SupplierWire } from '#domain/supply/stock/supplier.port.ts'
import type { SupplierFiles } from '#domain/catalog/supplier-feeds/supplier-files.port.ts'
import { systemClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { createOutgoing, type Outgoing } from '#platform/outgoing-http.ts'
import { createAvailabilityService } from './availability.ts'
import { createCxmlSuppliers, type CxmlNetwork } from './cxml.ts'
import { createSupplierFiles } from './supplier-files.ts'
import { collectX12, sendX12, type EdiDeps } from './x12.ts'

export type Suppliers = {
  suppliers: SupplierWire
  supplierFiles: SupplierFiles
  availabilityService: AvailabilityService
}

/** Opens the way to suppliers. A demo on this machine also reaches its own servers. */
export function openSuppliers({ demo, web, suppliers, store, outgoing }: Config): Suppliers {
  const trustsThisMachine = demo && !web.isSecure
  const trusting = createOutgoing({ ...outgoing, trustsThisMachine })
  return {
    suppliers: createSupplierWire(suppliers, {
      store,
      outgoing: createOutgoing(outgoing),
      files: trusting,
      clock: systemClock,
      isTest: demo,
    }),
    supplierFiles: createSupplierFiles(trusting),
    availabilityService: createAvailabilityService(trusting),
  }
}

/** Exchanges orders in cXML, or in EDI with suppliers that have an SFTP server, which `files` reaches. */
export function createSupplierWire(
  network: CxmlNetwork | null,
  { store, outgoing, files, clock, isTest }: EdiDeps & { store: { address: string }; files: Outgoing },
): SupplierWire {
  const cxml = createCxmlSuppliers(network, { store, outgoing })
  const edi: EdiDeps = { outgoing: files, clock, store, isTest }
  return {
    ...cxml,
    order: (order) => (order.own?.protocol === 'edi' ? sendX12(edi, order.own, order, 'new') : cxml.order(order)),
    withdraw: (order) =>
      order.own?.protocol === 'edi' ? sendX12(edi, order.own, order, 'delete') : cxml.withdraw(order),
    collect: (supplier, take) => collectX12(edi, supplier, take),
  }
}
