import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { listDeadLetters, replayAsStaff } from '#domain/webhooks/webhooks.server.ts'
import { resultWords } from '#domain/webhooks/webhooks.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/webhooks.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Webhooks', officePaths.officeWebhooks())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'webhooks.read', officePaths.officeWebhooks() + url.search)
  const before = url.searchParams.get('before') ?? ''
  const { letters, next } = await listDeadLetters(shop, /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null)
  return {
    mayReplay: staffCan(session.roles, 'webhooks.replay'),
    isDone: url.searchParams.get('done') === 'replayed',
    letters: letters.map(({ id, type, orderId, at, url: address, ownerName, isActive, ...result }) => ({
      id,
      type,
      order: orderId === null ? null : orderNumber(orderId),
      at: timeText(at, storeZone),
      address,
      ownerName,
      isActive,
      result: resultWords(result),
    })),
    next: next === null ? null : officePaths.officeWebhooks({ before: next }),
  }
}

/** Sends a dead letter again. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor: by } = await requireStaff(context, 'webhooks.replay', officePaths.officeWebhooks())
  const fields = await readForm(request)
  const asked = fields.get('delivery') ?? ''
  const deliveryId = /^[1-9]\d{0,14}$/.test(asked) ? Number(asked) : 0
  const replayed = await replayAsStaff(shop, { deliveryId, by })
  if (replayed.ok) return seeOther(officePaths.officeWebhooks({ done: 'replayed' }))
  return refuseForm(formRefusal(fields, refusals[replayed.reason]), replayed.reason === 'not-allowed' ? 403 : 409)
}

const refusals = {
  'not-allowed': 'Your role does not allow that. Nothing was changed.',
  'not-known': 'There is no such dead letter.',
  'not-dead': 'It was sent again already.',
  paused: 'The webhook is paused. Its owner can resume it.',
} as const

export default function OfficeWebhooks({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { mayReplay, isDone, letters, next } = loaderData
  return (
    <OfficePage title="Webhooks not delivered" crumbs={[{ label: 'Partners', path: officePaths.officePartners() }]}>
      {reply ? <Notice tone="stop" title={reply.formError ?? 'Nothing was changed.'} isNews /> : null}
      {isDone && !reply ? <Notice tone="go" title="On its way again." isNews /> : null}
      <Panel id="letters" title="Dead letters" note="Nine tries over four hours failed, or the webhook is paused">
        {letters.length === 0 ? (
          <p className="office-panel-body">Everything was delivered.</p>
        ) : (
          <DataTable
            caption="Webhooks that could not be delivered"
            columns={[
              { key: 'event', label: 'Event', isRowHeader: true },
              { key: 'owner', label: 'For' },
              { key: 'address', label: 'Address' },
              { key: 'at', label: 'Happened' },
              { key: 'result', label: 'Last try' },
              { key: 'act', label: 'Act' },
            ]}
            rows={letters.map(({ id, type, order, ownerName, address, at, result, isActive }) => ({
              id: String(id),
              cells: {
                event: order ? `${type}, ${order}` : type,
                owner: ownerName,
                address,
                at,
                result,
                act:
                  mayReplay && isActive ? (
                    <form method="post">
                      <input type="hidden" name="delivery" value={id} />
                      <button className="btn" aria-label={`Send ${type} of ${order ?? 'a test'} again`}>
                        Send again
                      </button>
                    </form>
                  ) : (
                    ''
                  ),
              },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of dead letters" older={next} file={null} />
    </OfficePage>
  )
}
