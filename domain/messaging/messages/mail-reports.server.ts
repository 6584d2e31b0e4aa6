/**
 * Delivery reports for sent emails. A permanently bounced address only gets order emails, and is listed for staff. A
 * spam complaint unsubscribes from everything optional.
 */
import {
  insertBlock,
  selectBounces,
  updateReported,
  updateToCleared,
  type MailBlock,
} from './mail-blocks.sql.server.ts'
import type { MailEvents } from './mail-events.port.ts'
import { insertMailStop } from './mail-stops.sql.server.ts'
import { allStoppable } from './messages.ts'
import { keepHandledEvent } from '#domain/kernel/provider-events/provider-events.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export type { MailBlock } from './mail-blocks.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** Handles a mail provider's report atomically; duplicates have no effect. */
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

/** Lists bounced, unchecked addresses, oldest first, after the one with id `after`. */
export function listBounces({ db }: Pick<Deps, 'db'>, after = 0): Promise<MailBlock[]> {
  return selectBounces(db, after, bouncesPerPage)
}

/** Marks an address as checked, and resumes its emails. Refuses with `gone` if it was already checked. */
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
