/** Staff actions on payments needing review. Each is recorded in the audit log. */
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { lockOrder, releaseOrder } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  askAboutCharge,
  endClaimedCharge,
  voidUnansweredCharge,
  selectRefundsOfOrder,
} from '#domain/payments/payments/payments.server.ts'
import { isPaidOnDelivery } from '#domain/payments/payments/payments.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { PlainAct } from '#domain/kernel/staff/staff.ts'
import type { Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { payAgainHours } from './open-charges.ts'
import { lockTask, selectOpenCharges, updateOwner, updateTold, type OpenCharge } from './open-charges.sql.server.ts'

type Deps = Parameters<typeof releaseOrder>[0]

/** `over` means that it no longer needs review. `waits` means that another step must come first. */
export type OpenChargeRefusal =
  | Refused<'not-allowed'>
  | Refused<'over'>
  | Refused<'not-this-one'>
  | Refused<'waits', { why: string }>
  | Refused<'no-address'>
  | Refused<'provider-away'>
  | Refused<'not-captured', { state: string }>

type About = { paymentId: string; by: Actor }

/** Whether an order may be charged now. */
export function isReleasable({ orderState, cancelUntil, isHeld }: OpenCharge, now: Temporal.Instant): boolean {
  return (
    orderState === 'confirmed' && !isHeld && cancelUntil !== null && Temporal.Instant.compare(cancelUntil, now) <= 0
  )
}

/** Why an order may not be charged; null if it may. */
export function whyNotCaptured(charge: OpenCharge, now: Temporal.Instant): string | null {
  if (charge.kind !== 'to-capture') return 'There’s no authorization to capture.'
  if (isPaidOnDelivery(charge.method)) return 'The lender pays when the tires are delivered or installed.'
  if (charge.termId !== null || isReleasable(charge, now)) return null
  if (charge.isHeld) return 'This order is on a fraud hold. Review the hold first.'
  if (charge.orderState === 'needs-confirmation') return 'The customer has not confirmed the order.'
  return 'The order can still be canceled.'
}

/** Assigns a charge to the actor. */
export function takeCharge(deps: Deps, about: About): Promise<Outcome<void, OpenChargeRefusal>> {
  return onOpen(deps, about, 'charge.taken', async (tx, _charge, at) => {
    await updateOwner(tx, about.paymentId, about.by.name, at)
    return ok(undefined)
  })
}

/** Queries the provider again. Its response resolves the charge, or leaves it open. */
export async function askAgain(deps: Deps, about: About): Promise<Outcome<{ isOpen: boolean }, OpenChargeRefusal>> {
  const noted = await onOpen(deps, about, 'charge.asked', () => Promise.resolve(ok(undefined)))
  if (!noted.ok) return noted
  const asked = await askAboutCharge(deps, about.paymentId)
  if (!asked.ok) return refused('provider-away')
  return ok({ isOpen: (await find(deps, about.paymentId)) !== undefined })
}

/** Voids a charge when its bank isn't responding. */
export function voidUnanswered(deps: Deps, about: About): Promise<Outcome<void, OpenChargeRefusal>> {
  return onOpen(deps, about, 'charge.let-go', async (tx, { kind, paymentId }, at) => {
    if (kind !== 'no-answer') return refused('not-this-one')
    const isGone = await voidUnansweredCharge(tx, { paymentId, actor: about.by.name, at })
    return isGone ? ok(undefined) : refused('over')
  })
}

/** Charges an order now, by the same job that should have done so. */
export async function captureNow(deps: Deps, about: About): Promise<Outcome<void, OpenChargeRefusal>> {
  const noted = await onOpen(deps, about, 'charge.captured', (_tx, charge, at) => {
    const why = whyNotCaptured(charge, at)
    return Promise.resolve(why === null ? ok(charge) : refused('waits', { why }))
  })
  if (!noted.ok) return noted
  const { orderId } = noted.value
  if (orderId === null) return refused('not-this-one')
  try {
    await releaseOrder(deps, orderId)
  } catch {
    // It throws while the provider is away.
    return refused('provider-away')
  }
  const after = await find(deps, about.paymentId)
  return after ? refused('not-captured', { state: after.state }) : ok(undefined)
}

/**
 * Requests a new payment from an order's customer. An outstanding authorization is voided first, because both would be
 * held on their card. The order is unchanged and stays pending.
 */
export async function askToPayAgain(deps: Deps, about: About): Promise<Outcome<void, OpenChargeRefusal>> {
  const { paymentId, by } = about
  const checked = await onOpen(deps, about, null, (tx, charge, at) => mayAskToPay(tx, charge, at))
  if (!checked.ok) return checked
  const ended = await endClaimedCharge(deps, { paymentId, actor: by.name })
  if (!ended.ok) return ended.reason === 'captured' ? refused('over') : refused('provider-away')
  return onOpen(deps, about, 'charge.asked-to-pay-again', async (tx, charge, at) => {
    const may = await mayAskToPay(tx, charge, at)
    if (!may.ok) return may
    await updateTold(tx, paymentId, { by: by.name, at, payUntil: at.add({ hours: payAgainHours }) })
    const key = `pay-again:${paymentId}:${at.epochMilliseconds}`
    await queueMessage(tx, { kind: 'pay-again', key, to: may.value.email, orderId: may.value.orderId, at })
    return ok(undefined)
  })
}

async function mayAskToPay(
  tx: Tx,
  charge: OpenCharge,
  at: Temporal.Instant,
): Promise<Outcome<{ orderId: number; email: string }, OpenChargeRefusal>> {
  const { orderId, cartId, email, kind, method } = charge
  if (kind === 'no-answer' || orderId === null || cartId === null) return refused('not-this-one')
  if (isPaidOnDelivery(method)) return refused('not-this-one')
  if (charge.orderState !== 'confirmed' || charge.isHeld)
    return refused('waits', { why: whyNotCaptured(charge, at) ?? 'The order is not confirmed.' })
  if (email === null) return refused('no-address')
  if ((await selectRefundsOfOrder(tx, orderId)).length > 0)
    return refused('waits', { why: 'A part of this order was given back. Cancel it, and let the customer order anew.' })
  return ok({ orderId, email })
}

/** Writes to the payer that their bank has not answered, and what they can do. */
export function writeToPayer(deps: Deps, about: About): Promise<Outcome<void, OpenChargeRefusal>> {
  return onOpen(deps, about, 'charge.payer-told', async (tx, { kind, paymentId, email }, at) => {
    if (kind !== 'no-answer') return refused('not-this-one')
    if (email === null) return refused('no-address')
    await updateTold(tx, paymentId, { by: about.by.name, at })
    const key = `payment-unanswered:${paymentId}:${at.epochMilliseconds}`
    await queueMessage(tx, { kind: 'payment-unanswered', key, to: email, orderId: null, at })
    return ok(undefined)
  })
}

async function find({ db, clock }: Deps, id: string): Promise<OpenCharge | undefined> {
  return (await selectOpenCharges(db, { now: clock.now(), limit: 1, id }))[0]
}

/** Runs `work` on a charge while it is open and its order is locked, and records the act. */
function onOpen<Value>(
  { db, clock }: Deps,
  { paymentId, by }: About,
  act: PlainAct | null,
  work: (tx: Tx, charge: OpenCharge, at: Temporal.Instant) => Promise<Outcome<Value, OpenChargeRefusal>>,
): Promise<Outcome<Value, OpenChargeRefusal>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'charges.resolve', at)
    if (!permitted.ok) return permitted
    const found = { now: at, limit: 1, id: paymentId }
    const [known] = await selectOpenCharges(tx, found)
    if (!known) return refused('over')
    if (known.orderId !== null) await lockOrder(tx, known.orderId)
    await lockTask(tx, paymentId)
    const [charge] = await selectOpenCharges(tx, found)
    if (!charge) return refused('over')
    const done = await work(tx, charge, at)
    if (!done.ok || act === null) return done
    const subject = charge.orderId === null ? (charge.email ?? paymentId) : orderNumber(charge.orderId)
    await recordAct(tx, { by, act, subject, after: { kind: charge.kind, amountCents: charge.amountCents }, at })
    return done
  })
}
