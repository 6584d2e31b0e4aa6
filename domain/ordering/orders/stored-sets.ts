/** Text about the set that a shop stores after a service with storage. Safe in the browser. */
import { storageMonthsOf } from '#domain/scheduling/installers/installers.ts'
import { countOf } from '#platform/count-text.ts'
import { dateText } from '#platform/day-text.ts'
import type { OrderView } from './order-view.sql.server.ts'

/** A stored set. Days are ISO dates on the shop's calendar; `place` is the shop's label, such as a rack. */
export type StoredSet = {
  storedOn: string
  storedUntil: string
  place: string | null
  returnedAt: Temporal.Instant | null
}

/** Filters of the office list. Sets past their last day are also listed as stored. */
export const storedSetStates = ['stored', 'ended', 'picked-up'] as const
export type StoredSetState = (typeof storedSetStates)[number]
export const storedSetStateLabels: Readonly<Record<StoredSetState, string>> = {
  stored: 'Stored',
  ended: 'Storage ended',
  'picked-up': 'Picked up',
}

/** Customers are reminded this many days before storage ends. */
export const storageReminderDays = 30

/** Returns the months of storage that an order includes; null for orders without storage. */
export function storageOf({ lines }: Pick<OrderView, 'lines'>): number | null {
  return storageMonthsOf(lines.find(({ service }) => service !== null)?.service ?? null)
}

/** Returns the storage status, such as "Stored at Halsted Tire until Jun 2, 2027"; null without storage or if canceled. */
export function storageText(
  order: Pick<OrderView, 'lines' | 'state' | 'shop' | 'storedSet' | 'timeZone'>,
): string | null {
  const { storedSet, shop, state, timeZone } = order
  if (storedSet?.returnedAt) {
    const day = storedSet.returnedAt.toZonedDateTimeISO(timeZone).toPlainDate().toString()
    return `Picked up ${dateText(day)}`
  }
  if (storedSet) return `Stored at ${shop?.name ?? 'the shop'} until ${dateText(storedSet.storedUntil)}`
  const months = storageOf(order)
  if (months === null || state === 'canceled' || state === 'returned') return null
  return `Stored for ${countOf(months, 'month')} from the day of the changeover`
}
