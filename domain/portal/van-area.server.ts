/** The owner of a van says where it comes. */
import { createHash } from 'node:crypto'
import { lockVan, readVanZips, replaceVanZips, selectBadZips } from '#domain/installers/installers.server.ts'
import { requireShopMember, type PortalActor } from '#domain/portal/portal-sessions.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { areaWithinMiles } from './van-area.ts'

/** Names the area a page showed: one that was changed meanwhile is not overwritten. */
export function seenArea(zips: readonly string[]): string {
  return createHash('sha256').update(zips.join(' ')).digest('base64url').slice(0, 22)
}

export type AreaRefusal =
  | Refused<'not-allowed'>
  | Refused<'no-van'>
  | Refused<'stale'>
  | Refused<'bad-zips', { unknown: string[]; far: string[] }>

/**
 * Replaces the ZIPs a van comes to; the same form again changes nothing. Appointments that are booked stay. Refuses
 * `bad-zips` for those that do not exist or are too far from the van's base.
 */
export function saveVanArea(
  { db, clock }: { db: Database; clock: Clock },
  by: PortalActor,
  { zips, seen }: { zips: readonly string[]; seen: string },
): Promise<Outcome<null, AreaRefusal>> {
  return db.transaction().execute(async (tx) => {
    const member = await requireShopMember(tx, by, 'area.edit', clock.now())
    if (!member.ok) return member
    if (!(await lockVan(tx, by.shopId))) return refused('no-van')
    const before = ((await readVanZips(tx, by.shopId)) ?? []).map(({ zip }) => zip)
    if (seenArea(before) === seenArea(zips)) return ok(null)
    if (seenArea(before) !== seen) return refused('stale')
    const { unknown, far } = await selectBadZips(tx, { shopId: by.shopId, zips, withinMiles: areaWithinMiles })
    if (unknown.length + far.length > 0) return refused('bad-zips', { unknown, far })
    await replaceVanZips(tx, by.shopId, zips)
    return ok(null)
  })
}
