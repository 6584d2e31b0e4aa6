/**
 * Refunds a return's accepted tires, with every unit's share of the price less the fee, to the original payment method.
 */
import { cancelBooking } from '#domain/scheduling/booking/booking.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { lockOrder, readOrder, returnOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { findIssuedRefund } from '#domain/payments/payments/payments.server.ts'
import {
  chargeKey,
  emailIssuedRefund as emailIssuedOrderRefund,
  findOrderRefund,
  previewReturnRefund,
  refundIdOfCharge,
  refundWithin,
  undoing,
  type OrderRefund,
  type RefundRefusal,
} from '#domain/ordering/refunds/refunds.server.ts'
import type { AskedRefund } from '#domain/ordering/refunds/refunds.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { lockView } from './inspect-return.server.ts'
import { returnMoney, type ReturnMoney } from './return-money.ts'
import { feePerTire, feeReasonFor, returnNumber, type FeeReason } from './return-terms.ts'
import { readReturn, type ReturnRefund, type ReturnTire, type ReturnView } from './return-view.sql.server.ts'
import {
  insertReturnRefund,
  isWholeOrderRefunded,
  linkToRefund,
  moveTire,
  selectPendingRefund,
  selectReturnOfRefund,
  selectTiresOfRefund,
  updateReorder,
} from './returns.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** Why the fee is due or waived as things are now, and whether the right size was ordered. */
export function currentFeeReason({ reason, wasSaidToFit, reorder }: ReturnView): FeeReason {
  return feeReasonFor({ reason, wasSaidToFit, isReordered: reorder !== null && reorder.state !== 'canceled' })
}

/** Returns the amount for these tires in a return. */
export function moneyOfTires(
  order: Pick<OrderView, 'breakdown' | 'terms'>,
  tires: readonly { lineNo: number; unit: number }[],
  feeReason: FeeReason,
): ReturnMoney {
  return returnMoney(order.breakdown, tires, feePerTire(feeReason, order.terms))
}

export type RefundReturnRefusal =
  | Refused<'return-not-found'>
  | Refused<'nothing-accepted'>
  | Refused<'amount-changed', { refundCents: number }>
  | Refused<'reorder-not-found'>
  | Refused<'awaits-approval'>
  | Refused<'held'>
  | RefundRefusal

/** A return's refund. It is a `draft` until a second person approves it. */
type Made = { refundCents: number; way: ReturnRefund['way']; state: 'draft' | 'refunded' }

/**
 * Refunds a return's accepted tires once. A duplicate submission has no tires left to refund. `agreedCents` is the
 * amount shown on the page, and a different current amount is refused. `feeReason` is the fee decision, with the new
 * order's number if it is waived for one. Above the approval threshold it creates a draft, which `finishReturnRefund`
 * completes after approval. After the order's last tire is refunded, the order becomes returned and its appointment is
 * released.
 */
export async function refundReturn(
  { db, clock }: Deps,
  by: Actor,
  asked: { id: number; feeReason: FeeReason; reorderId: number | null; agreedCents: number; isFresh: boolean },
): Promise<Outcome<Made, RefundReturnRefusal>> {
  const at = clock.now()
  return undoing(() =>
    db.transaction().execute(async (tx): Promise<Outcome<Made, RefundReturnRefusal>> => {
      const permitted = await requirePermission(tx, by, 'returns.refund', at)
      if (!permitted.ok) return permitted
      const found = await lockReturn(tx, asked.id)
      if (!found.ok) return found
      const { view, order } = found.value
      if (view.hold) return refused('held')
      const accepted = view.tires.filter(({ state }) => state === 'accepted')
      if (accepted.length === 0) return refused('nothing-accepted')
      const pending = await selectPendingRefund(tx, view.id)
      if (pending?.state === 'draft') return refused('awaits-approval')
      if (pending) return ok(await finish(tx, { by, clock, view, order }, pending))
      const waived = await checkReorder(tx, view, order, asked)
      if (!waived.ok) return waived
      return refundTires(tx, { by, clock, view, order }, { ...asked, tires: accepted })
    }),
  )
}

type Case = { by: Actor; clock: Clock; view: ReturnView; order: OrderView }

/** Locks the order, then its return, in the same order as opening a return. */
async function lockReturn(
  tx: Tx,
  id: number,
): Promise<Outcome<{ view: ReturnView; order: OrderView }, Refused<'return-not-found'>>> {
  const before = await readReturn(tx, id)
  if (!before) return refused('return-not-found')
  await lockOrder(tx, before.orderId)
  const view = await lockView(tx, id)
  const order = await readOrder(tx, before.orderId)
  return view && order ? ok({ view, order }) : refused('return-not-found')
}

