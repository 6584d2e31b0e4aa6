import {
  discountTermActions,
  orderTermActions,
  protectionTermActions,
  scheduledTermActions,
  serviceTermActions,
} from '#app/office/actions/business-settings.server.ts'
import { idPlace } from '#app/office/define-list.server.ts'
import { actionStep, callOf, decide, doneNews } from '#app/office/decision.server.ts'
import { FactsPanel, FreshSignInNotice } from '#app/office/decision.tsx'
import type { FormField } from '#app/office/form-fields.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns } from '#app/ui/office/office-parts.tsx'
import { readBusinessTerms } from '#app/views/office/terms.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { ScheduledTerms, startsAtField, TermHistory, termNews } from './term-panels.tsx'
import type { Route } from './+types/business-settings.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Business settings', officePaths.officeBusinessSettings())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'settings.read', officePaths.officeBusinessSettings())
  const { app, session } = staff
  return {
    mayManage: staffCan(session.roles, 'settings.manage'),
    isFresh: isFresh(staff),
    news: doneNews(url, termNews),
    ...(await readBusinessTerms(app, idPlace(url.searchParams.get('before')))),
  }
}

/** Saves the terms of one group, now or from a later time, or cancels a scheduled change. */
export const action = (args: Route.ActionArgs) =>
  decide(
    args,
    {
      noun: 'setting',
      permission: scheduledTermActions.permission,
      path: (done) => officePaths.officeBusinessSettings({ done }),
    },
    (posted) => {
      const call = callOf(posted, '')
      const save = ({ actions }: typeof orderTermActions) =>
        actionStep(actions.change, call, (_, { changed, isScheduled }) =>
          changed === 0 ? 'unchanged' : isScheduled ? 'scheduled' : 'saved',
        )
      return {
        orders: save(orderTermActions),
        discounts: save(discountTermActions),
        protection: save(protectionTermActions),
        services: save(serviceTermActions),
        cancel: actionStep(scheduledTermActions.actions.cancel, call, 'canceled'),
      }
    },
    { ...orderTermActions.refusals, ...scheduledTermActions.refusals },
  )

export default function BusinessSettings({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayManage, isFresh: mayNow, groups, version, shown, scheduled, changes, older } = loaderData
  return (
    <OfficePage title="Business settings" news={loaderData.news} reply={reply}>
      {mayManage ? (
        <FreshSignInNotice
          isFresh={mayNow}
          title="Changing settings requires a recent sign-in"
          back={officePaths.officeBusinessSettings()}
        />
      ) : null}
      <Columns
        body={
          mayManage ? (
            <>
              {groups.map(({ group, title, fields }) => (
                <FormPanel
                  key={group}
                  id={group}
                  title={title}
                  isPair
                  reply={reply}
                  hidden={{ seen: version }}
                  fields={{
                    ...Object.fromEntries(fields.map(({ name, ...field }): [string, FormField] => [name, field])),
                    [`starts-${group}`]: startsAtField,
                  }}
                  buttons={[button(group, 'Save', 'primary')]}
                />
              ))}
            </>
          ) : (
            <FactsPanel id="terms" title="Current settings" note="Only an owner can change them." rows={shown} />
          )
        }
        last={<ScheduledTerms scheduled={scheduled} mayManage={mayManage} reply={reply} />}
      />
      <TermHistory changes={changes} older={older} caption="Business settings history" />
    </OfficePage>
  )
}
