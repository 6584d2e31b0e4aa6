/** A shop's job as its work order shows it. */
import type { JobEventWords } from '#app/ui/portal/job-parts.tsx'
import { workOrderMessages } from '#content/messages/work-orders.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { unknownRequirement } from '#domain/catalog/fitment/fitment.ts'
import {
  claimCodeAttempts,
  delayChoicesAfter,
  jobPhotoKinds,
  noShowAfterMinutes,
  positionName,
  shopReportKinds,
  shopReportNumber,
  sameTinField,
  signaturePath,
  tinAgeText,
  tinText,
  tireFields,
  workOrderLife,
  workOrderStateWords,
  type NotReady,
  type WorkOrderState,
} from '#domain/installer-portal/work-orders/work-orders.ts'
import { missingIn, noShowFrom, type Job } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { newId } from '#platform/ids.ts'
import { dayText } from '#platform/day-text.ts'
import { timeText, clockText, localClock } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'

/** What the page shows. */
export type JobView = ReturnType<typeof jobView>

/** Returns the signer, time and drawn signature. */
function signedView({ signedAt, signedName, signedStrokes, booking }: Job) {
  if (!signedAt || signedName === null) return null
  const path = signedStrokes === null ? null : signaturePath(signedStrokes)
  return { name: signedName, at: timeText(signedAt, booking.timeZone), path }
}

/** Returns why a car can't be checked in, as text. */
export function notReadyText(notReady: NotReady): string {
  return workOrderMessages.notReady(notReady.what === 'day' ? { ...notReady, from: dayText(notReady.from) } : notReady)
}

