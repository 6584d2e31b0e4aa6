import { heldOrderActions } from '#app/office/actions/held-orders.server.ts'
import { decideActions, found, shownRows } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Tag, Timer } from '#app/ui/office/office-parts.tsx'
import { timerTo } from '#app/views/office/times.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { findScreening, isOpen } from '#domain/ordering/fraud/fraud.server.ts'
import { longestScreeningNote, outcomeWords } from '#domain/ordering/fraud/fraud.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/held-order.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Held order ${loaderData.number}` : 'Held order', officePaths.officeHeldOrders())

export async function loader({ context, params }: Route.LoaderArgs) {
  const orderId = orderIdOf(params.orderId)
  const { app, session } = await requireStaff(context, 'held-orders.read', officePaths.officeHeldOrder(orderId))
  const screening = found(await findScreening(app, orderId))
  const { firstName, lastName, company, shipTo } = found(await readOrder(app.db, orderId))
  const { dueAt, decidedAt, decidedBy, note, reasons } = screening
  const customer = customerFieldsFor(session.roles).isShown
    ? [screening.email, `${firstName} ${lastName}${company ? `, ${company}` : ''}`]
    : []
  return {
    number: orderNumber(orderId),
    orderPath: officePaths.officeOrder(orderId),
    outcome: outcomeWords[screening.outcome],
    mayDecide: isOpen(screening) && staffCan(session.roles, 'held-orders.decide'),
    timer: isOpen(screening) && dueAt ? timerTo(dueAt, app.clock.now()) : null,
    reasons: reasons.map(({ words, outcome }): [string, string] => [outcomeWords[outcome], words]),
    facts: shownRows([
      ['Placed', timeText(screening.at, storeZone)],
      ['Total', formatCents(screening.totalCents)],
      ['Email', customer[0]],
      ['Customer', customer[1]],
      ['Ship to', customer[0] && `${shipTo.street}, ${shipTo.city}, ${shipTo.state} ${shipTo.zip}`],
      [
        'Decided',
        decidedAt && `${timeText(decidedAt, storeZone)} by ${decidedBy === 'store' ? 'the store' : decidedBy}`,
      ],
      ['Note', decidedAt && (note ?? 'None')],
    ]),
  }
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: args.params.orderId,
      path: () => officePaths.officeHeldOrder(orderIdOf(args.params.orderId)),
      done: {
        accept: officePaths.officeHeldOrders({ done: 'accepted' }),
        cancel: officePaths.officeHeldOrders({ done: 'canceled' }),
      },
    },
    heldOrderActions,
  )

export default function HeldOrder({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { number, orderPath, outcome, mayDecide, timer, reasons, facts } = loaderData
  return (
    <DetailPage
      title={number}
      crumbs={[{ label: 'Held orders', path: officePaths.officeHeldOrders() }]}
      tags={
        <>
          <Tag tone="signal">{outcome}</Tag>
          {timer ? <Timer tone={timer.tone}>{timer.words}</Timer> : null}
        </>
      }
      reply={reply}
      body={
        <>
          <FactsPanel id="why" title="Why" note="Only staff see this" rows={reasons} />
          <FactsPanel id="order" title="Order" end={<a href={orderPath}>Open the order</a>} rows={facts} />
        </>
      }
      forms={
        mayDecide ? (
          <FormPanel
            id="decide"
            title="Review"
            isOpen
            reply={reply}
            fields={{
              note: {
                label: 'Note',
                kind: 'area',
                rows: 3,
                max: longestScreeningNote,
                isOptional: true,
                hint: 'What you found out. Only staff see it.',
              },
            }}
            buttons={[button('accept', 'Accept the order', 'primary'), button('cancel', 'Cancel the order', 'stop')]}
            note="If the time runs out, the order is canceled. Until then, the card is only authorized."
          />
        ) : undefined
      }
    />
  )
}
