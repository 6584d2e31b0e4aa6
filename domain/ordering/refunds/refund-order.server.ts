/**
 * Refunds a charged order. The decision, ledger entries and audit entry are committed in one transaction. An idempotent
 * job sends the money, and the customer is emailed after the provider sends it. A refund above the approval threshold
 * stays a draft until another team member approves it. Over 400 lines: preview, refund and approval with shared
 * refusals.
 */
import { refundInvoice } from '#domain/payments/invoices/invoices.server.ts'
import { enterTransfer, entriesOfRefundedLines, refundCredit } from '#domain/payments/ledger/ledger.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { lockOrder, readOrder, selectPaidLines, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  findRefundableCharge,
  lockRefundableCharge,
  promiseRefund,
  retryRefundWithin,
  type RefundRefusal as ChargeRefusal,
} from '#domain/payments/payments/payments.server.ts'
import {
  authorizeConcession,
  declineConcession,
  readGivenAlone,
} from '#domain/kernel/concessions/concessions.server.ts'
import type { ExceededLimit } from '#domain/kernel/concessions/concessions.ts'
import { readOfficeLimits } from '#domain/kernel/settings/settings.server.ts'
import { recordAct, requirePermission, type Actor, type Authorization } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  leftOf,
  returnedOf,
  refundUnits,
  splitRefund,
  sumOfParts,
  sumRefund,
  withReturned,
  type MoneyLeft,
  type RefundableLine,
  type RefundedLine,
  type RefundSums,
  type SumsRefusal,
  type UnitsRefusal,
} from './refund-lines.ts'
import { isOverLimit, type AskedRefund, type RefundKind, type RefundState } from './refunds.ts'
import { newRefund } from './new-refund.server.ts'
import { giveBackTax } from './refund-tax.server.ts'
import {
  insertOrderRefund,
  isRefundOfReturn,
  selectBySubmission,
  selectOrderRefund,
  selectRefundedOfLines,
  selectRefundLines,
  selectReturnedUnits,
  selectTaken,
  updateToDecided,
  type OrderRefund,
} from './refunds.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** Why an order cannot be refunded now. */
export type NotRefundable =
  | Refused<'order-not-found'>
  | Refused<'order-not-charged'>
  | Refused<'order-over'>
  | Refused<'invoice-settled'>

export type RefundRefusal =
  | Refused<'not-allowed'>
  | Refused<'over-your-limit', { limitCents: number; exceeded: readonly ExceededLimit[] }>
  | NotRefundable
  | UnitsRefusal
  | SumsRefusal
  | Refused<'needs-lower-reason', { mostCents: number }>
  | Refused<'amount-moved', { amountCents: number }>
  | Refused<'not-fresh'>
  | ChargeRefusal

/** The emails sent when a refund is decided, each under the refund's id. */
export type RefundMail = 'order-refunded' | 'order-lines-canceled'

/** What of an order can be refunded, with what each line was paid and what went back. */
export type Refundable = {
  lines: (RefundableLine & { description: string; itemId: number | null })[]
  keepsTireFee: boolean
  /** The reason the order can't be refunded, such as not charged yet, ended, or settled. */
  why: NotRefundable['reason'] | null
  /** On net terms, where the open invoice is reduced. */
  isInvoiced: boolean
  money: MoneyLeft
  leftCents: number
  /** The handling fee per tire that this order's terms allow, in cents. */
  feeCents: number
  aloneCents: number
  /** The refund approval threshold, in cents. */
  limitCents: number
}

/** A refund preview, without writes. */
export type RefundPreview = {
  lines: RefundedLine[]
  sums: RefundSums
  cardCents: number
  creditCents: number
  invoiceCents: number
  /** The refund approval threshold, in cents. */
  limitCents: number
  isOverLimit: boolean
}

/** Returns an order's refundable amounts; undefined if the order doesn't exist. */
export async function readRefundable(db: Database, orderId: number): Promise<Refundable | undefined> {
  const order = await readOrder(db, orderId)
  return order && refundableOf(db, order, await findRefundableCharge(db, orderId))
}

/**
 * Returns an order's refundable amounts. The units of `ofReturn` aren't blocked by their own return. Non-staff refunds
 * (`kind`) don't depend on the capture; their money is sent after it.
 */
