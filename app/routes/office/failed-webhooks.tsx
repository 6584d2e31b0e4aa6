import { press, submit } from '#app/office/decision.server.ts'
import { button, RowForm } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { failedWebhooks } from '#app/office/lists/failed-webhooks.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { readWhole } from '#app/views/office-message.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { replayAsStaff } from '#domain/channels/webhooks/webhooks.server.ts'
import type { Route } from './+types/failed-webhooks.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Failed webhooks', officePaths.officeFailedWebhooks())

export const loader = (args: Route.LoaderArgs) => readList(args, failedWebhooks)

/** Sends a dead letter again. */
export const action = (args: Route.ActionArgs) =>
  submit(
    args,
    { noun: 'webhook', permission: 'webhooks.replay', path: (done) => officePaths.officeFailedWebhooks(done) },
    ({ shop, by, fields }) =>
      press(() => replayAsStaff(shop, { deliveryId: readWhole(fields.get('delivery')) ?? 0, by }), 'replayed'),
    {
      'not-known': 'Webhook not found.',
      'not-dead': 'This webhook was already sent again.',
      paused: 'This webhook is paused. Its owner can resume it.',
    },
  )

export default function FailedWebhooks({ loaderData, actionData: reply }: Route.ComponentProps) {
  return (
    <ListPage
      data={loaderData}
      reply={reply}
      render={{
        act: ({ id, label, cells }) =>
          cells['act'] ? (
            <RowForm
              about={{ delivery: id }}
              reply={reply}
              buttons={[button('', 'Send again', undefined, { name: `Send ${label} again` })]}
            />
          ) : null,
      }}
    />
  )
}
