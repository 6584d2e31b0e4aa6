import { REFUND_WITHIN_HOURS } from '#platform/business-constants.ts'
import { data } from 'react-router'
import { checkForm, formRefusal, readFormWithFile, refuseForm } from '#app/forms/form.ts'
import { isFresh, requireStaff, type Staff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Facts, Notice, Panel, PanelBody, Tag, Timeline, Timer } from '#app/ui/office/office-parts.tsx'
import { officeReturnView } from '#app/views/office-return.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { returnMessages } from '#content/messages/returns.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { inspectTire, receiveTires, refundReturn, type InspectRefusal } from '#domain/returns/returns.server.ts'
import { inspectionForm, refundReturnForm } from '#domain/returns/returns.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import { Inspections } from './return-inspection.tsx'
import { Photos, RefundPanel, RulesPanel } from './return-panels.tsx'
import type { Route } from './+types/return.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Return M-${params.id}`, officePaths.officeReturns())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = orderIdOf(params.id)
  const { shop, session } = await requireStaff(context, 'returns.read', officePaths.officeReturn(id))
  const view = await officeReturnView(shop, id, session.roles)
  if (!view) throw data(null, { status: 404 })
  const asked = url.searchParams.get('done')
  const done = Object.hasOwn(news, asked ?? '') ? news[asked as keyof typeof news] : null
  return { view, done }
}

const news = {
  received: `Received. These tires are to be refunded within ${countOf(REFUND_WITHIN_HOURS, 'hour')}.`,
  inspected: 'Noted.',
  refunded: 'Refunded. The customer is told by email.',
} as const

/** `receive`, `inspect` and `refund`, each for whoever may. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const id = orderIdOf(params.id)
  const path = officePaths.officeReturn(id)
  const staff = await requireStaff(context, 'returns.read', path)
  const { fields, file } = await readFormWithFile(request, 'photo')
  switch (fields.get('intent')) {
    case 'receive':
      return receive(staff, id, fields)
    case 'inspect':
      return inspect(staff, id, fields, file)
    case 'refund':
      return refund(staff, id, fields)
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

async function receive({ shop, actor }: Staff, id: number, fields: URLSearchParams) {
  const tireNos = [...fields.keys()].flatMap((name) => {
    const no = /^tire-(\d{1,3})$/.exec(name)?.[1]
    return no === undefined ? [] : [Number(no)]
  })
  const received = await receiveTires(shop, actor, { id, tireNos })
  if (received.ok) return seeOther(officePaths.officeReturn(id, 'received'))
  return refuseForm(formRefusal(fields, refusals[received.reason]), statusOf(received.reason))
}

async function inspect({ shop, actor }: Staff, id: number, fields: URLSearchParams, file: File | null) {
  const checked = checkForm(inspectionForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const photo = file && { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
  const inspected = await inspectTire(shop, actor, { id, photo, ...checked.value })
  if (inspected.ok) return seeOther(officePaths.officeReturn(id, 'inspected'))
  return refuseForm(formRefusal(fields, wordsOf(inspected)), statusOf(inspected.reason))
}

function wordsOf(refusal: InspectRefusal): string {
  return refusal.reason === 'photo' ? returnMessages.photo[refusal.detail.why] : refusals[refusal.reason]
}

async function refund(staff: Staff, id: number, fields: URLSearchParams) {
  const checked = checkForm(refundReturnForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { shop, actor } = staff
  const refunded = await refundReturn(shop, actor, { id, ...checked.value, isFresh: isFresh(staff) })
  if (refunded.ok) return seeOther(officePaths.officeReturn(id, 'refunded'))
  const words =
    refunded.reason === 'amount-changed'
      ? `It comes to ${formatCents(refunded.detail.refundCents)} by now. Look again, then refund.`
      : refunded.reason === 'more-than-charged'
        ? `Only ${formatCents(refunded.detail.leftCents)} of the charge is left. Refund the rest on the order.`
        : refunded.reason in refusals
          ? refusals[refunded.reason as keyof typeof refusals]
          : 'The order does not allow this refund now. Look at its refunds.'
  return refuseForm(formRefusal(fields, words), statusOf(refunded.reason))
}

const refusals = {
  'not-allowed': 'Your role does not allow this. Nothing was changed.',
  'return-not-found': 'There is no such return.',
  'tire-not-found': 'Choose the tires that arrived.',
  'nothing-to-receive': 'These tires were canceled.',
  'not-received': 'This tire is not here yet.',
  'inspected-already': 'This tire was inspected already.',
  'no-reason': 'Say why it is refused: the customer gets it word for word.',
  'no-photo': 'Add our own photo of what you found.',
  'awaits-approval': 'Somebody else has to approve this refund first, on the page of the order.',
  'over-your-limit': 'This is more than you may refund alone on an order. Ask somebody who approves refunds.',
  'not-fresh': 'Sign in again first: this refund is over the limit of one person.',
  'nothing-accepted': 'No accepted tire is waiting for its refund.',
  'reorder-not-found': 'No order of this customer with that number stands. Give another, or charge the fee.',
} as const

function statusOf(reason: string): number {
  return reason === 'not-allowed' ? 403 : reason === 'return-not-found' ? 404 : 409
}

export default function OfficeReturn({ loaderData: { view, done }, actionData: reply }: Route.ComponentProps) {
  return (
    <OfficePage
      title={`Return ${view.number}`}
      crumbs={[{ label: 'Returns', path: officePaths.officeReturns() }]}
      tags={<Tag tone="signal">{view.state}</Tag>}
      end={view.timer ? <Timer tone={view.timer.isLate ? 'stop' : 'signal'}>Refund: {view.timer.text}</Timer> : null}
    >
      {reply ? (
        <Notice tone="stop" title={reply.formError ?? 'Fix what is marked, then send it again.'} isNews>
          {Object.values(reply.errors).map((message) => (
            <p key={message}>{message}</p>
          ))}
        </Notice>
      ) : done ? (
        <Notice tone="go" title={done} isNews />
      ) : null}
      <Facts
        facts={[
          { label: 'Customer', value: view.customer.name, meta: view.customer.phone },
          {
            label: 'Order',
            value: view.order,
            meta: `Wants ${view.wants === 'exchange' ? 'an exchange' : 'a refund'}`,
          },
          { label: 'Reason given', value: view.reason, meta: `Requested ${view.requested}` },
          { label: 'Received', value: view.received, meta: view.note },
        ]}
      />
      <Columns
        first={<RefundPanel view={view} />}
        body={
          <>
            <Photos photos={view.photos} />
            <RulesPanel rules={view.rules} />
            <Inspections view={view} reply={reply} />
          </>
        }
        last={
          <Panel id="history" title="What happened" note={`newest first, ${view.zone}`}>
            <PanelBody>
              <Timeline days={view.days} />
            </PanelBody>
          </Panel>
        }
      />
    </OfficePage>
  )
}