export async function refundableOf(
  db: Database,
  order: OrderView,
  charge: { leftCents: number } | undefined,
  { ofReturn = null, kind = 'refund' }: { ofReturn?: AskedRefund['ofReturn'] | null; kind?: RefundKind } = {},
): Promise<Refundable> {
  const taken = await selectTaken(db, order.id)
  const refunded = new Map((await selectRefundedOfLines(db, order.id)).map((line) => [line.lineNo, line]))
  const returned = await selectReturnedUnits(db, order.id, ofReturn)
  const paid = await selectPaidLines(db, order.id)
  const lines = paid.map((line) =>
    // The services of a returned tire go back with it.
    withReturned(line, refunded.get(line.lineNo), returnedOf(line, { lines: paid, returned })),
  )
  const dueCents = charge?.leftCents ?? order.invoice?.amountCents ?? 0
  const dueLeftCents = Math.max(0, dueCents - taken.draftDueCents)
  const money = {
    totalCents: order.totalCents,
    creditCents: order.creditCents,
    refundedCents: order.totalCents - order.creditCents - dueLeftCents + taken.creditCents,
    refundedCreditCents: taken.creditCents,
    dueLeftCents,
  }
  const why = whyNotRefundable(order, kind)
  return {
    lines,
    keepsTireFee: !order.breakdown.tax.tireFeeRefundable,
    why,
    isInvoiced: order.invoice !== null,
    money,
    leftCents: why === null ? leftOf(money) : 0,
    feeCents: order.terms.returnFeeCents,
    aloneCents: await readGivenAlone(db, order.id),
    limitCents: (await readOfficeLimits(db)).refundAloneCents,
  }
}

function whyNotRefundable(
  { state, releasedAt, payment, invoice }: OrderView,
  kind: RefundKind,
): NotRefundable['reason'] | null {
  if (state === 'canceled') return 'order-over'
  if (releasedAt === null) return 'order-not-charged'
  if (invoice) return invoice.state === 'open' ? null : 'invoice-settled'
  if (payment?.state === 'authorized' && kind === 'cancellation') return null
  return payment?.state === 'captured' ? null : 'order-not-charged'
}

/**
 * Returns a refund's amounts and destinations without making it. Refuses as `refundOrder` does, except for checks of
 * the actor.
 */
export function previewRefund(refundable: Refundable, asked: AskedRefund): Outcome<RefundPreview, PreviewRefusal> {
  const { lines, keepsTireFee, why, isInvoiced, money, leftCents, feeCents, aloneCents, limitCents } = refundable
  if (why !== null) return refused(why)
  const units = refundUnits(lines, asked.lines, { keepsTireFee })
  if (!units.ok) return units
  const sums = sumRefund(units.value, { ...asked, feeCents, leftCents })
  if (!sums.ok) return sums
  const { amountCents, loweredCents } = sums.value
  if (loweredCents > 0 && asked.lowerReason === null)
    return refused('needs-lower-reason', { mostCents: amountCents + loweredCents })
  const { creditCents, dueCents } = splitRefund(money, amountCents)
  return ok({
    lines: units.value,
    sums: sums.value,
    creditCents,
    cardCents: isInvoiced ? 0 : dueCents,
    invoiceCents: isInvoiced ? dueCents : 0,
    limitCents,
    isOverLimit: isOverLimit({ aloneCents, amountCents, limitCents }),
  })
}

type PreviewRefusal = NotRefundable | UnitsRefusal | SumsRefusal | Refused<'needs-lower-reason', { mostCents: number }>

/** Previews a refund of whole lines, capped at the remainder after earlier refunds. */
export function previewWithinLeft(
  refundable: Refundable,
  asked: AskedRefund,
): Outcome<{ asked: AskedRefund; preview: RefundPreview }, PreviewRefusal> {
  const whole = previewRefund(refundable, asked)
  if (whole.ok) return ok({ asked, preview: whole.value })
  if (whole.reason !== 'more-than-left' || whole.detail.leftCents === 0) return whole
  const lowered = { ...asked, amountCents: whole.detail.leftCents, lowerReason: 'refunded-before' as const }
  const preview = previewRefund(refundable, lowered)
  return preview.ok ? ok({ asked: lowered, preview: preview.value }) : preview
}

/**
 * Refunds units from an order's lines, or an amount without lines, once per `key` however often it is submitted. The
 * refund goes to the original payment method (the card, store credit, or the open invoice). Above the threshold it
 * stays a draft, if the actor may create one and has authenticated recently (`isFresh`). Refuses without writing and
 * returns the reason. `agreedCents` is the amount that was shown and confirmed, or null for any amount.
 */
export async function refundOrder(
  { db, clock }: Deps,
  input: AskedRefund & { orderId: number; actor: Actor; key: string; agreedCents: number | null; isFresh: boolean },
): Promise<Outcome<{ refundId: string; state: RefundState; isNew: boolean }, RefundRefusal>> {
  return undoing(() =>
    db.transaction().execute(async (tx) => {
      const at = clock.now()
      const permitted = await requirePermission(tx, input.actor, 'refunds.make', at)
      return permitted.ok ? refundWithin(tx, { ...input, at }) : permitted
    }),
  )
}

/**
 * Refunds an order within the caller's transaction as `refundOrder` does; the caller has checked the permission and
 * wraps its transaction in `undoing`.
 */
