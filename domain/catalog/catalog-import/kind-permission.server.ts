/** Who may import files of a kind. */
import { requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Tx } from '#platform/db.ts'
import type { Outcome, Refused } from '#platform/outcome.ts'
import type { FeedKind } from './catalog-import.ts'

/** Refuses `not-allowed` without `permission`, and for customers without the permission to add them. */
export async function permitsKind(
  tx: Tx,
  by: Actor,
  { kind, permission }: { kind: FeedKind; permission: 'catalog.import' | 'catalog.publish' },
  at: Temporal.Instant,
): Promise<Outcome<null, Refused<'not-allowed'>>> {
  const permitted = await requirePermission(tx, by, permission, at)
  return permitted.ok && kind === 'customers' ? requirePermission(tx, by, 'customers.edit', at) : permitted
}
