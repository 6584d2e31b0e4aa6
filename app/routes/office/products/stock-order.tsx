import { stockOrderActions, stockOrderId } from '#app/office/actions/stock-orders.server.ts'
import { decideActions, doneNews, found, shownRows } from '#app/office/decision.server.ts'
import { DetailPage, type DetailNotice } from '#app/office/detail.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { listWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { findStockOrder, isElectronic, listSuppliers, selectReceiptLines } from '#domain/supply/stock/stock.server.ts'
import {
  belowMinimum,
  costOfLines,
  outstandingUnits,
  stockOrderNumber,
  stockOrderStateNames,
  type StockOrderState,
} from '#domain/supply/stock/stock.ts'
import { countOf } from '#platform/count-text.ts'
import { dateText } from '#platform/day-text.ts'
import { dotWeekText } from '#platform/dot-week.ts'
import { newId } from '#platform/ids.ts'
import { formatCents, typedDollars } from '#platform/money.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import { NewForm, OrderPanels, SidePanels, type Order } from './stock-order-panels.tsx'
import type { Route } from './+types/stock-order.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, params.id === 'new' ? 'New stock order' : `SPO-${params.id}`, officePaths.officeStockOrders())

export async function loader({ context, params: { id }, url }: Route.LoaderArgs) {
  const isNew = id === 'new'
  const path = officePaths.officeStockOrder(id)
  const { app, session } = await requireStaff(context, isNew ? 'stock.order' : 'suppliers.read', path)
  return {
    id,
    news: doneNews(url, {
      created: 'Draft created.',
      save: 'Draft saved.',
      send: 'Sending to the supplier.',
      marked: 'Marked as sent.',
      cancel: 'Canceled.',
      receive: 'Delivery received. The units are in stock.',
    }),
    mayOrder: staffCan(session.roles, 'stock.order'),
    mayReceive: staffCan(session.roles, 'stock.adjust'),
    choices: isNew ? await readChoices(app) : null,
    order: isNew ? null : await readOrder(app, stockOrderId(id)),
  }
}

async function readChoices(app: Application) {
  const [suppliers, warehouses] = await Promise.all([listSuppliers(app), listWarehouses(app)])
  return {
    key: newId(),
    suppliers: suppliers.flatMap(({ id, name, retiredAt }) => (retiredAt ? [] : [{ id, name }])),
    warehouses: warehouses.flatMap(({ id, code, name, supplierId, isRetired }) =>
      supplierId === null && !isRetired ? [{ id, name: `${code} ${name}` }] : [],
    ),
  }
}

async function readOrder(app: Application, id: number) {
  const [{ order, lines, messages }, receipts] = await Promise.all([
    findStockOrder(app, id).then(found),
    selectReceiptLines(app.db, id),
  ])
  const totalCents = costOfLines(lines)
  const freightCents = receipts.reduce((sum, receipt) => sum + receipt.freightCents, 0)
  const { supplier, state, expectedOn } = order
  const isOpen = state === 'sent' || state === 'partly-received'
  const { refusal, withdrawRefusal } = order
  return {
    number: stockOrderNumber(id),
    state,
    version: order.version,
    expectedOn,
    note: order.note,
    isOpen,
    receipts: receipts.map(receiptRow),
    isElectronic: isElectronic(app.suppliers, supplier),
    refusal,
    withdrawRefusal,
    messages: messages.map(({ payloadId, summary, receivedAt }) => ({
      id: payloadId,
      cells: { at: timeText(receivedAt, storeZone), summary },
    })),
    lines: lines.map(({ itemId, sku, name, unitCostCents, quantity, ...counts }) => ({
      itemId,
      sku,
      name,
      quantity,
      received: counts.receivedUnits,
      damaged: counts.damagedUnits,
      short: counts.shortUnits,
      outstanding: outstandingUnits({ quantity, ...counts }),
      answer: answerText(counts),
      typedCost: typedDollars(unitCostCents),
      unitCost: formatCents(unitCostCents),
      cost: formatCents(unitCostCents * quantity),
    })),
    total: formatCents(totalCents),
    freight: freightCents === 0 ? null : formatCents(freightCents),
    belowMinimum:
      (state === 'draft' &&
        totalCents > 0 &&
        belowMinimum(totalCents, supplier.minimumOrderCents) > 0 &&
        supplier.minimumOrderCents) ||
      null,
    isOverdue: (isOpen || state === 'sending') && expectedOn < storeDay(app.clock.now()).toString(),
    supplierName: supplier.name,
    facts: factsOf(order, receipts.at(-1)?.receivedAt),
  }
}

