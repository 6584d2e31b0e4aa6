/** Reminders before the storage of a set ends. */
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { storageReminderDays } from './stored-sets.ts'
import { updateReminded } from './stored-sets.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

/**
 * Queues one email for each stored set that ends within `storageReminderDays` days on its shop's calendar. Returns how
 * many were queued.
 */
export async function remindOfStorage({ db, clock }: { db: Database; clock: Clock }): Promise<number> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const due = await updateReminded(tx, { days: storageReminderDays, at })
    for (const { orderId, email: to } of due)
      await queueMessage(tx, { kind: 'storage-ending', key: storageReminderKey(orderId), to, orderId, at })
    return due.length
  })
}

/** The key of an order's storage reminder. */
export function storageReminderKey(orderId: number): string {
  return `storage-ending:${orderId}`
}
