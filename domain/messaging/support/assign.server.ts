/** Assigns requests to staff who can answer them. */
import { lockStaffEmails, recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { requestNumber } from './support.ts'
import { updateAssigned } from './threads.sql.server.ts'

/** `to` is the assignee's email, or null for no one. */
export type Assignment = { to: string | null; at: Temporal.Instant }

/**
 * Checks that the actor may assign requests, and that the assignee can answer them. It comes first in the transaction,
 * and blocks changes to role assignments until the transaction ends.
 */
export async function requireAssignable(
  tx: Tx,
  by: Actor,
  { to, at }: Assignment,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'not-staff'>>> {
  const staff = to === null ? [] : await lockStaffEmails(tx, 'requests.answer', at)
  const permitted = await requirePermission(tx, by, 'requests.answer', at)
  if (!permitted.ok) return permitted
  if (to !== null && !staff.includes(to)) return refused('not-staff')
  return ok(null)
}

/** Assigns locked requests, and records each. Returns the ones that changed. */
export async function assignLocked<Request extends { id: number; assignedTo: string | null }>(
  tx: Tx,
  by: Actor,
  requests: readonly Request[],
  { to, at }: Assignment,
): Promise<Request[]> {
  const changed = requests.filter(({ assignedTo }) => assignedTo !== to)
  for (const { id, assignedTo } of changed) {
    await updateAssigned(tx, id, to)
    await recordAct(tx, {
      by,
      act: 'requests.assigned',
      subject: requestNumber(id),
      before: { assignedTo },
      after: { assignedTo: to },
      at,
    })
  }
  return changed
}
