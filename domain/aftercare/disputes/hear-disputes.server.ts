/** Syncs disputes from the provider. Each event triggers a fresh read, and amounts are recorded in the ledger once. */
import { enterTransfer } from '#domain/payments/ledger/ledger.server.ts'
import type { ProviderEvent } from '#domain/payments/payments/payment-provider.port.ts'
import type { DisputeView, FraudWarning, PaymentRecords } from '#domain/payments/payments/provider-records.port.ts'
import type { PaymentProviderName } from '#domain/payments/payments/payments.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { disputeStateWords } from './disputes.ts'
import {
  insertEvent,
  keepDispute,
  lockDispute,
  selectCharge,
  updateToSaid,
  type Dispute,
} from './disputes.sql.server.ts'

export type DisputeDeps = { db: Database; clock: Clock; paymentRecords: PaymentRecords }

/**
 * Handles a provider event. Dispute and warning events are stored, others ignored. Events may be late, duplicated and
 * out of order, so the provider's current state is read instead. Throws while the provider is unavailable, so it
 * redelivers the event.
 */
export async function hearOfDispute(
  deps: DisputeDeps,
  provider: PaymentProviderName,
  event: ProviderEvent,
): Promise<void> {
  if (event.warning) await keepWarning(deps, provider, event.warning)
  if (event.disputeRef === undefined) return
  const records = deps.paymentRecords[provider]
  if (!records || !('readDispute' in records)) return
  const said = await records.readDispute(event.disputeRef)
  if (!said.ok) throw new Error(`${provider} can’t look up its own disputes.`, { cause: said.cause })
  await applyDispute(deps, provider, said.value)
}

/** Updates a dispute and the ledger to the provider's state. Idempotent. */
export async function applyDispute(
  { db, clock }: Pick<DisputeDeps, 'db' | 'clock'>,
  provider: PaymentProviderName,
  said: DisputeView,
): Promise<void> {
  const charge = await selectCharge(db, said.chargeRef)
  // The charge is unknown to the store, so reconciliation reports its balance transaction.
  if (!charge) return
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const { id, isNew } = await keepDispute(tx, { ...said, ...charge, provider, amountCents: said.amountCents }, at)
    const before = await lockDispute(tx, id)
    if (!before) throw new Error(`Dispute ${id} no longer exists.`)
    if (isNew) await insertEvent(tx, { disputeId: id, at, actor: 'provider', words: `Opened: ${said.reason}.` })
    await enterMoved(tx, before, said, at)
    // Caps the reinstated amount at the withdrawn amount, which an out-of-order event can briefly exceed.
    const reinstatedCents = Math.min(said.reinstatedCents, said.withdrawnCents)
    await updateToSaid(tx, id, { ...said, reinstatedCents }, at)
    if (!isNew && before.state !== said.state)
      await insertEvent(tx, { disputeId: id, at, actor: 'provider', words: `Now: ${disputeStateWords[said.state]}.` })
  })
}

/** Records the withdrawn, reinstated and fee amounts since the last record. */
async function enterMoved(tx: Tx, before: Dispute, said: DisputeView, at: Temporal.Instant): Promise<void> {
  const of = before.orderId !== null ? { orderId: before.orderId } : before.termId ? { termId: before.termId } : null
  if (!of) return
  const taken = said.withdrawnCents - before.withdrawnCents
  const back = Math.min(said.reinstatedCents, said.withdrawnCents) - before.reinstatedCents
  const fee = said.feeCents - before.feeCents
  for (const [reason, account, cents] of [
    ['dispute withdrawn', 'disputes', taken],
    ['dispute reinstated', 'disputes', -back],
    ['dispute fee', 'dispute-fees', fee],
  ] as const) {
    if (cents === 0) continue
    const entries = [
      { account, cents },
      { account: 'cash', cents: -cents },
    ] as const
    await enterTransfer(tx, { ...of, reason, at, entries })
    const words = `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}: ${formatCents(Math.abs(cents))}.`
    await insertEvent(tx, { disputeId: before.id, at, actor: 'provider', words })
  }
}

async function keepWarning(
  { db, clock }: Pick<DisputeDeps, 'db' | 'clock'>,
  provider: PaymentProviderName,
  warning: FraudWarning,
): Promise<void> {
  const charge = await selectCharge(db, warning.chargeRef)
  if (!charge) return
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const { ref, reason } = warning
    const { id, isNew } = await keepDispute(
      tx,
      { ...charge, provider, ref, reason, kind: 'warning', state: 'needs-response', openedAt: warning.at, dueAt: null },
      at,
    )
    if (isNew) await insertEvent(tx, { disputeId: id, at, actor: 'provider', words: `Warned: ${reason}.` })
  })
}
