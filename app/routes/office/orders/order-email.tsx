import { data } from 'react-router'
import { requireStaff } from '#app/server/office.server.ts'
import { MailParts } from '#app/ui/office/mail-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { readMail } from '#app/views/office/mail.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { staffOrderActs } from '#domain/ordering/orders/orders.ts'
import { retentionDays } from '#domain/operations/retention/retention.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { isId } from '#platform/ids.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/order-email.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, 'Email', officePaths.officeOrderEmail(Number(params.orderId), params.messageId))

export async function loader({ context, params }: Route.LoaderArgs) {
  const orderId = orderIdOf(params.orderId)
  const path = officePaths.officeOrderEmail(orderId, params.messageId)
  const { app, session } = await requireStaff(context, 'orders.read', path)
  if (!customerFieldsFor(session.roles).isShown) throw data(null, { status: 403 })
  const found = isId(params.messageId) ? await readMail(app, orderId, params.messageId) : undefined
  if (!found) throw data(null, { status: 404 })
  const { mail, copy, again } = found
  return {
    origin: app.config.web.origin,
    orderId,
    copy: copy && { subject: copy.subject, text: copy.text, html: copy.html },
    whyMissing: mail.sentAt ? 'old' : mail.state,
    again: staffCan(session.roles, staffOrderActs.resend.permission) ? again : null,
    rows: [
      ['To', mail.to],
      ['Kind', mail.kind],
      ['State', mail.state],
      ['Queued', timeText(mail.queuedAt, storeZone)],
      ['Sent', mail.sentAt ? timeText(mail.sentAt, storeZone) : 'Not yet'],
      ...(copy && copy.attachments.length > 0 ? [['Attached', copy.attachments.join(', ')]] : []),
    ] as [string, string][],
  }
}

const missing: Readonly<Record<string, string>> = {
  queued: 'Queued. The content is filled in when it’s sent.',
  dropped: 'Not sent, because its content no longer applied.',
  refused: 'Not sent. The recipient’s mail server rejected it.',
  old: `No copy available. Email copies are kept for about ${countOf(retentionDays.emailCopy, 'day')}.`,
}

export default function OrderEmail({ loaderData }: Route.ComponentProps) {
  const { origin, orderId, copy, whyMissing, again, rows } = loaderData
  return (
    <OfficePage
      title={copy?.subject ?? 'Email'}
      crumbs={[{ label: `Order ${orderNumber(orderId)}`, path: officePaths.officeOrder(orderId) }]}
    >
      <Columns
        body={
          copy ? (
            <MailParts origin={origin} html={copy.html} text={copy.text} />
          ) : (
            <Panel id="text" title="Not shown">
              <PanelBody>
                <p>{missing[whyMissing] ?? missing['old']}</p>
              </PanelBody>
            </Panel>
          )
        }
        last={
          <>
            <Panel id="email" title="As sent">
              <PanelBody>
                <KeyValues rows={rows} />
                <p className="small">Codes and the keys in links are not kept, and read “…” here.</p>
              </PanelBody>
            </Panel>
            {again ? <Resend orderId={orderId} again={again} /> : null}
          </>
        }
      />
    </OfficePage>
  )
}

function Resend({ orderId, again }: { orderId: number; again: { message: string; once: string } }) {
  return (
    <Panel id="again" title="Send it again">
      <PanelBody>
        <form method="post" action={officePaths.officeOrderAct(orderId, 'resend')} className="stack">
          <p>Sent to the order’s email address with current links and details.</p>
          <input type="hidden" name="message" value={again.message} />
          <input type="hidden" name="once" value={again.once} />
          <p>
            <button className="btn">Send again</button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}
