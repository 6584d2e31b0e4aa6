/** The statements for single-key shortcuts. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#platform/db.ts'
import type { PersonKey } from '#platform/work-sessions.ts'

/** SQL for whether single keys are shortcuts for the person, as they are until turned off. */
export function hasShortcuts({ issuer, subject }: PersonKey): RawBuilder<boolean> {
  return sql<boolean>`not exists (select from shortcuts_off where shortcuts_off.issuer = ${issuer} and shortcuts_off.subject = ${subject})`
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
