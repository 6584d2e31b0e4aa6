/** The link that creates the first owner for a store without staff. It is printed when the store starts. */
import { createHash, randomBytes } from 'node:crypto'
import { recordAct } from './audit.server.ts'
import { insertGrant, lockStaff } from './grants.sql.server.ts'
import { insertLink, markLinkUsed, selectHasStaff, selectIsOpen } from './owner-link.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** How long a link works. */
export const ownerLinkMinutes = 30

/** The actor in the audit log. The link is only in a log available to the store's operator. */
const by = { via: 'command line', name: 'first-owner link' } as const

/** Returns a new link's secret, valid for 30 minutes; null if the store has staff. */
export async function createOwnerLink({ db, clock }: Deps): Promise<string | null> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    await lockStaff(tx)
    if (await selectHasStaff(tx)) return null
    const secret = randomBytes(32).toString('base64url')
    await insertLink(tx, { hash: hashOf(secret), at, expiresAt: at.add({ minutes: ownerLinkMinutes }) })
    return secret
  })
}

/** Returns whether a link is still valid, meaning that it is neither expired nor used, and the store has no staff. */
export async function isOwnerLinkOpen({ db, clock }: Deps, secret: string): Promise<boolean> {
  return !(await selectHasStaff(db)) && selectIsOpen(db, hashOf(secret), clock.now())
}

/**
 * Invites the first owner by email. They become it when they sign in and the provider has verified that email. Refuses
 * `gone` for a link that is expired, used or unknown, and once the store has staff.
 */
export async function acceptOwnerLink(
  { db, clock }: Deps,
  { secret, email }: { secret: string; email: string },
): Promise<Outcome<null, Refused<'gone'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    await lockStaff(tx)
    if (await selectHasStaff(tx)) return refused('gone')
    if (!(await markLinkUsed(tx, { hash: hashOf(secret), at }))) return refused('gone')
    await insertGrant(tx, { email, role: 'owner', by: by.name, at, expiresAt: null })
    await recordAct(tx, { by, act: 'staff.invited', subject: email, after: { role: 'owner', lastDay: null }, at })
    return ok(null)
  })
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
