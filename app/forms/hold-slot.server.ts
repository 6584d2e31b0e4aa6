/** Holds an appointment time for a cart, from any page where one can be picked. */
import { parseSlot } from '#app/forms/slot-value.ts'
import {
  bookingMessages,
  holdMessage,
  noShopMessage,
  noTimeMessage,
  type BookingRefusal,
} from '#content/messages/booking.ts'
import { doesNotFitText } from '#content/messages/placing.ts'
import { paths, withQuery } from '#content/paths.ts'
import type { Visitor } from '#http/visitor.ts'
import { holdSlot } from '#domain/scheduling/booking/booking.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import {
  chooseFulfillment,
  findOtherTimes,
  installationFor,
  type OtherTimes,
} from '#domain/ordering/checkout/checkout.server.ts'
import type { Application } from '#application'

/** `instead` contains the alternatives to a lost slot. `reason` is why the time wasn't held, if known. */
export type HoldAttempt =
  | { ok: true; shopId: number }
  | { ok: false; words: string; status: 409 | 422; reason: BookingRefusal | null; instead: OtherTimes | null }

/** Holds the time named by the fields `shop` and `slot`, and sets that shop (or van) on the cart. */
export async function holdSlotFromForm(
  app: Application,
  visitor: Visitor,
  cart: Cart,
  fields: URLSearchParams,
  fulfillment: 'shop' | 'mobile',
): Promise<HoldAttempt> {
  const shopId = Number(fields.get('shop'))
  if (!Number.isSafeInteger(shopId) || shopId <= 0 || shopId > 2_147_483_647) return no(noShopMessage)
  const choice = parseSlot(fields.get('slot') ?? '')
  if (!choice) return no(noTimeMessage)
  const target = await installationFor(app, cart, shopId)
  if (!target.ok && target.reason === 'does-not-fit') return no(doesNotFitText(target), 409)
  if (!target.ok)
    return no(
      target.reason === 'shop-not-found'
        ? bookingMessages[target.reason]
        : 'One of your tires just sold out. Take it out of the cart, or pick another.',
    )
  const held = await holdSlot(app, {
    cartId: cart.id,
    shopId,
    choice,
    ...target.value,
    heldBy: visitor.networkKey,
    ...(cart.zip ? { zip: cart.zip } : {}),
  })
  if (!held.ok && held.reason === 'slot-taken')
    return {
      ...no(bookingMessages[held.reason], 409, held.reason),
      instead: await findOtherTimes(app, cart, { shopId, next: held.detail.next }),
    }
  if (!held.ok) return notHeld(held.reason, cart)
  await chooseFulfillment(app, cart, { fulfillment, shopId })
  return { ok: true, shopId }
}

function notHeld(reason: BookingRefusal, { services }: Pick<Cart, 'services'>) {
  const words = holdMessage(reason, { isService: services.length > 0 })
  return no(words, reason === 'outside-area' ? 422 : 409, reason)
}

/** Holds the time of these fields, and returns the address of the page that shows it, or why it isn't held. */
export async function holdAndShow(
  app: Application,
  visitor: Visitor,
  cart: Cart,
  fields: URLSearchParams,
): Promise<string> {
  const held = await holdSlotFromForm(app, visitor, cart, fields, 'shop')
  if (held.ok) return withQuery(paths.checkoutShipping(), { shop: held.shopId })
  const wanted = Number(fields.get('shop')) || undefined
  return withQuery(paths.checkoutShipping(), { shop: wanted, refused: held.reason ?? undefined })
}

function no(
  words: string,
  status: 409 | 422 = 422,
  reason: BookingRefusal | null = null,
): Extract<HoldAttempt, { ok: false }> {
  return { ok: false, words, status, reason, instead: null }
}
