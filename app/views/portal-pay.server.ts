/** Statement lines on the shop's and the office's pages. */
import type { StatementLine } from '#app/ui/portal/pay-statement.tsx'
import { disputeMessages } from '#content/messages/payouts.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Job } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import type { JobAhead, JobEarnings, ShopRates } from '#domain/installer-portal/payouts/payouts.server.ts'
import {
  disputeStates,
  isTooLateToDispute,
  jobKindNames,
  payJobs,
  type PayLine,
} from '#domain/installer-portal/payouts/payouts.ts'
import { dateText, dayText, weekdayText } from '#platform/day-text.ts'
import { INSTALLER_PAID_WITHIN_HOURS } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'
import { localClock, timeText } from '#platform/time-text.ts'

const names: Readonly<Record<PayLine['kind'], string>> = {
  ...jobKindNames,
  adjustment: 'Adjustment',
  chargeback: 'Chargeback',
}

/** `disputePath` makes the address of a dispute, where the reader may write one now. */
export function statementLine(
  line: PayLine,
  {
    timeZone,
    now,
    disputePath,
  }: { timeZone: string; now: Temporal.Instant; disputePath: ((about: string) => string) | null },
): StatementLine {
  const canDispute = disputePath !== null && line.dispute === null && !isTooLateToDispute(line, now)
  return {
    id: line.id,
    day: dayText(Temporal.PlainDate.from(line.day)),
    name: line.orderId === null ? names[line.kind] : `${names[line.kind]}, ${orderNumber(line.orderId)}`,
    words: line.words,
    tires: line.tires.map(({ quantity, description }) => `${quantity} × ${description}`),
    rate: [...new Set(line.tires.map(rateText))].join(', '),
    state: stateOf(line, { timeZone, now }),
    cents: line.amountCents,
    isSent: line.transfer === 'sent',
    dispute: canDispute ? { path: disputePath(aboutOf(line)), until: timeText(line.disputeUntil, timeZone) } : null,
  }
}

/** "$19.00 a tire"; a service without tires has its price. */
function rateText({ rateCents, isService, quantity }: PayLine['tires'][number]): string {
  if (isService) return quantity === 1 ? formatCents(rateCents) : `${formatCents(rateCents)} each`
  return `${formatCents(rateCents)} a tire`
}

/** A line that the shop wants to dispute. `closed` is why it can't be disputed. */
export type DisputedView = ReturnType<typeof disputedView>

/** Lays out a disputed line with its deadline, in the shop's zone, and the facts recorded with its job. */
export function disputedView(
  line: PayLine,
  { timeZone, now, facts }: { timeZone: string; now: Temporal.Instant; facts: readonly string[] },
) {
  const until = timeText(line.disputeUntil, timeZone)
  const isLate = isTooLateToDispute(line, now)
  return {
    value: aboutOf(line),
    words: `${line.orderId === null ? 'Adjustment' : orderNumber(line.orderId)}, ${line.words}, ${formatCents(line.amountCents)}`,
    facts,
    deadline: disputeMessages.deadline(until, leftOf(now.until(line.disputeUntil))),
    closed: line.dispute !== null ? disputeMessages.disputed : isLate ? disputeMessages.tooLate(until) : null,
  }
}

/** "5 days 21 hours", or for less than a day "21 hours 5 minutes" */
function leftOf(time: Temporal.Duration): string {
  const minutes = Math.max(0, Math.floor(time.total('minutes')))
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)]
  const parts = [
    days > 0 ? countOf(days, 'day') : '',
    hours > 0 ? countOf(hours, 'hour') : '',
    days === 0 && minutes % 60 > 0 ? countOf(minutes % 60, 'minute') : '',
  ]
  return parts.filter(Boolean).join(' ') || 'less than a minute'
}

/** A job's earnings by line, as shown to its shop. */
export type PayView = ReturnType<typeof payView>

/** Lays out what a job earns; times are in the shop's zone. */
export function payView({ paid, lines, included, amountCents }: JobEarnings, timeZone: string) {
  return {
    lines: lines.map(({ quantity, description, rateCents }) => ({
      text: `${quantity} × ${description}`,
      rate: `${quantity} at ${formatCents(rateCents)}`,
      amount: formatCents(quantity * rateCents),
    })),
    included: included.map(includedText),
    amount: amountCents === null ? null : formatCents(amountCents),
    note: noteOf(paid, amountCents, timeZone),
  }
}

/** "4 TPMS service kits" */
function includedText({ kind, quantity }: JobEarnings['included'][number]): string {
  return kind === 'service-kit' ? countOf(quantity, 'TPMS service kit') : `Disposal of ${countOf(quantity, 'old tire')}`
}

function noteOf(paid: JobEarnings['paid'], amountCents: number | null, timeZone: string): string {
  if (paid?.kind === 'no-show') return `No-show payout, due ${timeText(paid.dueAt, timeZone)}.`
  if (paid) return `Due ${timeText(paid.dueAt, timeZone)}.`
  if (amountCents === null) return 'The payout rates lack one of these tires. Call us before you start.'
  return `Paid within ${countOf(INSTALLER_PAID_WITHIN_HOURS, 'hour')} of finishing the job.`
}

