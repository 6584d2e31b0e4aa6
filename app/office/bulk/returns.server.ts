/** Bulk actions for returns, which refund accepted tires. */
import { isFresh } from '#app/server/office.server.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import {
  currentFeeReason,
  previewRefundOfReturn,
  readReturn,
  refundReturn,
} from '#domain/ordering/returns/returns.server.ts'
import { feeReasonText, returnNumber } from '#domain/ordering/returns/returns.ts'
import { countOf } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'
import { counted, done, readWhole, refusedFor, revoked, type BulkAct, type BulkActs } from './act.server.ts'

const heldText = 'Held for a second look.'
const nothingLeft = 'No accepted tire is waiting for a refund.'

const refund: BulkAct = {
  permission: 'returns.refund',
  title: 'Refund returns',
  label: 'Refund',
  button: counted('Refund', 'return'),
  effect: 'The accepted tires are refunded the way they were paid, less the fee where it is due.',
  input: null,
  readRow: async ({ app, session }, id) => {
    const view = await readReturn(app.db, id)
    const order = view && (await readOrder(app.db, view.orderId))
    if (!view || !order) return undefined
    const tires = view.tires.filter(({ state }) => state === 'accepted').length
    const feeReason = currentFeeReason(view)
    const { refundCents } =
      tires === 0 ? { refundCents: 0 } : await previewRefundOfReturn(app.db, { view, order, feeReason })
    return {
      id,
      label: returnNumber(id),
      path: officePaths.officeReturn(id),
      about: customerFieldsFor(session.roles).show(`${order.firstName} ${order.lastName}`),
      whyNot: tires === 0 ? nothingLeft : view.hold ? heldText : null,
      was: '',
      effect: `Refunds ${formatCents(refundCents)} for ${countOf(tires, 'tire')}. Fee: ${feeReasonText(feeReason, order.terms)}.`,
      agreed: String(refundCents),
    }
  },
  does: async (staff, { id, agreed }) => {
    const view = await readReturn(staff.app.db, id)
    if (!view || !/^\d{1,9}$/.test(agreed)) return refusedFor(nothingLeft)
    const refunded = await refundReturn(staff.app, staff.actor, {
      id,
      feeReason: currentFeeReason(view),
      reorderId: view.reorder?.id ?? null,
      agreedCents: Number(agreed),
      isFresh: isFresh(staff),
    })
    if (!refunded.ok) return refusedFor(why(refunded))
    if (refunded.value.state === 'draft')
      return refusedFor(
        'Above the approval threshold. Another team member must approve this refund on the order’s page.',
      )
    return done
  },
  // The money is on its way.
  undo: null,
}

type Refusal = Extract<Awaited<ReturnType<typeof refundReturn>>, { ok: false }>

function why(refusal: Refusal): string {
  switch (refusal.reason) {
    case 'amount-changed':
      return `The refund is now ${formatCents(refusal.detail.refundCents)}. Check the amount on the return’s page.`
    case 'held':
      return heldText
    case 'nothing-accepted':
      return nothingLeft
    case 'awaits-approval':
      return 'Another team member must approve this refund first, on the order’s page.'
    case 'not-fresh':
      return 'Sign in again to continue. This refund exceeds the approval threshold.'
    case 'not-allowed':
      return revoked
    default:
      return 'The order doesn’t allow this refund now. Refund it on the return’s page.'
  }
}

export const returnActs: BulkActs = { field: 'return', readId: readWhole, acts: { 'refund-returns': refund } }
