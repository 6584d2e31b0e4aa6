import { z } from 'zod'
import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber, pickupStateWords, wrongCodeMinutes, type PickupState } from '#domain/orders/orders.ts'
import { selectPickup } from '#domain/orders/orders.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { handOverForm } from '#domain/warehouse-pickups/warehouse-pickups.ts'
import {
  endMissedPickup,
  handOverPickup,
  makePickupReady,
  type HandOverRefusal,
} from '#domain/warehouse-pickups/warehouse-pickups.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dayText } from '#platform/day-text.ts'
import { newId } from '#platform/ids.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/pickup.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Pickup of ${loaderData.number}` : 'Pickup', officePaths.officePickups())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const orderId = idOf(params.orderId)
  const { shop, session } = await requireStaff(context, 'pickups.read', officePaths.officePickup(orderId))
  const pickup = await selectPickup(shop, orderId)
  if (!pickup) throw new Response(null, { status: 404 })
  const when = (at: Temporal.Instant) => timeText(at, pickup.timeZone)
  const rows: [string, string][] = [
    ['Name', `${pickup.firstName} ${pickup.lastName}`],
    ['Warehouse', pickup.warehouse],
    ['Tires', pickup.items.join(', ')],
    ['Ready by', when(pickup.readyBy)],
  ]
  if (pickup.readyAt) rows.push(['Ready', when(pickup.readyAt)])
  if (pickup.keepUntil) rows.push(['Kept until', dayText(Temporal.PlainDate.from(pickup.keepUntil))])
  if (pickup.handedOverAt) rows.push(['Handed over', `${when(pickup.handedOverAt)} by ${pickup.handedOverBy ?? ''}`])
  return {
    number: orderNumber(orderId),
    orderPath: officePaths.officeOrder(orderId),
    state: pickup.state,
    tires: pickup.tires,
    name: `${pickup.firstName} ${pickup.lastName}`,
    rows,
    key: newId(),
    mayAct: staffCan(session.roles, 'pickups.hand-over'),
    mayCancel: staffCan(session.roles, 'orders.cancel-lines'),
    news: news[url.searchParams.get('done') ?? ''] ?? null,
  }
}

function idOf(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Response(null, { status: 404 })
  return Number(text)
}

const missedForm = z.object({ key: z.uuid('Open the page again.') })

