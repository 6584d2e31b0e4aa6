/** What the emails about a change of an order say, read when they are sent. */
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { bookingText, timeText } from '#domain/ordering/orders/orders.ts'
import { chargedTo, refundPlanned } from '#domain/payments/charge-words/charge-words.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { findAppointment } from '#domain/scheduling/booking/booking.server.ts'
import { findPickupPlace } from '#domain/supply/pickup-places/pickup-places.server.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { formatCents } from '#platform/money.ts'
import { changeRows, type ChangeRow } from './order-changes.ts'
import { selectChange, type OrderChange } from './order-changes.sql.server.ts'
import { changeLink } from './pay-change.server.ts'

type Deps = { db: Database; clock: Clock; config: Pick<Config, 'session' | 'store' | 'web'> }

/** Returns the values of an email about a change. */
export async function changeMessageValues(deps: Deps, { key }: { key: string }): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const change = await selectChange(deps.db, { id })
  const order = change && (await readOrder(deps.db, change.orderId))
  if (!change || !order) throw new Error(`The change of the promised email ${key} is not there.`)
  const { config } = deps
  return {
    orderNumber: orderNumber(order.id),
    firstName: order.firstName,
    place: await placeText(deps, change),
    rows: changeRows(change.before, change.after).map((row) => ({
      left: row.label,
      right: movedText(row),
      strong: row.key === 'total',
    })),
    difference: formatCents(Math.abs(change.afterCents - change.beforeCents)),
    settled: settledText(change, order.payment),
    until: change.expiresAt ? timeText(change.expiresAt, order.timeZone) : '',
    payUrl: `${config.web.origin}${changeLink(config.session.secret, change.id)}`,
    phone: config.store.phone,
  }
}

/** "$88.00 now $96.00", or the one amount where it did not move. */
export function movedText({ beforeCents, afterCents }: Pick<ChangeRow, 'beforeCents' | 'afterCents'>): string {
  if (beforeCents === afterCents) return formatCents(afterCents ?? 0)
  if (beforeCents === null) return `${formatCents(afterCents ?? 0)} (new)`
  return afterCents === null
    ? `${formatCents(beforeCents)} (removed)`
    : `${formatCents(beforeCents)}, now ${formatCents(afterCents)}`
}

/** Where the tires go with a change, and when they are installed. */
export async function placeText(deps: Pick<Deps, 'db' | 'clock'>, change: OrderChange): Promise<string> {
  const { fulfillment, shopId, carrierLocationId, bookingId } = change
  if (fulfillment === 'home') return 'The tires come to your address, without installation.'
  if (carrierLocationId !== null) {
    const counter = await findPickupPlace(deps, carrierLocationId)
    return counter ? `You pick them up at ${counter.name}, ${counter.street}, ${counter.city}.` : ''
  }
  const shop = shopId === null ? undefined : await findShop(deps, { id: shopId })
  const booking = bookingId === null ? undefined : await findAppointment(deps, { bookingId })
  if (!shop || !booking) return ''
  const { kind, start, end, dropOff, timeZone } = booking
  const when = bookingText(
    { kind, start, end, dropOffWindow: dropOff?.window ?? null, dropOffCode: dropOff?.code ?? null },
    timeZone,
  )
  return `To be installed ${shop.kind === 'van' ? `by ${shop.name}` : `at ${shop.name}, ${shop.street}, ${shop.city}`}: ${when}.`
}

/**
 * Returns text such as "Changed on Sat, Nov 21, 12:13 PM CST: $11.75 more, which you paid." about an order edit's
 * effect on the price.
 */
export function changedText(change: OrderChange, timeZone: string): string {
  const { settledBy, beforeCents, afterCents, endedAt } = change
  const cents = formatCents(Math.abs(afterCents - beforeCents))
  const what = {
    nothing: 'the total stays the same.',
    refund: `${cents} less, refunded to your original payment method.`,
    'lower-charge': `${cents} less.`,
    payment: `${cents} more, which you paid.`,
    waiver: `${cents} more, which is on us.`,
  }[settledBy]
  return `Changed on ${timeText(endedAt ?? change.createdAt, timeZone)}: ${what}`
}

function settledText({ settledBy, beforeCents, afterCents }: OrderChange, payment: OrderView['payment']): string {
  const cents = formatCents(Math.abs(afterCents - beforeCents))
  switch (settledBy) {
    case 'nothing':
      return 'The total stays the same.'
    case 'refund':
      return refundPlanned(payment, cents)
    case 'lower-charge':
      return `${cents} less will be charged to ${chargedTo(payment)}.`
    case 'payment':
      return `You paid the difference of ${cents}.`
    case 'waiver':
      return `The difference of ${cents} is on us.`
  }
}
