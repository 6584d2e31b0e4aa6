/** The daily email of open tasks. Staff choose its hour and task lists. */
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { findStaff, recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { StaffRole } from '#domain/kernel/staff/staff.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { isId, newTimedId } from '#platform/ids.ts'
import { ok, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { PersonKey } from '#platform/work-sessions.ts'
import { deleteDigest, selectDigest, selectDigestOf, selectDigests, upsertDigest } from './queue-digests.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** An email that could not be sent for so long is not sent any longer. */
const maxLateHours = 6

/** Returns what a person chose; undefined if they get no digest. */
export function readDigest(
  { db }: Pick<Deps, 'db'>,
  person: PersonKey,
): Promise<{ hour: number; except: string[] } | undefined> {
  return selectDigestOf(db, person)
}

/**
 * Saves the acting person's choice. The hour is in the store's zone, null for no email; the slugs name task lists to
 * leave out. Refuses `not-allowed`.
 */
export async function saveDigest(
  { db, clock }: Deps,
  by: Actor,
  { issuer, subject, hour, except }: PersonKey & { hour: number | null; except: readonly string[] },
): Promise<Outcome<null, Refused<'not-allowed'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'office.open', at)
    if (!permitted.ok) return permitted
    const person = { issuer, subject }
    const before = await selectDigestOf(tx, person)
    if (hour === null) await deleteDigest(tx, person)
    else {
      // An unchanged hour doesn't change the day, so saving again at noon doesn't skip this morning's email.
      const subscribedAt = before?.hour === hour ? before.subscribedAt : at
      await upsertDigest(tx, { id: newTimedId(), issuer, subject, hour, except: [...except], subscribedAt })
    }
    const chosen = { hour, without: except.join(' ').slice(0, 400) }
    await recordAct(tx, { by, act: 'digest.changed', subject: by.name, after: chosen, at })
    return ok(null)
  })
}

/** Queues the digests that are due, each once a day. Returns how many are due. */
export async function emailQueueDigests({ db, clock }: Deps): Promise<number> {
  const now = clock.now()
  let due = 0
  for (const digest of await selectDigests(db)) {
    const { at, day } = lastDigest(digest.hour, now)
    const isLate = now.since(at).total('hours') > maxLateHours
    if (isLate || Temporal.Instant.compare(digest.subscribedAt, at) > 0) continue
    const staff = await findStaff({ db, clock }, digest)
    if (!staff) continue
    due += 1
    const key = `queue-digest:${digest.id}:${day.toString()}`
    await queueMessage(db, { kind: 'queue-digest', key, to: staff.email, orderId: null, at: now })
  }
  return due
}

function lastDigest(hour: number, now: Temporal.Instant): { at: Temporal.Instant; day: Temporal.PlainDate } {
  const today = now.toZonedDateTimeISO(storeZone).toPlainDate()
  const atOf = (day: Temporal.PlainDate) =>
    day.toZonedDateTime({ timeZone: storeZone, plainTime: Temporal.PlainTime.from({ hour }) }).toInstant()
  const day = Temporal.Instant.compare(atOf(today), now) <= 0 ? today : today.subtract({ days: 1 })
  return { at: atOf(day), day }
}

/**
 * The current roles and choice of a queued digest's recipient. Undefined if they turned it off or no longer work here.
 * `key` is the email's key.
 */
export async function readDigestReader(
  { db, clock }: Deps,
  key: string,
): Promise<{ roles: readonly StaffRole[]; except: string[] } | undefined> {
  const [, id = ''] = key.split(':')
  const digest = isId(id) ? await selectDigest(db, id) : undefined
  const staff = digest && (await findStaff({ db, clock }, digest))
  return digest && staff && { roles: staff.roles, except: digest.except }
}
