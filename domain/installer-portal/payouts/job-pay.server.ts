/**
 * Creates a job's payout line once per appointment, by the rates in effect on its day at the shop, due after the hold
 * period.
 */
import { jobOf } from '#domain/scheduling/installers/installers.ts'
import { findPaidShop } from '#domain/scheduling/installers/installers.server.ts'
import { selectBookedWork, type BookedService, type BookedWork } from '#domain/ordering/orders/orders.server.ts'
import { insertJobPay, selectJobPayOfBooking, selectJobPays, type NewPayLine } from './job-pay.sql.server.ts'
import { rateFor, type PayRate } from './matrix.ts'
import { selectRates } from './matrix.sql.server.ts'
import { readPayTerms } from '#domain/kernel/settings/settings.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type JobPayKind = 'finished' | 'no-show'

/**
 * Creates the payout line for an appointment finished or missed at `at`, in the same transaction. No effect if the
 * payout line already exists. Refuses with `no-work` (without an order, or a finished job without tires or a service), `no-rate` for
 * a tire missing from the rates, and `paid-otherwise` if the appointment was paid as the other kind, which requires a
 * staff adjustment.
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
  const [work] = await selectBookedWork(tx, [bookingId])
  const shop = work && (await findPaidShop(tx, { shopId: work.shopId }))
  if (!work || !shop || (kind === 'finished' && work.tires.length === 0 && !work.service)) return refused('no-work')
  const day = at.toZonedDateTimeISO(shop.timeZone).toPlainDate()
  const rates = await selectRates(tx, day)
  const priced = priceWork(kind === 'finished' ? work : noWork, { rates, state: shop.state, day })
  if (!priced.ok) return priced
  const lines = priced.value
  const terms = await readPayTerms(tx)
  const amountCents = kind === 'finished' ? sumLines(lines) : terms.noShowCents
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

const noWork = { tires: [], service: null }

/**
 * Prices each line of tires by the matrix of a day, and a service without tires at the price that its shop set. Refuses
 * `no-rate` for a tire that the matrix lacks.
 */
function priceWork(
  { tires, service }: Pick<BookedWork, 'tires' | 'service'>,
  { rates, state, day }: { rates: readonly PayRate[]; state: string; day: Temporal.PlainDate },
): Outcome<NewPayLine[], Refused<'no-rate', { description: string }>> {
  const lines: NewPayLine[] = []
  for (const tire of tires) {
    const job = jobOf(tire)
    const rate = rateFor(rates, { job, rimIn: tire.rimIn, state, day })
    if (!rate) return refused('no-rate', { description: tire.description })
    const { quantity, description, rimIn } = tire
    lines.push({ quantity, description, job, rimIn, service: null, rateCents: rate.cents })
  }
  if (service) {
    const { quantity, description, priceCents: rateCents } = service
    lines.push({ quantity, description, job: null, rimIn: null, service: service.service, rateCents })
  }
  return ok(lines)
}

function sumLines(lines: readonly Pick<NewPayLine, 'quantity' | 'rateCents'>[]): number {
  return lines.reduce((cents, { quantity, rateCents }) => cents + quantity * rateCents, 0)
}

/** A job's earnings for its shop, either actual or by the current rates once it is done. */
export type JobEarnings = {
  /** Null while the job is still to be done. */
  paid: { kind: JobPayKind; dueAt: Temporal.Instant } | null
  /** Each line of tires, or the service without tires, with its rate in cents; empty for a no-show. */
  lines: { quantity: number; description: string; rateCents: number }[]
  /** Kits and disposal that the rates cover. Empty for a no-show. */
  included: BookedService[]
  /** In cents; null while the matrix lacks a rate for one of the tires. */
  amountCents: number | null
}

/**
 * Reads what these appointments of a shop earn, by their ids. An appointment still ahead is priced by the matrix of its
 * `day` on the shop's clock, or of today if that day has passed. Appointments without an order are left out.
 */
export async function readEarnings(
  { db, clock }: { db: Database; clock: Clock },
  shop: { shopId: number; timeZone: string },
  jobs: readonly { bookingId: string; day: Temporal.PlainDate }[],
): Promise<Map<string, JobEarnings>> {
  if (jobs.length === 0) return new Map()
  const ids = jobs.map(({ bookingId }) => bookingId)
  const today = clock.now().toZonedDateTimeISO(shop.timeZone).toPlainDate()
  const [paid, work, place, rates] = await Promise.all([
    selectJobPays(db, ids),
    selectBookedWork(db, ids),
    findPaidShop(db, { shopId: shop.shopId }),
    selectRates(db, today),
  ])
  const earnings = new Map<string, JobEarnings>()
  for (const { bookingId, day: planned } of jobs) {
    const pay = paid.get(bookingId)
    const booked = work.find((each) => each.bookingId === bookingId && each.shopId === shop.shopId)
    if (!booked || !place) continue
    if (pay) {
      const { kind, dueAt, lines, amountCents } = pay
      earnings.set(bookingId, {
        paid: { kind, dueAt },
        lines,
        included: kind === 'finished' ? booked.services : [],
        amountCents,
      })
      continue
    }
    const day = Temporal.PlainDate.compare(planned, today) < 0 ? today : planned
    const priced = priceWork(booked, { rates, state: place.state, day })
    earnings.set(bookingId, {
      paid: null,
      lines: priced.ok ? priced.value : [],
      included: booked.services,
      amountCents: priced.ok ? sumLines(priced.value) : null,
    })
  }
  return earnings
}
