/** A mobile installer's service area, set by its owner. */
import { createHash } from 'node:crypto'
import { announceCatalogChange } from '#domain/catalog/catalog/catalog.server.ts'
import {
  insertShopEvent,
  lockVan,
  readVanZips,
  replaceVanZips,
  selectBadZips,
  selectShopEvents,
  type ShopEvent,
} from '#domain/scheduling/installers/installers.server.ts'
import { requireShopMember, type PortalActor } from './portal-sessions.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { countOf } from '#platform/count-text.ts'
import { areaWithinMiles } from './van-area.ts'

/** Returns a fingerprint of the shown area, so that a concurrent change isn't overwritten. */
export function seenArea(zips: readonly string[]): string {
  return createHash('sha256').update(zips.join(' ')).digest('base64url').slice(0, 22)
}

/** Returns recent changes to a van's area, with their authors. */
export function readAreaEvents({ db }: { db: Database }, shopId: number): Promise<ShopEvent[]> {
  return selectShopEvents(db, { shopId, acts: ['area'], limit: 20 })
}

/** "3 ZIPs more, 1 less: 12 in all" */
function changeText(before: readonly string[], after: readonly string[]): string {
  const [old, now] = [new Set(before), new Set(after)]
  const more = after.filter((zip) => !old.has(zip)).length
  const less = before.filter((zip) => !now.has(zip)).length
  return `${countOf(more, 'ZIP')} more, ${less} less: ${now.size} in all`
}

export type AreaRefusal =
  | Refused<'not-allowed'>
  | Refused<'no-van'>
  | Refused<'stale'>
  | Refused<'bad-zips', { unknown: string[]; far: string[] }>

/**
 * Replaces a van's ZIP codes. Resubmitting the same form has no effect. Booked appointments are unaffected. Refuses
 * with `bad-zips` for ZIP codes that do not exist or are too far from the van's base.
 */
export function saveVanArea(
  { db, clock }: { db: Database; clock: Clock },
  by: PortalActor,
  { zips, seen }: { zips: readonly string[]; seen: string },
): Promise<Outcome<null, AreaRefusal>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const member = await requireShopMember(tx, by, 'area.edit', at)
    if (!member.ok) return member
    if (!(await lockVan(tx, by.shopId))) return refused('no-van')
    const before = ((await readVanZips(tx, by.shopId)) ?? []).map(({ zip }) => zip)
    if (seenArea(before) === seenArea(zips)) return ok(null)
    if (seenArea(before) !== seen) return refused('stale')
    const { unknown, far } = await selectBadZips(tx, { shopId: by.shopId, zips, withinMiles: areaWithinMiles })
    if (unknown.length + far.length > 0) return refused('bad-zips', { unknown, far })
    await replaceVanZips(tx, by.shopId, zips)
    const { memberId } = member.value
    await insertShopEvent(tx, { shopId: by.shopId, memberId, at, act: 'area', note: changeText(before, zips) })
    await announceCatalogChange(tx)
    return ok(null)
  })
}
