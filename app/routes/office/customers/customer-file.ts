import { found } from '#app/office/decision.server.ts'
import { requireFresh, requireStaff } from '#app/server/office.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { exportCustomer } from '#domain/operations/personal-data/personal-data.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/customer-file.ts'

/**
 * Downloads all stored data of a customer in the format the customer would receive. Adds an audit entry with the staff
 * member.
 */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const path = officePaths.officeCustomerFile(params.id)
  const staff = await requireStaff(context, 'customers.manage', path)
  requireFresh(staff, path)
  const exported = await exportCustomer(staff.app, staff.actor, params.id)
  if (!exported.ok && exported.reason !== 'customer-not-found') throw seeOther(officePaths.officeCustomer(params.id))
  const { name, data } = found(exported.ok ? exported.value : null)
  return new Response(JSON.stringify(data, null, 2), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
    },
  })
}
