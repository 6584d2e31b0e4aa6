/** Ledger transfers of sample orders. */
import type { Entry } from '#domain/payments/ledger/ledger.server.ts'
import type { OrderRows } from './order-rows.ts'
import { randomStream, uuid } from './random.ts'
import type { Story } from './sample-orders.ts'

/** Entries of zero are left out, as in the store's own ledger. */
export function addTransfer(
  rows: OrderRows,
  { id }: Story,
  reason: string,
  at: Temporal.Instant,
  entries: readonly Entry[],
): void {
  const transferId = uuid(randomStream(`transfer ${id} ${reason}`))
  for (const entry of entries)
    if (entry.cents !== 0)
      rows.ledger_entry.push({
        transfer_id: transferId,
        order_id: id,
        account: entry.account,
        amount_cents: entry.cents,
        owner_id: 'ownerId' in entry ? entry.ownerId : null,
        reason,
        at,
      })
}
