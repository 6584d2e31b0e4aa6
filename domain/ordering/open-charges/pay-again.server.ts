/** The customer's payment link, and the charge that replaces the first one. */
import { serverPaths } from '#content/server-paths.ts'
import { lockOrder, readOrder, releaseOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import {
  beginSubmission,
  claimAgain,
  endSubmission,
  readPaymentStatus,
  type PaymentStatus,
} from '#domain/payments/payments/payments.server.ts'
import type { Config } from '#platform/config.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { sign, verify } from '#platform/signing.ts'
import { selectAsked, selectPaidAgain } from './open-charges.sql.server.ts'
import type { Secrets } from '#platform/secrets.ts'

const purpose = 'pay-again'

type Deps = Parameters<typeof releaseOrder>[0]

/** Returns the URL for the email, which pays only this order. */
export function payAgainLink(secret: Secrets, paymentId: string): string {
  return serverPaths.payAgain(sign(secret, purpose, paymentId))
}

/**
 * The payment a link requests. `isPaid` means that it was already paid. `isOver` means that it expired, or the order no
 * longer needs a payment.
 */
export type PayAgain = {
  paymentId: string
  cartId: string
  order: OrderView
  amountCents: number
  payUntil: Temporal.Instant
  isPaid: boolean
  isOver: boolean
}

/** Reads a link's payment request. Read-only, because email scanners follow links. */
export async function readPayAgain(
  deps: Pick<Deps, 'db' | 'clock'> & { config: Pick<Config, 'session'> },
  token: string,
): Promise<PayAgain | undefined> {
  const paymentId = verify(deps.config.session.secret, purpose, token.slice(0, 150))
  return paymentId === undefined ? undefined : readAsked(deps, paymentId)
}

async function readAsked({ db, clock }: Pick<Deps, 'db' | 'clock'>, paymentId: string): Promise<PayAgain | undefined> {
  const asked = await selectAsked(db, paymentId)
  if (!asked) return undefined
  const order = await readOrder(db, asked.orderId)
  if (!order?.payment) return undefined
  const isPaid = order.payment.id !== paymentId
  const isLate = Temporal.Instant.compare(asked.payUntil, clock.now()) <= 0
  return { paymentId, ...asked, order, isPaid, isOver: !isPaid && (isLate || order.state !== 'confirmed') }
}

/** `over` means that the card wasn't charged, and the link no longer works. */
export type PayAgainRefusal =
  | Refused<'over'>
  | Refused<'not-paid', { failure: string | null; isProcessing: boolean }>
  | Refused<'payment-unavailable'>

/**
 * Replaces the ended charge with an authorized one, once however often it is called, and resumes the order. An
 * authorization for an expired link is voided as abandoned.
 */
export async function payAgain(deps: Deps, paymentId: string): Promise<Outcome<{ isNew: boolean }, PayAgainRefusal>> {
  const paid = await takePaidAgain(deps, paymentId)
  if (paid.ok || paid.reason !== 'not-paid') return paid
  // Pressed twice, the other press may have taken the charge away from under this one.
  const now = await readAsked(deps, paymentId)
  return now?.isPaid === true ? ok({ isNew: false }) : paid
}

async function takePaidAgain(deps: Deps, paymentId: string): Promise<Outcome<{ isNew: boolean }, PayAgainRefusal>> {
  const asked = await readAsked(deps, paymentId)
  if (!asked) return refused('over')
  if (asked.isPaid) return ok({ isNew: false })
  if (asked.isOver) return refused('over')
  const { cartId, amountCents, order } = asked
  const submission = await beginSubmission(deps, { cartId })
  if (!submission) return refused('not-paid', { failure: null, isProcessing: false })
  const status = await readPaymentStatus(deps, submission.payment)
  if (!status.ok || status.value?.payment.state !== 'authorized') {
    await endSubmission(deps, submission)
    return status.ok ? notPaid(status.value) : refused('payment-unavailable')
  }
  return deps.db.transaction().execute(async (tx) => {
    const at = deps.clock.now()
    const state = await lockOrder(tx, order.id)
    const now = await readOrder(tx, order.id)
    if (now?.payment && now.payment.id !== paymentId) return ok({ isNew: false })
    if (state !== 'confirmed' || now?.payment?.state !== 'voided') return refused('over')
    const claim = { paymentId: submission.payment.id, cartId, orderId: order.id, amountCents, at }
    if (!(await claimAgain(tx, claim))) return refused('not-paid', { failure: null, isProcessing: false })
    await enqueue(tx, 'release-order', { orderId: order.id }, { key: `release-order:${order.id}` })
    return ok({ isNew: true })
  })
}

function notPaid(status: PaymentStatus | undefined) {
  return refused('not-paid', { failure: status?.failure ?? null, isProcessing: status?.isProcessing ?? false })
}

/** Finishes what customers paid who were cut off before their order had it. Returns how many. */
export async function finishPaidAgain(deps: Deps): Promise<number> {
  let finished = 0
  const failures: unknown[] = []
  for (const id of await selectPaidAgain(deps.db, 100)) {
    try {
      const paid = await payAgain(deps, id)
      if (paid.ok && paid.value.isNew) finished += 1
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some orders that were paid again could not go on.')
  return finished
}
