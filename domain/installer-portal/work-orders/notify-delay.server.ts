/** Notifies the customer that the shop is running late. */
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { promiseText } from '#domain/messaging/texts/texts.server.ts'
import type { PortalActor } from '#domain/installer-portal/portal/portal.server.ts'
import { countOf } from '#platform/count-text.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { alreadyDone, withJob, type JobDeps, type JobRefusal } from './job.server.ts'
import { delayChoicesAfter } from './work-order-life.ts'
import { insertJobEvent, updateLateMinutes } from './work-orders.sql.server.ts'

/**
 * Notifies the customer by email, and by text with their consent, that the shop is running `minutes` late. Idempotent. Refuses
 * `not-today` on other days, `over` for a finished job, and `not-later` for a delay that is unlisted or shorter than the
 * last one.
 */
export function notifyDelay(
  deps: Pick<JobDeps, 'db' | 'clock'>,
  by: PortalActor,
  { bookingId, minutes }: { bookingId: string; minutes: number },
): Promise<Outcome<{ isNew: boolean }, JobRefusal | Refused<'over'> | Refused<'not-today'> | Refused<'not-later'>>> {
  return withJob<Outcome<{ isNew: boolean }, Refused<'over'> | Refused<'not-today'> | Refused<'not-later'>>>(
    deps,
    by,
    bookingId,
    async (tx, { booking, order, row, memberId, at, today }) => {
      if (row.state !== 'open' && row.state !== 'arrived' && row.state !== 'in-bay') return refused('over')
      const day = booking.start.toZonedDateTimeISO(booking.timeZone).toPlainDate()
      if (!day.equals(today)) return refused('not-today')
      if (minutes === row.lateMinutes) return alreadyDone
      if (!delayChoicesAfter(row.lateMinutes).includes(minutes)) return refused('not-later')
      await updateLateMinutes(tx, bookingId, minutes)
      await insertJobEvent(tx, { bookingId, what: 'late', memberId, note: countOf(minutes, 'minute'), at })
      const about = { kind: 'shop-late', key: `shop-late:${bookingId}:${minutes}`, orderId: order.id, at } as const
      await queueMessage(tx, { ...about, to: order.email })
      await promiseText(tx, about)
      return ok({ isNew: true })
    },
  )
}
