/**
 * Charges: opened for a cart, authorized by the provider, claimed by the order in its own transaction, captured when
 * the order is released. Whatever the provider says reaches the store through `settle`, whether it comes as a webhook,
 * from the shopper's return or from a job, and saying it twice changes nothing.
 */
import type { CardLimits } from '#domain/payments/card-limits.port.ts'
import type { ChargeView, PaymentProvider } from '#domain/payments/payment-provider.port.ts'
import type { Payer, Payment, PaymentState } from '#domain/payments/payments.ts'
import {
  answerSubmission,
  claimForTerm,
  findLivePayment,
  findCardTry,
  findPayment,
  insertPayment,
  keepProviderEvent,
  listAbandoned,
  listCutOff,
  markProviderEvent,
  markRefunded,
  movePayment,
  noteSubmission,
  setProviderRef,
  touchPayment,
} from '#domain/payments/payments.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Taken } from '#platform/attempts.ts'

export {
  claimPaymentForOrder,
  forgetOldNetworks,
  forgetOldProviderEvents,
  keepHandledEvent,
} from '#domain/payments/payments.sql.server.ts'

type Deps = { db: Database; clock: Clock; payments: PaymentProvider }
type LimitedDeps = Deps & { cardLimits: CardLimits }

export type PaymentTrouble = Refused<'payment-unavailable'> | Refused<'declined', { message: string }>

/** An authorized charge nobody turned into an order is let go after this long without a sign of the shopper. */
export const abandonAfterMinutes = 30

/**
 * A press without an answer is taken for cut off after this long: well above what a slow one takes, and with the
 * worker's round after it still within a minute. One that is slower yet finds its charge gone, and its shopper pays
 * again.
 */
export const cutOffAfterSeconds = 30

/**
 * Opens a charge of `amountCents` for the provider's fields, or goes on with the open one at the new amount. A cart, or
 * a term, has one charge at a time: what was begun before in another way is let go. `from` is a key of the network, by
 * which cards that are declined are counted.
 */
export async function openCharge(
  deps: Deps,
  input: Payer & { amountCents: number; email: string | null; from?: string },
): Promise<Outcome<ChargeInFields, PaymentTrouble>> {
  const live = await findLivePayment(deps.db, input)
  const open = live && (await goOnWithCharge(deps, live, input.amountCents))
  if (open) return open
  const id = newId()
  await insertPayment(deps.db, {
    id,
    payer: input,
    flow: 'fields',
    amountCents: input.amountCents,
    from: input.from ?? null,
    at: deps.clock.now(),
  })
  const opened = await deps.payments.openCharge({
    amountCents: input.amountCents,
    reference: id,
    email: input.email,
    key: `open:${id}`,
  })
  if (!opened.ok)
    return opened.reason === 'declined'
      ? refused('declined', { message: opened.message })
      : refused('payment-unavailable')
  await setProviderRef(deps.db, id, { ref: opened.value.ref }, deps.clock.now())
  if (live) await voidUnclaimed(deps, live, 'shopper')
  return ok({
    payment: {
      id,
      orderId: null,
      flow: 'fields',
      providerRef: opened.value.ref,
      hostedRef: null,
      amountCents: input.amountCents,
      refundedCents: 0,
      state: 'pending',
    },
    clientSecret: opened.value.clientSecret,
  })
}

/** A charge that waits for a card in the provider's fields, and the secret by which they pay it. */
type ChargeInFields = { payment: Payment; clientSecret: string }

/** The charge that is open in the provider's fields, at the amount it has now; undefined when it takes no card. */
async function goOnWithCharge(
  deps: Deps,
  live: Payment,
  amountCents: number,
): Promise<Outcome<ChargeInFields, Refused<'payment-unavailable'>> | undefined> {
  if (live.flow !== 'fields' || !live.providerRef || live.state === 'authorized') return undefined
  const isSameAmount = live.amountCents === amountCents
  const charge = isSameAmount
    ? await deps.payments.readCharge(live.providerRef)
    : await deps.payments.changeAmount({
        ref: live.providerRef,
        amountCents,
        key: `amount:${live.id}:${amountCents}`,
      })
  if (!charge.ok) return charge.reason === 'unavailable' ? refused('payment-unavailable') : undefined
  if (!takesCard(charge.value) || !charge.value.clientSecret) return undefined
  if (!isSameAmount) await setProviderRef(deps.db, live.id, { amountCents }, deps.clock.now())
  return ok({ payment: { ...live, amountCents }, clientSecret: charge.value.clientSecret })
}

