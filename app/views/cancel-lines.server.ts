/** Canceling lines on an order's page, with cancelable lines, form, and refusal messages. */
import type { RouterContextProvider } from 'react-router'
import { checkForm, formRefusal, type FormReply } from '#app/forms/form.ts'
import { orderIdOf, requireOwnOrder } from '#app/views/orders.server.ts'
import { cancelLinesMessages } from '#content/messages/orders.ts'
import { cancelLinesForm, countCancelable } from '#domain/ordering/cancellations/cancellations.ts'
import {
  cancelLinesAsShopper,
  previewCanceledLines,
  readCancelable,
  type CancelLinesRefusal,
} from '#domain/ordering/cancellations/cancellations.server.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { newId } from '#platform/ids.ts'
import type { Application } from '#application'

/** Cancelable lines. `seen` is their total, and `once` the form's idempotency key. */
export type CancelLinesView = {
  lines: { lineNo: number; label: string; most: number; quantity: number }[]
  seen: number
  once: string
}

/** What of an order can be canceled by line now. */
export async function cancelLinesView(app: Application, order: OrderView): Promise<CancelLinesView> {
  const lines = await readCancelable(app, order)
  return {
    lines: lines.map(({ lineNo, description, most, quantity }) => ({ lineNo, label: description, most, quantity })),
    seen: countCancelable(lines),
    once: newId(),
  }
}

/**
 * Cancels lines of the URL's order and reloads the page, or returns form errors. A form without the refund amount is
 * returned with it, as the value `agreed`.
 */
export async function cancelLinesFromPage(
  context: Readonly<RouterContextProvider>,
  url: URL,
  fields: URLSearchParams,
): Promise<Response | FormReply> {
  const orderId = orderIdOf(url.searchParams.get('order'))
  const { app, order, access } = await requireOwnOrder(context, orderId, url.searchParams)
  if (access === 'read') throw new Response(null, { status: 403 })
  const checked = checkForm(cancelLinesForm, fields)
  if (!checked.ok) return checked.reply
  // Shown again only as it is found now.
  fields.delete('agreed')
  const ask = { ...checked.value, orderId: order.id }
  const preview = await previewCanceledLines(app, ask)
  if (!preview.ok) return refuseLines(fields, preview)
  const cents = preview.value?.refundCents
  if (cents !== undefined && cents !== ask.agreedCents)
    return agreedReply(fields, { cents, isOther: ask.agreedCents !== null })
  const canceled = await cancelLinesAsShopper(app, ask)
  return canceled.ok ? seeOther(url.pathname + url.search) : refuseLines(fields, canceled)
}

/** Returns the form with the refund amount. `isOther` means that a different amount was shown before. */
function agreedReply(fields: URLSearchParams, { cents, isOther }: { cents: number; isOther: boolean }): FormReply {
  const values = { ...Object.fromEntries(fields), agreed: String(cents) }
  return { values, errors: {}, ...(isOther && { formError: cancelLinesMessages.moved }) }
}

/** The messages for shoppers and staff. */
export const cancelLinesRefusals = {
  'more-than-unshipped': ({ lineNo, most }: { lineNo: number; most: number }) => ({
    field: `units-${lineNo}`,
    text: most === 0 ? 'These items can’t be canceled.' : `Only ${most} of this line can be canceled.`,
  }),
  'nothing-asked': { text: cancelLinesMessages.nothingAsked, status: 422 },
  moved: { text: cancelLinesMessages.moved, status: 422 },
  'no-money': { text: cancelLinesMessages.noMoney, status: 422 },
} as const

function refuseLines(fields: URLSearchParams, refusal: CancelLinesRefusal): FormReply {
  switch (refusal.reason) {
    case 'more-than-unshipped': {
      const { field, text } = cancelLinesRefusals[refusal.reason](refusal.detail)
      return formRefusal(fields, 'Fix 1 field:', { [field]: text })
    }
    case 'no-lines':
      return formRefusal(fields, cancelLinesMessages.none[refusal.detail.why])
    case 'not-allowed':
      throw new Response(null, { status: 403 })
    case 'order-not-found':
      throw new Response(null, { status: 404 })
    default:
      return formRefusal(fields, cancelLinesRefusals[refusal.reason].text)
  }
}
