import { idPlace } from '#app/office/define-list.server.ts'
import { scheduledTermActions, shippingTermActions } from '#app/office/actions/business-settings.server.ts'
import { actionStep, callOf, decide, doneNews, showing } from '#app/office/decision.server.ts'
import { FactsPanel, FreshSignInNotice } from '#app/office/decision.tsx'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns } from '#app/ui/office/office-parts.tsx'
import {
  firstPreview,
  previewRates,
  previewRefusals,
  previewShipping,
  shippingPreviewForm,
} from '#app/views/office/shipping-preview.server.ts'
import { readShippingRules } from '#app/views/office/shipping-plan.server.ts'
import { readRestoredRates, readShippingRates } from '#app/views/office/terms.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { ExceptionsPanel, planNews, zoneFacts } from './shipping-rules.tsx'
import { ShippingRatesForm } from './shipping-rates-form.tsx'
import { RestoredRates } from './restored-rates.tsx'
import { ScheduledTerms, TermHistory, termNews } from './term-panels.tsx'
import type { Route } from './+types/shipping-rates.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Shipping rates', officePaths.officeShippingRates())

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'settings.read', officePaths.officeShippingRates())
  const mayManage = staffCan(staff.session.roles, 'settings.manage')
  const restored = mayManage ? await readRestoredRates(staff.app, url.searchParams.get('version')) : null
  const effect = await previewShipping(staff.app, firstPreview, restored?.terms)
  return {
    mayManage,
    restored: restored && { at: restored.at, rows: restored.rows, values: restored.values },
    isFresh: isFresh(staff),
    news: doneNews(url, { ...planNews, ...termNews }),
    first: { ...firstPreview, effect: effect.ok ? effect.value : null },
    ...(await readShippingRules(staff.app)),
    ...(await readShippingRates(staff.app, idPlace(url.searchParams.get('before')))),
  }
}

/** Saves the rates, now or from a later time, shows what they would charge, or cancels a scheduled change. */
export const action = (args: Route.ActionArgs) =>
  decide(
    args,
    {
      noun: 'rate',
      permission: shippingTermActions.permission,
      path: (done) => officePaths.officeShippingRates({ done }),
    },
    (posted) => {
      const call = callOf(posted, '')
      return {
        shipping: actionStep(shippingTermActions.actions.change, call, (_, { changed, isScheduled }) =>
          changed === 0 ? 'unchanged' : isScheduled ? 'scheduled' : 'saved',
        ),
        preview: showing(
          shippingPreviewForm,
          (input) => previewRates(posted.app, input),
          (effect) => ({ effect }),
        ),
        cancel: actionStep(scheduledTermActions.actions.cancel, call, 'canceled'),
      }
    },
    {
      ...shippingTermActions.refusals,
      ...scheduledTermActions.refusals,
      ...previewRefusals,
    },
  )

export default function ShippingRates({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayManage, isFresh: mayNow, shown, scheduled, changes, older } = loaderData
  return (
    <OfficePage
      title="Shipping rates"
      tags={<span className="office-note">What shoppers pay. Deliveries to a shop use the ZIP code of the shop</span>}
      news={loaderData.news}
      reply={reply}
    >
      {mayManage ? (
        <FreshSignInNotice
          isFresh={mayNow}
          title="Changing rates requires a recent sign-in"
          back={officePaths.officeShippingRates()}
        />
      ) : null}
      {mayManage ? (
        <>
          {loaderData.restored ? <RestoredRates {...loaderData.restored} /> : null}
          <ShippingRatesForm rates={loaderData} reply={reply} restored={loaderData.restored?.values ?? null} />
        </>
      ) : (
        <Columns
          body={
            <>
              <FactsPanel
                id="terms"
                title="Current rates"
                note="Only an owner can change them."
                rows={[...shown, ...zoneFacts(loaderData)]}
              />
              <ExceptionsPanel exceptions={loaderData.exceptions} mayManage={false} />
            </>
          }
        />
      )}
      <ScheduledTerms scheduled={scheduled} mayManage={mayManage} reply={reply} />
      <TermHistory
        changes={changes}
        older={older}
        caption="History of shipping rates"
        {...(mayManage && { restore: (version: string) => officePaths.officeShippingRates({ version }) })}
      />
    </OfficePage>
  )
}
