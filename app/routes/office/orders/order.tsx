import { data } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import { ConversationPanel } from '#app/office/detail-conversation.tsx'
import { DetailPage, type DetailNotice } from '#app/office/detail.tsx'
import { TimelinePanel } from '#app/office/detail-timeline.tsx'
import { isFresh, requireFresh, requireStaff } from '#app/server/office.server.ts'
import { orderAction, type OrderReply } from '#app/server/office-order-forms.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { PhotosPanel } from '#app/ui/office/photos-panel.tsx'
import { openForm } from '#app/views/office/order-actions.server.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { readPlace } from '#app/views/office/order-neighbors.server.ts'
import { readOfficeOrder } from '#app/views/office/order.server.ts'
import { readTimeline, storyKind } from '#app/views/office/order-story.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { selectReplyDraft } from '#domain/ordering/orders/orders.server.ts'
import { longestAnswer } from '#domain/messaging/support/support.ts'
import { atOnce } from '#platform/at-once.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { clockOf } from '#platform/time-text.ts'
import { AppointmentPanel, CustomerPanel, ItemsPanel, ParcelsPanel, PaymentPanel } from './order-panels.tsx'
import { NotePanel, RefundPanel, RefundsPanel } from './order-refund.tsx'
import { VinPanel } from './order-vin.tsx'
import type { Route } from './+types/order.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Order S-${params.orderId}`, officePaths.officeOrder(Number(params.orderId)))

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const orderId = orderIdOf(params.orderId)
  const staff = await requireStaff(context, 'orders.read', officePaths.officeOrder(orderId))
  const { app, session } = staff
  const { roles } = session
  const view = url.searchParams.get('view')
  const act = openForm(url.searchParams.get('act'))
  const found = await readOfficeOrder(app, orderId, session, { view, open: act })
  if (!found) throw data(null, { status: 404 })
  const { order, refundable, records } = found
  const zone = clockOf(order.timeZone, order.placedAt.toZonedDateTimeISO(order.timeZone).toPlainDate()).zone
  const [place, saved, timeline] = await atOnce(app.db, [
    (db) => readPlace({ ...app, db }, order, view, { byCustomer: customerFieldsFor(session.roles).isShown }),
    (db) => selectReplyDraft(db, { staff: session.email, orderId }),
    (db) =>
      readTimeline({ ...app, db }, order, {
        show: storyKind(url.searchParams.get('show')),
        isWhole: url.searchParams.get('all') !== null,
        view,
        charges: records.charges,
        notes: found.view.conversation ? [] : records.notes,
        zone,
      }),
  ])
  const done = url.searchParams.get('done')
  return {
    order: found.view,
    place,
    timeline,
    act,
    may: {
      refund: staffCan(roles, 'refunds.make'),
      approve: staffCan(roles, 'refunds.approve'),
      note: staffCan(roles, 'orders.note'),
    },
    isFresh: isFresh(staff),
    done: doneNews(done),
    saved,
    // A form that was left to sign in again brings its values back.
    typed: readTyped(url.searchParams.get('typed')),
    feeCents: refundable.feeCents,
    units: refundable.lines.map(({ lineNo, kind, description, quantity, refundedUnits }) => ({
      lineNo,
      kind,
      name: description,
      quantity,
      left: quantity - refundedUnits,
    })),
    limit: formatCents(refundable.limitCents),
    // Not named "key", which React reserves.
    formKey: newId(),
    here: officePaths.officeOrder(orderId, { view: view ?? undefined }),
    zone,
  }
}

/**
 * `preview` shows a refund, `refund` makes it; `approve`, `decline` and `retry` are about one; `note` adds a note, `vin`
 * records a VIN; `write` sends a message to the customer or adds a note, `draft` saves an unsent one, `text-again` sends a text message again; `codes`
 * shows the customer's codes, `send-codes` emails them again.
 */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const orderId = orderIdOf(params.orderId)
  const path = officePaths.officeOrder(orderId)
  const staff = await requireStaff(context, 'orders.read', path)
  const fields = await readForm(request, longestAnswer)
  if (fields.get('intent') === 'approve') requireFresh(staff, path)
  return orderAction(staff, { orderId, fields, view: url.searchParams.get('view') })
}

