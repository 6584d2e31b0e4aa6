/** Test fixtures for shipped orders, the sandbox carrier's buttons and its webhooks. */
import { expect } from 'vitest'
import { makePlacedOrder, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import type { Received } from '#sandbox/test-sandbox.ts'
import { readOrder, receiveCarrierEvent, releaseOrder, shipOrder } from './orders.server.ts'

/** Moves the store's clock on. */
export function pass(store: TestStore, time: Temporal.DurationLike): void {
  store.clock.set(store.clock.now().add(time))
}

/** The order as it is now. */
export async function orderOf({ db }: TestStore, orderId: number) {
  const order = await readOrder(db, orderId)
  if (!order) throw new Error('The order of a test is gone.')
  return order
}

/** Creates a charged order with one labeled parcel. Other orders of the sample data are no concern here. */
export async function shipped(store: TestStore, options: Parameters<typeof makePlacedOrder>[1] = {}) {
  const { orderId } = await makePlacedOrder(store, options)
  return ship(store, orderId)
}

/** Passes an order's cancellation window and buys its labels. */
export async function ship(store: TestStore, orderId: number): Promise<number> {
  pass(store, { minutes: 31 })
  await releaseOrder(store, orderId)
  for (const { id } of (await orderOf(store, orderId)).shipments) await shipOrder(store, { orderId, shipmentId: id })
  return orderId
}

/** Presses a button on the carrier's board for each parcel. Resolves after its webhooks are sent. */
export async function press(store: TestStore, orderId: number, button: 'advance' | 'delay'): Promise<void> {
  for (const { trackingNumber } of (await orderOf(store, orderId)).shipments)
    await fetch(`${store.sandbox.origin}/carrier/board/${trackingNumber}/${button}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: store.sandbox.origin },
    })
  await store.sandbox.catchUp()
}

/** Passes the webhooks that a receiver collected to the store. */
export async function deliver(store: TestStore, received: Received[]): Promise<void> {
  for (const { body, headers } of received.splice(0))
    expect(await receiveCarrierEvent(store, body, String(headers['x-hmac-signature']))).toMatchObject({ ok: true })
}
