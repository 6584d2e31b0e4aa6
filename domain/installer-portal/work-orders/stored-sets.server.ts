/** The sets that a shop stores for its customers, from the end of the job until they are picked up. */
import {
  lockOrder,
  selectStoredSets,
  updateSetPlace,
  updateSetReturned,
  type StoredSetRow,
} from '#domain/ordering/orders/orders.server.ts'
import { requireShopMember, type PortalActor } from '#domain/installer-portal/portal/portal.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** `not-stored`: the set was returned, or another shop stores it. */
export type StoredSetRefusal = Refused<'not-allowed'> | Refused<'not-stored'>

/** The most stored sets that a page lists, and the most returned ones. */
const listed = { stored: 500, returned: 20 }

/** Returns a shop's stored sets, those that end first at the top, and the last returned ones. */
export async function listStoredSets(
  { db }: Pick<Deps, 'db'>,
  shopId: number,
): Promise<{ stored: StoredSetRow[]; returned: StoredSetRow[] }> {
  const ofShop = { shopIds: [shopId], endedBy: null, orderId: null, after: null }
  return {
    stored: await selectStoredSets(db, { ...ofShop, isReturned: false, limit: listed.stored }),
    returned: await selectStoredSets(db, { ...ofShop, isReturned: true, limit: listed.returned }),
  }
}

/** Saves where in the shop a set is stored; null removes the place. */
export function saveSetPlace(
  deps: Deps,
  by: PortalActor,
  { orderId, place }: { orderId: number; place: string | null },
): Promise<Outcome<null, StoredSetRefusal>> {
  return changeSet(deps, by, orderId, (tx) => updateSetPlace(tx, { orderId, shopId: by.shopId, place }))
}

/** Marks a set as picked up by its customer, which ends its storage. It can't be undone. */
export function returnSet(
  deps: Deps,
  by: PortalActor,
  { orderId }: { orderId: number },
): Promise<Outcome<null, StoredSetRefusal>> {
  return changeSet(deps, by, orderId, (tx, { memberId, at }) =>
    updateSetReturned(tx, { orderId, shopId: by.shopId, memberId, at }),
  )
}

/** Runs a change with the order locked, if the actor may work on the shop's jobs. */
async function changeSet(
  { db, clock }: Deps,
  by: PortalActor,
  orderId: number,
  change: (tx: Tx, actor: { memberId: string; at: Temporal.Instant }) => Promise<boolean>,
): Promise<Outcome<null, StoredSetRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const member = await requireShopMember(tx, by, 'jobs.work', at)
    if (!member.ok) return member
    await lockOrder(tx, orderId)
    return (await change(tx, { memberId: member.value.memberId, at })) ? ok(null) : refused('not-stored')
  })
}
