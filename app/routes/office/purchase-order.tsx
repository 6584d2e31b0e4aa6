import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody, Tag, type Tone } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { listSources, reSource } from '#domain/orders/orders.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { answerPurchaseOrder, findPurchaseOrder, type PurchaseOrderDetail } from '#domain/stock/stock.server.ts'
import {
  purchaseOrderForm,
  purchaseOrderNumber,
  purchaseOrderStateNames,
  type PurchaseOrderState,
} from '#domain/stock/stock.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { dayText } from '#platform/day-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/purchase-order.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Purchase order ${params.id}`, officePaths.officePurchaseOrders())

const notFound = () => new Response(null, { status: 404 })

function idOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound()
  return Number(text)
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = idOf(params.id)
  const { shop, session } = await requireStaff(context, 'suppliers.read', officePaths.officePurchaseOrder(id))
  const order = await findPurchaseOrder(shop.db, id)
  if (!order) throw notFound()
  const maySource = order.state === 'rejected' && staffCan(session.roles, 'suppliers.source')
  const sources = maySource ? await listSources(shop, id) : []
  const { messages, lines, ...rest } = order
  return {
    done: url.searchParams.get('done'),
    mayAnswer: staffCan(session.roles, 'suppliers.answer'),
    maySource,
    id,
    orderId: order.orderId,
    state: order.state,
    reason: order.rejectReason,
    facts: factsOf(rest),
    lines,
    messages: messages.map(({ receivedAt, ...message }) => ({ ...message, at: timeText(receivedAt, storeZone) })),
    sources: sources.map(({ warehouseId, code, name, supplier, arrivesOn }) => ({
      warehouseId,
      words: [`${code} ${name}`, supplier ?? 'ours', ...(arrivesOn ? [`arrives ${dayText(arrivesOn)}`] : [])].join(
        ', ',
      ),
    })),
  }
}

function factsOf(order: Omit<PurchaseOrderDetail, 'messages' | 'lines'>): [string, string][] {
  const at = (instant: Temporal.Instant | null) => instant && timeText(instant, storeZone)
  const rows: [string, string | null][] = [
    ['Supplier', order.supplier],
    ['Ships from', order.warehouse],
    ['Sent by', order.isWired ? 'Purchasing network' : 'Staff'],
    ['Released', at(order.releasedAt)],
    ['Taken by the supplier', at(order.sentAt)],
    ['Answered', at(order.answeredAt)],
    ['Supplier’s number', order.reference],
    ['Withdrawn', at(order.withdrawnAt)],
    ['Shipped', order.shippedAt && [at(order.shippedAt), order.shipNotice].join(', ')],
  ]
  return rows.flatMap(([label, value]) => (value === null ? [] : [[label, value]]))
}

/** Records a supplier's answer, asks again (`answerPurchaseOrder`), or takes the units from elsewhere (`reSource`). */
export async function action({ request, context, params }: Route.ActionArgs) {
  const id = idOf(params.id)
  // Another warehouse takes a permission of its own, which `reSource` asks for.
  const { shop, actor } = await requireStaff(context, 'suppliers.answer', officePaths.officePurchaseOrder(id))
  const fields = await readForm(request)
  const checked = checkForm(purchaseOrderForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { value } = checked
  const recorded =
    value.intent === 'elsewhere'
      ? await reSource(shop, { id, warehouseId: value.warehouse, by: actor })
      : await answerPurchaseOrder(shop, { answer: { ...value, id }, by: actor })
  if (recorded.ok)
    return seeOther(officePaths.officePurchaseOrder(id, value.intent === 'elsewhere' ? 'moved' : 'answered'))
  switch (recorded.reason) {
    case 'not-allowed':
      return refuseForm(formRefusal(fields, 'Your role does not allow that. Nothing was changed.'), 403)
    case 'not-there':
      return refuseForm(
        formRefusal(fields, 'Fix 1 field:', { warehouse: 'This warehouse does not have all of it. Choose another.' }),
      )
    case 'other-state':
      return refuseForm(
        formRefusal(fields, 'This purchase order has moved on. Load the page again; nothing was changed.'),
        409,
      )
  }
}

const tones: Partial<Record<PurchaseOrderState, Tone>> = { accepted: 'go', rejected: 'stop', released: 'signal' }
const news: Record<string, string> = { answered: 'Answer recorded', moved: 'Ordered from another warehouse' }

type Loaded = Route.ComponentProps['loaderData']

export default function PurchaseOrderPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { id, orderId, state, reason, done } = loaderData
  const said = done && !reply ? news[done] : undefined
  const crumbs = [
    { label: 'Stock', path: officePaths.officeStock() },
    { label: 'Purchase orders', path: officePaths.officePurchaseOrders({ state }) },
  ]
  return (
    <OfficePage title={purchaseOrderNumber(id)} crumbs={crumbs}>
      {said ? <Notice tone="go" title={said} isNews /> : null}
      {state === 'rejected' && reason ? (
        <Notice tone="stop" title="The supplier rejected it">
          <p>{reason}</p>
        </Notice>
      ) : null}
      <Columns
        body={
          <>
            <LinePanel lines={loaderData.lines} />
            <MessagePanel messages={loaderData.messages} />
          </>
        }
        last={
          <>
            <Panel id="facts" title="Order" note="Eastern Time">
              <PanelBody>
                <KeyValues
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
              </PanelBody>
            </Panel>
            <Forms loaded={loaderData} reply={reply} />
          </>
        }
      />
    </OfficePage>
  )
}