export async function refundWithin(
  tx: Tx,
  input: AskedRefund & {
    orderId: number
    actor: Actor
    key: string
    agreedCents: number | null
    isFresh: boolean
    at: Temporal.Instant
  },
): Promise<Outcome<{ refundId: string; state: RefundState; isNew: boolean }, RefundRefusal>> {
  const { orderId, actor, key, at } = input
  if (!(await lockOrder(tx, orderId))) return refused('order-not-found')
  const before = await selectBySubmission(tx, key)
  if (before && before.orderId !== orderId) return refused('order-not-found')
  if (before) return ok({ refundId: before.id, state: before.state, isNew: false })
  const preview = await previewWithin(tx, input)
  if (!preview.ok) return preview
  const { amountCents } = preview.value.sums
  if (input.agreedCents !== null && input.agreedCents !== amountCents) return refused('amount-moved', { amountCents })
  const refundId = newTimedId()
  const decided = await authorizeConcession(tx, {
    kind: 'refund',
    reference: refundId,
    by: actor,
    orderId,
    amountCents,
    requestPermission: 'refunds.approve',
    at,
  })
  if (!decided.ok) return decided
  const isRequest = decided.value.state === 'requested'
  if (isRequest && !input.isFresh) throw new Undo(refused('not-fresh'))
  const refund = newRefund(
    { ...input, id: refundId, kind: 'refund', by: actor.name },
    { ...preview.value, isOverLimit: isRequest },
    at,
  )
  await insertOrderRefund(tx, { ...refund, lines: preview.value.lines, submissionKey: key })
  const mail = input.ofReturn === undefined ? 'order-refunded' : null
  const settled = refund.state === 'draft' ? ok(undefined) : await settle(tx, refund, at, mail)
  if (!settled.ok) throw new Undo(settled)
  const { value: decision } = decided
  await recordAct(tx, {
    ...(decision.state === 'given'
      ? { act: 'refund.made', authorization: decision.authorization }
      : { act: 'refund.drafted' }),
    by: actor,
    ...auditOf(refund),
    at,
  })
  return ok({ refundId: refund.id, state: refund.state, isNew: true })
}

/** Runs a transaction that refunds; one that a refusal had to roll back answers that refusal. */
export async function undoing<Value>(run: () => Promise<Value>): Promise<Value | UndoneRefusal> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Undo) return error.refusal
    throw error
  }
}

/** The refund as it would be made with everything it rests on locked. */
async function previewWithin(tx: Tx, input: AskedRefund & { orderId: number }) {
  const order = await readOrder(tx, input.orderId)
  if (!order) return refused('order-not-found')
  const charge = order.payment ? await lockRefundableCharge(tx, order.id) : undefined
  return previewRefund(await refundableOf(tx, order, charge, { ofReturn: input.ofReturn ?? null }), input)
}

/**
 * Approves a draft as the second person, or declines it. Refuses approval by the requester (`own-refund`; they may
 * decline it), decided drafts, and refunds the money no longer allows.
 */
export async function decideRefund(
  { db, clock }: Deps,
  { refundId, decision, actor }: { refundId: string; decision: 'approved' | 'declined'; actor: Actor },
): Promise<
  Outcome<
    { orderId: number },
    | Refused<'not-allowed'>
    | Refused<'refund-not-found'>
    | Refused<'already-decided', { state: RefundState }>
    | Refused<'own-refund'>
    | Refused<'not-fresh'>
    | NotRefundable
    | ChargeRefusal
  >
> {
  try {
    return await db.transaction().execute(async (tx) => {
      const at = clock.now()
      const permitted = await requirePermission(tx, actor, 'refunds.approve', at)
      if (!permitted.ok) return permitted
      const known = await selectOrderRefund(tx, refundId)
      if (!known || !(await lockOrder(tx, known.orderId))) return refused('refund-not-found')
      const refund = (await selectOrderRefund(tx, refundId, { isLocked: true })) ?? known
      const { orderId, state } = refund
      if (state === decision) return ok({ orderId })
      if (state !== 'draft') return refused('already-decided', { state })
      if (decision === 'approved' && refund.createdBy === actor.name) return refused('own-refund')
      const recorded = await decideRequest(tx, { refund, decision, actor, at })
      if (!recorded.ok) return recorded
      await updateToDecided(tx, refundId, { state: decision, by: actor.name, at })
      if (decision === 'approved') {
        const order = await readOrder(tx, orderId)
        const why = order ? whyNotRefundable(order, 'refund') : 'order-not-found'
        if (why !== null) throw new Undo(refused(why))
        const mail = (await isRefundOfReturn(tx, refundId)) ? null : 'order-refunded'
        const settled = await settle(tx, { ...refund, decidedBy: actor.name }, at, mail)
        if (!settled.ok) throw new Undo(settled)
      }
      const before = { state: 'draft', by: refund.createdBy }
      await recordAct(tx, { ...recorded.value, by: actor, ...auditOf(refund), before, at })
      return ok({ orderId })
    })
  } catch (error) {
    if (error instanceof Undo) return error.refusal
    throw error
  }
}

