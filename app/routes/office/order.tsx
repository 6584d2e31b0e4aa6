import { data } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import { isFresh, requireFresh, requireStaff } from '#app/server/office.server.ts'
import { orderAction, type OrderReply } from '#app/server/office-order-forms.server.ts'
import {
  Notice,
  Acts,
  Columns,
  Facts,
  Panel,
  PanelBody,
  RefusedActs,
  Tag,
  Timer,
} from '#app/ui/office/office-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { readOfficeOrder } from '#app/views/office-order.server.ts'
import { readStory, storyKind, type StoryKind } from '#app/views/office-order-story.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { findScreening, isOpen } from '#domain/fraud/fraud.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { clockOf } from '#platform/time-text.ts'
import { orderActs } from '#app/views/office-order-acts.server.ts'
import { actsFor, openAct } from './order-acts.ts'
import { LedgerPanel, LinesPanel, ParcelsPanel, AppointmentPanel } from './order-panels.tsx'
import { NotePanel, RefundPanel, RefundsPanel } from './order-refund.tsx'
import { StoryPanel } from './order-story.tsx'
import { VinPanel } from './order-vin.tsx'
import type { Shop } from '#shop'
import type { Route } from './+types/order.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Order S-${params.orderId}`, officePaths.officeOrder(Number(params.orderId)))

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const orderId = orderIdOf(params.orderId)
  const staff = await requireStaff(context, 'orders.read', officePaths.officeOrder(orderId))
  const { shop, session } = staff
  const found = await readOfficeOrder(shop, orderId, session)
  if (!found) throw data(null, { status: 404 })
  const { order, view } = found
  const { refundable, noRefund, ...shown } = view
  const act = openAct(url.searchParams.get('act'))
  const show = storyKind(url.searchParams.get('show'))
  const may = {
    refund: staffCan(session.roles, 'refunds.make'),
    approve: staffCan(session.roles, 'refunds.approve'),
    note: staffCan(session.roles, 'orders.note'),
  }
  return {
    order: shown,
    acts: actsFor(
      session.roles,
      { orderId, noRefund, leftCents: refundable.leftCents },
      { open: act, others: orderActs(order, session.roles, shop.clock.now()) },
    ),
    act,
    may,
    isFresh: isFresh(staff),
    done: doneNews(url.searchParams.get('done')),
    // A form that was left to sign in again brings its values back.
    typed: readTyped(url.searchParams.get('typed')),
    units: refundable.lines.map(({ lineNo, kind, description, quantity, refundedUnits }) => ({
      lineNo,
      kind,
      name: description,
      quantity,
      left: quantity - refundedUnits,
    })),
    limit: formatCents(refundable.limitCents),
    held: staffCan(session.roles, 'held-orders.read') ? await heldNotice(shop, orderId) : null,
    // Not "key", which React keeps for itself.
    formKey: newId(),
    story: await readStory(shop, order, { show, seesCustomer: customerFieldsFor(session.roles).isShown }),
    show,
    zone: clockOf(order.timeZone, order.placedAt.toZonedDateTimeISO(order.timeZone).toPlainDate()).zone,
  }
}

/** Why the fraud rules hold the order, while they do. */
async function heldNotice(shop: Shop, orderId: number): Promise<string | null> {
  const screening = await findScreening(shop, orderId)
  return screening && isOpen(screening) ? screening.reasons.map(({ words }) => words).join(' ') : null
}

/** `preview` shows a refund, `refund` makes it; `approve`, `decline` and `retry` are about one; `note` adds a note, `vin` records a VIN. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const orderId = orderIdOf(params.orderId)
  const path = officePaths.officeOrder(orderId)
  const staff = await requireStaff(context, 'orders.read', path)
  const fields = await readForm(request)
  if (fields.get('intent') === 'approve') requireFresh(staff, path)
  return orderAction(staff, { orderId, fields })
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
  drafted: 'The refund waits for a second person to approve it.',
  approved: 'Refund approved. We’ll email the customer when the money is sent.',
  declined: 'The refund is declined. Nothing was paid out.',
  retried: 'The provider is asked again.',
  noted: 'The note is added.',
  vin: 'The VIN is recorded.',
  confirm: 'The order is confirmed, and the customer was emailed.',
  question: 'The customer was asked to confirm the order.',
  address: 'The address is changed.',
  appointment: 'The appointment is moved, and the customer was emailed.',
  place: 'Done, and the customer was emailed. The story below says where the tires go.',
  cancel: 'The order is canceled, and the customer was emailed.',
  lines: 'The lines are canceled, and the customer is emailed.',
  resend: 'The email is on its way again.',
} as const

function doneNews(asked: string | null): string | null {
  return asked !== null && Object.hasOwn(news, asked) ? news[asked as keyof typeof news] : null
}

export default function OfficeOrder({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { order, done, held } = loaderData
  return (
    <OfficePage
      title={order.number}
      tags={
        <>
          <Tag tone={order.state.tone}>{order.state.label}</Tag>
          {order.timer ? <Timer tone={order.timer.tone}>{order.timer.text}</Timer> : null}
        </>
      }
    >
      <Facts facts={order.facts} />
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      {reply?.problem ? <Notice tone="stop" title={reply.problem} isNews /> : null}
      {held ? (
        <Notice tone="signal" title="Held for review: nothing is charged or shipped">
          <p>
            {held} <a href={officePaths.officeHeldOrder(order.id)}>Decide</a>
          </p>
        </Notice>
      ) : null}
      {order.notices.map(({ tone, title, text }) => (
        <Notice key={title} tone={tone} title={title}>
          <p>{text}</p>
        </Notice>
      ))}
      <Columns
        first={<ActsPanel acts={loaderData.acts} />}
        body={<Body {...loaderData} reply={reply} />}
        last={<StoryPanel {...loaderData} kinds={storyKindNames} />}
      />
    </OfficePage>
  )
}

const storyKindNames = {
  order: 'Order',
  parcels: 'Parcels',
  email: 'Email',
  money: 'Money',
  staff: 'Staff',
} as const satisfies Record<StoryKind, string>

export type OrderPageView = Route.ComponentProps['loaderData']

function ActsPanel({ acts: { possible, refused } }: Pick<OrderPageView, 'acts'>) {
  return (
    <Panel id="acts" title="What you can do">
      {possible.length > 0 ? (
        <PanelBody>
          <Acts acts={possible} />
        </PanelBody>
      ) : null}
      {refused.length > 0 ? (
        <PanelBody>
          <RefusedActs refused={refused} />
        </PanelBody>
      ) : null}
    </Panel>
  )
}

function Body({ reply, ...view }: OrderPageView & { reply: OrderReply | undefined }) {
  const { order, act, may } = view
  const isRefund = reply ? reply.form === 'refund' : act === 'refund'
  const isNote = reply ? reply.form === 'note' : act === 'note'
  const isVin = reply ? reply.form === 'vin' : act === 'vin'
  return (
    <>
      <LinesPanel order={order} />
      {may.refund && isRefund ? <RefundPanel view={view} reply={reply} /> : null}
      {may.note && isNote ? <NotePanel orderId={order.id} noteKey={view.formKey} reply={reply?.reply} /> : null}
      {may.note && isVin ? <VinPanel orderId={order.id} reply={reply?.reply} /> : null}
      {order.refunds.length > 0 ? <RefundsPanel view={view} /> : null}
      {order.parcels.length > 0 ? <ParcelsPanel order={order} /> : null}
      {order.appointment ? <AppointmentPanel appointment={order.appointment} zone={view.zone} /> : null}
      <LedgerPanel order={order} />
    </>
  )
}
