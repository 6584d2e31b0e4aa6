/** The preview of a return, with the tires, the reason, the progress, the due date, and the refund amount. */
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import {
  currentFeeReason,
  previewRefundOfReturn,
  readReturn,
  type ReturnView,
} from '#domain/ordering/returns/returns.server.ts'
import { feeReasonText, returnNumber, returnReasonWords, returnStateWords } from '#domain/ordering/returns/returns.ts'
import { countOf } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { ListReader } from '../define-list.server.ts'
import type { ListPreview, PreviewSection } from '../list.ts'

/** Reads a return's preview; undefined for an unknown return. */
export async function readReturnPreview({ app, session }: ListReader, id: number): Promise<ListPreview | undefined> {
  const view = await readReturn(app.db, id)
  const order = view && (await readOrder(app.db, view.orderId))
  if (!view || !order) return undefined
  const feeReason = currentFeeReason(view)
  const accepted = view.tires.filter(({ state }) => state === 'accepted').length
  const due = accepted === 0 ? null : await previewRefundOfReturn(app.db, { view, order, feeReason })
  const customer = customerFieldsFor(session.roles).show(`${order.firstName} ${order.lastName}`)
  return {
    id: String(id),
    title: returnNumber(id),
    note: `${customer} · ${orderNumber(order.id)}`,
    path: officePaths.officeReturn(id),
    open: 'Open return',
    clock: null,
    picture: null,
    sections: [
      tiresOf(view),
      {
        title: 'Why',
        facts: [
          ['Reason', returnReasonWords[view.reason]],
          ['Wants', view.wants === 'exchange' ? 'An exchange' : 'A refund'],
          ...(view.note === null ? [] : [['Note', view.note] as const]),
          ['Photos', countOf(view.photos, 'photo')],
          ['Requested', timeText(view.requestedAt, storeZone)],
        ],
      },
      {
        title: 'Refund',
        facts: [
          ['Fee', feeReasonText(feeReason, order.terms)],
          [
            'Waiting',
            due === null ? 'Nothing accepted' : `${formatCents(due.refundCents)} for ${countOf(accepted, 'tire')}`,
          ],
          ['Refunded', formatCents(view.refunds.reduce((sum, { refundCents }) => sum + refundCents, 0))],
        ],
      },
    ],
  }
}

/** The tires by model and state, and how they come back. */
function tiresOf({ tires }: ReturnView): PreviewSection {
  const groups = Map.groupBy(tires, ({ name, state }) => `${name}: ${returnStateWords[state]}`)
  const tracked = [...new Set(tires.map(({ trackingNumber }) => trackingNumber).filter((no) => no !== null))]
  return {
    title: 'Tires',
    lines: [...groups].map(([words, of]) => `${of.length} ${words}`),
    isLead: true,
    ...(tracked.length > 0 && { facts: [['Tracking', tracked.join(', ')]] }),
  }
}