/** Decides the request of a draft, and returns the act to record. */
async function decideRequest(
  tx: Tx,
  input: { refund: OrderRefund; decision: 'approved' | 'declined'; actor: Actor; at: Temporal.Instant },
): Promise<
  Outcome<
    { act: 'refund.declined' } | { act: 'refund.approved'; authorization: Authorization },
    Refused<'not-allowed'> | Refused<'not-fresh'>
  >
> {
  const { refund, decision, actor, at } = input
  const { id: reference, orderId, amountCents } = refund
  if (decision === 'declined') {
    await declineConcession(tx, { kind: 'refund', reference, by: actor.name, at })
    return ok({ act: 'refund.declined' })
  }
  const decided = await authorizeConcession(tx, { kind: 'refund', reference, by: actor, orderId, amountCents, at })
  if (!decided.ok) return decided.reason === 'not-fresh' ? decided : refused('not-allowed')
  return decided.value.state === 'given'
    ? ok({ act: 'refund.approved', authorization: decided.value.authorization })
    : refused('not-allowed')
}

/** Retries a refund's card share after the provider refused it or the job exhausted its retries. */
export async function retryOrderRefund(
  { db, clock }: Deps,
  { refundId, actor }: { refundId: string; actor: Actor },
): Promise<
  Outcome<
    { orderId: number },
    Refused<'not-allowed'> | Refused<'refund-not-found'> | Refused<'nothing-to-retry'> | Refused<'more-than-charged'>
  >
> {
  try {
    return await db.transaction().execute(async (tx) => {
      const at = clock.now()
      const permitted = await requirePermission(tx, actor, 'refunds.make', at)
      if (!permitted.ok) return permitted
      const refund = await selectOrderRefund(tx, refundId)
      if (!refund) return refused('refund-not-found')
      const retried = await retryRefundWithin(tx, chargeKey(refundId), at)
      if (!retried.ok) return retried
      await recordAct(tx, { by: actor, act: 'refund.retried', ...auditOf(refund), at })
      return ok({ orderId: refund.orderId })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'refunds_within_charge') return refused('more-than-charged')
    throw error
  }
}

/** Returns the key of the card share in its charge's refunds. */
export function chargeKey(refundId: string): string {
  return `order-refund:${refundId}`
}

/**
 * Records an approved refund in the ledger, and queues its card share and the customer's email; `mail` is null if the
 * caller queues one. `order-refunded` confirms that the money was sent, so with a card share `emailIssuedRefund` queues
 * it later.
 */
export async function settle(
  tx: Tx,
  refund: OrderRefund,
  at: Temporal.Instant,
  mail: RefundMail | null,
): Promise<Outcome<void, ChargeRefusal | Refused<'invoice-settled'>>> {
  const { id, orderId, handlingFeeCents, cardCents, creditCents, invoiceCents } = refund
  const parts = sumOfParts(await selectRefundLines(tx, id))
  await enterTransfer(tx, {
    orderId,
    reason: 'lines refunded',
    at,
    entries: entriesOfRefundedLines({ ...parts, handlingFeeCents }),
  })
  await giveBackTax(tx, refund, at)
  if (cardCents > 0) {
    const promised = await promiseRefund(tx, { orderId, amountCents: cardCents, key: chargeKey(id), at })
    if (!promised.ok) return promised
  }
  if (creditCents > 0) await refundCredit(tx, { orderId, cents: creditCents, at })
  if (invoiceCents > 0) {
    const by = refund.decidedBy ?? refund.createdBy
    if (!(await refundInvoice(tx, { orderId, cents: invoiceCents, by, at }))) return refused('invoice-settled')
  }
  const isLater = mail === 'order-refunded' && cardCents > 0
  const order = mail === null || isLater ? undefined : await readOrder(tx, orderId)
  if (mail !== null && order) await queueMessage(tx, { kind: mail, key: `${mail}:${id}`, to: order.email, orderId, at })
  return ok(undefined)
}

function auditOf({ orderId, amountCents, reason, bearer, note }: OrderRefund) {
  return {
    // The log is searched in lower case.
    subject: orderNumber(orderId).toLowerCase(),
    after: { amountCents, reason, bearer },
    reason: note ?? undefined,
  }
}

type UndoneRefusal = ChargeRefusal | NotRefundable | Refused<'not-fresh'>

/** Carries a refusal out of a transaction that must be rolled back. */
class Undo extends Error {
  readonly refusal: UndoneRefusal
  constructor(refusal: UndoneRefusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}
