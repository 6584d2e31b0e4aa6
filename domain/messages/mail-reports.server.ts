/**
 * What becomes of sent emails. An address that bounced for good gets only emails about its orders, and staff look at it.
 * A complaint unsubscribes from everything that can be stopped.
 */
import {
  insertBlock,
  selectBounces,
  updateReported,
  updateToCleared,
  type MailBlock,
} from '#domain/messages/mail-blocks.sql.server.ts'
import type { MailEvents } from '#domain/messages/mail-events.port.ts'
import { insertMailStop } from '#domain/messages/mail-stops.sql.server.ts'
import { allStoppable } from '#domain/messages/messages.ts'
import { keepHandledEvent } from '#domain/payments/payments.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type { MailBlock } from '#domain/messages/mail-blocks.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** Takes in a report of the mail provider, whole or not at all; one that came before changes nothing. */
export async function receiveMailEvent(
  { db, clock, mailEvents }: Deps & { mailEvents: MailEvents },
  rawBody: string,
): Promise<Outcome<null, Refused<'bad-signature'> | Refused<'unreadable', { cause: unknown }>>> {
  const read = mailEvents.readEvent(rawBody)
  if (!read.ok) return read.reason === 'unreadable' ? refused(read.reason, { cause: read.cause }) : refused(read.reason)
  const { event } = read
  if (event === null) return ok(null)
  const at = clock.now()
  const { id, kind, email, messageId, detail } = event
  await db.transaction().execute(async (tx) => {
    if (!(await keepHandledEvent(tx, { provider: 'mail', id, kind, body: {} }, at))) return
    const message = messageId === null ? undefined : await updateReported(tx, { id: messageId, email, state: kind })
    await insertBlock(tx, { email, reason: kind, detail, orderId: message?.orderId ?? null, blockedAt: at })
    if (kind === 'complained')
      for (const stopped of allStoppable) await insertMailStop(tx, { kind: stopped, email }, at)
  })
  return ok(null)
}

/** In addresses. */
export const bouncesPerPage = 100

/** Lists addresses that bounced and that nobody has checked, longest ago first, after the one with id `after`. */
export function listBounces({ db }: Pick<Deps, 'db'>, after = 0): Promise<MailBlock[]> {
  return selectBounces(db, after, bouncesPerPage)
}

/** Notes that an address was checked, and lets emails go to it again. Refuses `gone` for one that was checked. */
export async function clearBounce(
  { db, clock }: Deps,
  by: Actor,
  id: number,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'gone'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'requests.answer', at)
    if (!permitted.ok) return permitted
    const email = await updateToCleared(tx, { id, by: by.name, at })
    if (email === undefined) return refused('gone')
    await recordAct(tx, { by, act: 'mail.bounce-cleared', subject: email, at })
    return ok(null)
  })
}
