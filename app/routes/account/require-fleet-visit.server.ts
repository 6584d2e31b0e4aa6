/** Access to an order of a fleet. */
import type { RouterContextProvider } from 'react-router'
import { orderIdOf } from '#app/views/orders.server.ts'
import { serverPaths } from '#content/server-paths.ts'
import { companyCan } from '#domain/customers/companies/companies.ts'
import { readFleetVisit } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { requireCompany } from './require-company.server.ts'

/**
 * Returns an order that the signed-in member can see. Responds with 404 for other companies' orders and for orders
 * without fleet details.
 */
export async function requireFleetVisit(
  context: Readonly<RouterContextProvider>,
  { orderId: asked }: { orderId: string },
) {
  const orderId = orderIdOf(asked)
  const member = await requireCompany(context, serverPaths.fleetOrder(orderId))
  const { app, company, role, signedIn } = member
  const accountId = companyCan(role, 'see-all-orders') ? null : signedIn.accountId
  const visit = await readFleetVisit(app, { companyId: company.id, accountId, orderId })
  if (!visit) throw new Response(null, { status: 404 })
  return { ...member, orderId, visit }
}
