/** The statements behind the garage; what puts a vehicle into it is with what an account remembers. */
import { sql } from 'kysely'
import { mostVehicles } from '#domain/accounts/memory.sql.server.ts'
import type { Readings } from '#domain/accounts/rotation.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A vehicle as it is kept: `choice` is read by `decodeChosenVehicle`. */
export type KeptVehicle = Readings & { choice: string }

/** The vehicles of an account, the one last used first. */
export async function selectVehicles(
  db: Database,
  accountId: string,
): Promise<(KeptVehicle & { id: string; wantsReminder: boolean })[]> {
  return db
    .selectFrom('account_vehicle')
    .select([
      'id',
      'choice',
      'mileage',
      'mileage_on as mileageOn',
      'rotated_mileage as rotatedMileage',
      'rotated_on as rotatedOn',
      'wants_reminder as wantsReminder',
    ])
    .where('account_id', '=', accountId)
    .orderBy('used_at', 'desc')
    .orderBy('id')
    .limit(mostVehicles)
    .execute()
}

/** One vehicle, whosever it is; undefined when it has left its garage. */
export function selectVehicle(db: Database, id: string): Promise<KeptVehicle | undefined> {
  return db
    .selectFrom('account_vehicle')
    .select([
      'choice',
      'mileage',
      'mileage_on as mileageOn',
      'rotated_mileage as rotatedMileage',
      'rotated_on as rotatedOn',
    ])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Takes a vehicle out of a garage and answers what it was, or undefined when it was not there. */
export function deleteVehicle(db: Database, accountId: string, id: string): Promise<{ choice: string } | undefined> {
  return db
    .deleteFrom('account_vehicle')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('choice')
    .executeTakeFirst()
}

/** Writes down what was read of a vehicle, the day the next rotation is due, and whether its owner wants a mail then. */
export async function updateReadings(
  db: Database,
  { accountId, id }: { accountId: string; id: string },
  kept: Readings & { rotationDueOn: string | null; wantsReminder: boolean },
): Promise<void> {
  await db
    .updateTable('account_vehicle')
    .set({
      mileage: kept.mileage,
      mileage_on: kept.mileageOn,
      rotated_mileage: kept.rotatedMileage,
      rotated_on: kept.rotatedOn,
      rotation_due_on: kept.rotationDueOn,
      wants_reminder: kept.wantsReminder,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
}

/**
 * Marks rotations that are due by `today` and were not written about as written about, up to `limit`, the longest due
 * first, and answers whom to write to; vehicles that somebody works on are left for the next time.
 */
export async function markReminded(
  tx: Tx,
  { today, limit }: { today: string; limit: number },
): Promise<{ id: string; due: string; email: string }[]> {
  const { rows } = await sql<{ id: string; due: string; email: string }>`
    with due as (
        select vehicle.id, vehicle.rotation_due_on, account.email from account_vehicle vehicle
        join account on account.id = vehicle.account_id and account.email_verified_at is not null
        where vehicle.wants_reminder and vehicle.rotation_due_on is distinct from vehicle.reminded_for and vehicle.rotation_due_on <= ${today}::date
        order by vehicle.rotation_due_on, vehicle.id limit ${limit}
        for update of vehicle skip locked)
      update account_vehicle set reminded_for = due.rotation_due_on from due where account_vehicle.id = due.id
      returning due.id, due.rotation_due_on as due, due.email`.execute(tx)
  return rows
}