export async function action({ request, context, params }: Route.ActionArgs) {
  const orderId = idOf(params.orderId)
  const { shop, actor } = await requireStaff(context, 'pickups.hand-over', officePaths.officePickup(orderId))
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'ready': {
      const done = await makePickupReady(shop, actor, orderId)
      return done.ok ? seeOther(officePaths.officePickup(orderId, 'ready')) : refuse(fields, done.reason)
    }
    case 'hand-over': {
      const checked = checkForm(handOverForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const done = await handOverPickup(shop, actor, { orderId, ...checked.value })
      return done.ok ? seeOther(officePaths.officePickup(orderId, 'handed-over')) : refuseHandOver(fields, done)
    }
    case 'missed': {
      const checked = checkForm(missedForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      const done = await endMissedPickup(shop, actor, { orderId, ...checked.value })
      return done.ok ? seeOther(officePaths.officeOrder(orderId)) : refuse(fields, done.reason)
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

const moved = {
  words: 'This order changed in the meantime. Nothing was done; open it to see how it stands.',
  status: 409,
}
const refusals: Readonly<Record<string, { words: string; status: number }>> = {
  'not-allowed': { words: 'Your role changed in the meantime. Nothing was changed.', status: 403 },
  'pickup-not-found': { words: 'There is no such pickup.', status: 404 },
  'not-ready': { words: 'This order is not ready yet.', status: 409 },
  'not-overdue': { words: 'It is still kept for its buyer.', status: 409 },
  'too-many-codes': {
    words: `Too many wrong codes. Try again in ${countOf(wrongCodeMinutes, 'minute')}.`,
    status: 429,
  },
}

function refuse(fields: URLSearchParams, reason: string) {
  const { words, status } = refusals[reason] ?? moved
  return refuseForm(formRefusal(fields, words), status)
}

function refuseHandOver(fields: URLSearchParams, refusal: HandOverRefusal) {
  if (refusal.reason === 'wrong-code') {
    const { left } = refusal.detail
    const words = `This is not the code of this order. ${countOf(left, 'attempt is', 'attempts are')} left.`
    return refuseForm(formRefusal(fields, words, { code: words }))
  }
  if (refusal.reason === 'pieces') {
    const words = `The order has ${countOf(refusal.detail.tires, 'tire')}. Count them again.`
    return refuseForm(formRefusal(fields, words, { pieces: words }))
  }
  return refuse(fields, refusal.reason)
}

const news: Readonly<Record<string, string>> = {
  ready: 'Ready. The buyer has the pickup code by email.',
  'handed-over': 'Handed over.',
}

const tones = { preparing: 'signal', ready: 'go', overdue: 'stop', 'handed-over': 'plain' } as const

export default function PickupPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { number, orderPath, state, rows, mayAct, news: done } = loaderData
  return (
    <OfficePage
      title={`Pickup of ${number}`}
      crumbs={[{ label: 'Warehouse pickups', path: officePaths.officePickups() }]}
      tags={<Tag tone={tones[state]}>{pickupStateWords[state]}</Tag>}
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      <Columns
        body={
          <Panel id="pickup" title="Pickup">
            <PanelBody>
              <KeyValues rows={rows} />
              <p>
                <a href={orderPath}>Order {number}</a>
              </p>
            </PanelBody>
          </Panel>
        }
        first={
          mayAct && state !== 'handed-over' ? (
            <CounterForms state={state} loaded={loaderData} reply={reply} />
          ) : undefined
        }
      />
    </OfficePage>
  )
}

type Loaded = Route.ComponentProps['loaderData']

function CounterForms({ state, loaded, reply }: { state: PickupState; loaded: Loaded; reply: FormReply | undefined }) {
  if (state === 'preparing')
    return (
      <Panel id="act" title="Make ready" isOpen>
        <PanelBody>
          <ErrorSummary reply={reply} labels={{}} />
          <form method="post" className="stack">
            <p>Put the tires at the counter with the order number on them. The buyer then gets the pickup code.</p>
            <button className="btn primary" name="intent" value="ready">
              Ready to pick up
            </button>
          </form>
        </PanelBody>
      </Panel>
    )
  return (
    <>
      <HandOverPanel loaded={loaded} reply={reply} />
      {state === 'overdue' && loaded.mayCancel ? (
        <Panel id="missed" title="Nobody came">
          <PanelBody>
            <form method="post" className="stack">
              <input type="hidden" name="key" value={loaded.key} />
              <p>The tires go back to stock, and everything paid goes back to the buyer.</p>
              <button className="btn" name="intent" value="missed">
                Restock and refund
              </button>
            </form>
          </PanelBody>
        </Panel>
      ) : null}
    </>
  )
}

function HandOverPanel({ loaded: { name, tires }, reply }: { loaded: Loaded; reply: FormReply | undefined }) {
  return (
    <Panel id="act" title="Hand over" isOpen>
      <PanelBody>
        <ErrorSummary reply={reply} labels={{ code: 'Pickup code', pieces: 'Tires', id: 'ID' }} />
        <form method="post" className="stack" noValidate>
          <Field
            name="code"
            label="Pickup code"
            reply={reply}
            value={null}
            inputMode="numeric"
            autoComplete="off"
            maxLength={20}
            hint="Six digits from the buyer’s email or order page"
          />
          <Field
            name="pieces"
            label={`Tires, ${tires} in all`}
            reply={reply}
            value={null}
            inputMode="numeric"
            maxLength={3}
          />
          <label className="check">
            <input type="checkbox" name="id" value="1" />
            <span>The ID shows {name}</span>
          </label>
          <p>
            <button className="btn primary" name="intent" value="hand-over">
              Hand over
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}
