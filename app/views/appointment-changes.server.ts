/** Offers the shopper alternatives to an appointment (tires without installation, or another shop). */
import { summaryRows, type SummaryRow } from '#app/ui/order-summary.tsx'
import { serverPaths } from '#content/server-paths.ts'
import { nextShops, previewAsShopper } from '#domain/installer-portal/appointments/appointments.server.ts'
import { choiceValue, type Choice } from '#domain/scheduling/booking/booking.ts'
import type { AskedPlace, Settlement } from '#domain/ordering/order-changes/order-changes.ts'
import type { ChangePreview } from '#domain/ordering/order-changes/order-changes.server.ts'
import { slotText, slotTextWithZone } from '#content/messages/times.ts'
import { dayText } from '#domain/ordering/orders/orders.ts'
import { accountName, chargedTo } from '#domain/payments/charge-words/charge-words.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { zoneName } from '#platform/time-text.ts'
import type { Application } from '#application'

/** A preview of an edit of the tires' destination, with the price difference. */
export type ChangeView = {
  to: string
  heading: string
  rows: SummaryRow[]
  /** A sentence about settling the difference. */
  money: string
  arrival: string
  button: string
  /** Of the clock at that shop: "CST". */
  zone: string
  times: { value: string; text: string }[]
  agreed: string
  once: string
}
/** `take`: its first times, one tap each; where it costs more, the tap leads to the payment, which makes the change. */
export type OtherShop = {
  name: string
  where: string
  first: string
  money: string
  href: string
  take: { to: string; agreed: string; once: string; times: { value: string; text: string }[] }
}

const mostTimes = 12
const timesToTake = 3

/** Returns a shop's location, or the shopper's own address. */
export function placeOf(to: { shopId: number } | 'home'): AskedPlace {
  return to === 'home'
    ? { fulfillment: 'home', shopId: null, carrierLocationId: null }
    : { fulfillment: 'shop', shopId: to.shopId, carrierLocationId: null }
}

/** Previews the edit, or returns why it can't be made. */
export async function changeView(
  app: Application,
  order: OrderView,
  to: { shopId: number } | 'home',
): Promise<ChangeView | { whyNot: string }> {
  const found = await previewAsShopper(app, order, placeOf(to))
  if (!found.ok) return { whyNot: found.detail.why }
  const preview = found.value
  const times = freeTimes(preview)
  const isHome = to === 'home'
  return {
    to: isHome ? 'home' : `shop:${to.shopId}`,
    heading: isHome ? 'Cancel the installation, keep the tires' : `Have them installed at ${preview.name}`,
    rows: summaryRows(
      preview.rows.map(({ key, label, beforeCents, afterCents }) => ({
        key,
        label,
        detail: beforeCents === afterCents ? '' : `Was ${formatCents(beforeCents ?? 0)}`,
        amount: formatCents(afterCents ?? 0),
        kind: key === 'total' ? ('total' as const) : ('plain' as const),
      })),
    ),
    money: moneyWords(preview.settledBy, preview.afterCents - preview.beforeCents, order),
    arrival: isHome
      ? `The tires come to your address in ${order.address.city} by ${dayText(preview.arrivesOn)}, without installation.`
      : `The tires are there by ${dayText(preview.arrivesOn)}.`,
    button: preview.settledBy === 'payment' ? 'Go to payment' : isHome ? 'Cancel the installation' : 'Book this shop',
    zone: zoneName(app.clock.now(), preview.timeZone),
    times: times.map((choice) => ({ value: choiceValue(choice), text: slotText(choice, preview.timeZone) })),
    agreed: preview.agreedPrice,
    once: newId(),
  }
}

/** The next shops, each with its first free times and what it costs more or less. */
export async function otherShops(app: Application, order: OrderView, token: string): Promise<OtherShop[]> {
  return (await nextShops(app, order)).flatMap(({ shopId, name, city, miles, preview }) => {
    const times = freeTimes(preview)
    const [first] = times
    if (!first) return []
    const { afterCents, beforeCents, timeZone, settledBy, agreedPrice: agreed } = preview
    const timeButtons = times
      .slice(0, timesToTake)
      .map((choice) => ({ value: choiceValue(choice), text: slotText(choice, timeZone) }))
    return [
      {
        name,
        where: `${city}, ${miles.toFixed(1)} mi`,
        first: slotTextWithZone(first, timeZone),
        money: differenceWords(settledBy, afterCents - beforeCents),
        href: `${serverPaths.appointment(token, { show: 'shops', shop: shopId })}#change`,
        take: { to: `shop:${shopId}`, agreed, once: newId(), times: timeButtons },
      },
    ]
  })
}

function freeTimes({ days }: ChangePreview): Choice[] {
  return days
    .flatMap(({ times }) => times.filter(({ free }) => free).map(({ start }) => ({ start })))
    .slice(0, mostTimes)
}

function differenceWords(settledBy: Settlement, cents: number): string {
  if (cents === 0) return 'Same price'
  if (settledBy === 'waiver') return `Same price, we pay the difference of ${formatCents(cents)}`
  return cents > 0 ? `${formatCents(cents)} more, paid on the next page` : `${formatCents(-cents)} back to you`
}

function moneyWords(settledBy: Settlement, cents: number, { payment }: OrderView): string {
  const amount = formatCents(Math.abs(cents))
  switch (settledBy) {
    case 'nothing':
      return 'The price stays the same.'
    case 'refund':
      return `We’ll refund ${amount} to ${chargedTo(payment)}. Your bank shows it within a few days.`
    case 'lower-charge':
      return `Your ${accountName(payment)} is charged ${amount} less.`
    case 'payment':
      return `It costs ${amount} more, which you pay on the next page. Until then, your order doesn’t change.`
    case 'waiver':
      return `The difference of ${amount} is on us.`
  }
}
