/** The filter of lists by one of the store's warehouses. */
import type { Shop } from '#shop'
import { listWarehouses } from '#domain/supply/delivery/delivery.server.ts'

export const warehouseFilter = { kind: 'choice', name: 'warehouse', label: 'Warehouse', options: [] } as const

/** Returns the filter's options, the store's warehouses by code. */
export async function warehouseChoices({ shop }: { shop: Shop }): Promise<{ warehouse: [string, string][] }> {
  const warehouses = await listWarehouses(shop)
  return {
    warehouse: warehouses.flatMap(({ code, name, supplierId }): [string, string][] =>
      supplierId === null ? [[code, `${code} ${name}`]] : [],
    ),
  }
}
