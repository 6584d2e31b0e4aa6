/** Automatic handling of payments needing review, before and during review. */
import type { PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import { askAboutCharge, clearLapsed, settleFinancedSoon } from '#domain/payments/payments/payments.server.ts'
import { isPaidOnDelivery } from '#domain/payments/payments/payments.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { isReleasable } from './act-on-charges.server.ts'
import { captureStage, retryHours } from './open-charges.ts'
import { selectOpenCharges, type OpenCharge } from './open-charges.sql.server.ts'

type Deps = { db: Database; clock: Clock; payments: PaymentProvider }

/** How many charges one round looks at. */
const batch = 200

/**
 * Retries the capture of authorizations that expire soon, if their order may be charged, and queries the provider about
 * late ones. Returns how many charges it looked at. A failure doesn't block the other charges.
 */
export async function watchCharges(deps: Deps): Promise<number> {
  await clearLapsed(deps.db)
  const now = deps.clock.now()
  const open = await selectOpenCharges(deps.db, { now, limit: batch, moreHours: retryHours })
  const failures: unknown[] = []
  for (const charge of open) {
    try {
      await watch(deps, charge, now)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some charges could not be looked at.')
  return open.length
}

async function watch(deps: Deps, charge: OpenCharge, now: Temporal.Instant): Promise<void> {
  if (charge.kind === 'lapsed') return
  const isLate =
    charge.kind === 'to-capture'
      ? captureStage(charge.method, charge.due, now) === 'over'
      : Temporal.Instant.compare(charge.due, now) <= 0
  if (isLate) {
    const asked = await askAboutCharge(deps, charge.paymentId)
    if (!asked.ok) throw new Error(`The provider of charge ${charge.paymentId} does not answer.`)
    return
  }
  if (charge.kind === 'to-capture') await startCapture(deps, charge, now)
}

/** Restarts the capture job, which may have exhausted its retries. Skips charges that can't be captured yet. */
async function startCapture({ db }: Deps, charge: OpenCharge, now: Temporal.Instant): Promise<void> {
  const { orderId, termId } = charge
  if (termId !== null) {
    await enqueue(db, 'capture-membership', { termId }, { key: `capture-membership:${termId}` })
    return
  }
  if (orderId === null) return
  if (isPaidOnDelivery(charge.method)) await settleFinancedSoon(db, orderId)
  else if (isReleasable(charge, now))
    await enqueue(db, 'release-order', { orderId }, { key: `release-order:${orderId}` })
}
