import type { FormReply } from '#app/forms/form.ts'
import { purchaseActions } from '#app/office/actions/purchases.server.ts'
import { decideActions, doneNews, found, shownRows } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Notice, Tag, type Tone } from '#app/ui/office/office-parts.tsx'
import { landedText } from '#app/views/office/landed-text.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listSources, type SourceOption } from '#domain/ordering/orders/orders.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { findPurchaseOrder, type PurchaseOrderDetail } from '#domain/supply/stock/stock.server.ts'
import { purchaseOrderNumber, purchaseOrderStateNames, type PurchaseOrderState } from '#domain/supply/stock/stock.ts'
import { dayText } from '#platform/day-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/purchase-order.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Purchase order ${params.id}`, officePaths.officePurchaseOrders())

function idOf(text: string): number {
  return Number(found(/^\d{1,15}$/.exec(text)?.[0]))
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = idOf(params.id)
  const { app, session } = await requireStaff(context, 'suppliers.read', officePaths.officePurchaseOrder(id))
  const order = found(await findPurchaseOrder(app.db, id))
  const maySource = order.state === 'rejected' && staffCan(session.roles, 'suppliers.source')
  const sources = maySource ? await listSources(app, id) : []
  const seesCosts = staffCan(session.roles, 'reports.read')
  const { messages, lines, ...rest } = order
  return {
    news: doneNews(url, news),
    mayAnswer: staffCan(session.roles, 'suppliers.answer'),
    maySource,
    id,
    orderId: order.orderId,
    state: order.state,
    reason: order.rejectReason,
    facts: [...factsOf(rest), ...shownRows([['Cost', seesCosts ? costOf(lines) : null]])],
    lines: lines.map(({ unitCostCents: _price, freightCents: _freight, ...line }) => line),
    messages: messages.map(({ receivedAt, ...message }) => ({ ...message, at: timeText(receivedAt, storeZone) })),
    sources: sources.map((source) => ({ warehouseId: source.warehouseId, words: sourceText(source, { seesCosts }) })),
  }
}

/** "EASTCHI East Chicago, East Wholesale, arrives Thu, Dec 3, $246.00 with $16.00 freight" */
function sourceText(
  { code, name, supplier, arrivesOn, costCents, freightCents, obstacle }: SourceOption,
  { seesCosts }: { seesCosts: boolean },
): string {
  return [
    `${code} ${name}`,
    supplier ?? 'ours',
    arrivesOn && `arrives ${dayText(arrivesOn)}`,
    obstacle === 'late' && 'after the promised day',
    seesCosts && (costCents === null ? 'cost unknown' : landedText({ costCents, freightCents })),
    seesCosts && obstacle === 'loss' && 'more than the customer paid',
  ]
    .filter((part) => typeof part === 'string')
    .join(', ')
}

/** The cost of all units with freight; null if a price is unknown. */
function costOf(lines: PurchaseOrderDetail['lines']): string | null {
  const freightCents = lines.reduce((sum, { quantity, freightCents: each }) => sum + quantity * each, 0)
  const cents = lines.reduce<number | null>(
    (sum, { quantity, unitCostCents: each }) => (sum === null || each === null ? null : sum + quantity * each),
    0,
  )
  return cents === null ? null : landedText({ costCents: cents + freightCents, freightCents })
}

function factsOf(order: Omit<PurchaseOrderDetail, 'messages' | 'lines'>): [string, string][] {
  const at = (instant: Temporal.Instant | null) => instant && timeText(instant, storeZone)
  return shownRows([
    ['Supplier', order.supplier],
    ['Ships from', order.warehouse],
    ['Sent by', order.isWired ? 'Purchasing network' : 'Staff'],
    ['Released', at(order.releasedAt)],
    ['Received by supplier', at(order.sentAt)],
    ['Answered', at(order.answeredAt)],
    ['Supplier order number', order.reference],
    ['Withdrawn', at(order.withdrawnAt)],
    ['Shipped', order.shippedAt && [at(order.shippedAt), order.shipNotice].join(', ')],
  ])
}

export const action = (args: Route.ActionArgs) => {
  const id = idOf(args.params.id)
  return decideActions(
    args,
    {
      id: args.params.id,
      path: (done) => officePaths.officePurchaseOrder(id, done),
      done: { accepted: 'answered', rejected: 'answered', again: 'answered', elsewhere: 'moved' },
    },
    purchaseActions,
  )
}

