/** A job of a shop as its work order shows it. */
import type { JobEventWords } from '#app/ui/portal/job-parts.tsx'
import { workOrderMessages } from '#content/messages/work-orders.ts'
import { portalPaths } from '#content/portal-paths.ts'
import {
  claimCodeAttempts,
  noShowAfterMinutes,
  positionName,
  shopReportKinds,
  shopReportNumber,
  signaturePath,
  tinAgeText,
  tinText,
  tireFields,
  workOrderLife,
  workOrderStateWords,
  type NotReady,
  type WorkOrderState,
} from '#domain/work-orders/work-orders.ts'
import { missingIn, noShowFrom, type Job } from '#domain/work-orders/work-orders.server.ts'
import { newId } from '#platform/ids.ts'
import { dayText } from '#platform/day-text.ts'
import { timeText, clockText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'

/** What the page shows. */
export type JobView = ReturnType<typeof jobView>

/** Who signed and when, with what they drew. */
function signedView({ signedAt, signedName, signedStrokes, booking }: Job) {
  if (!signedAt || signedName === null) return null
  const path = signedStrokes === null ? null : signaturePath(signedStrokes)
  return { name: signedName, at: timeText(signedAt, booking.timeZone), path }
}

/** What keeps a car from being marked as here, in words. */
export function notReadyText(notReady: NotReady): string {
  return workOrderMessages.notReady(notReady.what === 'day' ? { ...notReady, from: dayText(notReady.from) } : notReady)
}

/** Lays out a job; times are in the shop's zone. `now` decides whether the customer is a no-show yet. */
export function jobView(job: Job, { shopCode, now }: { shopCode: string; now: Temporal.Instant }) {
  const { booking, facts, state } = job
  const zone = booking.timeZone
  const day = booking.start.toZonedDateTimeISO(zone).toPlainDate()
  const may = job.stop === null ? workOrderLife[state] : []
  const received = job.pieces.reduce((sum, piece) => sum + piece.received, 0)
  const total = job.pieces.reduce((sum, piece) => sum + piece.quantity, 0)
  const lateFrom = noShowFrom(booking)
  return {
    title: `${facts.customer[0] ?? 'Customer'} at ${clockText(booking.start, zone)}`,
    order: facts.orderNumber,
    po: facts.poNumber,
    appointment: facts.appointment,
    phone: facts.customer[1] ?? null,
    visit: booking.kind === 'mobile' ? facts.customer.slice(2) : [],
    back: portalPaths.day(shopCode, { on: day.toString() }),
    path: portalPaths.job(shopCode, booking.id),
    state,
    stateWords: workOrderStateWords[state],
    stateAt: job.stateAt && state !== 'open' ? timeText(job.stateAt, zone) : null,
    reason: job.reason,
    stop: job.stop,
    steps: stepsOf(job, { received, total }),
    money: facts.money,
    prepaid: facts.prepaid,
    vehicle: job.vehicle ?? 'Not given. Ask the customer before the car goes up.',
    vinEnd: job.vinEnd,
    carVinEnd: job.carVinEnd,
    packet: job.packet,
    fitment: facts.fitment,
    torque: facts.torque,
    hasKits: facts.prepaid.some((text) => /sensor|kit|TPMS/i.test(text)),
    isStaggered: facts.isStaggered,
    positions: facts.positions,
    parcels: facts.parcels,
    received,
    total,
    pieces: job.pieces,
    reports: job.reports.map((report) => ({
      number: shopReportNumber(report.id),
      words: `${report.pieces} ${shopReportKinds[report.kind].toLowerCase()}, reported ${timeText(report.reportedAt, zone)}`,
      note: report.note,
      answer: report.answer,
      isOpen: report.state === 'open',
    })),
    reportKey: newId(),
    tires: job.tires.map((tire) => ({
      names: tireFields(tire),
      position: tire.position,
      isFixed: tire.isFixed,
      title: positionName(tire.position),
      article: job.pieces.find(({ lineNo }) => lineNo === tire.lineNo)?.description ?? '',
      tin: tire.tin === null ? null : tinText(tire.tin),
      age: tire.tin === null ? null : tinAgeText(tire.tin, job.today),
      tread: tire.oldTread32 === null ? null : String(tire.oldTread32),
    })),
    odometer: job.odometerMiles === null ? null : job.odometerMiles.toLocaleString('en-US'),
    code: {
      matched: job.codeMatchedAt ? clockText(job.codeMatchedAt, zone) : null,
      left: claimCodeAttempts - job.codeAttempts,
      isTried: job.codeAttempts > 0,
    },
    signed: signedView(job),
    may,
    notReady: job.notReady && notReadyText(job.notReady),
    isOver: job.stop !== null || workOrderLife[state].length === 0,
    noShow: {
      can: Temporal.Instant.compare(now, lateFrom) >= 0,
      words: `A car that comes within ${countOf(noShowAfterMinutes, 'minute')} is on time. From ${clockText(lateFrom, zone)} you can mark it here.`,
    },
    missing: missingIn(job),
    events: job.events.map(({ at, what, to, note }): { at: string; words: string } => ({
      at: timeText(at, zone),
      words: [to ? workOrderStateWords[to] : eventWords[what], note].filter(Boolean).join(': '),
    })),
  }
}

const eventWords: JobEventWords = {
  moved: 'Moved',
  pieces: 'Counted',
  code: 'Claim code matches',
  'code-wrong': 'Wrong claim code',
  saved: 'Saved',
  reported: 'Reported to us',
}

/** The road of a job: tires, arrival, bay, done. */
function stepsOf(
  { state }: Job,
  { received, total }: { received: number; total: number },
): { label: string; note: string; state: 'done' | 'now' | 'next' }[] {
  const road: readonly WorkOrderState[] = ['open', 'arrived', 'in-bay', 'done']
  const at = road.indexOf(state)
  return road.map((step, index) => ({
    label: step === 'open' ? 'Tires counted' : workOrderStateWords[step],
    note: step === 'open' ? `${received} of ${total}` : '',
    state:
      step === 'open'
        ? received >= total && total > 0
          ? 'done'
          : at <= 0
            ? 'now'
            : 'done'
        : index < at || state === 'done'
          ? 'done'
          : index === at
            ? 'now'
            : 'next',
  }))
}
