/**
 * Office sessions, separate from shopper sessions, shorter, and valid only with a role. The browser holds an id and a
 * secret; the database has only the secret's hash.
 */
import { unverifiedReason, type UnverifiedReason } from '#domain/kernel/sign-in/sign-in.ts'
import type { Person } from '#domain/kernel/sign-in/identity-provider.port.ts'
import { recordAct } from './audit.server.ts'
import { bindGrants, lockStaff, selectStaff, updateSignedIn } from './grants.sql.server.ts'
import { announceJoin } from './joins.server.ts'
import { officeSessions } from './office-sessions.sql.server.ts'
import type { OfficeSession } from './staff.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { seal, unseal } from '#platform/sealing.ts'
import { earlierOf, sessionKeyOf } from '#platform/work-sessions.ts'
import type { Secrets } from '#platform/secrets.ts'

type Deps = { db: Database; clock: Clock }
type Sealing = { config: { session: { secret: Secrets } } }

/**
 * Opens the back office for a person who has just authenticated at the provider, and returns the cookie value. At their
 * first sign-in, binds the grants of their email to them if the provider has verified it. `session` is the cookie of
 * this browser's current session, which ends. Refuses `unverified`, `verification-unstated` and
 * `no-grant`.
 */
export async function openOffice(
  { db, clock, config }: Deps & Sealing,
  input: {
    issuer: string
    person: Person
    idToken: string | null
    authenticatedAt: Temporal.Instant
    usedSecondFactor: boolean | null
    networkKey: string
    session: string | undefined
  },
): Promise<Outcome<{ cookie: string; email: string }, Refused<UnverifiedReason> | Refused<'no-grant'>>> {
  const { issuer, person, idToken, networkKey } = input
  const key = { issuer, subject: person.subject }
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    await lockStaff(tx)
    const email = person.isEmailVerified ? (person.email?.toLowerCase() ?? null) : null
    const bound = await bindGrants(tx, { ...key, email, at: now })
    const staff = await selectStaff(tx, key, now)
    if (!staff) return refused(person.isEmailVerified ? 'no-grant' : unverifiedReason(person))
    await updateSignedIn(tx, { ...key, usedSecondFactor: input.usedSecondFactor, at: now })
    const old = sessionKeyOf(input.session)
    if (old) await officeSessions.end(tx, old, now)
    const { id: sessionId, cookie } = await officeSessions.open(tx, {
      ...key,
      name: person.name,
      idToken: idToken === null ? null : seal(config.session.secret, officeIdTokenPurpose, idToken),
      authenticatedAt: earlierOf(input.authenticatedAt, now),
      now,
    })
    const by = { via: 'office', name: staff.email, sessionId, networkKey } as const
    if (bound.length > 0)
      await announceJoin(tx, {
        access: 'office',
        email: staff.email,
        details: bound.map((role) => ({ role })),
        by,
        at: now,
      })
    await recordAct(tx, { by, act: 'office.signed-in', subject: staff.email, at: now })
    return ok({ cookie, email: staff.email })
  })
}

/** Finds the session of a cookie; undefined if it has ended or the person has no live grant. */
export async function findOfficeSession(
  { db, clock }: Deps,
  cookie: string | undefined,
): Promise<OfficeSession | undefined> {
  const key = sessionKeyOf(cookie)
  const now = clock.now()
  const session = key && (await officeSessions.find(db, key, now))
  const staff = session && (await selectStaff(db, session, now))
  if (!session || !staff) return undefined
  const { id, ...person } = session
  return { ...person, ...staff, sessionId: id }
}

/** Whether a cookie belongs to someone signed in to the back office, as `db` has it now. */
export async function isStaffHere(deps: Deps, cookie: string): Promise<boolean> {
  return (await findOfficeSession(deps, cookie)) !== undefined
}

/**
 * Ends the session of a cookie. Returns the ID token it was opened with, which the provider needs to end its own session;
 * undefined if the session had already ended.
 */
export async function leaveOffice(
  { db, clock, config }: Deps & Sealing,
  { cookie, networkKey }: { cookie: string | undefined; networkKey: string },
): Promise<string | undefined> {
  const key = sessionKeyOf(cookie)
  if (!key) return undefined
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const ended = await officeSessions.end(tx, key, now)
    const staff = ended && (await selectStaff(tx, ended, now))
    if (staff)
      await recordAct(tx, {
        by: { via: 'office', name: staff.email, sessionId: key.id, networkKey },
        act: 'office.signed-out',
        subject: staff.email,
        at: now,
      })
    return ended?.idToken ? unseal(config.session.secret, officeIdTokenPurpose, ended.idToken) : undefined
  })
}

/** Deletes office sessions that have expired. */
export function forgetOldOfficeSessions({ db, clock }: Deps): Promise<void> {
  return officeSessions.deleteOld(db, clock.now())
}

export const officeIdTokenPurpose = 'office id token'
