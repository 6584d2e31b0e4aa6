/** What the provider says of disputes: read anew with each message, entered in the ledger once. */
import { enterTransfer } from '#domain/ledger/ledger.server.ts'
import type { ProviderEvent } from '#domain/payments/payment-provider.port.ts'
import type { DisputeView, FraudWarning, PaymentRecords } from '#domain/payments/provider-records.port.ts'
import type { PaymentProviderName } from '#domain/payments/payments.ts'
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
 * Hears a provider's message: what is about a dispute or a warning is kept, the rest changes nothing. Messages come
 * late, twice and out of order: what the provider says when asked counts. Throws while it is away; it tells again.
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

/** Brings a dispute and the ledger to what the provider says. Repeating it changes nothing. */
export async function applyDispute(
  { db, clock }: Pick<DisputeDeps, 'db' | 'clock'>,
  provider: PaymentProviderName,
  said: DisputeView,
): Promise<void> {
  const charge = await selectCharge(db, said.chargeRef)
  // Of a charge that the store does not know: the reconciliation finds its movement.
  if (!charge) return
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const { id, isNew } = await keepDispute(tx, { ...said, ...charge, provider, amountCents: said.amountCents }, at)
    const before = await lockDispute(tx, id)
    if (!before) throw new Error(`Dispute ${id} no longer exists.`)
    if (isNew) await insertEvent(tx, { disputeId: id, at, actor: 'provider', words: `Opened: ${said.reason}.` })
    await enterMoved(tx, before, said, at)
    // What was given back is never more than was taken; a message that overtakes says so for a moment.
    const reinstatedCents = Math.min(said.reinstatedCents, said.withdrawnCents)
    await updateToSaid(tx, id, { ...said, reinstatedCents }, at)
    if (!isNew && before.state !== said.state)
      await insertEvent(tx, { disputeId: id, at, actor: 'provider', words: `Now: ${disputeStateWords[said.state]}.` })
  })
}

/** Enters what was taken, given back and charged since it was entered last. */
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
