/** The statements about where a van's bookings are. */
import { sql, type RawBuilder } from 'kysely'
import { coordinateOf } from '#domain/kernel/places/places.server.ts'
import type { Database } from '#platform/db.ts'
import { mostTravelMinutes } from './travel.ts'

const stopZip = sql`coalesce(stop.stop_zip, shop.zip)`

/** The stops of a van in its calendar, as of `moment`; null for a shop. One from before drives counted is at the van's base. */
export function vanStops(horizon: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when shop.kind = 'van' then coalesce((
    select json_agg(json_build_object('bayId', stop.bay_id, 'start', date_part('epoch', lower(stop.during)), 'end', date_part('epoch', upper(stop.during)),
      'latitude', ${coordinateOf('latitude', stopZip)}, 'longitude', ${coordinateOf('longitude', stopZip)}) order by stop.during)
    from booking stop
    where stop.shop_id = shop.id and stop.state in ('held', 'confirmed') and stop.during && tstzrange(moment.at, moment.at + ${horizon})
      and (stop.state = 'confirmed' or stop.hold_expires_at > moment.at and stop.cart_id is distinct from moment.cart_id)
      and stop.id is distinct from moment.booking_id), '[]') end`
}

/** The time in which another stop of a van can be too near to `place`; a shop's own time otherwise. */
export function vanReach({ kind, start, end }: { kind: string; start: Temporal.Instant; end: Temporal.Instant }): {
  start: Temporal.Instant
  end: Temporal.Instant
} {
  if (kind !== 'mobile') return { start, end }
  return { start: start.subtract({ minutes: mostTravelMinutes }), end: end.add({ minutes: mostTravelMinutes }) }
}

/** Sets the destination of a cart's van hold. Throws the violated constraint when it cannot drive there in time. */
export async function updateStop(db: Database, { cartId, zip }: { cartId: string; zip: string }): Promise<void> {
  await db
    .updateTable('booking')
    .set({ stop_zip: zip })
    .where('cart_id', '=', cartId)
    .where('state', '=', 'held')
    .where('kind', '=', 'mobile')
    .where((eb) => eb.or([eb('stop_zip', 'is', null), eb('stop_zip', '<>', zip)]))
    .execute()
}
