/** A job's pay begins: once for each appointment, by the matrix of its day at the shop, and due after the hold. */
import { jobOf } from '#domain/installers/installers.ts'
import { findPaidShop } from '#domain/installers/installers.server.ts'
import { selectBookedWork } from '#domain/orders/orders.server.ts'
import { insertJobPay, selectJobPayOfBooking, type NewPayLine } from '#domain/payouts/job-pay.sql.server.ts'
import { rateFor } from '#domain/payouts/matrix.ts'
import { selectRates } from '#domain/payouts/matrix.sql.server.ts'
import { readPayTerms } from '#domain/settings/settings.server.ts'
import type { Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type JobPayKind = 'finished' | 'no-show'

/**
 * Starts the pay of an appointment that was finished or missed at `at`, in the transaction that says so. For one that is
 * paid already it changes nothing. Refuses `no-work` (without an order, or a finished job without tires), `no-rate` for a
 * tire that the matrix lacks, and `paid-otherwise` if the appointment was paid as the other kind: that is for the office
 * to adjust.
 */
export async function startJobPay(
  tx: Tx,
  { bookingId, kind, at }: { bookingId: string; kind: JobPayKind; at: Temporal.Instant },
): Promise<
  Outcome<
    { jobPayId: string; amountCents: number; isNew: boolean },
    Refused<'no-work'> | Refused<'no-rate', { description: string }> | Refused<'paid-otherwise'>
  >
> {
  const before = await selectJobPayOfBooking(tx, bookingId)
  if (before) return before.kind === kind ? ok({ ...before, isNew: false }) : refused('paid-otherwise')
  const work = await selectBookedWork(tx, bookingId)
  const shop = work && (await findPaidShop(tx, { shopId: work.shopId }))
  if (!work || !shop || (kind === 'finished' && work.tires.length === 0)) return refused('no-work')
  const day = at.toZonedDateTimeISO(shop.timeZone).toPlainDate()
  const rates = await selectRates(tx, day)
  const lines: NewPayLine[] = []
  for (const tire of kind === 'finished' ? work.tires : []) {
    const job = jobOf(tire)
    const rate = rateFor(rates, { job, rimIn: tire.rimIn, state: shop.state, day })
    if (!rate) return refused('no-rate', { description: tire.description })
    const { quantity, description, rimIn } = tire
    lines.push({ quantity, description, job, rimIn, rateCents: rate.cents })
  }
  const terms = await readPayTerms(tx)
  const amountCents =
    kind === 'finished'
      ? lines.reduce((cents, { quantity, rateCents }) => cents + quantity * rateCents, 0)
      : terms.noShowCents
  const isNew = await insertJobPay(tx, {
    id: newId(),
    bookingId,
    kind,
    shopId: work.shopId,
    orderId: work.orderId,
    at,
    day,
    dueAt: at.add({ hours: terms.holdHours }),
    disputeUntil: at.add({ hours: 24 * terms.disputeDays }),
    amountCents,
    lines,
  })
  const now = await selectJobPayOfBooking(tx, bookingId)
  if (!now) throw new Error(`The pay of appointment ${bookingId} is not there.`)
  return now.kind === kind ? ok({ ...now, isNew }) : refused('paid-otherwise')
}
