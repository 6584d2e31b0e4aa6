/** The email about a job that a shop could not do. */
import type { MessageKind, MessageValues } from '#domain/messages/messages.ts'
import { orderTrackUrl, readOrder } from '#domain/orders/orders.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { selectWorkOrder } from './work-orders.sql.server.ts'

type Deps = { db: Database; clock: Clock; config: Pick<Config, 'web' | 'session' | 'store'> }

/** Returns the values of the email; undefined for any other. */
export async function jobMessageValues(
  { db, clock, config }: Deps,
  { kind, orderId, key }: { kind: MessageKind; orderId: number | null; key: string },
): Promise<MessageValues | undefined> {
  if (kind !== 'job-refused') return undefined
  const order = orderId === null ? undefined : await readOrder(db, orderId)
  const job = await selectWorkOrder(db, key.slice('job-refused:'.length))
  if (!order || !job) throw new Error(`The job of ${key} is not there.`)
  return {
    orderNumber: orderNumber(order.id),
    firstName: order.firstName,
    shopName: order.shop?.name ?? 'The shop',
    reason: job.reason ?? '',
    trackUrl: orderTrackUrl({ config }, order.id, clock.now()),
    phone: config.store.phone,
  }
}
