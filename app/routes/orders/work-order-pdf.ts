import { applicationContext } from '#app/server/context.ts'
import { requireWorkOrder } from '#app/views/work-order.server.ts'
import type { Route } from './+types/work-order-pdf.ts'

/** Returns the work order as a PDF to visitors who can see its page. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { orderId, workOrder } = await requireWorkOrder(context, url, { leads: false })
  const pdf = await context.get(applicationContext).workOrderPdf(workOrder)
  return new Response(new Uint8Array(pdf), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="Work_Order_${orderId}.pdf"`,
    },
  })
}
