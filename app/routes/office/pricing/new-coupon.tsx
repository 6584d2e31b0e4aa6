import { randomUUID } from 'node:crypto'
import { couponActions } from '#app/office/actions/coupons.server.ts'
import { actionStep, submit } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findCoupon } from '#domain/catalog/coupons/coupons.server.ts'
import { couponValues } from '#app/views/offer-form.ts'
import { offerOptions } from '#app/views/office/promotion.server.ts'
import { couponKindNames } from '#domain/catalog/coupons/coupons.ts'
import { OfferDraftPage } from './offer-draft-form.tsx'
import type { Route } from './+types/new-coupon.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'New coupon', officePaths.officeNewCoupon())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'promotions.edit', officePaths.officeNewCoupon())
  const from = url.searchParams.get('from')
  const original = from === null ? undefined : await findCoupon(app, from)
  return {
    formKey: randomUUID(),
    original: original
      ? {
          title: original.code,
          id: original.id,
          values: couponValues(original),
        }
      : null,
    options: await offerOptions(app, couponKindNames),
  }
}

export const action = (args: Route.ActionArgs) =>
  submit(
    args,
    { noun: 'coupon', permission: 'promotions.edit', path: () => officePaths.officeNewCoupon() },
    ({ app, by }) =>
      actionStep(couponActions.actions.add, { app, by, id: '' }, (_, id) =>
        officePaths.officeCoupon(id, { done: 'drafted' }),
      ),
    couponActions.refusals,
  )

export default function NewCoupon({ loaderData, actionData: reply }: Route.ComponentProps) {
  return (
    <OfferDraftPage
      {...loaderData}
      what="coupon"
      crumb={{ label: 'Coupons', path: officePaths.officeCoupons() }}
      reply={reply}
    />
  )
}
