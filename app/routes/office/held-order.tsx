import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, TextAreaField } from '#app/ui/field.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Panel, PanelBody, Tag, Timer } from '#app/ui/office/office-parts.tsx'
import { timerTo } from '#app/views/office-times.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { decideHeldOrder, findScreening, isOpen } from '#domain/fraud/fraud.server.ts'
import { outcomeWords } from '#domain/fraud/fraud.ts'
import { readOrder } from '#domain/orders/orders.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/held-order.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Held order ${loaderData.number}` : 'Held order', officePaths.officeHeldOrders())

const mostNote = 500

export async function loader({ context, params }: Route.LoaderArgs) {
  const orderId = orderIdOf(params.orderId)
  const { shop, session } = await requireStaff(context, 'held-orders.read', officePaths.officeHeldOrder(orderId))
  const [screening, order] = await Promise.all([findScreening(shop, orderId), readOrder(shop.db, orderId)])
  if (!screening || !order) throw new Response(null, { status: 404 })
  const { dueAt, decidedAt, decidedBy, note } = screening
  const seesCustomer = customerFieldsFor(session.roles).isShown
  return {
    number: orderNumber(orderId),
    orderPath: officePaths.officeOrder(orderId),
    outcome: outcomeWords[screening.outcome],
    mayDecide: isOpen(screening) && staffCan(session.roles, 'held-orders.decide'),
    timer: isOpen(screening) && dueAt ? timerTo(dueAt, shop.clock.now()) : null,
    reasons: screening.reasons.map(({ words, outcome }) => ({ words, outcome: outcomeWords[outcome] })),
    facts: [
      ['Placed', timeText(screening.at, storeZone)],
      ['Total', formatCents(screening.totalCents)],
      ...(seesCustomer
        ? ([
            ['Email', screening.email],
            ['Customer', `${order.firstName} ${order.lastName}${order.company ? `, ${order.company}` : ''}`],
            ['Tires go to', `${order.shipTo.street}, ${order.shipTo.city}, ${order.shipTo.state} ${order.shipTo.zip}`],
          ] as [string, string][])
        : []),
      ...(decidedAt
        ? ([
            ['Decided', `${timeText(decidedAt, storeZone)} by ${decidedBy === 'store' ? 'the store' : decidedBy}`],
            ['Note', note ?? 'None'],
          ] as [string, string][])
        : []),
    ] as [string, string][],
  }
}

/** `accepted` lets the order go on, `canceled` gives all of it back. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const orderId = orderIdOf(params.orderId)
  const { shop, actor } = await requireStaff(context, 'held-orders.decide', officePaths.officeHeldOrder(orderId))
  const fields = await readForm(request)
  const decision = (['accepted', 'canceled'] as const).find((each) => each === fields.get('intent'))
  if (!decision) return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const note = (fields.get('note') ?? '').trim()
  if (note.length > mostNote)
    return refuseForm(
      formRefusal(fields, 'Fix 1 field:', { note: `Please keep this under ${countOf(mostNote, 'character')}.` }),
    )
  const decided = await decideHeldOrder(shop, { orderId, decision, note: note || null, by: actor })
  if (decided.ok) return seeOther(officePaths.officeHeldOrders({ done: decision }))
  const words = decided.reason === 'not-possible' ? decided.detail.why : refusals[decided.reason]
  return refuseForm(formRefusal(fields, words), decided.reason === 'not-allowed' ? 403 : 409)
}

const refusals = {
  'not-allowed': 'Your role changed in the meantime. Nothing was changed.',
  'order-not-found': 'The rules hold no such order.',
  over: 'This order does not wait any more: a colleague decided, or it was canceled.',
} as const

export default function HeldOrder({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { number, orderPath, outcome, mayDecide, timer, reasons, facts } = loaderData
  return (
    <OfficePage
      title={number}
      crumbs={[{ label: 'Held orders', path: officePaths.officeHeldOrders() }]}
      tags={
        <>
          <Tag tone="signal">{outcome}</Tag>
          {timer ? <Timer tone={timer.tone}>{timer.words}</Timer> : null}
        </>
      }
    >
      <Columns
        body={
          <>
            <Panel id="why" title="Why" note="For staff alone: the customer does not see this">
              <PanelBody>
                <KeyValues rows={reasons.map(({ words, outcome: what }) => [what, words])} />
              </PanelBody>
            </Panel>
            <Panel id="order" title="Order" end={<a href={orderPath}>Open the order</a>}>
              <PanelBody>
                <KeyValues rows={facts} />
              </PanelBody>
            </Panel>
          </>
        }
        first={
          mayDecide ? (
            <Panel id="decide" title="Decide" isOpen>
              <PanelBody>
                <ErrorSummary reply={reply} />
                <form method="post" noValidate>
                  <TextAreaField
                    name="note"
                    label="Note"
                    reply={reply}
                    rows={3}
                    maxLength={mostNote}
                    isRequired={false}
                    hint="What you found out. Staff alone read it."
                  />
                  <button className="btn primary" name="intent" value="accepted">
                    Accept the order
                  </button>{' '}
                  <button className="btn stop" name="intent" value="canceled">
                    Cancel the order
                  </button>
                </form>
                <p className="muted">
                  Undecided, it is canceled when the time is over. The card is only authorized until then.
                </p>
              </PanelBody>
            </Panel>
          ) : undefined
        }
      />
    </OfficePage>
  )
}
