import type { FormReply } from '#app/forms/form.ts'
import { pickupActions } from '#app/office/actions/pickups.server.ts'
import { decideActions, doneNews, found, shownRows, step } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { pickupStateWords, wrongCodeMinutes } from '#domain/ordering/orders/orders.ts'
import { selectPickup } from '#domain/ordering/orders/orders.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { handOverForm } from '#domain/ordering/warehouse-pickups/warehouse-pickups.ts'
import { handOverPickup } from '#domain/ordering/warehouse-pickups/warehouse-pickups.server.ts'
import { dayText } from '#platform/day-text.ts'
import { newId } from '#platform/ids.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/pickup.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Pickup of ${loaderData.number}` : 'Pickup', officePaths.officePickups())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const orderId = idOf(params.orderId)
  const { app, session } = await requireStaff(context, 'pickups.read', officePaths.officePickup(orderId))
  const pickup = found(await selectPickup(app, orderId))
  const when = (at: Temporal.Instant) => timeText(at, pickup.timeZone)
  const name = `${pickup.firstName} ${pickup.lastName}`
  const { readyAt, keepUntil, handedOverAt, handedOverBy } = pickup
  return {
    number: orderNumber(orderId),
    orderPath: officePaths.officeOrder(orderId),
    state: pickup.state,
    tires: pickup.tires,
    name,
    rows: shownRows([
      ['Name', name],
      ['Warehouse', pickup.warehouse],
      ['Tires', pickup.items.join(', ')],
      ['Ready by', when(pickup.readyBy)],
      ['Ready', readyAt && when(readyAt)],
      ['Held until', keepUntil && dayText(Temporal.PlainDate.from(keepUntil))],
      ['Picked up', handedOverAt && `${when(handedOverAt)}, released by ${handedOverBy ?? ''}`],
    ]),
    key: newId(),
    mayAct: staffCan(session.roles, 'pickups.hand-over'),
    mayCancel: staffCan(session.roles, 'orders.cancel-lines'),
    news: doneNews(url, news),
  }
}

function idOf(text: string): number {
  return Number(found(/^[1-9]\d{0,14}$/.exec(text)?.[0]))
}

export const action = (args: Route.ActionArgs) => {
  const orderId = idOf(args.params.orderId)
  return decideActions(
    args,
    {
      id: String(orderId),
      path: (done) => officePaths.officePickup(orderId, done),
      done: { ready: 'ready', missed: officePaths.officeOrder(orderId) },
      // Staff check the customer's ID, so programs can't release tires.
      more: {
        steps: ({ app, by }) => ({
          'hand-over': step(handOverForm, (counted) => handOverPickup(app, by, { orderId, ...counted }), 'handed-over'),
        }),
        refusals: {
          'pickup-not-found': { text: 'Pickup not found.', status: 404 },
          'not-ready': 'This order isn’t ready yet.',
          'too-many-codes': {
            text: `Too many wrong codes. Try again in ${countOf(wrongCodeMinutes, 'minute')}.`,
            status: 429,
          },
          'wrong-code': ({ left }) => ({
            field: 'code',
            text: `This isn’t the code of this order. ${countOf(left, 'attempt is', 'attempts are')} left.`,
            status: 422,
          }),
          pieces: ({ tires }) => ({
            field: 'pieces',
            text: `The order has ${countOf(tires, 'tire')}. Count them again.`,
          }),
        },
      },
    },
    pickupActions,
  )
}

const news = { ready: 'Ready. We emailed the customer the pickup code.', 'handed-over': 'Released to the customer.' }

const tones = { preparing: 'signal', ready: 'go', overdue: 'stop', 'handed-over': 'plain' } as const

export default function PickupPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { number, orderPath, state, rows, mayAct } = loaderData
  return (
    <DetailPage
      title={`Pickup of ${number}`}
      crumbs={[{ label: 'Warehouse pickups', path: officePaths.officePickups() }]}
      tags={<Tag tone={tones[state]}>{pickupStateWords[state]}</Tag>}
      news={loaderData.news}
      reply={reply}
      body={
        <FactsPanel id="pickup" title="Pickup" rows={rows}>
          <p>
            <a href={orderPath}>Order {number}</a>
          </p>
        </FactsPanel>
      }
      forms={mayAct && state !== 'handed-over' ? <CounterForms loaded={loaderData} reply={reply} /> : undefined}
    />
  )
}

type Props = { loaded: Route.ComponentProps['loaderData']; reply: FormReply | undefined }

function CounterForms({ loaded: { state, name, tires, key, mayCancel }, reply }: Props) {
  if (state === 'preparing')
    return (
      <FormPanel
        id="act"
        title="Prepare"
        isOpen
        reply={reply}
        text="Put the tires at the counter, labeled with the order number. We then email the customer the pickup code."
        buttons={[button('ready', 'Ready to pick up', 'primary')]}
      />
    )
  return (
    <>
      <FormPanel
        id="act"
        title="Release to customer"
        isOpen
        reply={reply}
        fields={{
          code: {
            label: 'Pickup code',
            kind: 'number',
            max: 20,
            hint: 'Six digits from the customer’s email or order page.',
          },
          pieces: { label: `Tires, ${tires} in total`, kind: 'number', max: 3 },
          id: { label: `The ID shows ${name}`, kind: 'tick' },
        }}
        buttons={[button('hand-over', 'Release', 'primary')]}
      />
      {state === 'overdue' && mayCancel ? (
        <FormPanel
          id="missed"
          title="Unclaimed"
          reply={reply}
          hidden={{ key }}
          text="Restocks the tires and refunds the customer in full."
          buttons={[button('missed', 'Restock and refund')]}
        />
      ) : null}
    </>
  )
}
