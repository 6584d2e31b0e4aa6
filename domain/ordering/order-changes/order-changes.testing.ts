/** Test fixtures for edits requested by staff, and orders with a paid difference. */
import { makePlacedOrder, must, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { findShopsNear } from '#domain/scheduling/installers/installers.server.ts'
import { releaseOrder, selectOrderTires } from '#domain/ordering/orders/orders.server.ts'
import { dana, orderOf, pass } from '#domain/ordering/orders/staff-acts.testing.ts'
import { openCharge } from '#domain/payments/payments/payments.server.ts'
import { newId } from '#platform/ids.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { changeOrder, payForChange, previewChange, selectOpenChange, type AskedChange } from './order-changes.server.ts'

type ChangeDeps = Parameters<typeof previewChange>[0]

export const home = { fulfillment: 'home', shopId: null, carrierLocationId: null } as const

/** Another shop near the customer that takes the tires. */
export async function anotherShop(store: ChangeDeps, orderId: number) {
  const order = await orderOf(store, orderId)
  const tires = await selectOrderTires(store.db, orderId)
  const near = must(await findShopsNear(store, { near: { zip: '60614' }, tires, limit: 6 }))
  const shop = near.find(({ id, quote }) => id !== order.shop?.id && quote !== null)
  if (!shop) throw new Error('There is no other shop near the test.')
  return { fulfillment: 'shop', shopId: shop.id, carrierLocationId: null } as const
}

/** The form as staff send it, with the price they were shown and the first free time. */
export async function askedChange(
  store: ChangeDeps,
  orderId: number,
  place: Pick<AskedChange, 'fulfillment' | 'shopId' | 'carrierLocationId'>,
): Promise<AskedChange> {
  const preview = must(await previewChange(store, await orderOf(store, orderId), place))
  const start = preview.days.flatMap(({ times }) => times.filter(({ free }) => free))[0]?.start
  return {
    ...place,
    orderId,
    choice: start ? { start } : null,
    waives: false,
    reason: 'They moved.',
    key: newId(),
    agreedPrice: preview.agreedPrice,
  }
}

/** Opens the page of the offered change and has its charge authorized; returns the change. */
export async function openAndAuthorizeChange(
  shop: Parameters<typeof openCharge>[0],
  orderId: number,
  authorize: (charge: { clientSecret: string }) => Promise<void>,
): Promise<string> {
  const change = await selectOpenChange(shop.db, orderId)
  if (!change) throw new Error('Nothing is offered.')
  const amountCents = change.afterCents - change.beforeCents
  await authorize(must(await openCharge(shop, { changeId: change.id, amountCents, email: null })))
  return change.id
}

/** The same with a valid card at the sandbox. */
export function authorizeChange(store: TestStore, orderId: number): Promise<string> {
  return openAndAuthorizeChange(store, orderId, async ({ clientSecret }) => {
    const paid = await payWithFields(store.sandbox, clientSecret, '4242424242424242')
    if (paid.status !== 'authorized') throw new Error('The card of a test is not authorized.')
  })
}

/** Selects an order's charges, oldest first. */
export async function chargesOf(store: TestStore, orderId: number) {
  return store.db
    .selectFrom('payment')
    .select(['state', 'amount_cents as amount', 'refunded_cents as refunded'])
    .where('order_id', '=', orderId)
    .orderBy('created_at')
    .execute()
}

/** A charged order of four tires that went home and goes to a shop now: it has two captured charges. */
export async function makeChargedTwice(
  store: TestStore,
  { isReleased = true, ...options }: Parameters<typeof makePlacedOrder>[1] & { isReleased?: boolean } = {},
): Promise<{ orderId: number; charges: number[] }> {
  const { orderId } = await makePlacedOrder(store, { ...options, fulfillment: 'home' })
  pass(store, { minutes: 31 })
  await releaseOrder(store, orderId)
  must(await changeOrder(store, dana, await askedChange(store, orderId, await anotherShop(store, orderId))))
  must(await payForChange(store, await authorizeChange(store, orderId)))
  if (isReleased) await releaseOrder(store, orderId)
  return { orderId, charges: (await chargesOf(store, orderId)).map(({ amount }) => amount) }
}
