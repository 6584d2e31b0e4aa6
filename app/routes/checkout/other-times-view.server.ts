/** The times that can be taken at once instead of one that was lost, as plain text. */
import { openingView, type SlotView } from '#app/routes/checkout/shipping-view.server.ts'
import type { OtherTimes } from '#domain/checkout/checkout.server.ts'
import { formatCents } from '#platform/money.ts'

/** `note`: how far a shop is and what it comes to there; null for the shop of the lost time. */
export type OtherTimesView = {
  tab: 'shop' | 'mobile'
  shops: { id: number; name: string; note: string | null; slots: SlotView[] }[]
}

/** The shop of the lost time first, then the nearest others. */
export function otherTimesView({ fulfillment, here, elsewhere }: OtherTimes, now: Temporal.Instant): OtherTimesView {
  return {
    tab: fulfillment,
    shops: [
      ...(here
        ? [
            {
              id: here.shop.id,
              name: here.shop.name,
              note: null,
              slots: here.openings.map((opening) => openingView(opening, here.shop.timeZone, undefined, now)),
            },
          ]
        : []),
      ...elsewhere.map(({ shop, totalCents, openings }) => ({
        id: shop.id,
        name: shop.name,
        note: `${shop.miles.toFixed(1)} mi, ${formatCents(totalCents)} total`,
        slots: openings.map((opening) => openingView(opening, shop.timeZone, undefined, now)),
      })),
    ],
  }
}
