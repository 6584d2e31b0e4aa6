import { googleListingActions } from '#app/office/actions/google-listings.server.ts'
import { decideActions } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { ListPage } from '#app/office/list-page.tsx'
import { googleListings } from '#app/office/lists/google-listings.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { sendingStatus } from '#app/views/office/google-listings.ts'
import { Notice } from '#app/ui/office/office-parts.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { readListingSummary } from '#domain/catalog/google-listings/google-listings.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import type { Route } from './+types/google-listings.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Google listings', officePaths.officeGoogleListings())

export async function loader(args: Route.LoaderArgs) {
  const data = await readList(args, googleListings)
  const { app, session } = await requireStaff(args.context, 'catalog.read', officePaths.officeGoogleListings())
  const sending = sendingStatus(await readListingSummary(app))
  return { data, sending, maySend: app.merchantCenter !== null && staffCan(session.roles, 'catalog.edit') }
}

/** Sends all products again. */
export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    { id: '', path: officePaths.officeGoogleListings, done: { 'send-again': 'sent-again' } },
    googleListingActions,
  )

export default function GoogleListings({
  loaderData: { data, sending, maySend },
  actionData: reply,
}: Route.ComponentProps) {
  return (
    <ListPage
      data={data}
      reply={reply}
      before={
        sending.notice === null ? null : (
          <Notice tone="signal" title={sending.status}>
            {sending.notice}
          </Notice>
        )
      }
      after={
        maySend ? (
          <FormPanel
            id="send-again"
            title="Send all products again"
            lead="For example, after a change at Google. Changed products are sent automatically within a minute."
            reply={reply}
            buttons={[button('send-again', 'Send all products again')]}
          />
        ) : null
      }
    />
  )
}
