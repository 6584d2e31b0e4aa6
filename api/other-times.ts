/** The alternatives that the API returns with a lost slot. */
import { toTenths } from '#api/schemas.ts'
import { openingView } from '#api/times.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { findOtherTimes, type OtherTimes } from '#domain/ordering/checkout/checkout.server.ts'
import type { Application } from '#application'

/** The next free times of shops nearby. */
export function elsewhereView({ elsewhere }: OtherTimes) {
  return elsewhere.map(
    ({ shop: { id, code, name, city, state, zip, timeZone, miles }, totalCents, arrivesOn, openings }) => ({
      shop: { id, code, name, city, state, zip, timeZone, miles: toTenths(miles) },
      totalCents,
      arrivesOn: arrivesOn?.toString() ?? null,
      openings: openings.map(openingView),
    }),
  )
}

/** The next free times instead of the one the cart lost; null without one. */
export async function insteadOfLost(app: Application, cart: Cart) {
  const shopId = (await findChosenTime(app, cart.id))?.booking.shopId ?? cart.shopId
  if (shopId === null) return null
  const instead = await findOtherTimes(app, cart, { shopId })
  return { next: (instead.here?.openings ?? []).map(openingView), elsewhere: elsewhereView(instead) }
}
