import { checkForm, readForm, refuseForm } from '#app/forms/form.ts'
import { Field } from '#app/ui/field.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { StepPage } from '#app/ui/portal/step-page.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { saveBays } from '#domain/installer-portal/portal/portal.server.ts'
import { baysStepForm, setUpStepNames } from '#domain/installer-portal/portal/portal.ts'
import type { Route } from './+types/set-up-bays.ts'
import { requireStep, settleStep } from './set-up-step.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  portalHead(matches, setUpStepNames['bays'], portalPaths.portal())

export async function loader({ context, params: { shopCode } }: Route.LoaderArgs) {
  const { setUp } = await requireStep(context, shopCode, 'bays')
  const { bays, dropOffs } = setUp
  return { shopCode, values: bays === 0 ? null : { bays: String(bays), dropOffs: String(dropOffs) } }
}

export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const { app, actor } = await requireStep(context, shopCode, 'bays')
  const fields = await readForm(request)
  const checked = checkForm(baysStepForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  return settleStep(fields, await saveBays(app, actor, checked.value), { shopCode })
}

const labels = { bays: 'Bays with a lift', dropOffs: 'Cars that can be dropped off' }

export default function Bays({ loaderData: { shopCode, values }, actionData: reply }: Route.ComponentProps) {
  return (
    <StepPage
      shopCode={shopCode}
      step="bays"
      words="Count only the bays you reserve for our jobs. Each bay takes one car at a time."
      reply={reply}
      labels={labels}
    >
      <form method="post" className="portal-form" noValidate>
        <Field name="bays" label={labels.bays} reply={reply} value={values?.bays} inputMode="numeric" maxLength={2} />
        <Field
          name="dropOffs"
          label={labels.dropOffs}
          reply={reply}
          value={values?.dropOffs}
          inputMode="numeric"
          maxLength={2}
          hint="Cars left with you for the morning, the afternoon or the evening, at the same time. Enter 0 if you don’t offer this."
        />
        <button className="btn primary large wide">Save bays</button>
      </form>
    </StepPage>
  )
}