/** Returns what the shop recorded about a job, as its evidence in a dispute. */
export function recordedFacts(
  job: Pick<Job, 'booking' | 'codeMatchedAt' | 'signedAt' | 'torqueLbFt' | 'odometerMiles' | 'tires'>,
): string[] {
  const { booking, codeMatchedAt, signedAt, torqueLbFt, odometerMiles, tires } = job
  const at = (time: Temporal.Instant) => timeText(time, booking.timeZone)
  const codes = tires.filter(({ tin }) => tin !== null).length
  const treads = tires.filter(({ oldTread32 }) => oldTread32 !== null).length
  return [
    codeMatchedAt && `Claim code shown ${at(codeMatchedAt)}`,
    signedAt && `Signed by the customer ${at(signedAt)}`,
    odometerMiles !== null && `Odometer ${countOf(odometerMiles, 'mile')}`,
    torqueLbFt !== null && `Torque set to ${torqueLbFt} lb-ft`,
    codes > 0 && countOf(codes, 'DOT code'),
    treads > 0 && `Old tread of ${countOf(treads, 'tire')}`,
  ].filter((fact) => typeof fact === 'string')
}

/** Formats the next payout, with the time left until its first job is due. */
export function nextPayoutView(
  next: { dueAt: Temporal.Instant; jobs: number; cents: number },
  { now, timeZone }: { now: Temporal.Instant; timeZone: string },
) {
  const minutes = Math.floor(now.until(next.dueAt).total('minutes'))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return {
    when: timeText(next.dueAt, timeZone),
    left: minutes < 1 ? null : [hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : ''].filter(Boolean).join(' '),
    jobs: next.jobs,
    cents: formatCents(next.cents),
    steps: [
      { label: 'Job finished', note: '', state: 'done' as const },
      { label: 'Checked', note: countOf(next.jobs, 'job'), state: 'now' as const },
      {
        label: 'Sent',
        note: `from ${weekdayText(next.dueAt.toZonedDateTimeISO(timeZone))} ${localClock(next.dueAt, timeZone)}`,
        state: 'next' as const,
      },
      { label: 'At your bank', note: '', state: 'next' as const },
    ],
  }
}

/** A job still ahead as the pay page shows it. */
export type AheadView = ReturnType<typeof aheadView>

/** Lays out the jobs that are still to be done, and what they earn together. */
export function aheadView(jobs: readonly JobAhead[], { timeZone, shopCode }: { timeZone: string; shopCode: string }) {
  return {
    jobs: jobs.map((job) => ({
      id: job.bookingId,
      path: portalPaths.job(shopCode, job.bookingId),
      when: timeText(job.start, timeZone),
      who: `${job.firstName} ${job.lastInitial}.`,
      order: orderNumber(job.orderId),
      pay: payView(job.earnings, timeZone),
    })),
    total: formatCents(jobs.reduce((cents, { earnings }) => cents + (earnings.amountCents ?? 0), 0)),
  }
}

/** A shop's payout rates, with one row per rim band, one column per kind of job. */
export type RatesView = ReturnType<typeof ratesView>

export function ratesView(rates: ShopRates) {
  return {
    jobs: payJobs.map(({ name }) => name),
    rows: rates.map(({ band, cents }) => ({
      band,
      amounts: cents.map(({ job, cents: rate }) => ({ job, text: rate === null ? 'Not set' : formatCents(rate) })),
    })),
  }
}

/** Returns the form value for a disputed line. */
export function aboutOf({ kind, id }: Pick<PayLine, 'kind' | 'id'>): string {
  return `${kind === 'finished' || kind === 'no-show' ? 'job' : 'adjustment'}:${id}`
}

function stateOf(line: PayLine, { timeZone, now }: { timeZone: string; now: Temporal.Instant }): string {
  if (line.dispute === 'open') return disputeStates.open
  if (line.transfer === 'sent') return 'Sent'
  if (line.transfer === 'intended') return 'Being sent'
  if (line.dueAt && Temporal.Instant.compare(now, line.dueAt) < 0) return `Due ${timeText(line.dueAt, timeZone)}`
  return 'With the next payout'
}

/**
 * What happened to a payout to the shop's bank, as of the shop's `today`: the provider reports a payout as paid when it
 * leaves, and names the day on which the bank has it.
 */
export function bankPayoutText(
  { amountCents, state, arrivesOn }: { amountCents: number; state: 'paid' | 'failed'; arrivesOn: string },
  today: Temporal.PlainDate,
): string {
  const isAhead = Temporal.PlainDate.compare(Temporal.PlainDate.from(arrivesOn), today) > 0
  const words = state === 'failed' ? 'failed,' : isAhead ? 'sent, arrives' : 'paid,'
  return `${formatCents(amountCents)} ${words} ${dateText(arrivesOn)}`
}
