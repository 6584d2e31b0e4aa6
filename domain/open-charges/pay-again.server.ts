/** The customer's side: the link by which an order is paid again, and the charge that takes the first one's place. */
import { serverPaths } from '#content/server-paths.ts'
import { lockOrder, readOrder, releaseOrder, type OrderView } from '#domain/orders/orders.server.ts'
import {
  beginSubmission,
  claimAgain,
  endSubmission,
  readPaymentStatus,
  type PaymentStatus,
} from '#domain/payments/payments.server.ts'
import type { Config } from '#platform/config.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { sign, verify } from '#platform/signing.ts'
import { selectAsked, selectPaidAgain } from './open-charges.sql.server.ts'
import type { Secrets } from '#platform/secrets.ts'

const purpose = 'pay-again'

type Deps = Parameters<typeof releaseOrder>[0]

/** The address in the email. It pays this order alone. */
export function payAgainLink(secret: Secrets, paymentId: string): string {
  return serverPaths.payAgain(sign(secret, purpose, paymentId))
}

/** What a link asks for. `isPaid`: somebody did. `isOver`: its time is up, or the order needs no payment any more. */
export type PayAgain = {
  paymentId: string
  cartId: string
  order: OrderView
  amountCents: number
  payUntil: Temporal.Instant
  isPaid: boolean
  isOver: boolean
}

/** Reads what a link asks for. Reading changes nothing: mail scanners follow links. */
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

/** `over`: nothing was charged, and the link does not work any more. */
export type PayAgainRefusal =
  | Refused<'over'>
  | Refused<'not-paid', { failure: string | null; isProcessing: boolean }>
  | Refused<'payment-unavailable'>

/**
 * Puts an authorized charge in the place of the one that ended, once however often it is asked for, and lets the order
 * go on. What was authorized for a link that is over is voided by the store as abandoned.
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
