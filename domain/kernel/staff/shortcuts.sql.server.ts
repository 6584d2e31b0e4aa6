/** The statements for single-key shortcuts. */
import type { Database, Tx } from '#platform/db.ts'
import type { PersonKey } from '#platform/work-sessions.ts'

/** Returns whether the person turned the shortcuts off. */
export async function selectShortcutsOff(db: Database, { issuer, subject }: PersonKey): Promise<boolean> {
  const row = await db
    .selectFrom('shortcuts_off')
    .select('subject')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether this turned them off now. */
export async function insertShortcutsOff(
  tx: Tx,
  { issuer, subject }: PersonKey,
  at: Temporal.Instant,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('shortcuts_off')
    .values({ issuer, subject, turned_off_at: at })
    .onConflict((on) => on.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns whether this turned them on now. */
export async function deleteShortcutsOff(tx: Tx, { issuer, subject }: PersonKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('shortcuts_off')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
