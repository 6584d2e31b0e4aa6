import { shopContext } from '#app/server/context.ts'
import { findOrder, orderIdOf } from '#app/views/orders.server.ts'
import { paths } from '#content/paths.ts'
import { readOrder, readReceiptKey, receiptOf } from '#domain/orders/orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/receipt.ts'

/**
 * The receipt as a PDF, at the specification's address, every part of which must match: for the browser or account that
 * may see the order, and for whoever opens the link of its page within its minutes. The key of a mail leads to that
 * page, and one that has expired to where orders are looked up.
 */
export async function loader({ context, params, url }: Route.LoaderArgs): Promise<Response> {
  const shop = context.get(shopContext)
  const orderId = orderIdOf(params.orderId)
  const key = url.searchParams.get('key')
  const opens = readReceiptKey(shop.config.session.secret, key, orderId, shop.clock.now())
  const order =
    opens === 'receipt'
      ? await readOrder(shop.db, orderId)
      : (await findOrder(context, orderId, new URLSearchParams()))?.order
  const name = `Receipt_${orderId}.pdf`
  if (params.file !== name || (order && params.customerId !== order.customerId))
    throw new Response(null, { status: 404 })
  if (!order) {
    if (opens === 'order' && key !== null) return seeOther(paths.trackResult(orderId, { key }))
    if (opens === 'expired') return seeOther(paths.trackOrder({ receipt: 'expired' }))
    throw new Response(null, { status: 404 })
  }
  const pdf = await shop.receiptPdf(receiptOf(order, shop.config))
  return new Response(new Uint8Array(pdf), {
    headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': `inline; filename="${name}"` },
  })
}
