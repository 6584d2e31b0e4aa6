import { orderIdOf, requireOwnOrder } from '#app/views/orders.server.ts'
import { receiptOf } from '#domain/orders/orders.server.ts'
import type { Route } from './+types/receipt.ts'

/** The receipt as a PDF, at the specification's address. Every part of the address must match. */
export async function loader({ context, params, url }: Route.LoaderArgs): Promise<Response> {
  const { shop, order } = await requireOwnOrder(context, orderIdOf(params.orderId), url.searchParams)
  const name = `Receipt_${order.id}.pdf`
  if (params.customerId !== order.customerId || params.file !== name) throw new Response(null, { status: 404 })
  const pdf = await shop.receiptPdf(receiptOf(order, shop.config))
  return new Response(new Uint8Array(pdf), {
    headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': `inline; filename="${name}"` },
  })
}
