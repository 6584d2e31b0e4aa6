/** Invitations to review tires a few weeks after they were delivered. */
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { forEachDelivered } from '#domain/ordering/orders/orders.server.ts'
import { hasReviewOf } from './write.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

/** Long enough to have an appointment and drive; as long ago as a worker may have been down. */
const inviteAfterDays = 21
const lateDays = 7

/**
 * Queues an invitation for each order delivered `inviteAfterDays` ago that has no verified review yet, once per order
 * and only to addresses that did not stop them.
 */
export async function inviteReviews({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const at = clock.now()
  const until = at.subtract({ hours: 24 * inviteAfterDays })
  await forEachDelivered(
    db,
    { from: until.subtract({ hours: 24 * lateDays }), until },
    async ({ orderId, email: to }) => {
      if (await hasReviewOf(db, orderId)) return
      const kind = 'review-invitation'
      await db.transaction().execute((tx) => queueMessage(tx, { kind, key: `${kind}:${orderId}`, to, orderId, at }))
    },
  )
}
