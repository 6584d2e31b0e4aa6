/** The product page's form. It is handled without rendering a page; only a refusal is shown. */
import { checkForm, type FormReply } from '#app/forms/form.ts'
import { holdAndShow } from '#app/forms/hold-slot.server.ts'
import { cartChanged, type MeasuredEvent } from '#app/server/measure.ts'
import type { Visitor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import { addToCartForm, atLatestZip } from '#domain/payments/cart/cart.ts'
import { addToCart, findCart } from '#domain/payments/cart/cart.server.ts'
import { payBy, settleHold } from '#domain/ordering/checkout/checkout.server.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { isWallet } from '#domain/payments/payments/payments.ts'
import { findWidget, noteReferral, noteWidget } from '#domain/customers/programs/programs.server.ts'
import { decodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { Application } from '#application'

/** What the cart page shows. */
export type CartRefusal =
  | { reply: FormReply; status: 404 | 422 }
  | { reply: FormReply; status: 429; retryAfterSeconds: number }

type Added = { ok: true; value: { path: string; remembered: { cartId: string } } } | ({ ok: false } & CartRefusal)

/**
 * Adds the form's tires to the visitor's cart and returns the next page: the cart or the appointment times. Refusals
 * don't write. `events` collects the analytics event if consent was given.
 */
export async function addFromForm(
  app: Application,
  visitor: Visitor,
  fields: URLSearchParams,
  events: MeasuredEvent[] | null,
): Promise<Added> {
  const checked = checkForm(addToCartForm, fields)
  if (!checked.ok)
    return {
      ok: false,
      reply: { ...checked.reply, formError: 'Choose how many tires you want, from 1 to 40.' },
      status: 422,
    }
  const vehicle = visitor.vehicle ? (decodeChosenVehicle(visitor.vehicle) ?? null) : null
  const added = await addToCart(app, {
    cartId: visitor.cartId,
    lines: checked.value.lines,
    zip: visitor.zip ?? null,
    vehicle,
    dealerShopId: app.brandedStore?.shopId ?? null,
    admit: () => app.rateLimits.take('cart', { network: visitor.networkKey }),
  })
  if (!added.ok && added.reason === 'too-many') {
    const formError = 'Too many carts were created from your network. Wait a little, then add the tires again.'
    return {
      ok: false,
      reply: { values: {}, errors: {}, formError },
      status: 429,
      retryAfterSeconds: added.detail.retryAfterSeconds,
    }
  }
  if (!added.ok)
    return {
      ok: false,
      reply: { values: {}, errors: {}, formError: 'This tire is no longer sold. Pick another one in this size.' },
      status: 404,
    }
  const { cartId } = added.value
  if (cartId === visitor.cartId) await settleHold(app, { cartId, heldBy: visitor.networkKey })
  if (visitor.referral) await noteReferral(app, cartId, visitor.referral)
  if (visitor.widget) await noteWidgetVisit(app, cartId, visitor.widget)
  if (events) events.push(cartChanged('add_to_cart', await linesAdded(app, cartId, checked.value.lines)))
  return { ok: true, value: { path: await nextPath(app, visitor, cartId, fields), remembered: { cartId } } }
}

/** A widget that was closed since is forgotten; a shop that is gone is not chosen. */
async function noteWidgetVisit(
  app: Application,
  cartId: string,
  { id, shopCode, source }: NonNullable<Visitor['widget']>,
) {
  const [widget, place] = await Promise.all([
    findWidget(app, id),
    shopCode === null ? undefined : findShop(app, { code: shopCode }),
  ])
  if (widget) await noteWidget(app, cartId, { widgetId: id, source, shopId: place?.id ?? null })
}

async function linesAdded(
  app: Application,
  cartId: string,
  added: readonly { itemId: number; axle: string; quantity: number }[],
) {
  const cart = await findCart(app, cartId)
  return added.flatMap(({ itemId, axle, quantity }) => {
    const line = cart?.lines.find((line) => line.itemId === itemId && line.axle === axle)
    return line ? [{ ...line, quantity }] : []
  })
}

async function nextPath(app: Application, visitor: Visitor, cartId: string, fields: URLSearchParams): Promise<string> {
  const wallet = fields.get('wallet') ?? ''
  if (isWallet(wallet) && app.paymentMethods.has(wallet)) {
    await payBy(app, { id: cartId }, wallet)
    // The payment page redirects to missing details first. It starts with the shop and time, then the recipient.
    return paths.checkoutPayment(wallet)
  }
  if (fields.get('then') !== 'shipping') return paths.cart()
  // Holds a time chosen on a tire page immediately. If that fails, the next page shows the reason and alternatives.
  const cart = fields.has('slot') ? await findCart(app, cartId) : undefined
  return cart ? holdAndShow(app, visitor, atLatestZip(cart, visitor), fields) : paths.checkoutShipping()
}
