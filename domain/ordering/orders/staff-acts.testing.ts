/** Test fixtures for orders in each state, and a command-line staff member with every permission. */
import type { TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { readOrder, releaseOrder, shipOrder, type OrderView } from './orders.server.ts'

export const dana: Actor = { via: 'command line', name: 'dana' }

export async function orderOf({ db }: Pick<TestStore, 'db'>, orderId: number): Promise<OrderView> {
  const order = await readOrder(db, orderId)
  if (!order) throw new Error('The order of a test is gone.')
  return order
}

export function pass(store: TestStore, time: Temporal.DurationLike): void {
  store.clock.set(store.clock.now().add(time))
}

/** Passes the cancellation window, captures the charge and announces the parcels. */
export async function announce(store: TestStore, orderId: number): Promise<OrderView> {
  pass(store, { minutes: 31 })
  await releaseOrder(store, orderId)
  for (const { id } of (await orderOf(store, orderId)).shipments) await shipOrder(store, { orderId, shipmentId: id })
  return orderOf(store, orderId)
}

/** What the audit log has about an order, oldest first. */
export async function auditOf({ db }: Pick<TestStore, 'db'>, orderId: number) {
  return db
    .selectFrom('audit_entry')
    .select(['act', 'actor', 'before', 'after', 'reason'])
    .where('subject', '=', `S-${orderId}`)
    .orderBy('id')
    .execute()
}

/** The sums of an order in the books, by account, without those that are zero. */
export async function booksOf({ db }: Pick<TestStore, 'db'>, orderId: number): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('ledger_entry')
    .select((eb) => ['account', eb.fn.sum<number>('amount_cents').as('cents')])
    .where('order_id', '=', orderId)
    .groupBy('account')
    .execute()
  return Object.fromEntries(rows.filter(({ cents }) => cents !== 0).map(({ account, cents }) => [account, cents]))
}

/** Returns the IDs of all charge refunds in the database. */
export async function refundIds({ db }: Pick<TestStore, 'db'>): Promise<string[]> {
  return (await db.selectFrom('charge_refund').select('id').execute()).map(({ id }) => id)
}
