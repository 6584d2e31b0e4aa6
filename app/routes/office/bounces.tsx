import { press, submit } from '#app/office/decision.server.ts'
import { button, RowForm } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { bounces } from '#app/office/lists/support.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { readWhole } from '#app/views/office-message.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { clearBounce } from '#domain/messaging/messages/messages.server.ts'
import type { Route } from './+types/bounces.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Bounced email', officePaths.officeBounces())

export const loader = (args: Route.LoaderArgs) => readList(args, bounces)

/** Notes that an address was checked; emails go to it again. */
export const action = (args: Route.ActionArgs) =>
  submit(
    args,
    { noun: 'address', permission: 'requests.answer', path: officePaths.officeBounces },
    ({ shop, by, fields }) => press(() => clearBounce(shop, by, readWhole(fields.get('id')) ?? 0), 'cleared'),
    { gone: 'Another team member already checked this address.' },
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
            buttons={[button('', 'Send again', 'quiet', { name: `Send to ${label} again` })]}
          />
        ),
      }}
    />
  )
}