/** Lays out a job; times are in the shop's zone. `now` decides whether the customer is a no-show yet. */
export function jobView(job: Job, { shopCode, now }: { shopCode: string; now: Temporal.Instant }) {
  const { booking, facts, state } = job
  const zone = booking.timeZone
  const day = booking.start.toZonedDateTimeISO(zone).toPlainDate()
  // A service has no tires to report.
  const may = job.stop === null ? workOrderLife[state].filter((to) => isPossible(to, job)) : []
  const received = job.pieces.reduce((sum, piece) => sum + piece.received, 0)
  const total = job.pieces.reduce((sum, piece) => sum + piece.quantity, 0)
  const lateFrom = noShowFrom(booking)
  return {
    title: `${facts.customer[0] ?? 'Customer'} at ${localClock(booking.start, zone)}`,
    order: facts.orderNumber,
    po: facts.poNumber,
    appointment: facts.appointment,
    phone: facts.customer[1] ?? null,
    late: lateView(job, day),
    visit: booking.kind === 'mobile' ? facts.customer.slice(2) : [],
    back: portalPaths.day(shopCode, { on: day.toString() }),
    path: portalPaths.job(shopCode, booking.id),
    state,
    stateWords: workOrderStateWords[state],
    stateAt: job.stateAt && state !== 'open' ? timeText(job.stateAt, zone) : null,
    reason: job.reason,
    stop: job.stop,
    steps: stepsOf(job, { received, total }),
    service: facts.service,
    money: facts.money,
    prepaid: facts.prepaid,
    vehicle: job.vehicle ?? 'Not given. Ask the customer before the car goes up.',
    vinEnd: job.vinEnd,
    carVinEnd: job.carVinEnd,
    packet: job.packet,
    fitment: facts.fitment,
    requirements: facts.service === null ? requirementsOf(facts) : [],
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
    photos: photosOf(job, shopCode),
    canAddPhotos: job.stop === null && (state === 'arrived' || state === 'in-bay'),
    tires: tiresOf(job),
    torque: job.torqueLbFt === null ? null : String(job.torqueLbFt),
    odometer: job.odometerMiles === null ? null : job.odometerMiles.toLocaleString('en-US'),
    code: {
      matched: job.codeMatchedAt ? clockText(job.codeMatchedAt, zone) : null,
      left: claimCodeAttempts - job.codeAttempts,
      isTried: job.codeAttempts > 0,
    },
    signed: signedView(job),
    may,
    next: nextStepOf(job, may, { received, total }),
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

function isPossible(to: WorkOrderState, { facts }: Job): boolean {
  return to !== 'wrong-tires' || facts.service === null
}

/** Returns a job's photos by kind, with those that aren't taken yet. */
function photosOf({ booking, photos, facts }: Job, shopCode: string) {
  if (facts.service !== null) return []
  return Object.entries(jobPhotoKinds).map(([kind, title]) => {
    const photo = photos.find((each) => each.kind === kind)
    return {
      kind,
      title,
      field: `photo-${kind}`,
      path: photo ? portalPaths.jobPhoto(shopCode, booking.id, kind) : null,
      at: photo ? timeText(photo.sentAt, booking.timeZone) : null,
    }
  })
}

/** Returns a job's tires by position, with their form fields. */
function tiresOf(job: Job) {
  return job.tires.map((tire) => ({
    names: tireFields(tire),
    line: tire.lineNo,
    of: job.tires.length,
    same: sameTinOf(job.tires, tire),
    position: tire.position,
    isFixed: tire.isFixed,
    title: positionName(tire.position),
    article: job.pieces.find(({ lineNo }) => lineNo === tire.lineNo)?.description ?? '',
    tin: tire.tin === null ? null : tinText(tire.tin),
    age: tire.tin === null ? null : tinAgeText(tire.tin, job.today),
    tread: tire.oldTread32 === null ? null : String(tire.oldTread32),
  }))
}

/** The box that fills the first TIN of a line down; null on its other tires, and once all have one. */
function sameTinOf(tires: Job['tires'], { lineNo, nth }: Job['tires'][number]): { name: string; label: string } | null {
  const [first, ...others] = tires.filter((tire) => tire.lineNo === lineNo)
  if (first?.nth !== nth || others.every(({ tin }) => tin !== null)) return null
  const all = others.length + 1
  return {
    name: sameTinField(lineNo),
    label: all === 2 ? 'Both tires have this code' : `All ${countOf(all, 'tire')} have this code`,
  }
}

/** Returns the delays to choose from; null on other days and for finished jobs. */
function lateView({ state, stop, lateMinutes, today, facts }: Job, day: Temporal.PlainDate) {
  const isActive = stop === null && (state === 'open' || state === 'arrived' || state === 'in-bay')
  if (!isActive || !day.equals(today)) return null
  return {
    name: facts.customer[0]?.split(' ')[0] ?? 'the customer',
    told: lateMinutes === null ? null : countOf(lateMinutes, 'minute'),
    choices: delayChoicesAfter(lateMinutes).map((minutes): [string, string] => [
      String(minutes),
      `About ${countOf(minutes, 'minute')}`,
    ]),
  }
}

const eventWords: JobEventWords = {
  moved: 'Moved',
  pieces: 'Counted',
  code: 'Claim code matches',
  'code-wrong': 'Wrong claim code',
  saved: 'Saved',
  reported: 'Reported to us',
  late: 'Customer notified of a delay',
}

/** What the technician sets the car up by, from the requirement the order was placed under. */
function requirementsOf({ fitment, torque }: Job['facts']): { label: string; text: string }[] {
  const rows = fitment.sets.flatMap((set) => set.rows)
  const textOf = (label: (typeof rows)[number]['label']) => {
    const row = rows.find((each) => each.label === label)
    const [front, rear] = [row?.front, row?.rear].map((text) => (text ? shortRequirement(text) : null))
    if (!front || !rear) return null
    return front === rear ? front : `${front} front, ${rear} rear`
  }
  const [size, load, speed] = [textOf('Size'), textOf('Load'), textOf('Speed')]
  const known = [load, speed].filter(Boolean).join(', ')
  return [
    { label: 'Required size', text: size ?? seeLabel },
    { label: 'Load and speed', text: known || seeLabel },
    { label: 'Cold pressure', text: textOf('Cold pressure') ?? seeLabel },
    { label: 'Torque', text: torque },
  ]
}

const seeLabel = 'See door label'

/** "102, XL" for "102: carries 1,874 lb, XL", which the work order explains; null if any possible value is not known. */
function shortRequirement(text: string): string | null {
  if (text.includes(unknownRequirement)) return null
  return text.replaceAll(/: (?:carries [\d,]+ lb|(?:up to|above) \d+ mph|\d+ ply rating(?:, up to \d+ psi)?)/g, '')
}

/** A job's next step is a button, a panel, or only what it depends on. */
export type NextStep = {
  label: string | null
  /** What the button does; null for a link to `href`. */
  intent: 'arrived' | 'in-bay' | 'finish' | null
  href: string
  /** What blocks the job. */
  note: string | null
  /** Finish button labels by number of missing fields. */
  labels: readonly string[]
}

function finishLabel(missing: number): string {
  return missing === 0 ? 'Finish job' : `Finish job, ${countOf(missing, 'thing')} missing`
}

function nextStepOf(
  job: Job,
  may: readonly WorkOrderState[],
  { received, total }: { received: number; total: number },
): NextStep | null {
  const { notReady } = job
  if (may.includes('in-bay')) return { label: 'Into the bay', intent: 'in-bay', href: '#next', note: null, labels: [] }
  if (may.includes('arrived')) {
    if (notReady === null) return { label: 'Car is here', intent: 'arrived', href: '#next', note: null, labels: [] }
    const note = notReadyText(notReady)
    if (notReady.what !== 'pieces') return { label: null, intent: null, href: '#pieces', note, labels: [] }
    return { label: `Count tires, ${received} of ${total}`, intent: null, href: '#pieces', note, labels: [] }
  }
  if (!may.includes('done')) return null
  const missing = missingIn(job)
  const [first] = missing
  return {
    label: finishLabel(missing.length),
    labels: Array.from({ length: missing.length + 1 }, (_, count) => finishLabel(count)),
    intent: 'finish',
    href: first ? `#${first.name}` : '#wheels',
    note: first ? `Next: ${first.words}` : null,
  }
}

/** Returns a job's progress steps (tires, check-in, in service, done). */
function stepsOf(
  { state, facts }: Job,
  { received, total }: { received: number; total: number },
): { label: string; note: string; state: 'done' | 'now' | 'next' }[] {
  const road: readonly WorkOrderState[] = ['open', 'arrived', 'in-bay', 'done']
  const at = road.indexOf(state)
  const steps = facts.service === null ? road : road.slice(1)
  return steps.map((step) => ({
    label: step === 'open' ? 'Counted' : workOrderStateWords[step],
    note: step === 'open' ? `${received} of ${total}` : '',
    state:
      step === 'open'
        ? received >= total && total > 0
          ? 'done'
          : at <= 0
            ? 'now'
            : 'done'
        : road.indexOf(step) < at || state === 'done'
          ? 'done'
          : step === state
            ? 'now'
            : 'next',
  }))
}
