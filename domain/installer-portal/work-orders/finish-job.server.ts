/** Saves a technician's job data, and finishes the job once, completely, in one transaction. */
import { endBooking, isClaimCode } from '#domain/scheduling/booking/booking.server.ts'
import { insertStoredSet, keepPacket, selectPacket } from '#domain/ordering/orders/orders.server.ts'
import { missingInPacket, storageOf, type FleetPacket } from '#domain/ordering/orders/orders.ts'
import { settleFinancedSoon } from '#domain/payments/payments/payments.server.ts'
import { startJobPay } from '#domain/installer-portal/payouts/payouts.server.ts'
import type { PortalActor } from '#domain/installer-portal/portal/portal.server.ts'
import type { Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { alreadyDone, readinessOf, withJob, type JobDeps, type JobRefusal, type LockedJob } from './job.server.ts'
import { tireFields, type JobInput } from './job-form.ts'
import { selectRecallOf } from './recalls.sql.server.ts'
import { insertRegistrations } from './tire-registrations.sql.server.ts'
import { claimCodeAttempts } from './work-orders.ts'
import { piecesMissing, workOrderLife, type Readiness } from './work-order-life.ts'
import {
  insertJobEvent,
  moveWorkOrder,
  replaceTires,
  selectArticles,
  selectTires,
  selectWorkOrder,
  updateWorkOrder,
} from './work-orders.sql.server.ts'

type Deps = Pick<JobDeps, 'db' | 'clock'> & { config: Pick<JobDeps['config'], 'session'> }
type CodeRefusal = Refused<'code-wrong', { left: number }> | Refused<'code-exhausted'>
/** A tire that must not be fitted, by the field of its TIN. */
export type RecalledTire = { name: string; campaign: string; defect: string }
type OwnRefusal =
  | CodeRefusal
  | Refused<'over'>
  | Refused<'tires-changed'>
  | Refused<'recalled', readonly RecalledTire[]>
type SaveRefusal = JobRefusal | OwnRefusal
export type Missing = { name: string; words: string }

/**
 * Saves job data without finishing; a completion code is verified. Empty fields are unchanged. Refuses a wrong code, or
 * a tire under an open recall (with its TIN not stored), after saving the rest. Refuses with `over` once the job has
 * ended, and `tires-changed` if lines were canceled since.
 */
export function saveJob(
  deps: Deps,
  by: PortalActor,
  { bookingId, input }: { bookingId: string; input: JobInput },
): Promise<Outcome<null, SaveRefusal>> {
  return withJob<Outcome<null, SaveRefusal>>(deps, by, bookingId, (tx, job) => save(deps, tx, job, input))
}

async function save(
  { config }: Deps,
  tx: Tx,
  { booking, order, row, lines, memberId, at }: LockedJob,
  input: JobInput,
): Promise<Outcome<null, OwnRefusal>> {
  if (workOrderLife[row.state].length === 0) return refused('over')
  const bookingId = booking.id
  const known = await selectTires(tx, bookingId, lines)
  const isSame = known.every(({ lineNo, nth }) =>
    input.tires.some((tire) => tire.lineNo === lineNo && tire.nth === nth),
  )
  if (!isSame || input.tires.length !== known.length) return refused('tires-changed')
  const tires = known.map((before) => {
    const typed = input.tires.find(({ lineNo, nth }) => lineNo === before.lineNo && nth === before.nth)
    return {
      ...before,
      position: typed && !before.isFixed ? typed.position : before.position,
      tin: typed?.tin ?? before.tin,
      oldTread32: typed?.oldTread32 ?? before.oldTread32,
    }
  })
  const recalled = await recalledAmong(tx, lines, tires)
  const isRecalled = (tire: TireKey) => recalled.some(({ name }) => name === tireFields(tire).tin)
  await replaceTires(
    tx,
    bookingId,
    tires.map((tire) => (isRecalled(tire) ? { ...tire, tin: null } : tire)),
  )
  await updateWorkOrder(tx, bookingId, {
    odometerMiles: input.odometerMiles,
    torqueLbFt: input.torqueLbFt,
    signed: signedBy(input, row.signedName, at),
    vinEnd: input.vinEnd,
    at,
  })
  if (input.packet) await keepPacket(tx, { orderId: order.id, packet: input.packet, at })
  if (recalled.length > 0) return refused('recalled', recalled)
  const code = input.code === null || row.codeMatchedAt !== null ? null : input.code
  if (code === null) return ok(null)
  // Counted under the lock, so that concurrent devices share the same attempts.
  if (row.codeAttempts >= claimCodeAttempts) return refused('code-exhausted')
  if (isClaimCode(config.session.secret, bookingId, code)) {
    await updateWorkOrder(tx, bookingId, { codeMatchedAt: at, at })
    await insertJobEvent(tx, { bookingId, what: 'code', memberId, at })
    return ok(null)
  }
  await updateWorkOrder(tx, bookingId, { wrongCode: true, at })
  await insertJobEvent(tx, { bookingId, what: 'code-wrong', memberId, at })
  const left = claimCodeAttempts - row.codeAttempts - 1
  return left > 0 ? refused('code-wrong', { left }) : refused('code-exhausted')
}

/** Returns a new signature (a different name or a drawing), or null if unchanged. */
function signedBy(
  { signedName, signature }: JobInput,
  before: string | null,
  at: Temporal.Instant,
): { name: string; strokes: string | null; at: Temporal.Instant } | null {
  if (signedName === null || (signedName === before && signature === null)) return null
  return { name: signedName, strokes: signature, at }
}

type TireKey = { lineNo: number; nth: number }

/** Returns tires under an open recall, which must not be installed. */
async function recalledAmong(
  tx: Tx,
  lines: LockedJob['lines'],
  tires: readonly (TireKey & { tin: string | null })[],
): Promise<RecalledTire[]> {
  const articles = await selectArticles(
    tx,
    lines.map(({ itemId }) => itemId),
  )
  const found: RecalledTire[] = []
  for (const { lineNo, nth, tin } of tires) {
    const article = articles.get(lines.find((line) => line.lineNo === lineNo)?.itemId ?? 0)
    const recall = tin !== null && article ? await selectRecallOf(tx, { ...article, tin }) : undefined
    if (recall) found.push({ name: tireFields({ lineNo, nth }).tin, ...recall })
  }
  return found
}

/**
 * Finishes a job. Saves the data and, if complete, ends the appointment, marks the order as installed, registers every
 * tire to its buyer, starts the storage of a removed set, and creates the shop's payout line. Idempotent. Refuses as `saveJob` does, with `not-here` before
 * check-in, and with `incomplete` and the missing data, after saving the rest.
 */
export function finishJob(
  deps: Deps,
  by: PortalActor,
  { bookingId, input }: { bookingId: string; input: JobInput },
): Promise<Outcome<{ isNew: boolean }, SaveRefusal | Refused<'not-here'> | Refused<'incomplete', readonly Missing[]>>> {
  type Finished = Outcome<
    { isNew: boolean },
    SaveRefusal | Refused<'not-here'> | Refused<'incomplete', readonly Missing[]>
  >
  return withJob<Finished>(deps, by, bookingId, async (tx, job) => {
    const { row, memberId, at } = job
    if (row.state === 'done') return alreadyDone
    const saved = await save(deps, tx, job, input)
    if (!saved.ok) return saved
    if (!workOrderLife[row.state].includes('done')) return refused('not-here')
    const missing = await missingOf(tx, job)
    if (missing.length > 0) return refused('incomplete', missing)
    await moveWorkOrder(tx, bookingId, { to: 'done', reason: null, at })
    const ended = await endBooking({ db: tx, clock: deps.clock }, { bookingId, to: 'done', actor: 'shop', memberId })
    if (!ended) throw new Error(`Booking ${bookingId} ended while its order was locked.`)
    await insertJobEvent(tx, { bookingId, what: 'moved', to: 'done', memberId, at })
    await register(tx, job)
    await store(tx, job)
    await settleFinancedSoon(tx, job.order.id)
    // A tire without a rate is handled by the office. The job finishes anyway, and `npm run verify` reports it.
    await startJobPay(tx, { bookingId, kind: 'finished', at })
    return ok({ isNew: true })
  })
}

/** What is missing to finish a job, by the field that lacks it. */
async function missingOf(tx: Tx, job: LockedJob): Promise<Missing[]> {
  const { booking, order, lines } = job
  const row = await selectWorkOrder(tx, booking.id)
  const tires = await selectTires(tx, booking.id, lines)
  const packet = await selectPacket(tx, order.id)
  const { pieces } = await readinessOf(tx, job)
  return missingIn({ ...row, carVinEnd: row?.vinEnd ?? null, packet: packet ?? null, tires, pieces })
}

/** What is missing to finish a job with these facts. */
export function missingIn(job: {
  tires: readonly { lineNo: number; nth: number; position: string; tin: string | null; oldTread32: number | null }[]
  odometerMiles?: number | null
  codeMatchedAt?: Temporal.Instant | null
  signedAt?: Temporal.Instant | null
  carVinEnd: string | null
  /** Null for a job that doesn't require fleet details. */
  packet: FleetPacket | null
  pieces: Readiness['pieces']
}): Missing[] {
  const uncounted = piecesMissing(job.pieces)
  return [
    ...(uncounted
      ? [{ name: 'pieces', words: `Pieces received, ${uncounted.received} of ${uncounted.total} counted` }]
      : []),
    ...job.tires.flatMap(({ lineNo, nth, position, tin, oldTread32 }) => [
      ...(tin === null ? [{ name: `tin-${lineNo}-${nth}`, words: `${position} TIN` }] : []),
      ...(oldTread32 === null ? [{ name: `tread-${lineNo}-${nth}`, words: `${position} old tread` }] : []),
    ]),
    ...(job.packet ? missingInPacket({ ...job.packet, vin: job.carVinEnd }) : []),
    ...(job.odometerMiles == null ? [{ name: 'odometer', words: 'Odometer' }] : []),
    ...(job.codeMatchedAt || job.signedAt ? [] : [{ name: 'code', words: 'Claim code or signature' }]),
  ]
}

/** Stores the removed set, if the job's service includes storage. */
async function store(tx: Tx, { booking, order, at, today }: LockedJob): Promise<void> {
  const months = storageOf(order)
  if (months === null) return
  const storedUntil = today.add({ months })
  await insertStoredSet(tx, { orderId: order.id, shopId: booking.shopId, storedOn: today, storedUntil, at })
}

/** Registers a finished job's tires to the buyer. */
async function register(tx: Tx, { booking, order, lines, at }: LockedJob): Promise<void> {
  const articles = await selectArticles(
    tx,
    lines.map(({ itemId }) => itemId),
  )
  const tires = await selectTires(tx, booking.id, lines)
  const { address } = order
  await insertRegistrations(
    tx,
    tires.map(({ lineNo, nth, position, tin }) => {
      const article = articles.get(lines.find((line) => line.lineNo === lineNo)?.itemId ?? 0)
      if (tin === null || !article) throw new Error(`Tire ${lineNo}-${nth} of booking ${booking.id} is not known.`)
      return {
        bookingId: booking.id,
        lineNo,
        nth,
        position,
        tin,
        orderId: order.id,
        shopId: booking.shopId,
        brand: article.brand,
        line: article.line,
        size: article.size,
        buyerName: `${order.firstName} ${order.lastName}`,
        street: [address.line1, address.line2].filter(Boolean).join(', '),
        city: address.city,
        state: address.state,
        zip: address.zip,
        at,
      }
    }),
  )
}
