/** The alternative times for a lost slot, as text. */
import { slotZone } from '#content/messages/times.ts'
import { openingView, type SlotView } from '#app/routes/checkout/shipping-view.server.ts'
import type { ChosenTime } from '#domain/scheduling/booking/booking.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { findOtherTimes, type OtherTimes } from '#domain/ordering/checkout/checkout.server.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'

/**
 * `note` is the shop's distance, its price, and its time zone if it differs from the visitor's. Null if all are the
 * same.
 */
export type OtherTimesView = {
  tab: 'shop' | 'mobile'
  shops: { id: number; name: string; note: string | null; slots: SlotView[] }[]
}

/** Lists the shop with the lost time first, then the nearest shops. */
export async function otherTimesView(
  app: Application,
  cart: Cart,
  { fulfillment, here, elsewhere }: OtherTimes,
): Promise<OtherTimesView> {
  const place = cart.zip === null ? undefined : await findPlace(app.db, cart.zip)
  const zoneNote = ({ timeZone }: { timeZone: string }) => {
    const zone = slotZone(app.clock.now(), timeZone, place?.timeZone)
    return zone && `times in ${zone}`
  }
  return {
    tab: fulfillment,
    shops: [
      ...(here
        ? [
            {
              id: here.shop.id,
              name: here.shop.name,
              note: zoneNote(here.shop),
              slots: here.openings.map((opening) => openingView(opening, here.shop.timeZone, undefined)),
            },
          ]
        : []),
      ...elsewhere.map(({ shop, totalCents, openings }) => ({
        id: shop.id,
        name: shop.name,
        note: [`${shop.miles.toFixed(1)} mi, ${formatCents(totalCents)} total`, zoneNote(shop)]
          .filter(Boolean)
          .join(', '),
        slots: openings.map((opening) => openingView(opening, shop.timeZone, undefined)),
      })),
    ],
  }
}

/** The same for the time a cart chose, or for one at `refusedAt` that it could not get; null while neither is lost. */
export async function timesInstead(
  app: Application,
  cart: Cart,
  chosen: ChosenTime | undefined,
  refusedAt: number | null = null,
): Promise<OtherTimesView | null> {
  const shopId = chosen?.status === 'lost' ? chosen.booking.shopId : refusedAt
  return shopId === null ? null : otherTimesView(app, cart, await findOtherTimes(app, cart, { shopId }))
}
