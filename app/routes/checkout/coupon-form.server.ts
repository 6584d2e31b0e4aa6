/** The form for a coupon: in the cart, on the payment page and on a page of its own. */
import type { RouterContextProvider } from 'react-router'
import { checkForm, formRefusal, refuseForm, refuseTry } from '#app/forms/form.ts'
import { shopContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { couponMessages, couponAttemptsMessage } from '#content/messages/coupons.ts'
import { enterCoupon, removeCoupon } from '#domain/coupons/coupons.server.ts'
import { couponForm } from '#domain/coupons/coupons.ts'
import { findReferralLink, noteReferral } from '#domain/programs/programs.server.ts'
import { cookiesFor } from '#http/visitor.ts'
import { seeOther } from '#http/safe-redirect.ts'

/** Enters the posted code in the visitor's cart, and leads to `next`; or returns the form with what is wrong. */
export async function enterCouponFromForm(
  context: Readonly<RouterContextProvider>,
  { cartId, next }: { cartId: string; next: string },
  fields: URLSearchParams,
) {
  const shop = context.get(shopContext)
  const checked = checkForm(couponForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const from = context.get(visitorContext).networkKey
  const entered = await enterCoupon(shop, { cartId, code: checked.value.coupon, from })
  if (entered.ok) return seeOther(next)
  if (entered.reason === 'not-found') {
    const referred = await enterReferral(context, { cartId, code: checked.value.coupon.toLowerCase() })
    if (referred) return seeOther(next, [['Set-Cookie', referred]])
  }
  return entered.reason === 'too-many'
    ? refuseTry(context, formRefusal(fields, '', { coupon: couponAttemptsMessage }), entered.detail)
    : refuseForm(formRefusal(fields, '', { coupon: couponMessages[entered.reason](entered.detail) }))
}

/** Takes a code for that of a friend's link: the cookie that keeps it, or undefined if no friend of theirs has it. */
async function enterReferral(
  context: Readonly<RouterContextProvider>,
  { cartId, code }: { cartId: string; code: string },
): Promise<string | undefined> {
  const shop = context.get(shopContext)
  const [link, signedIn] = await Promise.all([findReferralLink(shop, code), context.get(signedInContext)()])
  if (!link || signedIn?.accountId === link.accountId || context.get(visitorContext).ownReferral === code)
    return undefined
  const referral = { code, openedAt: shop.clock.now() }
  await noteReferral(shop, cartId, referral)
  return cookiesFor(shop.config).referral(referral)
}

/** Does what a form of the page's savings asks for; undefined for any other form. */
export async function changeSavings(
  context: Readonly<RouterContextProvider>,
  { cartId, next }: { cartId: string; next: string },
  fields: URLSearchParams,
) {
  const intent = fields.get('intent')
  if (intent === 'enter-coupon') return enterCouponFromForm(context, { cartId, next }, fields)
  if (intent !== 'remove-coupon') return undefined
  await removeCoupon(context.get(shopContext), cartId)
  return seeOther(next)
}
