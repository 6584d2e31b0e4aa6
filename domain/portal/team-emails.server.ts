/** Shop email subscriptions per member. Owners get all by default, technicians only what they subscribe to. */
import { readMemberEmails, setSubscription } from '#domain/installers/installers.server.ts'
import { setMailWanted, stoppedAmong } from '#domain/messages/messages.server.ts'
import { shopEmailKinds, type ShopEmailKind } from '#domain/messages/messages.ts'
import { requireShopMember, type PortalActor } from '#domain/portal/portal-sessions.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** Returns the member's address, and each kind of email with whether they get it. */
export async function readTeamEmails(
  { db }: { db: Database },
  memberId: string,
): Promise<{ email: string; kinds: { kind: ShopEmailKind; isWanted: boolean }[] }> {
  const member = await readMemberEmails(db, memberId)
  if (!member) throw new Error('Portal session member not found.')
  const kinds = await Promise.all(
    shopEmailKinds.map(async (kind) => {
      const isSubscribed = member.role === 'owner' || member.asked.includes(kind)
      return { kind, isWanted: isSubscribed && !(await stoppedAmong(db, kind, [member.email])).has(member.email) }
    }),
  )
  return { email: member.email, kinds }
}

/**
 * Saves the acting member's subscriptions; the rest are unsubscribed. An unsubscribe applies to all the address's
 * shops. Idempotent.
 */
export function saveTeamEmails(
  { db, clock }: { db: Database; clock: Clock },
  by: PortalActor,
  wanted: readonly ShopEmailKind[],
): Promise<Outcome<null, Refused<'not-allowed'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const found = await requireShopMember(tx, by, 'emails.edit', at)
    if (!found.ok) return found
    const { memberId } = found.value
    const member = await readMemberEmails(tx, memberId)
    if (!member) return refused('not-allowed')
    for (const kind of shopEmailKinds) {
      const isWanted = wanted.includes(kind)
      await setSubscription(tx, { memberId, kind, isWanted, at })
      await setMailWanted(tx, { kind, email: member.email, isWanted, at })
    }
    return ok(null)
  })
}
