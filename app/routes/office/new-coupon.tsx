import { randomUUID } from 'node:crypto'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { Field, SelectField } from '#app/ui/field.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { draftCoupon, findCoupon } from '#domain/coupons/coupons.server.ts'
import { couponDraftForm, couponKindNames, freeServices } from '#domain/coupons/coupons.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { amountInForm, draftField, OfferDraftForm } from './offer-draft-form.tsx'
import { Options } from './options.tsx'
import type { Route } from './+types/new-coupon.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'New coupon', officePaths.officeNewCoupon())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop } = await requireStaff(context, 'promotions.edit', officePaths.officeNewCoupon())
  const from = url.searchParams.get('from')
  const original = from === null ? undefined : await findCoupon(shop, from)
  return {
    formKey: randomUUID(),
    original: original && {
      id: String(original.id),
      code: original.code,
      name: original.name,
      kind: original.kind,
      amount: amountInForm(original),
      subject: original.subjectKey,
      fundedBy: original.fundedBy,
      stacks: original.stacks ? 'yes' : 'no',
      minimum: original.minimumCents === null ? '' : (original.minimumCents / 100).toFixed(2),
      advertised: original.advertised ? 'yes' : 'no',
      usesMost: String(original.usesMost),
      personMost: String(original.personMost),
    },
  }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'promotions.edit', officePaths.officeNewCoupon())
  const fields = await readForm(request)
  const checked = checkForm(couponDraftForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const drafted = await draftCoupon(shop, actor, checked.value)
  if (drafted.ok) return seeOther(officePaths.officeCoupon(drafted.value, { done: 'drafted' }))
  switch (drafted.reason) {
    case 'not-allowed':
      return refuseForm(formRefusal(fields, 'Your role does not allow that. Nothing was changed.'), 403)
    case 'no-original':
      return refuseForm(formRefusal(fields, 'The coupon to replace is gone. Nothing was saved.'), 409)
    case 'no-subject':
      return refuseForm(
        formRefusal(fields, 'Fix 1 field:', { subject: 'Enter a SKU, a line as brand/line, or a brand.' }),
      )
    case 'not-free':
      return refuseForm(
        formRefusal(fields, 'Fix 1 field:', {
          subject: `Enter what is free: a SKU, or ${Object.keys(freeServices).join(', ')}.`,
        }),
      )
  }
}

const labels = {
  code: 'Code',
  name: 'Name',
  kind: 'Takes off',
  amount: 'Amount',
  subject: 'On which tires',
  fundedBy: 'Paid by',
  stacks: 'On tires on promotion',
  minimum: 'Tires from',
  advertised: 'Told to shoppers',
  usesMost: 'Most uses in all',
  personMost: 'Most uses per person',
}

export default function NewCoupon({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { formKey, original } = loaderData
  const field = draftField({ labels, reply, original })
  return (
    <OfficePage
      title={original ? `New version of ${original.code}` : 'New coupon'}
      crumbs={[{ label: 'Coupons', path: officePaths.officeCoupons() }]}
    >
      {original ? <Notice tone="signal" title="The current version ends when the new one starts." /> : null}
      <OfferDraftForm
        reply={reply}
        formKey={formKey}
        original={original}
        labels={labels}
        kinds={couponKindNames}
        subjectHint="A SKU, a line such as kestrel/alltide-as2, or a brand. Empty: every tire. If it is free: a SKU or installation."
        names={
          <>
            <Field {...field('code')} maxLength={20} required hint="4 to 20 letters and digits, as shoppers type it." />
            <Field {...field('name')} maxLength={80} required hint="For staff." />
          </>
        }
        limits={
          <>
            <SelectField {...field('stacks')}>
              <Options of={{ no: 'No', yes: 'Yes' }} />
            </SelectField>
            <Field
              {...field('minimum')}
              inputMode="decimal"
              maxLength={14}
              required={false}
              hint="Dollars its tires cost at least. Empty: no minimum."
            />
            <SelectField {...field('advertised')}>
              <Options of={{ no: 'No', yes: 'Yes, when another code does not work' }} />
            </SelectField>
            <Field {...field('usesMost')} inputMode="numeric" maxLength={7} required />
            <Field {...field('personMost')} inputMode="numeric" maxLength={3} required hint="A person is an email." />
          </>
        }
      />
    </OfficePage>
  )
}
