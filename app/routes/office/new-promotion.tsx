import { randomUUID } from 'node:crypto'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { Field } from '#app/ui/field.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { draftPromotion, findPromotion } from '#domain/promotions/promotions.server.ts'
import { promotionDraftForm, promotionKindNames } from '#domain/promotions/promotions.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { amountInForm, draftField, OfferDraftForm } from './offer-draft-form.tsx'
import type { Route } from './+types/new-promotion.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'New promotion', officePaths.officeNewPromotion())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop } = await requireStaff(context, 'promotions.edit', officePaths.officeNewPromotion())
  const from = url.searchParams.get('from')
  const original = from === null ? undefined : await findPromotion(shop, `p${from}`)
  return {
    formKey: randomUUID(),
    original: original && {
      id: String(original.promotionId),
      name: original.name,
      headline: original.headline,
      kind: original.kind,
      amount: amountInForm(original),
      subject: original.subjectKey,
      fundedBy: original.fundedBy,
    },
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'promotions.edit', officePaths.officeNewPromotion())
  const fields = await readForm(request)
  const checked = checkForm(promotionDraftForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const drafted = await draftPromotion(shop, actor, checked.value)
  if (drafted.ok) return seeOther(officePaths.officePromotion(`d${drafted.value}`, { done: 'drafted' }))
  switch (drafted.reason) {
    case 'not-allowed':
      return refuseForm(formRefusal(fields, 'Your role does not allow that. Nothing was changed.'), 403)
    case 'no-original':
      return refuseForm(formRefusal(fields, 'The promotion to replace is gone. Nothing was saved.'), 409)
    case 'no-subject':
      return refuseForm(
        formRefusal(fields, 'Fix 1 field:', {
          subject: 'Enter a SKU, a line as brand/line, or a brand, as in addresses.',
        }),
      )
  }
}

const labels = {
  name: 'Name',
  headline: 'Headline',
  kind: 'Takes off',
  amount: 'Amount',
  subject: 'On which tires',
  fundedBy: 'Paid by',
}

export default function NewPromotion({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { formKey, original } = loaderData
  const field = draftField({ labels, reply, original })
  return (
    <OfficePage
      title={original ? `New version of ${original.name}` : 'New promotion'}
      crumbs={[{ label: 'Promotions', path: officePaths.officePromotions() }]}
    >
      {original ? <Notice tone="signal" title="The current version ends when the new one starts." /> : null}
      <OfferDraftForm
        reply={reply}
        formKey={formKey}
        original={original}
        labels={labels}
        kinds={promotionKindNames}
        subjectHint="A SKU, a line such as kestrel/alltide-as2, or a brand such as kestrel. Empty: every tire."
        names={
          <>
            <Field {...field('name')} maxLength={80} required />
            <Field {...field('headline')} maxLength={120} required hint="What shoppers read on the deal." />
          </>
        }
      />
    </OfficePage>
  )
}
