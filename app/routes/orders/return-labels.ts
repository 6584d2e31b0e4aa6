import { orderIdOf, requireOwnOrder } from '#app/views/orders.server.ts'
import { labelSheet, listOrderReturns } from '#domain/ordering/returns/returns.server.ts'
import { returnNumber } from '#domain/ordering/returns/returns.ts'
import type { Route } from './+types/return-labels.ts'

/** Returns a PDF with all of a return's labels, or only the label of `tire`. Requires access to the whole order. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const orderId = orderIdOf(url.searchParams.get('order'))
  const { app, order } = await requireOwnOrder(context, orderId, url.searchParams)
  const asked = url.searchParams.get('return')
  const view = (await listOrderReturns(app.db, order.id)).find(({ id }) => String(id) === asked)
  const tire = url.searchParams.get('tire')
  const sheet = view && labelSheet(app.config, order, view, tire === null ? undefined : Number(tire))
  if (!view || !sheet || sheet.labels.length === 0) throw new Response(null, { status: 404 })
  const pdf = await app.returnLabelsPdf(sheet)
  return new Response(new Uint8Array(pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="Labels_${returnNumber(view.id)}.pdf"`,
    },
  })
}
