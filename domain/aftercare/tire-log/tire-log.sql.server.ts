/** The statements for the rotation log of an account's tires. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { mostRotations, type Rotation, type RotationInput } from './tire-log.ts'

type Of = { accountId: string; orderId: number }

/** The rotations of a set, oldest first. */
export async function selectRotations(db: Database, { accountId, orderId }: Of): Promise<Rotation[]> {
  const rows = await db
    .selectFrom('tire_rotation')
    .select(['nth', 'rotated_on as on', 'odometer_miles as odometerMiles', 'place'])
    .where('account_id', '=', accountId)
    .where('order_id', '=', orderId)
    .orderBy('rotated_on')
    .execute()
  return rows.map((row) => ({ ...row, on: Temporal.PlainDate.from(row.on) }))
}

/** Logs a rotation under the first free number; false once the log is full. */
export async function insertRotation(
  tx: Tx,
  { accountId, orderId }: Of,
  { on, odometer, place, at }: RotationInput & { at: Temporal.Instant },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into tire_rotation (account_id, order_id, nth, rotated_on, odometer_miles, place, logged_at)
    select ${accountId}::uuid, ${orderId}, min(nth), ${on.toString()}::date, ${odometer}, ${place}, ${at.toString()}::timestamptz
    from generate_series(1, ${mostRotations}) as nth
    where nth not in (select kept.nth from tire_rotation kept where kept.account_id = ${accountId}::uuid and kept.order_id = ${orderId})
    having min(nth) is not null`.execute(tx)
  return numAffectedRows === 1n
}

export async function deleteRotation(db: Database, { accountId, orderId, nth }: Of & { nth: number }): Promise<void> {
  await db
    .deleteFrom('tire_rotation')
    .where('account_id', '=', accountId)
    .where('order_id', '=', orderId)
    .where('nth', '=', nth)
    .execute()
}

/** All logs of an account, as plain data for JSON. */
export function exportRotations(db: Database, accountId: string): Promise<object[]> {
  return db
    .selectFrom('tire_rotation')
    .select(['order_id as orderId', 'rotated_on as on', 'odometer_miles as odometerMiles', 'place'])
    .where('account_id', '=', accountId)
    .orderBy('order_id')
    .orderBy('rotated_on')
    .execute()
}
