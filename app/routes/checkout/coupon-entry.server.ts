/** The cart's form for a coupon. */
import type { RouterContextProvider } from 'react-router'
import { checkForm, formRefusal, refuseForm, refuseTry } from '#app/forms/form.ts'
import { shopContext, visitorContext } from '#app/server/context.ts'
import { couponMessages, couponAttemptsMessage } from '#content/messages/coupons.ts'
import { paths } from '#content/paths.ts'
import { enterCoupon } from '#domain/coupons/coupons.server.ts'
import { couponForm } from '#domain/coupons/coupons.ts'
import { seeOther } from '#http/safe-redirect.ts'

/** Enters the posted code in the visitor's cart, and leads back to it; or returns the form with what is wrong. */
export async function enterCouponFromForm(
  context: Readonly<RouterContextProvider>,
  cartId: string,
  fields: URLSearchParams,
) {
  const shop = context.get(shopContext)
  const checked = checkForm(couponForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const from = context.get(visitorContext).networkKey
  const entered = await enterCoupon(shop, { cartId, code: checked.value.coupon, from })
  if (entered.ok) return seeOther(paths.cart())
  return entered.reason === 'too-many'
    ? refuseTry(context, formRefusal(fields, '', { coupon: couponAttemptsMessage }), entered.detail)
    : refuseForm(formRefusal(fields, '', { coupon: couponMessages[entered.reason] }))
}