function LinePanel({ lines }: Pick<Loaded, 'lines'>) {
  return (
    <Panel id="lines" title="Units" note="all of it, or none">
      <DataTable
        caption="Units"
        columns={[
          { key: 'sku', label: 'Tire', isRowHeader: true },
          { key: 'quantity', label: 'Ordered', isAmount: true },
          { key: 'filled', label: 'Filled', isAmount: true },
          { key: 'rejected', label: 'Rejected', isAmount: true },
          { key: 'backordered', label: 'Backordered', isAmount: true },
        ]}
        rows={lines.map(({ lineNo, itemId, sku, ...units }) => ({
          id: String(lineNo),
          cells: { ...units, sku: <a href={officePaths.officeStockItem(itemId)}>{sku}</a> },
        }))}
      />
    </Panel>
  )
}

function MessagePanel({ messages }: Pick<Loaded, 'messages'>) {
  return (
    <Panel id="messages" title="From the supplier" note="newest first, Eastern Time">
      {messages.length === 0 ? (
        <PanelBody>
          <p>No messages.</p>
        </PanelBody>
      ) : (
        <DataTable
          caption="Messages"
          columns={[
            { key: 'at', label: 'When', isRowHeader: true },
            { key: 'summary', label: 'Message' },
          ]}
          rows={messages.map(({ payloadId, ...cells }) => ({ id: payloadId, cells }))}
        />
      )}
    </Panel>
  )
}

/** What can be done with a purchase order in its state. */
function Forms({ loaded, reply }: { loaded: Loaded; reply: FormReply | undefined }) {
  const { state, mayAnswer, maySource, sources } = loaded
  const of = (intent: string) => (reply?.values['intent'] === intent ? reply : undefined)
  if (state === 'released' && mayAnswer)
    return (
      <>
        <AcceptForm reply={of('accepted')} />
        <RejectForm reply={of('rejected')} />
      </>
    )
  if (state !== 'rejected') return null
  return (
    <>
      {maySource ? <SourceForm sources={sources} reply={of('elsewhere')} /> : null}
      {mayAnswer ? <AgainForm reply={of('again')} /> : null}
    </>
  )
}

type Reply = { reply: FormReply | undefined }

function AcceptForm({ reply }: Reply) {
  return (
    <Panel id="accept" title="Accepted by the supplier">
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={{ reference: 'Supplier’s number' }} />
          <p className="office-note">All of it, or none. The parcel is announced to the carrier.</p>
          <Field name="reference" label="Supplier’s number" reply={reply} maxLength={60} autoComplete="off" />
          <button className="btn primary" name="intent" value="accepted">
            Record as accepted
          </button>
        </form>
      </PanelBody>
    </Panel>
  )
}

function RejectForm({ reply }: Reply) {
  return (
    <Panel id="reject" title="Rejected by the supplier">
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={{ reason: 'Reason' }} />
          <Field name="reason" label="Reason" reply={reply} maxLength={400} autoComplete="off" />
          <button className="btn stop" name="intent" value="rejected">
            Record as rejected
          </button>
        </form>
      </PanelBody>
    </Panel>
  )
}

function SourceForm({ sources, reply }: Reply & Pick<Loaded, 'sources'>) {
  return (
    <Panel id="elsewhere" title="Take it from another warehouse" isOpen>
      <PanelBody>
        {sources.length === 0 && !reply ? (
          <p>No other warehouse has all of it.</p>
        ) : (
          <form method="post" className="stack" noValidate>
            <ErrorSummary reply={reply} labels={{ warehouse: 'Warehouse' }} />
            <p className="office-note">If it arrives later than promised, the customer is told and can cancel.</p>
            <SelectField name="warehouse" label="Warehouse" reply={reply}>
              <option value="">Choose</option>
              {sources.map(({ warehouseId, words }) => (
                <option key={warehouseId} value={warehouseId}>
                  {words}
                </option>
              ))}
            </SelectField>
            <button className="btn primary" name="intent" value="elsewhere">
              Order from there
            </button>
          </form>
        )}
      </PanelBody>
    </Panel>
  )
}

function AgainForm({ reply }: Reply) {
  return (
    <Panel id="again" title="Ask the supplier again">
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={reply} labels={{}} />
          <p className="office-note">To cancel and refund instead, open the order.</p>
          <button className="btn" name="intent" value="again">
            Ask again
          </button>
        </form>
      </PanelBody>
    </Panel>
  )
}
