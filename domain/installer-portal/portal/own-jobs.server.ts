/** Shop jobs in the portal. Each action rereads the member's role and returns the page's message. */
import {
  cancelOwnJob,
  finishOwnJob,
  reopenOwnJob,
  saveOwnJob,
  type OwnJobRefusal,
} from '#domain/scheduling/booking/booking.server.ts'
import type { OwnJobInput } from '#domain/scheduling/booking/booking.ts'
import { readAlignmentMinutes } from '#domain/scheduling/installers/installers.server.ts'
import { isWithinReach, type OwnJobTyped } from './own-job-form.ts'
import { requireShopMember, type PortalActor } from './portal-sessions.server.ts'
import type { Clock } from '#platform/clock.ts'
import { isDeadlock, violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { retryDeadlocks } from '#platform/deadlocks.ts'
import { refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** `taken` means that the time was taken concurrently. */
export type OwnJobFault = OwnJobRefusal | Refused<'not-allowed'> | Refused<'taken'> | Refused<'too-far'>
export type OwnJobSaved = Outcome<{ ownJobId: string; isNew: boolean }, OwnJobFault>

/** Enters an own job, or changes the planned one `ownJobId`. The same form twice acts once. */
export async function enterOwnJob(
  deps: Deps,
  by: PortalActor,
  { typed, ownJobId, timeZone }: { typed: OwnJobTyped; ownJobId: string | null; timeZone: string },
): Promise<OwnJobSaved> {
  const today = deps.clock.now().toZonedDateTimeISO(timeZone).toPlainDate()
  if (!isWithinReach(typed.on, today)) return refused('too-far')
  const change = ownJobId === null ? null : { ownJobId, revision: typed.revision ?? 0 }
  const overlap = typed.reason === null ? null : { reason: typed.reason, seen: typed.seen }
  return act(deps, by, async (tx, member) => {
    const hasAlignment = typed.alignment && typed.kind !== 'block'
    const alignmentMinutes = hasAlignment
      ? await readAlignmentMinutes(tx, { shopId: member.shopId, on: typed.on })
      : null
    const job = jobOf(typed, { timeZone, alignmentMinutes })
    return saveOwnJob(tx, member, { formKey: typed.key, change, job, overlap })
  })
}

/** Cancels an own job, takes that back, or marks it as done. */
export function endOwnJob(
  deps: Deps,
  by: PortalActor,
  { ownJobId, act: asked }: { ownJobId: string; act: 'cancel' | 'reopen' | 'done' },
): Promise<Outcome<null, OwnJobFault>> {
  const acts = { cancel: cancelOwnJob, reopen: reopenOwnJob, done: finishOwnJob }
  return act(deps, by, (tx, member) => acts[asked](tx, member, ownJobId))
}

async function act<Value>(
  { db, clock }: Deps,
  by: PortalActor,
  run: (
    tx: Tx,
    by: { shopId: number; memberId: string; at: Temporal.Instant },
  ) => Promise<Outcome<Value, OwnJobRefusal>>,
): Promise<Outcome<Value, OwnJobFault>> {
  const at = clock.now()
  const once = () =>
    db.transaction().execute(async (tx): Promise<Outcome<Value, OwnJobFault>> => {
      const member = await requireShopMember(tx, by, 'own-job.edit', at)
      if (!member.ok) return member
      return run(tx, { shopId: by.shopId, memberId: member.value.memberId, at })
    })
  try {
    return await retryDeadlocks(once)
  } catch (error) {
    if (takenConstraints.has(violatedConstraint(error)) || isDeadlock(error)) return refused('taken')
    throw error
  }
}

const takenConstraints = new Set<string | undefined>([
  'own_job_bay_taken_once',
  'own_job_overlap_has_reason',
  'own_job_form_pkey',
])

function jobOf(
  typed: OwnJobTyped,
  { timeZone, alignmentMinutes }: { timeZone: string; alignmentMinutes: number | null },
): OwnJobInput {
  const start = typed.on.toZonedDateTime({ timeZone, plainTime: typed.at }).toInstant()
  const isBlock = typed.kind === 'block'
  return {
    bayId: typed.bay,
    start,
    end: start.add({ minutes: typed.minutes + (alignmentMinutes ?? 0) }),
    kind: typed.kind,
    firstName: isBlock ? null : typed.firstName,
    phone: isBlock ? null : typed.phone,
    vehicle: typed.vehicle,
    tires: typed.tires,
    note: typed.note,
    alignmentMinutes,
  }
}
