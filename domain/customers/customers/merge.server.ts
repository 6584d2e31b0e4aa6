/** Merges two customers who are the same person, or undoes it. Merging always requires a staff decision. */
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { isId, newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { undoMergeDays } from './customers.ts'
import {
  dismissDuplicates,
  insertMerge,
  lockCustomers,
  lockMerge,
  selectMerges,
  undoMerge,
  type Merge,
} from './merge.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type Pair = { id: string; otherId: string }

/**
 * Merges the customer `otherId` into `id`. Their orders are unchanged and count for both emails together from then on.
 * Refuses with `customer-not-found` if one of them was deleted or merged since.
 */
export async function mergeCustomers(
  { db, clock }: Deps,
  by: Actor,
  { id, otherId }: Pair,
): Promise<Outcome<{ mergeId: string }, Refused<'not-allowed'> | Refused<'customer-not-found'>>> {
  return actOnPair({ db, clock }, by, { id, otherId }, async (tx, emails, at) => {
    const mergeId = newTimedId()
    await insertMerge(tx, { id: mergeId, keptId: id, mergedId: otherId, by: by.name, at })
    const { kept, merged } = emails
    await recordAct(tx, { by, act: 'customer.merged', subject: kept, before: { merged }, after: { into: kept }, at })
    return { mergeId }
  })
}

/** Marks two customers as different people, who are not possible duplicates any longer. Refuses as `mergeCustomers`. */
export async function keepApart(
  { db, clock }: Deps,
  by: Actor,
  { id, otherId }: Pair,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'customer-not-found'>>> {
  return actOnPair({ db, clock }, by, { id, otherId }, async (tx, { kept, merged }, at) => {
    const pairs = await dismissDuplicates(tx, { id, otherId, by: by.name, at })
    if (pairs > 0) await recordAct(tx, { by, act: 'customer.kept-apart', subject: kept, after: { other: merged }, at })
    return null
  })
}

/** Locks both customers for a joint staff action. */
async function actOnPair<Value>(
  { db, clock }: Deps,
  by: Actor,
  { id, otherId }: Pair,
  act: (tx: Tx, emails: { kept: string; merged: string }, at: Temporal.Instant) => Promise<Value>,
): Promise<Outcome<Value, Refused<'not-allowed'> | Refused<'customer-not-found'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'customers.manage', at)
    if (!permitted.ok) return permitted
    if (!isId(id) || !isId(otherId) || id === otherId) return refused('customer-not-found')
    const locked = await lockCustomers(tx, [id, otherId])
    const [kept, merged] = [id, otherId].map((each) => locked.find((customer) => customer.id === each)?.email)
    if (kept === undefined || merged === undefined) return refused('customer-not-found')
    return ok(await act(tx, { kept, merged }, at))
  })
}

/** Lists the merges into a customer that can be undone, newest first. */
export function listMerges({ db, clock }: Deps, customerId: string): Promise<Merge[]> {
  return selectMerges(db, customerId, clock.now().subtract({ hours: 24 * undoMergeDays }), 20)
}

/**
 * Undoes a merge within 30 days. Both customers are restored, with the orders placed since assigned by email. Refuses
 * `merge-not-found`, also for one that was undone, `too-late`, and `merged-again` if the result was merged into a third
 * customer. Undo that merge first.
 */
export async function undoCustomerMerge(
  { db, clock }: Deps,
  by: Actor,
  mergeId: string,
): Promise<
  Outcome<
    { otherId: string },
    Refused<'not-allowed'> | Refused<'merge-not-found'> | Refused<'too-late'> | Refused<'merged-again'>
  >
> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'customers.manage', at)
    if (!permitted.ok) return permitted
    if (!isId(mergeId)) return refused('merge-not-found')
    const merge = await lockMerge(tx, mergeId)
    if (!merge) return refused('merge-not-found')
    const { keptId, mergedId, email, mergedAt } = merge
    if (Temporal.Instant.compare(mergedAt, at.subtract({ hours: 24 * undoMergeDays })) <= 0) return refused('too-late')
    const [kept] = await lockCustomers(tx, [keptId])
    if (!kept) return refused('merged-again')
    await undoMerge(tx, merge, { by: by.name, at })
    await recordAct(tx, { by, act: 'customer.unmerged', subject: kept.email, after: { apart: email }, at })
    return ok({ otherId: mergedId })
  })
}
