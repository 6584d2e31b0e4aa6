/**
 * Partial refunds for a charge. They are promised in the deciding transaction and paid out by an idempotent job. An
 * uncaptured charge is captured first, and its refunds start with the capture.
 */
import { enterTransfer } from '#domain/payments/ledger/ledger.server.ts'
import { settleFinancedSoon } from './financed.sql.server.ts'
import type { PaymentProvider } from './payment-provider.port.ts'
import {
  insertRefund,
  lockRefundableCharge,
  refundPartKey,
  selectPendingRefs,
  selectPendingRefund,
  selectPromisedRefunds,
  selectRefund,
  selectRefundsOfKey,
  updateToDone,
  updateToLowered,
  updateToPending,
  updateToPromised,
  updateToRefused,
  wholeRefundKey,
  type ChargeRefund,
  type RefundState,
} from './refunds.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock; payments: PaymentProvider }

/**
 * The provider stores an idempotency key for 24 hours, and that key prevents duplicate refunds. With the queue's
 * exponential backoff, this many attempts end within 22 hours.
 */
const attemptsWithinKey = 13

/** The reason a refund can't be promised. `leftCents` is the charge's unrefunded and unpromised amount. */
export type RefundRefusal = Refused<'nothing-charged'> | Refused<'more-than-charged', { leftCents: number }>

/**
 * Commits to refunding `amountCents` from an order's charge, in the deciding transaction. A job pays it out. `key`
 * identifies the reason, and a second call with the same key throws. Refuses, without writing, amounts above the
 * charge's remainder.
 */
export async function promiseRefund(
  tx: Tx,
  refund: { orderId: number; amountCents: number; key: string; at: Temporal.Instant },
): Promise<Outcome<void, RefundRefusal>> {
  const charge = await lockRefundableCharge(tx, refund.orderId)
  if (!charge) return refused('nothing-charged')
  if (refund.amountCents > charge.leftCents) return refused('more-than-charged', { leftCents: charge.leftCents })
  const { key, at } = refund
  let leftCents = refund.amountCents
  // The original charge is refunded first, then charges for paid edits.
  for (const [index, part] of charge.parts.filter((one) => one.leftCents > 0).entries()) {
    const amountCents = Math.min(part.leftCents, leftCents)
    if (amountCents === 0) break
    const id = newId()
    await insertRefund(tx, { id, paymentId: part.paymentId, amountCents, key: refundPartKey(key, index), at })
    if (part.isCaptured) await enqueuePayOut(tx, id)
    leftCents -= amountCents
  }
  // Before the goods are there a lender takes it off the contract.
  if (!charge.isCaptured) await settleFinancedSoon(tx, refund.orderId)
  return ok(undefined)
}

/**
 * Commits to refunding the remainder of an order's captured charge, in the deciding transaction. Returns it in cents,
 * or 0 if uncaptured or already refunded. Throws if this key was already used.
 */
export async function promiseRefundOfRest(
  tx: Tx,
  refund: { orderId: number; key: string; at: Temporal.Instant },
): Promise<number> {
  const charge = await lockRefundableCharge(tx, refund.orderId)
  if (!charge?.isCaptured || charge.leftCents === 0) return 0
  const promised = await promiseRefund(tx, { ...refund, amountCents: charge.leftCents })
  if (!promised.ok) throw new Error(`The rest of the charge of order ${refund.orderId} changed under its lock.`)
  return charge.leftCents
}

/**
 * Lowers an order's authorized, uncaptured charge, so that less is captured. The bank releases the rest with the
 * capture. Returns false without writing if the charge isn't found, or if promised refunds exceed the new amount.
 */
export async function lowerCharge(
  tx: Tx,
  { orderId, toCents, ...change }: { orderId: number; toCents: number; actor: string; at: Temporal.Instant },
): Promise<boolean> {
  const charge = await lockRefundableCharge(tx, orderId)
  if (!charge || charge.isCaptured || charge.amountCents < toCents) return false
  if (toCents - (charge.amountCents - charge.leftCents) < 1) return false
  // Charges of paid edits are unchanged; only the original charge is lowered.
  const [part, ...others] = charge.parts
  const partCents = toCents - others.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (!part || partCents < 1) return false
  return updateToLowered(tx, part.paymentId, { ...change, fromCents: part.amountCents, toCents: partCents })
}

/** Starts the refunds that waited for the capture of their charge, in the transaction that records it. */
export async function beginWaitingRefunds(tx: Tx, paymentId: string): Promise<void> {
  for (const id of await selectPromisedRefunds(tx, paymentId)) await enqueuePayOut(tx, id)
}

/**
 * Pays out a promised refund and records it in the ledger, once however often it runs. Throws while the provider is
 * away. A provider's refusal is recorded and not retried automatically. A refund the provider finishes later stays
 * promised until then.
 */
export async function payOutRefund(deps: Deps, refundId: string): Promise<void> {
  const refund = await selectRefund(deps.db, refundId)
  if (refund?.state !== 'promised' || !refund.isCaptured || refund.providerRef === null) return
  if (refund.pendingRef !== null) return followRefund(deps, refund.pendingRef)
  const { providerRef: ref, amountCents } = refund
  const paid = await deps.payments.refundCharge({ ref, amountCents, key: `refund:${refund.id}:${refund.attempt}` })
  if (!paid.ok && paid.reason === 'unavailable') throw new Error('The payment provider is away.', { cause: paid.cause })
  if (!paid.ok) return noteRefusal(deps, refund, ref, paid.message)
  const { refundRef, isPending = false } = paid.value
  return isPending ? updateToPending(deps.db, refund.id, refundRef) : finishRefund(deps, refund, refundRef)
}