/**
 * Opens the provider's own page for `amountCents`; the shopper comes back to `returnUrl`, in which `{payment}` is
 * replaced by our key.
 */
export async function openHostedPage(
  deps: Deps,
  input: Payer & {
    amountCents: number
    email: string | null
    from?: string
    description: string
    returnUrl: string
    cancelUrl: string
  },
): Promise<Outcome<{ paymentId: string; url: string }, PaymentTrouble>> {
  const live = await findLivePayment(deps.db, input)
  const id = newId()
  await insertPayment(deps.db, {
    id,
    payer: input,
    flow: 'hosted',
    amountCents: input.amountCents,
    from: input.from ?? null,
    at: deps.clock.now(),
  })
  const opened = await deps.payments.openHostedPage({
    ...input,
    returnUrl: input.returnUrl.replace('{payment}', id),
    reference: id,
    key: `hosted:${id}`,
  })
  if (!opened.ok)
    return opened.reason === 'declined'
      ? refused('declined', { message: opened.message })
      : refused('payment-unavailable')
  await setProviderRef(deps.db, id, { hostedRef: opened.value.hostedRef }, deps.clock.now())
  if (live) await voidUnclaimed(deps, live, 'shopper')
  return ok({ paymentId: id, url: opened.value.url })
}

/**
 * How a charge stands: `failure` is the provider's word on the last try, `isProcessing` while the bank has not
 * answered.
 */
export type PaymentStatus = { payment: Payment; failure: string | null; isProcessing: boolean }

/**
 * Asks the provider how the newest charge of a cart or term stands, and keeps the answer. Undefined when it has none.
 */
export async function refreshPayment(
  deps: Deps,
  payer: Payer,
): Promise<Outcome<PaymentStatus | undefined, Refused<'payment-unavailable'>>> {
  const live = await findLivePayment(deps.db, payer)
  if (!live) return ok(undefined)
  const status = await readPaymentStatus(deps, live)
  if (status.ok) await touchPayment(deps.db, live.id, deps.clock.now())
  return status
}

/** A press of the button, and the charge that pays for it. */
export type Submission = { payment: Payment; at: Temporal.Instant }

/**
 * Begins a submission: notes it with the newest charge of the cart or term before anything else is done, so that a
 * crash at any later step is found by `releaseCutOffCharges`. Undefined when there is no charge that could be claimed.
 */
export async function beginSubmission(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  payer: Payer,
): Promise<Submission | undefined> {
  const at = clock.now()
  const payment = await noteSubmission(db, payer, at)
  return payment && { payment, at }
}

/** Ends a press that placed no order, so that its shopper may press again for as long as any other. */
export async function endSubmission({ db }: Pick<Deps, 'db'>, { payment, at }: Submission): Promise<void> {
  await answerSubmission(db, payment.id, at)
}

/** Asks the provider how this charge stands, and keeps the answer. */
export async function readPaymentStatus(
  deps: Deps,
  payment: Payment,
): Promise<Outcome<PaymentStatus | undefined, Refused<'payment-unavailable'>>> {
  const charge = await askProvider(deps, payment)
  if (!charge.ok) return refused('payment-unavailable')
  if (!charge.value) return ok({ payment, failure: null, isProcessing: false })
  await settle(deps, payment, charge.value, 'shopper')
  const settled = await findPayment(deps.db, { id: payment.id })
  return ok(
    settled && { payment: settled, failure: charge.value.failure, isProcessing: charge.value.state === 'processing' },
  )
}

/** Voids the charge, so that the shopper can pay in another way. Harmless when there is none, or when it is claimed. */
export async function voidPayment(deps: Deps, payer: Payer): Promise<void> {
  const live = await findLivePayment(deps.db, payer)
  if (live) await voidUnclaimed(deps, live, 'shopper')
}

/** Whether another card may be tried for a cart or term, after those that were declined for it and from its network. */
export function mayTryCard(
  { cardLimits }: Pick<LimitedDeps, 'cardLimits'>,
  payer: Payer,
  from: string,
): Promise<Taken> {
  return cardLimits.mayFollow({ payer: 'cartId' in payer ? payer.cartId : payer.termId, from })
}

/**
 * The provider's fields try card after card on one charge and never ask the store. So a charge on which too many were
 * declined ends, and with it what the fields hold.
 */
async function countDecline(deps: LimitedDeps, payment: Payment): Promise<void> {
  const counted = await deps.cardLimits.countDecline(await findCardTry(deps.db, payment.id))
  if (!counted.ok) await voidUnclaimed(deps, payment, 'store')
}

