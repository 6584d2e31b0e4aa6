/** Who may import files of a kind. */
import { requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Tx } from '#platform/db.ts'
import type { Outcome, Refused } from '#platform/outcome.ts'
import { isPersonal, type FeedKind } from './feed-kinds.ts'

/** Refuses `not-allowed` without `permission`, and for customers and their past orders without the permission to add customers. */
export async function permitsKind(
  tx: Tx,
  by: Actor,
  { kind, permission }: { kind: FeedKind; permission: 'catalog.import' | 'catalog.publish' },
  at: Temporal.Instant,
): Promise<Outcome<null, Refused<'not-allowed'>>> {
  const permitted = await requirePermission(tx, by, permission, at)
  return permitted.ok && isPersonal(kind) ? requirePermission(tx, by, 'customers.edit', at) : permitted
}
