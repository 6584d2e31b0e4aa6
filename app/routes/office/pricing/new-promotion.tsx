import { randomUUID } from 'node:crypto'
import { promotionActions } from '#app/office/actions/promotions.server.ts'
import { actionStep, submit } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findPromotion } from '#domain/catalog/promotions/promotions.server.ts'
import { promotionValues } from '#app/views/offer-form.ts'
import { offerOptions } from '#app/views/office/promotion.server.ts'
import { promotionKindNames } from '#domain/catalog/promotions/promotions.ts'
import { OfferDraftPage } from './offer-draft-form.tsx'
import type { Route } from './+types/new-promotion.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'New promotion', officePaths.officeNewPromotion())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'promotions.edit', officePaths.officeNewPromotion())
  const from = url.searchParams.get('from')
  const original = from === null ? undefined : await findPromotion(app, `p${from}`)
  return {
    formKey: randomUUID(),
    original: original
      ? {
          title: original.name,
          id: original.promotionId ?? 0,
          values: promotionValues(original),
        }
      : null,
    options: await offerOptions(app, promotionKindNames),
  }
}

export const action = (args: Route.ActionArgs) =>
  submit(
    args,
    { noun: 'promotion', permission: 'promotions.edit', path: () => officePaths.officeNewPromotion() },
    ({ app, by }) =>
      actionStep(promotionActions.actions.add, { app, by, id: '' }, (key) =>
        officePaths.officePromotion(key, { done: 'drafted' }),
      ),
    promotionActions.refusals,
  )

export default function NewPromotion({ loaderData, actionData: reply }: Route.ComponentProps) {
  return (
    <OfferDraftPage
      {...loaderData}
      what="promotion"
      crumb={{ label: 'Promotions', path: officePaths.officePromotions() }}
      reply={reply}
    />
  )
}
