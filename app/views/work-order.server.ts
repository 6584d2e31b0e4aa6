/** An order's work order, for authorized viewers. */
import { canUse } from '#app/office/page-parts.ts'
import type { RouterContextProvider } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { findOrder, orderIdOf, toLookUp } from '#app/views/orders.server.ts'
import { readOrder, workOrderOf, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import type { WorkOrder } from '#domain/ordering/orders/orders.ts'
import { findOfficeSession } from '#domain/kernel/staff/staff.server.ts'

/**
 * Returns the work order for `?order=`, for the account or browser that placed it or opened it with a code, for an
 * email's link (`key`), and for staff who may print. Others are redirected to the order lookup with `leads`, otherwise
 * it is a 404, as for an order without installation.
 */
export async function requireWorkOrder(
  context: Readonly<RouterContextProvider>,
  url: URL,
  { leads }: { leads: boolean },
): Promise<{ orderId: number; key: string | undefined; workOrder: WorkOrder }> {
  const { config } = context.get(applicationContext)
  const orderId = orderIdOf(url.searchParams.get('order'))
  const found = await findOrder(context, orderId, url.searchParams)
  const order = found && found.access !== 'status' ? found.order : await findForStaff(context, orderId)
  const workOrder = order && workOrderOf(order, config)
  if (workOrder) return { orderId, key: found?.key, workOrder }
  throw order || !leads ? new Response(null, { status: 404 }) : toLookUp()
}

async function findForStaff(context: Readonly<RouterContextProvider>, orderId: number): Promise<OrderView | undefined> {
  const app = context.get(applicationContext)
  const session = await findOfficeSession(app, context.get(visitorContext).officeSession)
  return session && canUse(session.roles, 'work-order') ? readOrder(app.db, orderId) : undefined
}
