/** The statements for the packets of fleets' orders. */
import { sql } from 'kysely'
import type { FleetPacket } from './fleet-packet.ts'
import type { Database, Tx } from '#platform/db.ts'

/** Returns an order's fleet details, or undefined if the order doesn't require them. */
export function selectPacket(db: Database, orderId: number): Promise<FleetPacket | undefined> {
  return db
    .selectFrom('fleet_packet')
    .select(['unit', 'driver', 'plate', 'plate_state as plateState'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()
}

/** Which of these orders need a packet. */
export async function withPackets(db: Database, orderIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (orderIds.length === 0) return new Set()
  const rows = await db.selectFrom('fleet_packet').select('order_id').where('order_id', 'in', orderIds).execute()
  return new Set(rows.map(({ order_id: orderId }) => orderId))
}

/** Stores a packet. Throws on `fleet_packet_stays` once its job is finished. */
export async function updatePacket(
  tx: Tx,
  { orderId, packet, at }: { orderId: number; packet: FleetPacket; at: Temporal.Instant },
): Promise<void> {
  const { unit, driver, plate, plateState } = packet
  await tx
    .updateTable('fleet_packet')
    .set({ unit, driver, plate, plate_state: plateState, changed_at: at })
    .where('order_id', '=', orderId)
    .execute()
}

/** Stores the fleet details a shop entered. Empty fields remain unchanged. */
export async function keepPacket(
  tx: Tx,
  { orderId, packet, at }: { orderId: number; packet: FleetPacket; at: Temporal.Instant },
): Promise<void> {
  const known = await selectPacket(tx, orderId)
  if (!known) return
  const kept = {
    unit: packet.unit ?? known.unit,
    driver: packet.driver ?? known.driver,
    plate: packet.plate ?? known.plate,
    plateState: packet.plateState ?? known.plateState,
  }
  await updatePacket(tx, { orderId, packet: kept, at })
}

/** How an account belongs to the company of an order with a packet. */
export type PacketMember = { role: 'owner' | 'buyer' | 'viewer'; isOwn: boolean }

/**
 * Returns the account's role in the order's approved company and whether it placed the order. Undefined for
 * non-members. Locks the membership until the transaction ends.
 */
export async function lockPacketMember(
  db: Database,
  { accountId, orderId }: { accountId: string; orderId: number },
): Promise<PacketMember | undefined> {
  const { rows } = await sql<PacketMember>`
    select member.role, coalesce(cart.account_id = member.account_id, false) as "isOwn"
    from fleet_packet packet
    join sales_order o on o.id = packet.order_id
    join cart on cart.id = o.cart_id
    join company on company.id = o.company_id and company.state = 'approved'
    join company_member member on member.company_id = company.id
    where packet.order_id = ${orderId}::bigint and member.account_id = ${accountId}::uuid
    for share of member`.execute(db)
  return rows[0]
}

/** A fleet order with its known vehicle details. */
export type FleetOrder = FleetPacket & {
  orderId: number
  placedAt: Temporal.Instant
  state: string
  poNumber: string | null
  /** Whether a shop installs the order, since only shops record tread depth and mileage. */
  isInstalled: boolean
  vehicle: string | null
  /** The full VIN or its last eight characters, as entered by the company or staff. */
  vin: string | null
}

/**
 * Up to `limit` orders with a packet, newest first, older than the order `before`: of a company, or of it and one of its
 * members, or one order.
 */
export async function selectFleetOrders(
  db: Database,
  {
    companyId,
    accountId,
    before,
    only,
    limit,
  }: { companyId: string; accountId: string | null; before: number | null; only: number | null; limit: number },
): Promise<FleetOrder[]> {
  const { rows } = await sql<FleetOrder>`
    select o.id as "orderId", o.placed_at as "placedAt", o.state, o.billing ->> 'poNumber' as "poNumber",
      o.fulfillment in ('shop', 'mobile') as "isInstalled",
      coalesce(o.fitment_verdict ->> 'vehicleName', o.vehicle_note) as vehicle, order_vin.vin,
      packet.unit, packet.driver, packet.plate, packet.plate_state as "plateState"
    from sales_order o
    join fleet_packet packet on packet.order_id = o.id
    join cart on cart.id = o.cart_id
    left join order_vin on order_vin.order_id = o.id
    where o.company_id = ${companyId}::uuid
      and (${accountId}::uuid is null or cart.account_id = ${accountId}::uuid)
      and (${before}::bigint is null or o.id < ${before}::bigint)
      and (${only}::bigint is null or o.id = ${only}::bigint)
    order by o.id desc limit ${limit}`.execute(db)
  return rows
}
