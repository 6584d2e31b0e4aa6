import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { Field } from '#app/ui/field.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { StepPage } from '#app/ui/portal/step-page.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { saveBlackoutDays } from '#domain/installer-portal/portal/portal.server.ts'
import { blackoutForm, setUpStepNames } from '#domain/installer-portal/portal/portal.ts'
import { dateText } from '#platform/day-text.ts'
import type { Route } from './+types/set-up-blackout-days.ts'
import { requireStep, settleStep } from './set-up-step.server.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  portalHead(matches, setUpStepNames['blackout-days'], portalPaths.portal())

export async function loader({ context, params: { shopCode } }: Route.LoaderArgs) {
  const { setUp } = await requireStep(context, shopCode, 'blackout-days')
  return {
    shopCode,
    days: setUp.closures.map(({ on, reason }) => ({ on, words: `${dateText(on)}, ${reason}` })),
  }
}

/** `add` a day, `remove` one, or say that the list is `complete`. */
export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const { app, actor, place } = await requireStep(context, shopCode, 'blackout-days')
  const { timeZone } = place
  const fields = await readForm(request)
  const remove = fields.get('remove')
  if (remove !== null) {
    const on = blackoutForm.shape.on.safeParse(remove)
    if (!on.success) return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
    return settleStep(fields, await saveBlackoutDays(app, actor, { timeZone, remove: on.data }), {
      shopCode,
      stay: 'blackout-days',
    })
  }
  if (fields.get('intent') === 'complete')
    return settleStep(fields, await saveBlackoutDays(app, actor, { timeZone }), { shopCode })
  const checked = checkForm(blackoutForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  return settleStep(fields, await saveBlackoutDays(app, actor, { timeZone, add: checked.value }), {
    shopCode,
    stay: 'blackout-days',
  })
}

const labels = { on: 'Day', reason: 'Reason' }

export default function BlackoutDays({ loaderData: { shopCode, days }, actionData: reply }: Route.ComponentProps) {
  return (
    <StepPage
      shopCode={shopCode}
      step="blackout-days"
      words="Days when shoppers can’t book, such as holidays or inventory. Shoppers see the reason."
      reply={reply}
      labels={labels}
    >
      {days.length > 0 ? (
        <form method="post">
          <ul className="portal-days">
            {days.map(({ on, words }) => (
              <li key={on}>
                <span>{words}</span>
                <button className="btn" name="remove" value={on} aria-label={`Remove ${words}`}>
                  Remove
                </button>
              </li>
            ))}
          </ul>
        </form>
      ) : null}
      <form method="post" className="portal-form" noValidate>
        <Field name="on" label={labels.on} reply={reply} type="date" autoComplete="off" />
        <Field
          name="reason"
          label={labels.reason}
          reply={reply}
          maxLength={60}
          autoComplete="off"
          hint="Such as Thanksgiving."
        />
        <button className="btn large wide">Add this day</button>
      </form>
      <form method="post">
        <button className="btn primary large wide" name="intent" value="complete">
          {days.length === 0 ? 'No blackout days' : 'These are all'}
        </button>
      </form>
    </StepPage>
  )
}
