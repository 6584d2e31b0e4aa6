import { checkForm, readForm, refuseForm } from '#app/forms/form.ts'
import { SelectField } from '#app/ui/field.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { StepPage } from '#app/ui/portal/step-page.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { usualTimes } from '#domain/scheduling/installers/installers.ts'
import { saveLengths } from '#domain/installer-portal/portal/portal.server.ts'
import {
  lengthsStepForm,
  pricedJobs,
  setUpStepNames,
  slotLengths,
  tireMinutes,
} from '#domain/installer-portal/portal/portal.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/set-up-lengths.ts'
import { requireStep, settleStep } from './set-up-step.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  portalHead(matches, setUpStepNames['lengths'], portalPaths.portal())

export async function loader({ context, params: { shopCode } }: Route.LoaderArgs) {
  const { setUp } = await requireStep(context, shopCode, 'lengths')
  const { rates, slotMinutes } = setUp
  return {
    shopCode,
    slot: String(slotMinutes),
    jobs: pricedJobs.flatMap(({ job, name }) => {
      const rate = rates.find((each) => each.job === job)
      return rate ? [{ job, name, minutes: String(rate.minutesPerTire) }] : []
    }),
  }
}

export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const { app, actor, place } = await requireStep(context, shopCode, 'lengths')
  const fields = await readForm(request)
  const checked = checkForm(lengthsStepForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { timeZone } = place
  return settleStep(fields, await saveLengths(app, actor, { ...checked.value, timeZone }), { shopCode })
}

export default function Lengths({ loaderData: { shopCode, slot, jobs }, actionData: reply }: Route.ComponentProps) {
  const labels = { slot: 'A car may start every', ...Object.fromEntries(jobs.map(({ job, name }) => [job, name])) }
  return (
    <StepPage
      shopCode={shopCode}
      step="lengths"
      words={`How long a tire takes by kind of work. Each appointment gets ${countOf(usualTimes.takeInMinutes, 'minute')} more, for taking the car in.`}
      reply={reply}
      labels={labels}
    >
      {jobs.length === 0 ? (
        <p>
          <a className="btn large wide" href={portalPaths.setUpStep(shopCode, 'prices')}>
            Enter prices first
          </a>
        </p>
      ) : (
        <form method="post" className="portal-form" noValidate>
          {jobs.map(({ job, name, minutes }) => (
            <SelectField key={job} name={job} label={`${name}, minutes per tire`} reply={reply} value={minutes}>
              {tireMinutes.map((each) => (
                <option key={each} value={each}>
                  {countOf(each, 'minute')}, {each * 4 + usualTimes.takeInMinutes} for four tires
                </option>
              ))}
            </SelectField>
          ))}
          <SelectField name="slot" label={labels.slot} reply={reply} value={slot}>
            {slotLengths.map((each) => (
              <option key={each} value={each}>
                {countOf(each, 'minute')}
              </option>
            ))}
          </SelectField>
          <button className="btn primary large wide">Save job lengths</button>
        </form>
      )}
    </StepPage>
  )
}