/** Takes in a message of the provider. Refuses `bad-signature`; a message that came before changes nothing. */
export async function receiveProviderEvent(
  deps: LimitedDeps,
  rawBody: string,
  signature: string,
): Promise<Outcome<null, Refused<'bad-signature'> | Refused<'unreadable', { cause: unknown }>>> {
  const read = await deps.payments.readEvent(rawBody, signature)
  if (!read.ok) return read.reason === 'unreadable' ? refused(read.reason, { cause: read.cause }) : refused(read.reason)
  const { event } = read
  const isFresh = await keepProviderEvent(
    deps.db,
    { provider: 'stripe', id: event.id, kind: event.kind, body: event.body },
    deps.clock.now(),
  )
  if (!isFresh) return ok(null)
  if (event.charge) {
    const payment =
      (await findPayment(deps.db, { ref: event.charge.ref })) ??
      (event.hostedRef ? await findPayment(deps.db, { hostedRef: event.hostedRef }) : undefined)
    if (payment) {
      // Messages come late and out of order: the provider's word now counts, not the word in the message.
      const current = await deps.payments.readCharge(event.charge.ref)
      if (!current.ok)
        throw new Error('The provider cannot be asked about its own message; it will send it again.', {
          cause: current.cause,
        })
      await settle(deps, payment, current.value, 'provider')
      if (event.charge.state === 'failed') await countDecline(deps, payment)
    }
  }
  await markProviderEvent(deps.db, 'stripe', event.id, deps.clock.now())
  return ok(null)
}

/** Captures a charge in full. Run again, it finds the money taken and does nothing more. */
export async function captureCharge(
  deps: Deps,
  paymentId: string,
): Promise<
  Outcome<
    { capturedCents: number; isNew: boolean },
    Refused<'payment-unavailable'> | Refused<'not-capturable', { state: PaymentState }>
  >
> {
  const payment = await findPayment(deps.db, { id: paymentId })
  if (!payment?.providerRef) return refused('not-capturable', { state: payment?.state ?? 'failed' })
  if (payment.state === 'captured') return ok({ capturedCents: payment.amountCents, isNew: false })
  if (payment.state !== 'authorized') return refused('not-capturable', { state: payment.state })
  const captured = await deps.payments.captureCharge({
    ref: payment.providerRef,
    amountCents: payment.amountCents,
    key: `capture:${payment.id}`,
  })
  if (!captured.ok && captured.reason === 'unavailable') return refused('payment-unavailable')
  if (!captured.ok || captured.value.state !== 'captured') return refused('not-capturable', { state: payment.state })
  return ok({ capturedCents: captured.value.capturedCents, isNew: true })
}

/** Notes captured money, in the transaction of the ledger's entries. False when it was noted before. */
export async function recordCapture(
  tx: Tx,
  paymentId: string,
  capture: { capturedCents: number; at: Temporal.Instant; actor: string },
): Promise<boolean> {
  return movePayment(tx, paymentId, 'captured', capture)
}

/**
 * Ties an authorized charge to the term it pays for, in the transaction that makes the term good. False when it is not
 * to be had any more.
 */
export function claimPaymentForTerm(
  tx: Tx,
  claim: { paymentId: string; termId: string; amountCents: number; at: Temporal.Instant },
): Promise<boolean> {
  return claimForTerm(tx, claim)
}

/** Gives all of a captured charge back at the provider. Run again, it has one effect. */
export async function refundWhole(
  deps: Deps,
  paymentId: string,
): Promise<
  Outcome<{ refundedCents: number; isNew: boolean }, Refused<'payment-unavailable'> | Refused<'not-captured'>>
> {
  const payment = await findPayment(deps.db, { id: paymentId })
  if (!payment?.providerRef || payment.state !== 'captured') return refused('not-captured')
  if (payment.refundedCents > 0) return ok({ refundedCents: payment.refundedCents, isNew: false })
  const refund = await deps.payments.refundCharge({
    ref: payment.providerRef,
    amountCents: payment.amountCents,
    key: `refund:${payment.id}`,
  })
  if (!refund.ok) return refused('payment-unavailable')
  return ok({ refundedCents: payment.amountCents, isNew: true })
}

/** Notes money given back, in the transaction of the ledger's entries. False when it was noted before. */
export async function recordRefund(
  tx: Tx,
  paymentId: string,
  change: { actor: string; at: Temporal.Instant },
): Promise<boolean> {
  return markRefunded(tx, paymentId, change)
}

