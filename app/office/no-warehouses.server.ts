/** What lists show in a store without warehouses. */
import { officePaths } from '#content/office-paths.ts'
import { listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import type { ListReader } from './define-list.server.ts'
import type { ListStart } from './list.ts'

/** Returns how to add the first warehouse; null if the store has one. */
export async function startWithWarehouse({ app, can }: Pick<ListReader, 'app' | 'can'>): Promise<ListStart | null> {
  if ((await listWarehouses(app)).length > 0) return null
  return {
    icon: 'parcel',
    title: 'Add the place your tires ship from',
    text: 'Your building, or a supplier that ships for you. Stock files, labels and delivery dates all start from it.',
    note: 'About 5 minutes. You need an address and the hour the last truck leaves.',
    links: [
      ...(can('warehouses.manage')
        ? [{ label: 'Add a warehouse', path: officePaths.officeWarehouse('new'), isPrimary: true }]
        : []),
      ...(can('suppliers.manage')
        ? [{ label: 'Connect a supplier', path: officePaths.officeSupplier('new'), isPrimary: false }]
        : []),
    ],
  }
}