/** The refund preview for accepted tires, in cents. */
type ReturnRefundPreview = { goodsCents: number; feeCents: number; loweredCents: number; refundCents: number }

/**
 * Returns the current refund amount for these tires in a return. `asked` is null if no charge or open invoice has money
 * left, so staff settle it manually.
 */
export async function previewRefundOfReturn(
  db: Database,
  { view, order, feeReason }: { view: ReturnView; order: OrderView; feeReason: FeeReason },
): Promise<ReturnRefundPreview & { asked: AskedRefund | null }> {
  const tires = view.tires.filter(({ state }) => state === 'accepted')
  const hasHandlingFee = feeReason === 'due'
  const reason = refundReasonOf(view)
  const found = await previewReturnRefund(db, { orderId: order.id, returnId: view.id, tires, hasHandlingFee, reason })
  if (!found.ok) {
    const { goodsCents, feeCents, refundCents } = moneyOfTires(order, tires, feeReason)
    return { goodsCents, feeCents, loweredCents: 0, refundCents, asked: null }
  }
  const { linesCents, handlingFeeCents, loweredCents, amountCents } = found.value.preview.sums
  return {
    goodsCents: linesCents,
    feeCents: handlingFeeCents,
    loweredCents,
    refundCents: amountCents,
    asked: found.value.asked,
  }
}

function refundReasonOf({ reason, wasSaidToFit }: ReturnView): AskedRefund['reason'] {
  switch (reason) {
    case 'damaged':
    case 'late':
      return reason
    case 'wrong-item':
      return 'wrong-tire'
    case 'wrong-size':
      return wasSaidToFit ? 'does-not-fit' : 'changed-mind'
    case 'changed-mind':
      return 'changed-mind'
    case 'short':
      return 'other'
  }
}

async function refundTires(
  tx: Tx,
  found: Case,
  {
    tires,
    feeReason,
    agreedCents,
    isFresh,
  }: {
    tires: readonly ReturnTire[]
    feeReason: FeeReason
    agreedCents: number
    isFresh: boolean
  },
): Promise<Outcome<Made, RefundReturnRefusal>> {
  const { by, clock, view, order } = found
  const { asked, ...money } = await previewRefundOfReturn(tx, { view, order, feeReason })
  if (money.refundCents !== agreedCents) return refused('amount-changed', { refundCents: money.refundCents })
  if (!asked) return ok(await writeDown(tx, found, { tires, feeReason, money, way: 'by-hand', refundId: null }))
  const at = clock.now()
  const made = await refundWithin(tx, {
    ...asked,
    orderId: order.id,
    actor: by,
    key: newId(),
    agreedCents,
    isFresh,
    at,
  })
  if (!made.ok) return made
  await linkToRefund(tx, { returnId: view.id, tires, refundId: made.value.refundId, feeReason })
  const refund = await findOrderRefund(tx, made.value.refundId)
  if (!refund) throw new Error('A refund that was just made is gone.')
  return made.value.state === 'draft'
    ? ok({ refundCents: money.refundCents, way: wayOf(refund), state: 'draft' })
    : ok(await finish(tx, found, { refundId: refund.id, feeReason }))
}

/**
 * Completes a return's refund after a second person approved it. Idempotent, and skips other refunds. Returns whether
 * it completed one.
 */
export async function finishReturnRefund({ db, clock }: Deps, by: Actor, refundId: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const id = await selectReturnOfRefund(tx, refundId)
    const found = id === undefined ? undefined : await lockReturn(tx, id)
    if (!found?.ok) return false
    const pending = await selectPendingRefund(tx, found.value.view.id)
    if (pending?.refundId !== refundId || pending.state !== 'approved') return false
    await finish(tx, { by, clock, ...found.value }, pending)
    return true
  })
}

/** Advances an approved refund's tires. */
async function finish(
  tx: Tx,
  found: Case,
  { refundId, feeReason }: { refundId: string; feeReason: FeeReason },
): Promise<Made> {
  const refund = await findOrderRefund(tx, refundId)
  if (!refund) throw new Error(`Refund ${refundId} of a return is not there.`)
  const tireNos = await selectTiresOfRefund(tx, { returnId: found.view.id, refundId })
  const { linesCents: goodsCents, handlingFeeCents: feeCents, loweredCents, amountCents: refundCents } = refund
  return writeDown(tx, found, {
    tires: found.view.tires.filter(({ tireNo, state }) => state === 'accepted' && tireNos.includes(tireNo)),
    feeReason,
    money: { goodsCents, feeCents, loweredCents, refundCents },
    way: wayOf(refund),
    refundId,
  })
}