/** The fields of the refund form, as `typedText` wrote them. */
function readTyped(text: string | null): Record<string, string> {
  const typed = [...new URLSearchParams((text ?? '').slice(0, 4_000))]
  return Object.fromEntries(
    typed.filter(([name]) => /^(?:units-\d{1,3}|amount|fee|lowerReason|reason|bearer|note)$/.test(name)),
  )
}

const news = {
  refunded: 'Refund issued. We’ll email the customer when the money is sent.',
  drafted: 'Refund requested. Another team member must approve it.',
  approved: 'Refund approved. We’ll email the customer when the money is sent.',
  declined: 'Refund declined.',
  retried: 'We’re checking with the provider again.',
  noted: 'Note added.',
  emailed: 'Email sent to the customer.',
  texted: 'Text message sent to the customer.',
  'text-again': 'Text message queued to be sent again.',
  'codes-sent': 'Email with the codes queued to be sent again.',
  vin: 'VIN recorded.',
  confirm: 'Order confirmed. We emailed the customer.',
  'check-fit': 'Fit check recorded.',
  question: 'We asked the customer to confirm the order.',
  address: 'Address updated.',
  appointment: 'Appointment rescheduled. We emailed the customer.',
  place: 'Order updated. We emailed the customer. See the timeline for the new delivery method.',
  cancel: 'Order canceled. We emailed the customer.',
  lines: 'Items canceled. We emailed the customer.',
  resend: 'Email queued to be sent again.',
} as const

function doneNews(asked: string | null): string | null {
  return asked !== null && Object.hasOwn(news, asked) ? news[asked as keyof typeof news] : null
}

export default function OfficeOrder({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { order, place, done } = loaderData
  const said: DetailNotice[] = [
    ...(done && !reply ? [{ tone: 'go' as const, title: done, isNews: true }] : []),
    ...(reply?.problem ? [{ tone: 'stop' as const, title: reply.problem, isNews: true }] : []),
  ]
  return (
    <DetailPage
      title={order.number}
      crumbs={place.crumbs}
      state={order.state}
      timer={order.timer}
      head={{ neighbors: place.neighbors, actions: order.actions }}
      notices={[...said, ...order.notices]}
      body={<Body {...loaderData} reply={reply} />}
      side={<Side {...loaderData} reply={reply} />}
    />
  )
}

export type OrderPageView = Route.ComponentProps['loaderData']

type PartProps = OrderPageView & { reply: OrderReply | undefined }

/** The form that is open on the page, above everything else. */
function OpenForm({ reply, ...view }: PartProps) {
  const { order, act, may } = view
  const form = reply ? reply.form : act
  switch (form) {
    case 'refund':
      return may.refund ? <RefundPanel view={view} reply={reply} /> : null
    case 'note':
      return may.note ? <NotePanel orderId={order.id} noteKey={view.formKey} reply={reply?.reply} /> : null
    case 'vin':
      return may.note ? <VinPanel orderId={order.id} reply={reply?.reply} /> : null
    default:
      return null
  }
}

function Body(props: PartProps) {
  const { order, zone, formKey, reply } = props
  return (
    <>
      <OpenForm {...props} />
      <ItemsPanel order={order} />
      {order.refunds.length > 0 ? <RefundsPanel view={props} /> : null}
      <AppointmentPanel order={order} zone={zone} codes={reply?.codes ?? null} formKey={formKey} />
      <PhotosPanel photos={order.photos} />
      {order.delivery.parcels.length > 0 ? <ParcelsPanel order={order} /> : null}
      <PaymentPanel order={order} />
    </>
  )
}

function Side({ reply, ...view }: PartProps) {
  const { order, timeline } = view
  return (
    <>
      <CustomerPanel order={order} />
      {order.conversation ? (
        <ConversationPanel
          conversation={order.conversation}
          note="This order"
          action={view.here}
          draft={{ text: view.saved }}
          refused={reply?.form === 'write' ? reply.reply : undefined}
        />
      ) : null}
      <TimelinePanel timeline={timeline} />
    </>
  )
}
