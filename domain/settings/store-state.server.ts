/** Whether shoppers can order: false from the first start of a store until its owner opens it. */
import { recordAct, requireFreshPermission, requirePermission, type Actor } from '#domain/staff/staff.server.ts'
import { lockState, selectState, updateState, type StoreState } from '#domain/settings/store-state.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** Reads whether the store is open, and since when. */
export function readStoreState(db: Database): Promise<StoreState> {
  return selectState(db)
}

/**
 * Whether the store refuses an order or a payment of this visitor: while it is closed, that of everyone but its staff.
 * `isStaffHere` is asked only then. While this process knows the store as open, nothing is read: the transaction that
 * places an order reads it again, at most half a second after it was closed.
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
 * Opens the store within the transaction of whoever checked that it is ready. Refuses `not-allowed`, and `open-already`
 * when it was open.
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
 * Closes the store again: shoppers can look around, but not order. Orders that are placed stay as they are. Refuses
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