function factsOf(
  order: NonNullable<Awaited<ReturnType<typeof findStockOrder>>>['order'],
  firstReceivedAt: Temporal.Instant | undefined,
) {
  const { supplier, warehouse, state, expectedOn } = order
  const time = (instant: Temporal.Instant | null) => instant && timeText(instant, storeZone)
  const at = (instant: Temporal.Instant | null, by: string | null) => instant && `${time(instant)} by ${by ?? ''}`
  const paymentDays = order.paymentDays ?? supplier.paymentDays
  const first = firstReceivedAt && storeDay(firstReceivedAt)
  const dueOn = (first ?? Temporal.PlainDate.from(expectedOn)).add({ days: paymentDays })
  return shownRows([
    ['Supplier', supplier.name],
    ['Account', supplier.accountNumber],
    [
      'Ship to',
      `${warehouse.code} ${warehouse.name}, ${warehouse.street}, ${warehouse.city}, ${warehouse.state} ${warehouse.zip}`,
    ],
    ['Expected', dateText(expectedOn)],
    ['Lead time', countOf(supplier.leadDays, 'day')],
    ['Minimum order', supplier.minimumOrderCents === null ? null : formatCents(supplier.minimumOrderCents)],
    ['Payment terms', paymentDays === 0 ? 'Due on receipt' : `Net ${paymentDays}`],
    ['Payment due', dateText(dueOn.toString()) + (first ? '' : ', if received on the expected day')],
    ['Note', state === 'draft' ? null : order.note],
    ['Created', at(order.createdAt, order.createdBy)],
    ['Sent', at(order.sentAt, order.sentBy)],
    ['Sent electronically', time(order.takenAt)],
    ['Supplier order number', order.reference],
    ['Shipped', order.shippedAt && `${time(order.shippedAt)}, ${order.shipNotice}`],
    ['Canceled', at(order.canceledAt, order.canceledBy)],
    ['Reason', order.cancelReason],
    ['Cancellation received by supplier', time(order.withdrawnAt)],
  ])
}

/** What the supplier doesn't fill now, such as "4 rejected, 2 backordered". */
function answerText({ rejectedUnits, backorderedUnits }: { rejectedUnits: number; backorderedUnits: number }): string {
  const parts = [
    rejectedUnits > 0 ? `${rejectedUnits} rejected` : '',
    backorderedUnits > 0 && `${backorderedUnits} backordered`,
  ]
  return parts.filter(Boolean).join(', ')
}

function receiptRow(line: Awaited<ReturnType<typeof selectReceiptLines>>[number]) {
  const { receiptId, itemId, sku, receivedUnits, damagedUnits, shortUnits, freightCents, weeks } = line
  const faults = [damagedUnits > 0 ? `${damagedUnits} damaged` : '', shortUnits > 0 ? `${shortUnits} missing` : '']
  return {
    id: `${receiptId} ${itemId}`,
    cells: {
      at: timeText(line.receivedAt, storeZone),
      sku,
      units: receivedUnits,
      freight: freightCents === 0 ? '' : formatCents(freightCents),
      weeks: weeks.map(({ week, units }) => `${dotWeekText(week)} × ${units}`).join(', '),
      faults: [...faults, line.reason, line.overReason && `Over-delivery: ${line.overReason}`]
        .filter(Boolean)
        .join('. '),
      by: line.receivedBy,
    },
  }
}

