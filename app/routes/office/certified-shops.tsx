import { ListPage } from '#app/office/list-page.tsx'
import { certifiedShops } from '#app/office/lists/certified-shops.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field, TextAreaField } from '#app/ui/field.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { Tick } from '#app/ui/tick.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  certificationForm,
  certificationRequirements,
  leastWarranty,
  revokeCertificationForm,
} from '#domain/installers/installers.ts'
import { certifyShop, revokeCertification } from '#domain/installers/installers.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/certified-shops.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Certified shops', officePaths.officeCertifiedShops())

const news: Readonly<Record<string, string>> = {
  certified: 'Certified. Shoppers see the mark within ten minutes.',
  revoked: 'Revoked. The mark is gone within ten minutes.',
}

export async function loader(args: Route.LoaderArgs) {
  const data = await readList(args, certifiedShops)
  const { session } = await requireStaff(args.context, 'certifications.read', officePaths.officeCertifiedShops())
  return {
    data,
    mayDecide: staffCan(session.roles, 'certifications.decide'),
    news: news[args.url.searchParams.get('done') ?? ''] ?? null,
  }
}

/** Certifies a shop, or revokes a certification. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'certifications.decide', officePaths.officeCertifiedShops())
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'certify': {
      const checked = checkForm(certificationForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const certified = await certifyShop(shop, checked.value, actor)
      return certified.ok
        ? seeOther(officePaths.officeCertifiedShops({ done: 'certified' }))
        : refusal(fields, certified.reason)
    }
    case 'revoke': {
      const checked = checkForm(revokeCertificationForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const { certification: id, reason } = checked.value
      const revoked = await revokeCertification(shop, { id, reason, by: actor })
      return revoked.ok
        ? seeOther(officePaths.officeCertifiedShops({ done: 'revoked' }))
        : refusal(fields, revoked.reason)
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

function refusal(fields: URLSearchParams, reason: keyof typeof refusals) {
  if (reason === 'shop-not-found' || reason === 'certified-already')
    return refuseForm(formRefusal(fields, 'Fix 1 field:', { shop: refusals[reason] }), 409)
  return refuseForm(formRefusal(fields, refusals[reason]), reason === 'not-allowed' ? 403 : 409)
}

const refusals = {
  'not-allowed': 'Your role changed in the meantime. Nothing was changed.',
  'shop-not-found': 'No shop that is offered to shoppers has this code.',
  'certified-already': 'This shop is certified already. Revoke that first, or wait until it ends.',
  'not-certified': 'This certification was revoked in the meantime.',
} as const

export default function CertifiedShopsPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { data, mayDecide, news: done } = loaderData
  const isRevoking = reply?.values['intent'] === 'revoke'
  return (
    <ListPage
      data={data}
      before={
        <>
          {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
          {reply && isRevoking ? (
            <Notice
              tone="stop"
              title={Object.values(reply.errors)[0] ?? reply.formError ?? 'Nothing was changed.'}
              isNews
            />
          ) : null}
        </>
      }
      after={mayDecide ? <Certify reply={isRevoking ? undefined : reply} /> : null}
      render={{ act: ({ id, label, cells }) => (cells['act'] ? <Revoke id={id} shop={label} /> : null) }}
    />
  )
}

function Revoke({ id, shop }: { id: string; shop: string }) {
  return (
    <form method="post" className="row nowrap">
      <input type="hidden" name="certification" value={id} />
      <input className="input" name="reason" aria-label={`Why ${shop} loses its mark`} maxLength={500} required />
      <button className="btn stop" name="intent" value="revoke">
        Revoke
      </button>
    </form>
  )
}

function Certify({ reply }: { reply: FormReply | undefined }) {
  return (
    <Panel id="certify" title="Certify a shop" isOpen>
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={labels} />
          <Field
            name="shop"
            label={labels.shop}
            reply={reply}
            autoComplete="off"
            maxLength={8}
            hint="At the end of its address, like SW-00001."
          />
          {Object.entries(certificationRequirements).map(([name, { seen }]) => (
            <Tick key={name} name={name} isTicked={reply?.values[name] === '1'} error={reply?.errors[name]}>
              {seen}
            </Tick>
          ))}
          <Field
            name="warrantyMonths"
            label={labels.warrantyMonths}
            reply={reply}
            value={String(leastWarranty.months)}
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
          />
          <Field
            name="warrantyMiles"
            label={labels.warrantyMiles}
            reply={reply}
            value={String(leastWarranty.miles)}
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
          />
          <TextAreaField
            name="evidence"
            label={labels.evidence}
            reply={reply}
            rows={4}
            maxLength={500}
            hint="For whoever checks next year. Shoppers do not see it."
          />
          <p>
            <button className="btn primary" name="intent" value="certify">
              Certify for a year
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

const labels = {
  shop: 'Code of the shop',
  technicians: 'Technicians',
  estimates: 'Estimates',
  prices: 'Prices',
  complaints: 'Complaints',
  warrantyMonths: 'Warranty in months',
  warrantyMiles: 'Warranty in miles',
  evidence: 'What you saw',
}
