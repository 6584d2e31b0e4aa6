import type { Route } from './+types/fleet-packet-file.ts'
import { packetFile } from './fleet-visit-view.server.ts'
import { requireFleetVisit } from './require-fleet-visit.server.ts'

/** The packet of an order as JSON, for those of its company who may see the order. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { company, visit } = await requireFleetVisit(context, params)
  return Response.json(packetFile(visit, company.name), {
    headers: { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' },
  })
}
