/** A store with a supplier that answers about its stock, for tests. */
import { expect } from 'vitest'
import { createAvailabilityService } from '#adapters/suppliers/availability.ts'
import { changeTire, findTireCells } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import type { Cells, TireField } from '#domain/catalog/catalog-import/tire-fields.ts'
import { must, openTestStore, pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { warehouseForm } from '#domain/supply/delivery/delivery.ts'
import { newId } from '#platform/ids.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { testSecrets } from '#sandbox/test-sandbox.ts'
import { openInventory } from '#tests/support/inventory.ts'
import {
  addHeldWarehouse,
  addSupplier,
  adjustStock,
  changeSupplier,
  createSupplierAvailability,
  findSupplier,
  findTireStock,
} from './stock.server.ts'
import { supplierForm } from './stock.ts'

const secret = 'a secret for tests only'
export const desk = { via: 'command line', name: 'desk' } as const
const partNumber = 'P1-22565'

/** A store with a tire that only a supplier with an availability service has, in branch 7. */
export async function openSupplied(port: number) {
  const store = await openTestStore(port, { stallSeconds: 3 })
  const itemId = await pickTire(store)
  await store.db.updateTable('stock').set({ on_hand: 0 }).where('item_id', '=', itemId).execute()
  await openInventory(store.db)
  const cells = await findTireCells(store, itemId)
  if (!cells) throw new Error('The tire of a test has no cells.')
  must(
    await changeTire(store, desk, itemId, {
      cells: { ...(cells.cells as Cells<TireField>), mpn: partNumber },
      mark: cells.mark,
      accepts: true,
    }),
  )
  const outgoing = createOutgoing({ trustedOrigin: store.sandbox.origin })
  const log = { warn: () => {} }
  const service = createAvailabilityService(outgoing)
  const supplierAvailability = createSupplierAvailability({ ...store, log, service, secret })
  const deps = { ...store, supplierAvailability, config: { session: { secret } } }
  const urlOf = (supplier: string) => `${store.sandbox.origin}/wholesale/${supplier}/search/by-part-numbers`
  const typed = { code: 'EAST', name: 'East Wholesale', leadDays: '2', paymentDays: '30' }
  const form = (supplier: string, version = 0, freight = '') =>
    supplierForm.parse({
      ...typed,
      freight,
      availabilityUrl: urlOf(supplier),
      availabilityKey: testSecrets.supplierSecret,
      version,
    })
  const { id } = must(await addSupplier(deps, desk, form('east')))
  const place = { code: 'EASTCHI', name: 'East Chicago', street: '1 Dock Road', zip: '60601', cutoff: '16:00' }
  const { id: warehouseId } = must(
    await addHeldWarehouse(deps, desk, warehouseForm.parse({ ...place, supplier: String(id), branch: '7' })),
  )
  await supplierAvailability.services.read()

  async function answer(quantity: number): Promise<void> {
    const part = { supplier: 'east', partNumber: 'P122565', brand: '', cost: '61.50', branch: '7' }
    const body = new URLSearchParams({ ...part, quantity: String(quantity) })
    const response = await fetch(`${store.sandbox.origin}/wholesale/parts`, {
      method: 'POST',
      body,
      redirect: 'manual',
    })
    expect(response.status).toBe(303)
  }
  return {
    ...deps,
    id,
    warehouseId,
    itemId,
    answer,
    /** Changes the supplier's freight, in dollars. */
    async charge(freight: string) {
      const { version = 0 } = (await findSupplier(deps, id)) ?? {}
      must(await changeSupplier(deps, desk, id, form('east', version, freight)))
    },
    /** Gives the service another address. */
    async move(supplier: string) {
      const { version = 0 } = (await findSupplier(deps, id)) ?? {}
      must(await changeSupplier(deps, desk, id, form(supplier, version)))
      await supplierAvailability.services.read()
    },
    async queries(): Promise<string[][]> {
      const response = await fetch(`${store.sandbox.origin}/wholesale/requests.json`)
      const { requests } = (await response.json()) as { requests: { partNumbers: string[] }[] }
      return requests.map((each) => each.partNumbers)
    },
    async units(): Promise<number> {
      const { places = [] } = (await findTireStock(store, itemId)) ?? {}
      return places.find((each) => each.warehouseId === warehouseId)?.free ?? 0
    },
    pass: (seconds: number) => store.clock.set(store.clock.now().add({ seconds })),
  }
}

export type Supplied = Awaited<ReturnType<typeof openSupplied>>

/** Counts the tire in a warehouse of the store. */
export async function countOwnStock(store: Supplied, units: number): Promise<void> {
  const { places = [] } = (await findTireStock(store, store.itemId)) ?? {}
  const warehouse = places.find(({ supplier }) => supplier === null)?.warehouseId ?? 0
  const count = { key: newId(), reason: 'count', units, note: null } as const
  must(await adjustStock(store, { ...count, itemId: store.itemId, warehouseId: warehouse, by: desk }))
}
