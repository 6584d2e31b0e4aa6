import { randomUUID } from 'node:crypto'
import { couponActions } from '#app/office/actions/coupons.server.ts'
import { actionStep, submit } from '#app/office/decision.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findCoupon } from '#domain/catalog/coupons/coupons.server.ts'
import { couponKindNames } from '#domain/catalog/coupons/coupons.ts'
import { amountInForm, OfferDraftPage } from './offer-draft-form.tsx'
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
          values: {
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
      : null,
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
      kinds={couponKindNames}
      subjectHint="A SKU, a model such as kestrel/alltide-as2, or a brand. Leave empty for every tire. For a free item, enter a SKU or installation."
      names={{
        code: { label: 'Code', max: 20, hint: '4 to 20 letters and digits, as customers enter it.' },
        name: { label: 'Name', max: 80, hint: 'For staff.' },
      }}
      limits={{
        stacks: { label: 'Combines with promotions', kind: 'choice', options: { no: 'No', yes: 'Yes' } },
        minimum: {
          label: 'Minimum',
          kind: 'money',
          max: 14,
          isOptional: true,
          hint: 'Dollars spent on tires. Leave empty for no minimum.',
        },
        advertised: {
          label: 'Suggested to customers',
          kind: 'choice',
          options: { no: 'No', yes: 'Yes, when another code doesn’t work' },
        },
        usesMost: { label: 'Total uses', kind: 'number', max: 7 },
        personMost: { label: 'Uses per customer', kind: 'number', max: 3, hint: 'Limit is per customer email.' },
      }}
      reply={reply}
    />
  )
}