/** The way most of a refund goes; store credit where the card has no part in it. */
function wayOf({ cardCents, invoiceCents }: OrderRefund): ReturnRefund['way'] {
  return invoiceCents > 0 ? 'invoice' : cardCents > 0 ? 'card' : 'credit'
}

async function writeDown(
  tx: Tx,
  { by, clock, view, order }: Case,
  {
    tires,
    feeReason,
    money,
    way,
    refundId,
  }: {
    tires: readonly ReturnTire[]
    feeReason: FeeReason
    money: ReturnRefundPreview
    way: ReturnRefund['way']
    /** The order refund that pays it; null if staff settle it manually. */
    refundId: string | null
  },
): Promise<Made> {
  const at = clock.now()
  const no = view.refunds.length + 1
  const { goodsCents, feeCents, loweredCents, refundCents } = money
  await insertReturnRefund(tx, {
    returnId: view.id,
    no,
    at,
    by: by.name,
    goodsCents,
    feeCents,
    loweredCents,
    feeReason,
    way,
  })
  for (const { tireNo } of tires)
    await moveTire(tx, { returnId: view.id, tireNo, state: 'accepted' }, 'refunded', {
      refund_no: no,
      change: { actor: by.name, at, note: null },
    })
  const subject = returnNumber(view.id)
  await recordAct(tx, {
    by,
    act: 'return.refunded',
    subject,
    after: { cents: refundCents, feeCents, fee: feeReason, way },
    at,
  })
  // The email confirms that the money was sent, so with a card share `emailIssuedRefund` queues it later.
  if (way !== 'card' || (refundId !== null && (await findIssuedRefund(tx, chargeKey(refundId)))))
    await queueRefundEmail(tx, { returnId: view.id, no, order, at })
  if (await isWholeOrderRefunded(tx, order.id)) await closeOrder(tx, order, { clock, actor: by.name })
  return { refundCents, way, state: 'refunded' }
}

function queueRefundEmail(
  tx: Tx,
  { returnId, no, order, at }: { returnId: number; no: number; order: OrderView; at: Temporal.Instant },
): Promise<void> {
  const key = `return-refunded:${returnId}:${no}`
  return queueMessage(tx, { kind: 'return-refunded', key, to: order.email, orderId: order.id, at })
}

/**
 * Queues the email that a refund was sent, after the provider has sent all of it. For a return this is the return's
 * email, otherwise the order's. `key` is the key of the charge's promised refund. Idempotent.
 */
export async function emailIssuedRefund({ db, clock }: Deps, { key }: { key: string }): Promise<void> {
  const refundId = refundIdOfCharge(key)
  const returnId = refundId === undefined ? undefined : await selectReturnOfRefund(db, refundId)
  if (refundId === undefined || returnId === undefined) return emailIssuedOrderRefund({ db, clock }, { key })
  await db.transaction().execute(async (tx) => {
    // The transaction that completes the return's refund locks the order, and queues the email if the money was sent
    // earlier.
    const found = await lockReturn(tx, returnId)
    if (!found.ok || !(await findIssuedRefund(tx, key))) return
    const { view, order } = found.value
    const tireNos = await selectTiresOfRefund(tx, { returnId, refundId })
    const no = view.tires.find(({ tireNo }) => tireNos.includes(tireNo))?.refundNo ?? null
    if (no !== null) await queueRefundEmail(tx, { returnId, no, order, at: clock.now() })
  })
}

/**
 * Waives the fee for the right size only with an active order for it, from the exchange or placed by the same shopper
 * after the return's order.
 */
async function checkReorder(
  tx: Tx,
  view: ReturnView,
  order: OrderView,
  { feeReason, reorderId }: { feeReason: FeeReason; reorderId: number | null },
): Promise<Outcome<null, Refused<'reorder-not-found'>>> {
  if (feeReason !== 'reordered') return ok(null)
  if (reorderId === null || reorderId === view.reorder?.id)
    return view.reorder && view.reorder.state !== 'canceled' ? ok(null) : refused('reorder-not-found')
  const found = await readOrder(tx, reorderId)
  const isOne =
    found !== undefined &&
    found.id !== order.id &&
    found.customerId === order.customerId &&
    found.state !== 'canceled' &&
    Temporal.Instant.compare(found.placedAt, order.placedAt) > 0
  if (!isOne) return refused('reorder-not-found')
  await updateReorder(tx, view.id, found.id)
  return ok(null)
}

async function closeOrder(tx: Tx, order: OrderView, { clock, actor }: { clock: Clock; actor: string }): Promise<void> {
  await returnOrder(tx, order, { actor, at: clock.now(), note: null })
  if (order.booking?.state === 'confirmed') await cancelBooking({ db: tx, clock }, { orderId: order.id, actor })
}
