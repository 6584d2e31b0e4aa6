/** The filter of lists by one of the store's warehouses. */
import type { Application } from '#application'
import { listWarehouses } from '#domain/supply/delivery/delivery.server.ts'

export const warehouseFilter = { kind: 'choice', name: 'warehouse', label: 'Warehouse', options: [] } as const

/** Returns the filter's options, the store's warehouses by code. */
export async function warehouseChoices({ app }: { app: Application }): Promise<{ warehouse: [string, string][] }> {
  const warehouses = await listWarehouses(app)
  return {
    warehouse: warehouses.flatMap(({ code, name, supplierId }): [string, string][] =>
      supplierId === null ? [[code, `${code} ${name}`]] : [],
    ),
  }
}
