import { bounceActions } from '#app/office/actions/message-templates.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { button, RowForm } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { bounces } from '#app/office/lists/support.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/bounces.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Bounced email', officePaths.officeBounces())

export const loader = (args: Route.LoaderArgs) => readList(args, bounces)

/** Notes that an address was checked; emails go to it again. */
export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    { id: (fields) => fields.get('id') ?? '', path: officePaths.officeBounces, done: { clear: 'cleared' } },
    bounceActions,
  )

export default function Bounces({ loaderData, actionData: reply }: Route.ComponentProps) {
  return (
    <ListPage
      data={loaderData}
      reply={reply}
      render={{
        act: ({ id, label }) => (
          <RowForm
            about={{ id }}
            reply={reply}
            buttons={[button('clear', 'Send again', 'quiet', { name: `Send to ${label} again` })]}
          />
        ),
      }}
    />
  )
}
