/**
 * Sales tax exemption certificates, which owners upload, staff review, and are valid in one state until they expire.
 */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { companyCan } from './companies.ts'
import { selectMembership } from './companies.sql.server.ts'
import {
  insertExemption,
  selectExemptions,
  selectFile,
  selectIsWaiting,
  selectLastDay,
  selectLastDays,
  selectWaiting,
  updateDecision,
  type Exemption,
} from './exemptions.sql.server.ts'
import { storeFile, type NamedFile } from '#domain/kernel/files/files.server.ts'
import { readAttachment, type FileRefusal } from '#domain/kernel/files/files.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { isId, newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'

export type { Exemption } from './exemptions.sql.server.ts'

type Deps = { db: Database; clock: Clock }

type NewExemption = {
  state: string
  number: string
  expiresOn: Temporal.PlainDate
  file: { name: string; bytes: Uint8Array }
  signal?: AbortSignal
}

/**
 * Stores a certificate for review by staff. Images are re-encoded and PDFs stored unchanged. Only staff can download
 * them. Files are processed only after all other checks pass, and as often as the rate limit of attachments allows.
 * `signal`: the sender has disconnected.
 */
export async function sendExemption(
  { db, clock, rateLimits }: Deps & { rateLimits: RateLimits },
  by: string,
  { state, number, expiresOn, file, signal }: NewExemption,
): Promise<
  Outcome<
    null,
    | Refused<'not-allowed'>
    | Refused<'expired'>
    | Refused<'waiting-already'>
    | Refused<'too-many', { retryAfterSeconds: number }>
    | FileRefusal
  >
> {
  const membership = await selectMembership(db, by)
  if (!membership || !companyCan(membership.role, 'manage') || membership.company.state !== 'approved')
    return refused('not-allowed')
  if (Temporal.PlainDate.compare(expiresOn, todayAt(clock)) < 0) return refused('expired')
  if (await selectIsWaiting(db, membership.company.id, state)) return refused('waiting-already')
  const taken = await rateLimits.take('attachment', { sender: membership.company.id })
  if (!taken.ok) return taken
  const attachment = await readAttachment(file, signal)
  if (!attachment.ok) return attachment
  try {
    await db.transaction().execute(async (tx) => {
      const sentAt = clock.now()
      await insertExemption(tx, {
        id: newId(),
        companyId: membership.company.id,
        stateCode: state,
        number,
        expiresOn,
        sentAt,
        fileName: attachment.value.name,
        fileKey: await storeFile(tx, attachment.value, sentAt),
      })
    })
    return ok(null)
  } catch (error) {
    if (violatedConstraint(error) === 'company_exemption_waiting_once') return refused('waiting-already')
    throw error
  }
}

/** Lists a company's certificates, newest first. */
export function listExemptions({ db }: Pick<Deps, 'db'>, companyId: string): Promise<Exemption[]> {
  return selectExemptions(db, companyId)
}

/**
 * Returns the exemption for pricing in the destination state. This is the accepted certificate valid longest, even if
 * expired, so that the price can explain why it does not count. Null if the company never had one there.
 */
export async function findExemption(
  { db }: Pick<Deps, 'db'>,
  companyId: string,
  stateCode: string,
): Promise<{ stateCode: string; validThrough: Temporal.PlainDate } | null> {
  const validThrough = await selectLastDay(db, companyId, stateCode)
  return validThrough ? { stateCode, validThrough } : null
}

/** Returns the exemption of every state where the company has an accepted certificate, as `findExemption` does for one. */
export function listExemptionsByState(
  { db }: Pick<Deps, 'db'>,
  companyId: string,
): Promise<{ stateCode: string; validThrough: Temporal.PlainDate }[]> {
  return selectLastDays(db, companyId)
}

/** Lists certificates awaiting review, longest waiting first. */
export function listWaitingExemptions({
  db,
}: Pick<Deps, 'db'>): Promise<(Exemption & { companyId: string; company: string; sentAt: Temporal.Instant })[]> {
  return selectWaiting(db)
}

/** Records staff's decision on a certificate. Only waiting ones can be decided. */
export async function decideExemption(
  { db, clock }: Deps,
  { id, isAccepted, by }: { id: string; isAccepted: boolean; by: Actor },
): Promise<Outcome<null, Refused<'not-waiting'> | Refused<'not-allowed'>>> {
  if (!isId(id)) return refused('not-waiting')
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'certificates.decide', at)
    if (!permitted.ok) return permitted
    if (!(await updateDecision(tx, id, { isAccepted, by: by.name, at }))) return refused('not-waiting')
    const act = isAccepted ? 'certificate.accepted' : 'certificate.declined'
    await recordAct(tx, { by, act, subject: `certificate ${id}`, at })
    return ok(null)
  })
}

/** Returns the file of a certificate, for staff. */
export async function findCertificate({ db }: Pick<Deps, 'db'>, id: string): Promise<NamedFile | undefined> {
  return isId(id) ? selectFile(db, id) : undefined
}

/** Today in the store's time zone. */
function todayAt(clock: Clock): Temporal.PlainDate {
  return storeDay(clock.now())
}
