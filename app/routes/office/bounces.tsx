import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { clearBounce, listBounces } from '#domain/messages/messages.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { supportZone } from '#domain/support/support.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { timeText } from '#platform/time-text.ts'
import { readWhole } from './message-view.server.ts'
import type { Route } from './+types/bounces.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Bounced email', officePaths.officeBounces())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'requests.read', officePaths.officeBounces())
  return {
    mayClear: staffCan(session.roles, 'requests.answer'),
    isCleared: url.searchParams.get('done') === 'cleared',
    bounces: (await listBounces(shop)).map(({ id, email, detail, orderId, blockedAt }) => ({
      id,
      email,
      detail: detail ?? 'The recipient’s mail server refused it.',
      order: orderId === null ? '' : orderNumber(orderId),
      at: timeText(blockedAt, supportZone),
    })),
  }
}

/** Notes that an address was checked; emails go to it again. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'requests.answer', officePaths.officeBounces())
  const fields = await readForm(request)
  const cleared = await clearBounce(shop, actor, readWhole(fields.get('id')) ?? 0)
  if (cleared.ok) return seeOther(officePaths.officeBounces('cleared'))
  return refuseForm(formRefusal(fields, refusals[cleared.reason]), cleared.reason === 'not-allowed' ? 403 : 409)
}

const refusals = {
  'not-allowed': 'Your role was revoked in the meantime. Nothing was changed.',
  gone: 'This address was checked in the meantime.',
} as const

const columns = [
  { key: 'email', label: 'Email', isRowHeader: true },
  { key: 'order', label: 'Order' },
  { key: 'detail', label: 'What their server said' },
  { key: 'at', label: 'When' },
  { key: 'act', label: 'Checked' },
]

export default function Bounces({ loaderData: { mayClear, isCleared, bounces }, actionData }: Route.ComponentProps) {
  return (
    <OfficePage title="Bounced email" crumbs={[{ label: 'Messages', path: officePaths.officeMessages() }]}>
      {isCleared && !actionData ? <Notice tone="go" title="Emails go to that address again." isNews /> : null}
      {actionData?.formError ? <Notice tone="stop" title={actionData.formError} isNews /> : null}
      <Panel id="bounces" title="Addresses to check" note="oldest first">
        {bounces.length === 0 ? (
          <PanelBody>
            <p>None. Emails reach everyone.</p>
          </PanelBody>
        ) : (
          <DataTable
            caption="Bounced email addresses"
            columns={columns}
            rows={bounces.map(({ id, ...cells }) => ({
              id: String(id),
              cells: { ...cells, act: mayClear ? <ClearForm id={id} email={cells.email} /> : null },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of addresses" older={null} file={officePaths.officeListFile('bounces')} />
    </OfficePage>
  )
}

function ClearForm({ id, email }: { id: number; email: string }) {
  return (
    <form method="post">
      <button className="btn quiet small" name="id" value={id} aria-label={`Send to ${email} again`}>
        Send again
      </button>
    </form>
  )
}
