/** Portal sessions, separate from accounts and the back office, and useless without a shop membership. */
import { unverifiedReason, type UnverifiedReason } from '#domain/kernel/sign-in/sign-in.ts'
import type { Person } from '#domain/kernel/sign-in/identity-provider.port.ts'
import {
  bindShopMembers,
  listMemberships,
  lockMembership,
  staffMemberId,
  type Membership,
} from '#domain/scheduling/installers/installers.server.ts'
import { canAfterClosing, portalCan, type PortalPermission } from './portal-roles.ts'
import { portalSessionSeconds } from './portal.ts'
import { announceJoin, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { seal, unseal } from '#platform/sealing.ts'
import { earlierOf, sessionKeyOf, workSessions } from '#platform/work-sessions.ts'
import type { Secrets } from '#platform/secrets.ts'

type Deps = { db: Database; clock: Clock }
type Sealing = { config: { session: { secret: Secrets } } }

const portalSessions = workSessions('portal_session', portalSessionSeconds)
export const portalIdTokenPurpose = 'portal id token'

/** A portal user, with the shops they are a member of. */
export type PortalSession = {
  sessionId: string
  name: string | null
  authenticatedAt: Temporal.Instant
  shops: Membership[]
}

/**
 * The actor and the shop. The actor is a team member, or store staff acting for the shop. Every action rereads both.
 */
export type PortalActor = { sessionId: string; shopId: number } | { staff: Actor; shopId: number }

/**
 * Opens the portal for a person who has just authenticated at the provider, and returns the cookie value. At their
 * first sign-in, binds the members with their email to them if the provider has verified it. `session` is the cookie
 * of this browser's current session, which ends. Refuses `unverified`, `verification-unstated` and
 * `no-shop`.
 */
export async function openPortal(
  { db, clock, config }: Deps & Sealing,
  input: {
    issuer: string
    person: Person
    idToken: string | null
    authenticatedAt: Temporal.Instant
    session: string | undefined
  },
): Promise<Outcome<{ cookie: string }, Refused<UnverifiedReason> | Refused<'no-shop'>>> {
  const { issuer, person, idToken } = input
  const key = { issuer, subject: person.subject }
  const now = clock.now()
  return db.transaction().execute(async (tx) => {
    const email = person.isEmailVerified ? (person.email?.toLowerCase() ?? null) : null
    const bound = await bindShopMembers(tx, { ...key, email, at: now })
    const shops = await listMemberships(tx, key)
    if (shops.length === 0) return refused(person.isEmailVerified ? 'no-shop' : unverifiedReason(person))
    for (const [to, members] of Map.groupBy(bound, (member) => member.email))
      await announceJoin(tx, {
        access: 'portal',
        email: to,
        details: members.map(({ shopId, role }) => ({ shop: shopId, role })),
        at: now,
      })
    const old = sessionKeyOf(input.session)
    if (old) await portalSessions.end(tx, old, now)
    const { cookie } = await portalSessions.open(tx, {
      ...key,
      name: person.name,
      idToken: idToken === null ? null : seal(config.session.secret, portalIdTokenPurpose, idToken),
      authenticatedAt: earlierOf(input.authenticatedAt, now),
      now,
    })
    return ok({ cookie })
  })
}

/** Finds the session of a cookie; undefined if it has ended or the person is no longer a member of any shop. */
export async function findPortalSession(
  { db, clock }: Deps,
  cookie: string | undefined,
): Promise<PortalSession | undefined> {
  const key = sessionKeyOf(cookie)
  const session = key && (await portalSessions.find(db, key, clock.now()))
  const shops = session ? await listMemberships(db, session) : []
  if (!session || shops.length === 0) return undefined
  return { sessionId: session.id, name: session.name, authenticatedAt: session.authenticatedAt, shops }
}

/**
 * Ends the session of a cookie. Returns the ID token it was opened with, which the provider needs to end its own session;
 * undefined if the session had already ended.
 */
export async function leavePortal(
  { db, clock, config }: Deps & Sealing,
  cookie: string | undefined,
): Promise<string | undefined> {
  const key = sessionKeyOf(cookie)
  if (!key) return undefined
  const ended = await db.transaction().execute((tx) => portalSessions.end(tx, key, clock.now()))
  return ended?.idToken ? unseal(config.session.secret, portalIdTokenPurpose, ended.idToken) : undefined
}

/** Deletes sessions of the portal that have expired. */
export function forgetOldPortalSessions({ db, clock }: Deps): Promise<void> {
  return portalSessions.deleteOld(db, clock.now())
}

/**
 * Checks, inside the transaction of an act, that the actor may do it now: their session and their role in the shop are
 * read again under a share lock. Returns which member they are, and when they showed the provider who they are. Refuses `not-allowed`.
 */
export async function requireShopMember(
  tx: Tx,
  by: PortalActor,
  permission: PortalPermission,
  at: Temporal.Instant,
): Promise<Outcome<{ memberId: string; authenticatedAt: Temporal.Instant }, Refused<'not-allowed'>>> {
  if ('staff' in by) return requireStaffAtShop(tx, by, permission, at)
  const session = await portalSessions.find(tx, { id: by.sessionId }, at)
  const member = session && (await lockMembership(tx, session, by.shopId))
  if (!session || !member || !portalCan(member.role, permission)) return refused('not-allowed')
  if (member.status === 'closed' && !canAfterClosing(permission)) return refused('not-allowed')
  return ok({ memberId: member.id, authenticatedAt: session.authenticatedAt })
}

/** The same for the store's staff, with their roles reread. Their changes are recorded under their own name. */
async function requireStaffAtShop(
  tx: Tx,
  { staff, shopId }: Extract<PortalActor, { staff: Actor }>,
  permission: PortalPermission,
  at: Temporal.Instant,
): Promise<Outcome<{ memberId: string; authenticatedAt: Temporal.Instant }, Refused<'not-allowed'>>> {
  const permitted = await requirePermission(tx, staff, 'shops.edit', at)
  if (!permitted.ok || !portalCan('staff', permission)) return refused('not-allowed')
  const memberId = await staffMemberId(tx, { shopId, by: staff, at })
  return ok({ memberId, authenticatedAt: at })
}
