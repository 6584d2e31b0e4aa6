/** Notes that staff keep on an order. Customers never see them. */
import { deleteOrderNoteRow, insertOrderNoteRow, selectOrderOf } from './order-story.sql.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** The longest note, in characters. */
export const longestNote = 2_000

/** Adds a note to an order, once per `key` however often it is submitted. Refuses an empty or longer note. */
export async function addOrderNote(
  { db, clock }: { db: Database; clock: Clock },
  input: { orderId: number; body: string; actor: Actor; key: string },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'order-not-found'> | Refused<'no-note'>>> {
  const { orderId, actor, key } = input
  const body = input.body.trim()
  if (body.length === 0 || body.length > longestNote) return refused('no-note')
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, actor, 'orders.note', at)
    if (!permitted.ok) return permitted
    if (!(await selectOrderOf(tx, orderId))) return refused('order-not-found')
    if (!(await insertOrderNoteRow(tx, { orderId, key, body, author: actor.name, at }))) return ok(null)
    await recordAct(tx, { by: actor, act: 'order.noted', subject: orderNumber(orderId).toLowerCase(), at })
    return ok(null)
  })
}

/** How long after it was added a note can be removed again, in minutes. */
export const noteRemovableMinutes = 60

/**
 * Removes a note that the actor added within the last hour, named by the key it was submitted with; its text stays in
 * the audit log. Refuses `gone` for any other.
 */
export async function removeOrderNote(
  { db, clock }: { db: Database; clock: Clock },
  { orderId, key, actor }: { orderId: number; key: string; actor: Actor },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'gone'>>> {
  if (!isId(key)) return refused('gone')
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, actor, 'orders.note', at)
    if (!permitted.ok) return permitted
    const since = at.subtract({ minutes: noteRemovableMinutes })
    const body = await deleteOrderNoteRow(tx, { orderId, key, author: actor.name, since })
    if (body === undefined) return refused('gone')
    const subject = orderNumber(orderId).toLowerCase()
    await recordAct(tx, { by: actor, act: 'order.note-removed', subject, before: { note: body }, at })
    return ok(null)
  })
}
