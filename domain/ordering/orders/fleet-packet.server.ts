/** The packets of fleets' orders, as the people of the company change them. */
import type { FleetPacket } from './fleet-packet.ts'
import { lockPacketMember, updatePacket, type PacketMember } from './fleet-packet.sql.server.ts'
import { lockOrder } from './order-life.sql.server.ts'
import { selectVin, upsertVin } from './order-vin.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/**
 * Owners and viewers can see the fleet details of all orders. Buyers can see only the details of orders they placed.
 */
function maySeePacket({ role, isOwn }: PacketMember): boolean {
  return role !== 'buyer' || isOwn
}

/** Owners can edit the fleet details of all orders, and buyers only those they placed. Viewers can't edit. */
export function mayChangePacket({ role, isOwn }: PacketMember): boolean {
  return role === 'owner' || (role === 'buyer' && isOwn)
}

/**
 * Updates a company's vehicle details on an order, including its VIN. A full VIN isn't replaced by a partial one.
 * Refuses `packet-not-found` to those who may not see it, `not-allowed` to those who may not change it, and `job-done`
 * once the shop has finished.
 */
export async function changeFleetPacket(
  { db, clock }: { db: Database; clock: Clock },
  accountId: string,
  { orderId, packet, vin }: { orderId: number; packet: FleetPacket; vin: string | null },
): Promise<Outcome<null, Refused<'packet-not-found'> | Refused<'not-allowed'> | Refused<'job-done'>>> {
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      if (!(await lockOrder(tx, orderId))) return refused('packet-not-found')
      const member = await lockPacketMember(tx, { accountId, orderId })
      if (!member || !maySeePacket(member)) return refused('packet-not-found')
      if (!mayChangePacket(member)) return refused('not-allowed')
      await updatePacket(tx, { orderId, packet, at })
      const known = await selectVin(tx, orderId)
      if (vin !== null && !known?.endsWith(vin)) await upsertVin(tx, { orderId, vin, by: 'company', at })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'fleet_packet_stays') return refused('job-done')
    throw error
  }
}
