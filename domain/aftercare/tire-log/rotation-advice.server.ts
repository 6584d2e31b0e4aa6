/**
 * Rotation advice after an order, for customers without garage reminders, meaning guests and accounts without a
 * rotation date.
 */
import { listGarage } from '#domain/customers/accounts/accounts.server.ts'
import { rotationMonths } from '#domain/customers/accounts/accounts.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { forEachDelivered } from '#domain/ordering/orders/orders.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { storeZone } from '#platform/store-zone.ts'

/** Three years, because tires driven longer are near their end. */
const timesAdvised = 6
const lateDays = 7

/**
 * Queues advice for each order delivered 6, 12, 18 … months ago, each once. An order has no mileage, so only months
 * count.
 */
export async function adviseRotations({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const at = clock.now()
  for (let time = 1; time <= timesAdvised; time++) {
    const until = at
      .toZonedDateTimeISO(storeZone)
      .subtract({ months: time * rotationMonths })
      .toInstant()
    const from = until.subtract({ hours: 24 * lateDays })
    await forEachDelivered(db, { from, until }, async ({ orderId, email: to, accountId }) => {
      if (accountId !== null && (await isRemindedByGarage(db, accountId))) return
      const kind = 'rotation-advice'
      await db
        .transaction()
        .execute((tx) => queueMessage(tx, { kind, key: `${kind}:${orderId}:${time}`, to, orderId, at }))
    })
  }
}

async function isRemindedByGarage(db: Database, accountId: string): Promise<boolean> {
  return (await listGarage({ db }, accountId)).some(({ next, wantsReminder }) => next !== null && wantsReminder)
}
