/** What purchase orders and stock orders have in common on the wire. */
import { insertMessage, selectAnswerCode } from './supplier-orders.sql.server.ts'
import type { SupplierMessage, SupplierOrder, SupplierReply, SupplierWire } from './supplier.port.ts'
import { connectionFinder } from './suppliers.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { Secrets } from '#platform/secrets.ts'

export type ExchangeDeps = { db: Database; suppliers: SupplierWire; config: { session: { secret: Secrets } } }

/** Whether a supplier's orders go out electronically, either to its system or over the store's network. */
export function isElectronic(
  { hasNetwork }: Pick<SupplierWire, 'hasNetwork'>,
  { networkId, cxmlUrl, ediUrl }: { networkId: string | null; cxmlUrl: string | null; ediUrl: string | null },
): boolean {
  return networkId !== null && (cxmlUrl !== null || ediUrl !== null || hasNetwork)
}

/** A supplier system's reply that is final. */
export type FinalReply = Exclude<SupplierReply, { reason: 'unavailable' }>

/**
 * Sends an order or its withdrawal to a supplier's own system, or over the network. Undefined if the supplier can't be
 * reached electronically. Throws if the supplier is unavailable, or its secret can't be decrypted, so the job retries.
 */
export async function askSupplier(
  { db, suppliers, config }: ExchangeDeps,
  what: 'order' | 'withdraw',
  { networkId, ...order }: Omit<SupplierOrder, 'own' | 'networkId'> & { networkId: string | null },
): Promise<FinalReply | undefined> {
  if (networkId === null) return undefined
  const own = (await connectionFinder({ db, config }))(networkId)
  if (own === 'unreadable') throw new Error('The supplier’s secret can’t be read. Enter it again.')
  if (own === null && !suppliers.hasNetwork) return undefined
  const reply = await suppliers[what]({ ...order, networkId, own })
  if (!reply.ok && reply.reason === 'unavailable') throw new Error('The supplier is away.', { cause: reply.cause })
  return reply
}

/** The result of handling a message, with the response code and a history line. */
export type Applied = { code: 200 | 406 | 409; summary: string }

/**
 * Handles a supplier's message with `apply`, once per supplier and payload id, and returns the response code. The order
 * has to be locked.
 */
export async function answerOnce(
  tx: Tx,
  {
    message: { payloadId, kind },
    ...of
  }: { supplierId: number; message: SupplierMessage } & ({ purchaseOrderId: number } | { stockOrderId: number }),
  at: Temporal.Instant,
  apply: () => Promise<Applied>,
): Promise<number> {
  const before = await selectAnswerCode(tx, { supplierId: of.supplierId, payloadId })
  if (before !== undefined) return before
  const { code, summary } = await apply()
  await insertMessage(tx, { ...of, payloadId, kind, code, summary, at })
  return code
}