/** Voids a charge, at the provider and here; a page on which it could be paid is closed. Harmless when it is gone. */
export async function voidCharge(
  deps: Deps,
  paymentId: string,
  actor: string,
): Promise<Outcome<null, Refused<'payment-unavailable'>>> {
  const payment = await findPayment(deps.db, { id: paymentId })
  if (!payment || payment.state === 'captured') return ok(null)
  const ref = await closeAndFindRef(deps, payment)
  if (!ref.ok) return ref
  if (ref.value !== null) {
    const gone = await deps.payments.voidCharge({ ref: ref.value, key: `void:${payment.id}` })
    if (!gone.ok && gone.reason === 'unavailable') return refused('payment-unavailable')
  }
  await movePayment(deps.db, payment.id, 'voided', { actor, at: deps.clock.now() })
  return ok(null)
}

/**
 * The provider's name for a charge. A visit to the hosted page of which none is known is closed first: a payment may
 * have been begun there.
 */
async function closeAndFindRef(
  { db, clock, payments }: Deps,
  payment: Payment,
): Promise<Outcome<string | null, Refused<'payment-unavailable'>>> {
  if (payment.providerRef !== null || payment.hostedRef === null) return ok(payment.providerRef)
  const closed = await payments.closeHostedPage({ hostedRef: payment.hostedRef, key: `close:${payment.id}` })
  if (!closed.ok) return closed.reason === 'unavailable' ? refused('payment-unavailable') : ok(null)
  if (closed.value.charge === null) return ok(null)
  await setProviderRef(db, payment.id, { ref: closed.value.charge.ref }, clock.now())
  return ok(closed.value.charge.ref)
}

/** Voids charges that nothing will claim. Returns how many there were. */
export async function releaseAbandonedCharges(deps: Deps): Promise<number> {
  const abandoned = await listAbandoned(deps.db, deps.clock.now().subtract({ minutes: abandonAfterMinutes }))
  for (const payment of abandoned) await voidUnclaimed(deps, payment, 'store')
  return abandoned.length
}

/**
 * Voids charges whose submission was cut off: its order was not placed, and nobody knows whether its shopper comes
 * back. Returns how many there were.
 */
export async function releaseCutOffCharges(deps: Deps): Promise<number> {
  const cutOff = await listCutOff(deps.db, deps.clock.now().subtract({ seconds: cutOffAfterSeconds }))
  for (const payment of cutOff) await voidUnclaimed(deps, payment, 'store')
  return cutOff.length
}

/**
 * Ends a charge that nothing has claimed: here at once, so that no order can claim it any more, and at the provider by
 * a job that is asked for in the same transaction. An order that was faster keeps it.
 */
async function voidUnclaimed(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  payment: Payment,
  actor: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const isOurs = await movePayment(tx, payment.id, 'voided', { actor, at: clock.now(), unclaimed: true })
    if (isOurs) await enqueue(tx, 'void-charge', { paymentId: payment.id }, { key: `void-charge:${payment.id}` })
  })
}

/** Brings our record to what the provider says. One path for every source of its word. */
async function settle({ db, clock }: Deps, payment: Payment, charge: ChargeView, actor: string): Promise<void> {
  if (!payment.providerRef) await setProviderRef(db, payment.id, { ref: charge.ref }, clock.now())
  const to = stateFor(charge)
  // Money is entered as captured only together with the ledger, by the job that captures it.
  if (to && to !== 'captured' && to !== payment.state)
    await movePayment(db, payment.id, to, {
      actor,
      at: clock.now(),
      note: charge.failure,
      cardFingerprint: charge.cardFingerprint,
    })
}

async function askProvider(
  { payments }: Deps,
  payment: Payment,
): Promise<{ ok: true; value: ChargeView | null } | { ok: false }> {
  if (payment.providerRef) {
    const charge = await payments.readCharge(payment.providerRef)
    return charge.ok ? { ok: true, value: charge.value } : { ok: false }
  }
  if (!payment.hostedRef) return { ok: true, value: null }
  const visit = await payments.readHostedPage(payment.hostedRef)
  return visit.ok ? { ok: true, value: visit.value.charge } : { ok: false }
}

/** Open, or open again after a card that was declined. */
function takesCard({ state }: ChargeView): boolean {
  return state === 'open' || state === 'failed'
}

function stateFor(charge: ChargeView): PaymentState | undefined {
  switch (charge.state) {
    case 'authorized':
    case 'captured':
    case 'voided':
      return charge.state
    case 'failed':
      return 'failed'
    case 'open':
    case 'processing':
      return undefined
  }
}
