/** Queries for the single row with the store's open state. */
import type { Database, Tx } from '#platform/db.ts'

/** `changedAt` is null until an owner opens or closes the store. */
export type StoreState = {
  isOpen: boolean
  changedAt: Temporal.Instant | null
  /** Rises with each change of the business terms. */
  termsVersion: number
}

const columns = ['is_open as isOpen', 'changed_at as changedAt', 'terms_version as termsVersion'] as const

/** Reads whether the store is open. */
export function selectState(db: Database): Promise<StoreState> {
  return db.selectFrom('store_state').select(columns).executeTakeFirstOrThrow()
}

/** Locks it for a change, after orders in progress; later ones block. */
export function lockState(tx: Tx): Promise<StoreState> {
  return tx.selectFrom('store_state').select(columns).forUpdate().executeTakeFirstOrThrow()
}

/** Writes the state. */
export async function updateState(
  tx: Tx,
  { isOpen, by, at }: { isOpen: boolean; by: string; at: Temporal.Instant },
): Promise<void> {
  await tx.updateTable('store_state').set({ is_open: isOpen, changed_at: at, changed_by: by }).execute()
}
