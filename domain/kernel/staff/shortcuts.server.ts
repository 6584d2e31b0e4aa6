/** Single-key shortcuts of the back office, which each staff member can turn off. */
import { ok, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import type { PersonKey } from '#platform/work-sessions.ts'
import { recordAct, type Actor } from './audit.server.ts'
import { requirePermission } from './grants.server.ts'
import { deleteShortcutsOff, insertShortcutsOff } from './shortcuts.sql.server.ts'

/** Turns the acting person's single-key shortcuts on or off. Idempotent. */
export async function saveShortcuts(
  { db, clock }: { db: Database; clock: Clock },
  by: Actor,
  { issuer, subject, isOn }: PersonKey & { isOn: boolean },
): Promise<Outcome<null, Refused<'not-allowed'>>> {
  const at = clock.now()
  const person = { issuer, subject }
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'office.open', at)
    if (!permitted.ok) return permitted
    const isChanged = isOn ? await deleteShortcutsOff(tx, person) : await insertShortcutsOff(tx, person, at)
    if (isChanged) await recordAct(tx, { by, act: 'shortcuts.changed', subject: by.name, after: { isOn }, at })
    return ok(null)
  })
}
