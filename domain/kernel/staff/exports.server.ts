/** Office list exports, with the person and filters recorded. */
import { recordAct, type Actor } from './audit.server.ts'
import { requireFreshPermission } from './grants.server.ts'
import type { Permission } from './permissions.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, type Outcome, type Refused } from '#platform/outcome.ts'

/** Records that a list leaves as a file, before its first row is read. Refuses `not-allowed` and `not-fresh`. */
export async function recordExport(
  { db, clock }: { db: Database; clock: Clock },
  by: Actor,
  { list, permission, filters }: { list: string; permission: Permission; filters: string },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'not-fresh'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requireFreshPermission(tx, by, permission, at)
    if (!permitted.ok) return permitted
    await recordAct(tx, {
      by,
      act: 'list.exported',
      fresh: permitted.value,
      subject: list,
      after: { filters: filters || 'none' },
      at,
    })
    return ok(null)
  })
}
