import {
  discountTermActions,
  orderTermActions,
  protectionTermActions,
  scheduledTermActions,
  serviceTermActions,
  shippingTermActions,
} from '#app/office/actions/business-settings.server.ts'
import { actionStep, callOf, decide, doneNews } from '#app/office/decision.server.ts'
import { FactsPanel, FreshSignInNotice } from '#app/office/decision.tsx'
import { button, FormPanel, RowForm, type FormField } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns } from '#app/ui/office/office-parts.tsx'
import { readBusinessTerms } from '#app/views/office/terms.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { ShippingRates, startsAtField } from './business-settings-rates.tsx'
import type { Route } from './+types/business-settings.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Business settings', officePaths.officeBusinessSettings())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'settings.read', officePaths.officeBusinessSettings())
  const { app, session } = staff
  const before = url.searchParams.get('before') ?? ''
  return {
    mayManage: staffCan(session.roles, 'settings.manage'),
    isFresh: isFresh(staff),
    news: doneNews(url, news),
    ...(await readBusinessTerms(app, /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null)),
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
      const save = ({ actions }: typeof shippingTermActions) =>
        actionStep(actions.change, call, (_, { changed, isScheduled }) =>
          changed === 0 ? 'unchanged' : isScheduled ? 'scheduled' : 'saved',
        )
      return {
        shipping: save(shippingTermActions),
        orders: save(orderTermActions),
        discounts: save(discountTermActions),
        protection: save(protectionTermActions),
        services: save(serviceTermActions),
        cancel: actionStep(scheduledTermActions.actions.cancel, call, 'canceled'),
      }
    },
    { ...shippingTermActions.refusals, ...scheduledTermActions.refusals },
  )

const news = {
  saved: 'Saved. New orders and every page use it within a second.',
  scheduled: 'Scheduled. Cancel it below any time before it starts.',
  unchanged: 'No changes to save.',
  canceled: 'Scheduled change canceled.',
}

export default function BusinessSettings({ loaderData, actionData: reply }: Route.ComponentProps) {
  const {
    mayManage,
    isFresh: mayNow,
    rates,
    groups,
    version,
    shown,
    scheduled,
    changes,
    older,
    hasHandling,
  } = loaderData
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
              <ShippingRates rates={rates} version={version} hasHandling={hasHandling} reply={reply} />
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
        last={<Scheduled scheduled={scheduled} mayManage={mayManage} reply={reply} />}
      />
      <TablePanel
        id="history"
        title="History"
        note="Orders keep the terms that applied when they were placed. Times are Eastern."
        caption="Business settings history"
        empty="No changes yet. Standard values apply."
        columns={{ at: 'When', by: 'Who', what: 'Setting', was: 'Before', became: 'After', from: 'Applies from' }}
        rows={changes}
      />
      {older ? (
        <p>
          <a className="btn" href={older} rel="next">
            Older changes
          </a>
        </p>
      ) : null}
    </OfficePage>
  )
}

type View = Route.ComponentProps

/** Changes that haven't started, each with a button that cancels it. */
function Scheduled({
  scheduled,
  mayManage,
  reply,
}: Pick<View['loaderData'], 'scheduled' | 'mayManage'> & { reply: View['actionData'] }) {
  return (
    <TablePanel
      id="scheduled"
      title="Scheduled changes"
      note="Times are Eastern"
      empty="No scheduled changes."
      columns={{ what: 'Setting', value: 'New value', from: 'Starts', cancel: 'Cancel' }}
      rows={scheduled.map(({ id, what, value, from }) => ({
        id: String(id),
        cells: {
          what,
          value,
          from,
          cancel: mayManage ? (
            <RowForm
              about={{ change: id }}
              reply={reply}
              buttons={[button('cancel', 'Cancel', 'quiet', { name: `Cancel the change of ${what}` })]}
            />
          ) : null,
        },
      }))}
    />
  )
}
