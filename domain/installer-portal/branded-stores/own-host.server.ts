/** A shop's custom host name, which leads to its store after DNS verification. */
import { requireShopMember, type PortalActor } from '#domain/installer-portal/portal/portal.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { lockStore, selectStore, updateHostVerified, type KeptStore } from './branded-stores.sql.server.ts'
import type { HostProof } from './host-proof.port.ts'

type Deps = { db: Database; clock: Clock; hostProof: HostProof }

/** Returns the name and text of the host name's verification record. Null without a host name. */
export function hostRecordOf({ hostName, hostKey }: KeptStore): { name: string; text: string } | null {
  return hostName === null || hostKey === null
    ? null
    : { name: `_sidewall.${hostName}`, text: `sidewall-store=${hostKey}` }
}

export type ProveHostRefusal =
  | Refused<'not-allowed'>
  | Refused<'no-host'>
  | Refused<'no-record'>
  | Refused<'host-taken'>
  | Refused<'unavailable'>

/**
 * Reads the verification record of a store's host name and, if it exists, activates the name. No lock is held during
 * the DNS query, and a name that changed in between must be verified again.
 */
export async function proveHost(
  { db, clock, hostProof }: Deps,
  by: PortalActor,
): Promise<Outcome<null, ProveHostRefusal>> {
  const asked = await selectStore(db, by.shopId)
  const record = asked && hostRecordOf(asked)
  if (!record) return refused('no-host')
  const found = await hostProof.texts(record.name)
  if (!found.ok) return refused('unavailable')
  if (!found.value.includes(record.text)) return refused('no-record')
  try {
    return await db.transaction().execute(async (tx) => {
      const at = clock.now()
      const member = await requireShopMember(tx, by, 'store.edit', at)
      if (!member.ok) return member
      const store = await lockStore(tx, by.shopId)
      if (store?.hostKey !== asked.hostKey) return refused('no-record')
      await updateHostVerified(tx, by.shopId, at)
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'branded_store_host_once') return refused('host-taken')
    throw error
  }
}
