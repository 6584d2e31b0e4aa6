/** The coupon form of the cart, the payment page, and the coupon page. */
import type { RouterContextProvider } from 'react-router'
import { checkForm, formRefusal, refuseForm, refuseTry } from '#app/forms/form.ts'
import { applicationContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { couponMessages, couponAttemptsMessage } from '#content/messages/coupons.ts'
import { referralRefusalMessages } from '#content/messages/programs.ts'
import { enterCoupon, removeCoupon } from '#domain/catalog/coupons/coupons.server.ts'
import { couponForm } from '#domain/catalog/coupons/coupons.ts'
import { enterReferralCode } from '#domain/customers/programs/programs.server.ts'
import { cookiesFor } from '#http/visitor.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { ok } from '#platform/outcome.ts'

/**
 * Applies the posted code to the visitor's cart and redirects to `next`. Returns the form with errors if the code is
 * invalid.
 */
export async function enterCouponFromForm(
  context: Readonly<RouterContextProvider>,
  { cartId, next }: { cartId: string; next: string },
  fields: URLSearchParams,
) {
  const app = context.get(applicationContext)
  const checked = checkForm(couponForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const from = context.get(visitorContext).networkKey
  const entered = await enterCoupon(app, { cartId, code: checked.value.coupon, from })
  if (entered.ok) return seeOther(next)
  if (entered.reason === 'not-found') {
    const referred = await enterReferral(context, { cartId, code: checked.value.coupon })
    if (referred.ok) return seeOther(next, [['Set-Cookie', referred.value]])
    if (referred.reason === 'own-link')
      return refuseForm(formRefusal(fields, '', { coupon: referralRefusalMessages['own-link'] }))
  }
  return entered.reason === 'too-many'
    ? refuseTry(context, formRefusal(fields, '', { coupon: couponAttemptsMessage }), entered.detail)
    : refuseForm(formRefusal(fields, '', { coupon: couponMessages[entered.reason](entered.detail) }))
}

/** Tries the code as a referral code, and sets the referral cookie. */
async function enterReferral(
  context: Readonly<RouterContextProvider>,
  { cartId, code }: { cartId: string; code: string },
) {
  const app = context.get(applicationContext)
  const { ownReferral: ownCode } = context.get(visitorContext)
  const accountId = (await context.get(signedInContext)())?.accountId ?? null
  const entered = await enterReferralCode(app, { cartId, code, accountId, ownCode })
  return entered.ok ? ok(cookiesFor(app.config).referral(entered.value)) : entered
}

/** Handles the page's savings forms. Returns undefined for any other form. */
export async function changeSavings(
  context: Readonly<RouterContextProvider>,
  { cartId, next }: { cartId: string; next: string },
  fields: URLSearchParams,
) {
  const intent = fields.get('intent')
  if (intent === 'enter-coupon') return enterCouponFromForm(context, { cartId, next }, fields)
  if (intent !== 'remove-coupon') return undefined
  await removeCoupon(context.get(applicationContext), cartId)
  return seeOther(next)
}
