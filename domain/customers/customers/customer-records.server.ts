/** What imports add to the customers and their past orders. */
import type { CustomerRecords } from '#domain/catalog/catalog-import/customer-records.port.ts'
import { hasCustomer, mergeImportedCustomers } from './imports.sql.server.ts'
import { hasPastOrder, mergePastOrders } from './past-orders.sql.server.ts'

export const customerRecords: CustomerRecords = {
  hasCustomer,
  mergeCustomers: mergeImportedCustomers,
  hasPastOrder,
  mergePastOrders,
}
