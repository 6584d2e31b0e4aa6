/** Whether shoppers can order. False from a store's first start until its owner opens it. */
import { recordAct, requireFreshPermission, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { lockState, selectState, updateState, type StoreState } from './store-state.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** Reads whether the store is open, and since when. */
export function readStoreState(db: Database): Promise<StoreState> {
  return selectState(db)
}

/**
 * Returns whether the store refuses this visitor's order or payment, which applies to everyone except staff while it is
 * closed. `isStaffHere` is called only in that case. While this process has the store cached as open, the database
 * isn't queried. The order's transaction rechecks it, at most half a second after the store closed.
 */
export async function isClosedTo(
  {
    settings,
    isStaffHere,
  }: {
    settings?: { readonly isOpen: boolean }
    isStaffHere?: ((db: Database) => Promise<boolean>) | undefined
  },
  db: Database,
): Promise<boolean> {
  if (settings?.isOpen) return false
  return !(await selectState(db)).isOpen && !(await isStaffHere?.(db))
}

/**
 * Opens the store within the transaction that checked its readiness. Refuses with `not-allowed`, and `open-already` if
 * it is open.
 */
export async function openStore(
  tx: Tx,
  by: Actor,
  at: Temporal.Instant,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'open-already'>>> {
  const permitted = await requirePermission(tx, by, 'store.open', at)
  if (!permitted.ok) return permitted
  const { isOpen } = await lockState(tx)
  if (isOpen) return refused('open-already')
  await updateState(tx, { isOpen: true, by: by.name, at })
  await recordAct(tx, { by, act: 'store.opened', subject: 'store', before: { isOpen }, after: { isOpen: true }, at })
  return ok(null)
}

/**
 * Closes the store again, so that shoppers can browse but not order. Existing orders are unaffected. Refuses with
 * `not-allowed`, `not-fresh` without a sign-in in the last ten minutes, and `closed-already`.
 */
export async function closeStore(
  { db, clock }: { db: Database; clock: Clock },
  by: Actor,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'not-fresh'> | Refused<'closed-already'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requireFreshPermission(tx, by, 'store.open', at)
    if (!permitted.ok) return permitted
    const { isOpen } = await lockState(tx)
    if (!isOpen) return refused('closed-already')
    await updateState(tx, { isOpen: false, by: by.name, at })
    await recordAct(tx, {
      by,
      act: 'store.closed',
      fresh: permitted.value,
      subject: 'store',
      before: { isOpen },
      after: { isOpen: false },
      at,
    })
    return ok(null)
  })
}