export const action = (args: Route.ActionArgs) => {
  const { id } = args.params
  return decideActions(
    args,
    {
      id,
      path: (done) => officePaths.officeStockOrder(id, done),
      longest: 10_000,
      done: {
        add: (created) => officePaths.officeStockOrder(created, 'created'),
        change: 'save',
        send: 'send',
        'mark-sent': 'marked',
        cancel: 'cancel',
      },
    },
    stockOrderActions,
  )
}

const tones: Readonly<Record<StockOrderState, Tone>> = {
  draft: 'plain',
  sending: 'signal',
  sent: 'signal',
  'partly-received': 'signal',
  received: 'go',
  canceled: 'plain',
}

export default function StockOrderPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { id, order, choices, mayOrder, mayReceive, news } = loaderData
  return (
    <DetailPage
      title={order?.number ?? 'New stock order'}
      crumbs={[
        { label: 'Stock', path: officePaths.officeStock() },
        { label: 'Stock orders', path: officePaths.officeStockOrders() },
      ]}
      {...(order && { state: { label: stockOrderStateNames[order.state], tone: tones[order.state] } })}
      news={news}
      reply={reply}
      end={
        order?.isOpen && mayReceive ? (
          <a className="btn primary" href={officePaths.officeStockOrderReceive(id)}>
            Receive
          </a>
        ) : undefined
      }
      notices={order ? noticesOf(order) : []}
      body={
        order ? (
          <OrderPanels order={order} mayOrder={mayOrder} reply={reply} />
        ) : choices ? (
          <NewForm choices={choices} reply={reply} />
        ) : null
      }
      side={order ? <SidePanels id={id} order={order} mayOrder={mayOrder} reply={reply} /> : undefined}
    />
  )
}

function noticesOf(order: Order): DetailNotice[] {
  const { belowMinimum: minimum, isOverdue, total, supplierName, expectedOn } = order
  return [
    ...wireNotices(order),
    ...(minimum === null
      ? []
      : [
          {
            tone: 'signal' as const,
            title: `Below the minimum order of ${formatCents(minimum)}`,
            text: `This order comes to ${total}. ${supplierName} may decline it or add a fee.`,
          },
        ]),
    ...(isOverdue
      ? [
          {
            tone: 'stop' as const,
            title: 'Overdue',
            text: `Expected on ${dateText(expectedOn)}. Contact ${supplierName}.`,
          },
        ]
      : []),
  ]
}

/** Notices about sending the order electronically. */
function wireNotices({ state, supplierName, refusal, withdrawRefusal, isOpen, lines }: Order): DetailNotice[] {
  const isMissing = isOpen && lines.some(({ answer, outstanding }) => answer !== '' && outstanding > 0)
  return [
    ...(state === 'sending'
      ? [
          {
            tone: 'signal' as const,
            title: 'Sending',
            text: `Waiting for the system of ${supplierName} to receive this order. We retry until it does.`,
          },
        ]
      : []),
    ...(refusal === null
      ? []
      : [
          {
            tone: 'stop' as const,
            title: 'Not sent',
            text: `The supplier’s system refused it: ${refusal} Send it again, or place it yourself and mark it as sent.`,
          },
        ]),
    ...(isMissing
      ? [
          {
            tone: 'stop' as const,
            title: `${supplierName} can’t fill all of this order`,
            text: 'See the supplier’s answer by tire. When you receive the order, enter units that won’t come as missing.',
          },
        ]
      : []),
    ...(withdrawRefusal === null
      ? []
      : [
          {
            tone: 'stop' as const,
            title: 'The supplier’s system refused the cancellation',
            text: `${withdrawRefusal} Call ${supplierName}.`,
          },
        ]),
  ]
}
