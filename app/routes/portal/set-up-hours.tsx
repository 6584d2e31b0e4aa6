import { checkForm, readForm, refuseForm } from '#app/forms/form.ts'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { StepPage } from '#app/ui/portal/step-page.tsx'
import { WeekFields } from '#app/ui/week-fields.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { weekValues } from '#domain/scheduling/installers/installers.ts'
import { saveHours } from '#domain/installer-portal/portal/portal.server.ts'
import { hoursStepForm, setUpStepNames } from '#domain/installer-portal/portal/portal.ts'
import { clockOf } from '#platform/time-text.ts'
import type { Route } from './+types/set-up-hours.ts'
import { requireStep, settleStep } from './set-up-step.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  portalHead(matches, setUpStepNames['hours'], portalPaths.portal())

export async function loader({ context, params: { shopCode } }: Route.LoaderArgs) {
  const { app, place, setUp } = await requireStep(context, shopCode, 'hours')
  const { zone } = clockOf(place.timeZone, app.clock.now().toZonedDateTimeISO(place.timeZone).toPlainDate())
  return { shopCode, zone, values: weekValues(setUp.hours) }
}

export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const { app, actor } = await requireStep(context, shopCode, 'hours')
  const fields = await readForm(request)
  const checked = checkForm(hoursStepForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  return settleStep(fields, await saveHours(app, actor, checked.value.hours), { shopCode })
}

export default function Hours({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { shopCode, zone, values } = loaderData
  return (
    <StepPage
      shopCode={shopCode}
      step="hours"
      words={`When cars can be on a lift, times in ${zone}. Leave both empty on days you are closed.`}
      reply={reply}
      labels={{ hours: 'Hours' }}
    >
      <form method="post" className="portal-form" id="hours" noValidate>
        <WeekFields reply={reply ?? { values, errors: {} }} />
        <button className="btn primary large wide">Save hours</button>
      </form>
    </StepPage>
  )
}
