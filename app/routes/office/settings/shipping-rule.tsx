import { shippingExceptionActions, shippingZoneActions } from '#app/office/actions/shipping-plan.server.ts'
import { decideActions, doneNews, found, showing } from '#app/office/decision.server.ts'
import { numberedId } from '#app/office/define-actions.server.ts'
import { FreshSignInNotice } from '#app/office/decision.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { useFormInput, useLivePreview } from '#app/office/form-input.ts'
import type { FormEffect, FormReply } from '#app/forms/form.ts'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns } from '#app/ui/office/office-parts.tsx'
import { readShippingException, readShippingZone } from '#app/views/office/shipping-plan.server.ts'
import {
  exceptionPreviewForm,
  firstPreview,
  previewException,
  previewRefusals,
  previewShipping,
  previewZone,
  zonePreviewForm,
} from '#app/views/office/shipping-preview.server.ts'
import { officePaths, type ShippingRuleKind } from '#content/office-paths.ts'
import { ShippingPreview } from './shipping-preview.tsx'
import { planNews } from './shipping-rules.tsx'
import type { Route } from './+types/shipping-rule.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.title ?? 'Shipping rates', officePaths.officeShippingRates())

const kinds = {
  zones: {
    noun: 'zone',
    lead: 'Its states leave the zones that they are in now.',
    note: 'New carts use the rates at once. Carts in checkout confirm the new price.',
  },
  exceptions: {
    noun: 'exception',
    lead: 'Comes before the zones.',
    note: 'A rate replaces the amounts per tire, also in orders that ship free otherwise. If several rates match a tire, the rate for the highest weight applies.',
  },
} as const satisfies Record<ShippingRuleKind, object>

function kindOf(text: string): ShippingRuleKind {
  if (text === 'zones' || text === 'exceptions') return text
  throw new Response(null, { status: 404 })
}

export async function loader({ context, params: { kind: asked, id }, url }: Route.LoaderArgs) {
  const kind = kindOf(asked)
  const path = officePaths.officeShippingRule(kind, id)
  const staff = await requireStaff(context, 'settings.manage', path)
  const effect = await previewShipping(staff.app, firstPreview)
  return {
    ...found(await (kind === 'zones' ? readShippingZone : readShippingException)(staff.app, id)),
    kind,
    path,
    isFresh: isFresh(staff),
    news: doneNews(url, planNews),
    first: { ...firstPreview, effect: effect.ok ? effect.value : null },
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  const kind = kindOf(args.params.kind)
  const ruleId = id === 'new' ? null : numberedId(id)
  const added = (done: string) => officePaths.officeShippingRates({ done })
  const page = {
    id: id === 'new' ? '' : id,
    path: (done?: string) => officePaths.officeShippingRule(kind, id, { done }),
  }
  const effectOf = (effect: FormEffect) => ({ effect })
  if (kind === 'exceptions')
    return decideActions(
      args,
      {
        ...page,
        done: { add: added('saved'), change: 'saved', remove: added('removed') },
        more: {
          steps: ({ app }) => ({
            preview: showing(exceptionPreviewForm, (input) => previewException(app, input, ruleId), effectOf),
          }),
          refusals: { ...shippingExceptionActions.refusals, ...previewRefusals },
        },
      },
      shippingExceptionActions,
    )
  const doneAs = ({ moved }: { moved: readonly string[] }) => (moved.length > 0 ? 'moved' : 'saved')
  return decideActions(
    args,
    {
      ...page,
      done: {
        add: (_, saved) => added(doneAs(saved)),
        change: (_, saved) => doneAs(saved),
        remove: added('removed'),
      },
      more: {
        steps: ({ app }) => ({
          preview: showing(zonePreviewForm, (input) => previewZone(app, input, ruleId), effectOf),
        }),
        refusals: { ...shippingZoneActions.refusals, ...previewRefusals },
      },
    },
    shippingZoneActions,
  )
}

const formId = 'rule'

export default function ShippingRule({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, kind, path, isNew, version, fields, isFresh: mayNow } = loaderData
  const { noun, lead, note } = kinds[kind]
  const live = useLivePreview<FormReply>(path)
  useFormInput(formId, live.read)
  return (
    <OfficePage
      title={title}
      crumbs={[{ label: 'Shipping rates', path: officePaths.officeShippingRates() }]}
      news={loaderData.news}
      reply={reply}
    >
      <FreshSignInNotice isFresh={mayNow} title="Changing rates requires a recent sign-in" back={path} />
      <Columns
        body={
          <FormPanel
            id={noun}
            formId={formId}
            title={noun === 'zone' ? 'Zone' : 'Exception'}
            lead={lead}
            isPair
            reply={reply}
            hidden={{ seen: version }}
            fields={fields}
            buttons={
              isNew
                ? [button('add', `Add ${noun}`, 'primary')]
                : [button('change', 'Save', 'primary'), button('remove', `Remove ${noun}`, 'stop')]
            }
            note={note}
          />
        }
        last={<ShippingPreview formId={formId} first={loaderData.first} reply={reply} live={live.reply} />}
      />
    </OfficePage>
  )
}
