import { applicationContext } from '#app/server/context.ts'
import { findOrder, orderIdOf } from '#app/views/orders.server.ts'
import { paths } from '#content/paths.ts'
import { readOrder, readReceiptKey, receiptOf } from '#domain/ordering/orders/orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/receipt.ts'

/**
 * Returns the receipt as a PDF at the specification's URL, which must match completely. Available to the order's
 * browser or account, and through its page's link until the link expires. An email's key redirects to that page, and an
 * expired key to the order lookup.
 */
export async function loader({ context, params, url }: Route.LoaderArgs): Promise<Response> {
  const app = context.get(applicationContext)
  const orderId = orderIdOf(params.orderId)
  const key = url.searchParams.get('key')
  const opens = readReceiptKey(app.config.session.secret, key, orderId, app.clock.now())
  const order =
    opens === 'receipt'
      ? await readOrder(app.db, orderId)
      : (await findOrder(context, orderId, new URLSearchParams()))?.order
  const name = `Receipt_${orderId}.pdf`
  if (params.file !== name || (order && params.customerId !== order.customerId))
    throw new Response(null, { status: 404 })
  if (!order) {
    if (opens === 'order' && key !== null) return seeOther(paths.trackResult(orderId, { key }))
    if (opens === 'expired') return seeOther(paths.trackOrder({ receipt: 'expired' }))
    throw new Response(null, { status: 404 })
  }
  const pdf = await app.receiptPdf(receiptOf(order, app.config))
  return new Response(new Uint8Array(pdf), {
    headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': `inline; filename="${name}"` },
  })
}
