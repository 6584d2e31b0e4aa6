import { failedWebhookActions } from '#app/office/actions/webhooks.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { button, RowForm } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { failedWebhooks } from '#app/office/lists/failed-webhooks.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/failed-webhooks.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Failed webhooks', officePaths.officeFailedWebhooks())

export const loader = (args: Route.LoaderArgs) => readList(args, failedWebhooks)

/** Sends a dead letter again. */
export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: (fields) => fields.get('delivery') ?? '',
      path: officePaths.officeFailedWebhooks,
      done: { replay: 'replayed' },
    },
    failedWebhookActions,
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
              buttons={[button('replay', 'Send again', undefined, { name: `Send ${label} again` })]}
            />
          ) : null,
      }}
    />
  )
}