const tones: Partial<Record<PurchaseOrderState, Tone>> = { accepted: 'go', rejected: 'stop', released: 'signal' }
const news = { answered: 'Answer recorded', moved: 'Ordered from another warehouse' }

type Loaded = Route.ComponentProps['loaderData']

export default function PurchaseOrderPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { id, orderId, state, reason, lines, messages } = loaderData
  return (
    <DetailPage
      title={purchaseOrderNumber(id)}
      crumbs={[
        { label: 'Stock', path: officePaths.officeStock() },
        { label: 'Purchase orders', path: officePaths.officePurchaseOrders({ state }) },
      ]}
      news={loaderData.news}
      reply={reply}
      body={
        <>
          <TablePanel
            id="lines"
            title="Units"
            note="all or none"
            columns={{
              sku: 'Tire',
              quantity: 'Ordered',
              filled: 'Filled',
              rejected: 'Rejected',
              backordered: 'Backordered',
            }}
            amounts={['quantity', 'filled', 'rejected', 'backordered']}
            rows={lines.map(({ lineNo, itemId, sku, ...units }) => ({
              id: String(lineNo),
              cells: { ...units, sku: <a href={officePaths.officeStockItem(itemId)}>{sku}</a> },
            }))}
          />
          <TablePanel
            id="messages"
            title="From the supplier"
            note="newest first, Eastern Time"
            empty="No messages."
            columns={{ at: 'When', summary: 'Message' }}
            rows={messages.map(({ payloadId, ...cells }) => ({ id: payloadId, cells }))}
          />
        </>
      }
      side={
        <>
          <FactsPanel
            id="facts"
            title="Order"
            note="Eastern Time"
            rows={[
              [
                'State',
                <Tag key="state" tone={tones[state] ?? 'plain'}>
                  {purchaseOrderStateNames[state]}
                </Tag>,
              ],
              [
                'For',
                <a key="order" href={officePaths.officeOrder(orderId)}>
                  {orderNumber(orderId)}
                </a>,
              ],
              ...loaderData.facts,
            ]}
          />
          {state === 'released' && loaderData.mayAnswer ? <AnswerForms reply={reply} /> : null}
          {state === 'rejected' ? <RejectedForms loaded={loaderData} reply={reply} /> : null}
        </>
      }
    >
      {state === 'rejected' && reason ? (
        <Notice tone="stop" title="The supplier rejected this purchase order">
          <p>{reason}</p>
        </Notice>
      ) : null}
    </DetailPage>
  )
}

type Reply = { reply: FormReply | undefined }

function AnswerForms({ reply }: Reply) {
  return (
    <>
      <FormPanel
        id="accept"
        title="Accepted by the supplier"
        reply={reply}
        text="The supplier confirms all units or rejects the order. We then create the shipping label."
        fields={{ reference: { label: 'Supplier order number', max: 60 } }}
        buttons={[button('accepted', 'Record as accepted', 'primary')]}
      />
      <FormPanel
        id="reject"
        title="Rejected by the supplier"
        reply={reply}
        fields={{ reason: { label: 'Reason', max: 400 } }}
        buttons={[button('rejected', 'Record as rejected', 'stop')]}
      />
    </>
  )
}

function RejectedForms({ loaded: { mayAnswer, maySource, sources }, reply }: Reply & { loaded: Loaded }) {
  const choices = sources.map(({ warehouseId, words }): [string, string] => [String(warehouseId), words])
  return (
    <>
      {maySource ? (
        <FormPanel
          id="elsewhere"
          title="Order from another warehouse"
          isOpen
          reply={reply}
          text={
            sources.length === 0
              ? 'No other warehouse has all of the units.'
              : 'We choose the lowest cost with freight among warehouses that deliver on time without a loss. If none does, choose one here. If the units arrive later than promised, we notify the customer, and they can cancel.'
          }
          fields={
            sources.length === 0
              ? {}
              : { warehouse: { label: 'Warehouse', kind: 'choice', options: [['', 'Choose'], ...choices] } }
          }
          buttons={sources.length === 0 ? [] : [button('elsewhere', 'Order from this warehouse', 'primary')]}
        />
      ) : null}
      {mayAnswer ? (
        <FormPanel
          id="again"
          title="Ask the supplier again"
          reply={reply}
          text="To cancel and refund instead, open the order."
          buttons={[button('again', 'Ask again')]}
        />
      ) : null}
    </>
  )
}
