/** Test fixtures for delivered orders and their returns, created through the regular use cases. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import sharp from 'sharp'
import { makePlacedOrder, must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { readOrder, receiveCarrierEvent, releaseOrder, shipOrder } from '#domain/ordering/orders/orders.server.ts'
import type { Carrier } from '#domain/ordering/orders/carrier.port.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { readConfig } from '#platform/config.ts'
import { labelReturn, openReturn, type AskedReturn } from './returns.server.ts'

/** Opens the store with what returns need. */
export async function openReturnsStore(port: number) {
  const store = await openTestStore(port)
  const config = readConfig({ DATABASE_URL: 'postgres://nobody@localhost/none' })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  return {
    ...store,
    config: config.value,
    rateLimits: createRateLimits(store),
    returnLabelsPdf: async () => new Uint8Array([1]),
  }
}
export type ReturnsStore = Awaited<ReturnType<typeof openReturnsStore>>

/** Simulates a carrier's tracking event for a parcel. */
export function scanBy(
  store: TestStore,
  event: { id: string; trackingNumber: string; state: 'in-transit' | 'delivered' | 'lost' },
) {
  const carrier: Carrier = {
    ...store.carrier,
    readEvent: () => ({
      ok: true,
      event: { ...event, at: store.clock.now().toString(), note: null, expectedOn: null },
    }),
  }
  return { ...store, carrier }
}

/** Creates a charged order of four tires with delivered parcels. */
export async function makeDeliveredOrder(
  store: TestStore,
  fulfillment: 'home' | 'shop' = 'home',
  options: { hasCoverage?: boolean; dealerShopId?: number; itemId?: number; vehicle?: ChosenVehicle } = {},
) {
  const placed = await makePlacedOrder(store, { fulfillment, ...options })
  await deliverOrder(store, placed.orderId)
  return placed
}

/** Charges an order after its cancellation window, and ships and delivers its parcels. */
export async function deliverOrder(store: TestStore, orderId: number): Promise<void> {
  store.clock.set(store.clock.now().add({ minutes: 31 }))
  await releaseOrder(store, orderId)
  for (const { id } of (await readOrder(store.db, orderId))?.shipments ?? [])
    await shipOrder(store, { orderId, shipmentId: id })
  for (const { id, trackingNumber } of (await readOrder(store.db, orderId))?.shipments ?? []) {
    const scanned = scanBy(store, { id: `there ${id}`, trackingNumber: trackingNumber ?? '', state: 'delivered' })
    must(await receiveCarrierEvent(scanned, '', ''))
  }
}

export const asked: Omit<AskedReturn, 'orderId'> = {
  lines: [{ lineNo: 1, quantity: 4 }],
  reason: 'changed-mind',
  wants: 'refund',
  isUnmounted: true,
  note: null,
}
export const sender = { by: 'shopper', seq: null, photos: [], networkKey: 'network-1' } as const

/** Opens a return and has its labels bought. */
export async function makeReturn(
  store: ReturnsStore,
  orderId: number,
  change: Partial<AskedReturn> = {},
): Promise<number> {
  const { id } = must(await openReturn(store, { ...asked, orderId, ...change }, sender))
  await labelReturn(store, id)
  return id
}

/** A small photo. */
export async function photo(name = 'tread.png'): Promise<{ name: string; bytes: Uint8Array }> {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#334' } })
    .png()
    .toBuffer()
  return { name, bytes: new Uint8Array(bytes) }
}
