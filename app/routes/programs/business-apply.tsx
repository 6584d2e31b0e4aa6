import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { ErrorSummary, Field, TextAreaField } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { applicationForm, companyRefusals } from '#domain/customers/companies/companies.ts'
import { applyForCompany, findMembership } from '#domain/customers/companies/companies.server.ts'
import type { Route } from './+types/business-apply.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Apply as a business',
    description: 'Say who you are.',
    path: paths.businessApply(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const { accountId, email } = await requireSignedIn(context, paths.businessApply())
  const membership = await findMembership(context.get(applicationContext), accountId)
  if (membership && membership.company.state !== 'refused') throw seeOther(paths.company())
  return { email }
}

export async function action({ request, context }: Route.ActionArgs) {
  const { accountId } = await requireSignedIn(context, paths.businessApply())
  const fields = await readForm(request)
  const checked = checkForm(applicationForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const applied = await applyForCompany(context.get(applicationContext), accountId, checked.value)
  return applied.ok
    ? seeOther(paths.company())
    : refuseForm(formRefusal(fields, companyRefusals.apply[applied.reason]), 409)
}

export default function BusinessApply({ loaderData: { email }, actionData: reply }: Route.ComponentProps) {
  const kind = reply?.values['kind']
  return (
    <div className="wrap account-apply">
      <h1>Apply as a business</h1>
      <p className="muted">You will be its first owner, with {email ?? 'this account'}. We answer there.</p>
      <form method="post" className="panel padded stack" noValidate>
        <ErrorSummary reply={reply} labels={labels} />
        <fieldset className="choices">
          <legend>Which describes you better?</legend>
          <label className="choice">
            <input
              type="radio"
              name="kind"
              value="fleet"
              id="kind"
              defaultChecked={kind === 'fleet'}
              aria-describedby={reply?.errors['kind'] ? 'kind-error' : undefined}
            />
            <span>
              <b>Fleet</b>
              <span className="small muted">We keep vehicles on the road.</span>
            </span>
          </label>
          <label className="choice">
            <input type="radio" name="kind" value="special-order" defaultChecked={kind === 'special-order'} />
            <span>
              <b>Special order</b>
              <span className="small muted">We need tires that are ordered for us.</span>
            </span>
          </label>
          {reply?.errors['kind'] ? (
            <p className="field-error" id="kind-error">
              {reply.errors['kind']}
            </p>
          ) : null}
        </fieldset>
        <Field name="name" label="Company" reply={reply} autoComplete="organization" maxLength={100} required />
        <div className="field-pair">
          <Field name="phone" label="Phone" reply={reply} type="tel" autoComplete="tel" maxLength={40} required />
          <Field
            name="vehicles"
            label="Vehicles you buy tires for"
            reply={reply}
            inputMode="numeric"
            maxLength={6}
            required
          />
        </div>
        <TextAreaField
          name="about"
          label="Anything we should know"
          reply={reply}
          rows={4}
          maxLength={2_000}
          isRequired={false}
        />
        <button className="btn primary large">Send application</button>
      </form>
    </div>
  )
}

const labels = { kind: 'Kind', name: 'Company', phone: 'Phone', vehicles: 'Vehicles', about: 'Anything we should know' }
