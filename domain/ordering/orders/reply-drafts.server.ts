/** Unsent replies of staff to the customers of orders, one per person and order. */
import { requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { deleteOldReplyDrafts, deleteReplyDraft, upsertReplyDraft } from './reply-drafts.sql.server.ts'

/** Drafts older than this are deleted when one is saved. */
const keptDays = 30

/** Saves the actor's unsent reply about an order. An empty one is deleted. `body` has at most 10,000 characters. */
export async function saveReplyDraft(
  { db, clock }: { db: Database; clock: Clock },
  by: Actor,
  { orderId, body }: { orderId: number; body: string },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'order-not-found'>>> {
  const at = clock.now()
  const key = { staff: by.name, orderId }
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'requests.answer', at)
    if (!permitted.ok) return permitted
    if (body.trim() === '') {
      await deleteReplyDraft(tx, key)
      return ok(null)
    }
    await deleteOldReplyDrafts(tx, at.subtract({ hours: 24 * keptDays }))
    return (await upsertReplyDraft(tx, { ...key, body, at })) ? ok(null) : refused('order-not-found')
  })
}
