import type { Route } from './+types/fleet-packet-file.ts'
import { packetFile } from './fleet-visit-view.server.ts'
import { requireFleetVisit } from './require-fleet-visit.server.ts'

/** Returns the fleet work order details of an order as JSON to company members who can see the order. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { company, visit } = await requireFleetVisit(context, params)
  return Response.json(packetFile(visit, company.name), {
    headers: { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' },
  })
}