/**
 * Reads a pending refund's outcome from the provider, and completes it or leaves it to staff. Skips refunds that are
 * unknown or completed.
 */
export async function followRefund(deps: Deps, pendingRef: string): Promise<void> {
  const refund = await selectPendingRefund(deps.db, pendingRef)
  if (!refund || !deps.payments.readRefund) return
  const now = await deps.payments.readRefund(pendingRef)
  if (!now.ok) throw new Error('Can’t look up refunds with the payment provider.', { cause: now.cause })
  if (now.value.state === 'done') return finishRefund(deps, refund, pendingRef)
  if (now.value.state === 'failed')
    await updateToRefused(deps.db, refund.id, now.value.message || 'The provider could not give the money back.')
}

/** Polls refunds pending for more than an hour, in case an event was lost. Returns how many. */
export async function followOldRefunds(deps: Deps): Promise<number> {
  const refs = await selectPendingRefs(deps.db, deps.clock.now().subtract({ hours: 1 }))
  for (const ref of refs) await followRefund(deps, ref)
  return refs.length
}

async function finishRefund(
  deps: Deps,
  { id, amountCents, orderId }: ChargeRefund,
  providerRef: string,
): Promise<void> {
  if (orderId === null) throw new Error(`The charge of refund ${id} has no order.`)
  const at = deps.clock.now()
  await deps.db.transaction().execute((tx) => recordIssued(tx, { id, orderId, amountCents, providerRef, at }))
}

/**
 * Records that a promised refund was sent, enters it in the ledger, and queues the job `refund-issued`, which emails
 * the customer. Idempotent.
 */
export async function recordIssued(
  tx: Tx,
  refund: { id: string; orderId: number; amountCents: number; providerRef: string; at: Temporal.Instant },
): Promise<void> {
  const { id, orderId, amountCents, providerRef, at } = refund
  const key = await updateToDone(tx, id, { providerRef, actor: 'store', at })
  if (key === undefined) return
  await enterTransfer(tx, {
    orderId,
    reason: 'given back in part',
    at,
    entries: [
      { account: 'refunds', cents: amountCents },
      { account: 'cash', cents: -amountCents },
    ],
  })
  await enqueue(tx, 'refund-issued', { key: wholeRefundKey(key) }, { key: `refund-issued:${id}` })
}

/**
 * Records a refusal after checking the provider's refunded total. A refund that succeeded despite the error response
 * must not be requested again under another key.
 */
async function noteRefusal(deps: Deps, refund: ChargeRefund, ref: string, message: string): Promise<void> {
  const charge = await deps.payments.readCharge(ref)
  if (!charge.ok) throw new Error('The payment provider is away.', { cause: charge.cause })
  if (charge.value.refundedCents > refund.givenBackCents)
    throw new Error(`The provider refuses refund ${refund.id}, but has given back more than we know of.`)
  await updateToRefused(deps.db, refund.id, message)
}

/** Returns the refund under `key` with its order, once the provider has sent it in full; otherwise undefined. */
export async function findIssuedRefund(
  db: Database,
  key: string,
): Promise<{ orderId: number; amountCents: number } | undefined> {
  const parts = await selectRefundsOfKey(db, key)
  const orderId = parts[0]?.orderId ?? null
  if (orderId === null || parts.some(({ state }) => state !== 'done')) return undefined
  return { orderId, amountCents: parts.reduce((sum, part) => sum + part.amountCents, 0) }
}

/** Returns the outcome of the refund under `key`; undefined if it doesn't exist. */
export async function findRefund(
  { db }: Pick<Deps, 'db'>,
  key: string,
): Promise<{ state: RefundState; isCaptured: boolean; note: string | null } | undefined> {
  const parts = await selectRefundsOfKey(db, key)
  // The part with the most urgent state, for staff.
  const refund = parts.toSorted((a, b) => urgency[a.state] - urgency[b.state])[0]
  return refund && { state: refund.state, isCaptured: refund.isCaptured, note: refund.note }
}

const urgency: Readonly<Record<RefundState, number>> = { refused: 0, promised: 1, done: 2 }

/**
 * Retries the refund under `key`, either after the provider refused it, or after the job exhausted its retries. Refuses
 * if the refund is completed or was never promised.
 */
export async function retryRefund(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  key: string,
): Promise<Outcome<void, Refused<'nothing-to-retry'> | Refused<'more-than-charged'>>> {
  try {
    return await db.transaction().execute((tx) => retryRefundWithin(tx, key, clock.now()))
  } catch (error) {
    if (violatedConstraint(error) === 'refunds_within_charge') return refused('more-than-charged')
    throw error
  }
}

/**
 * The same in the caller's transaction. Throws on `refunds_within_charge` if the money went back another way by now.
 */
export async function retryRefundWithin(
  tx: Tx,
  key: string,
  at: Temporal.Instant,
): Promise<Outcome<void, Refused<'nothing-to-retry'>>> {
  let retried = 0
  for (const refund of await selectRefundsOfKey(tx, key)) {
    if (refund.state !== 'promised' && !(await updateToPromised(tx, refund.id, at))) continue
    if (refund.isCaptured) await enqueuePayOut(tx, refund.id)
    retried += 1
  }
  return retried > 0 ? ok(undefined) : refused('nothing-to-retry')
}

function enqueuePayOut(tx: Tx, refundId: string): Promise<void> {
  return enqueue(
    tx,
    'refund-charge',
    { refundId },
    { key: `refund-charge:${refundId}`, maxAttempts: attemptsWithinKey },
  )
}
