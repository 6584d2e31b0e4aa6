/** The statements for the garage; adding vehicles is in memory.sql.server.ts. */
import { sql } from 'kysely'
import { mostVehicles, vehicleRow } from './memory.sql.server.ts'
import type { Readings } from './rotation.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { Database, Tx } from '#platform/db.ts'

/** A stored vehicle: `decodeChosenVehicle` reads `choice`. */
export type KeptVehicle = Readings & { choice: string }

/** Selects an account's vehicles, most recently used first. */
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

/** One vehicle of any owner; undefined if it has left its garage. */
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

/**
 * Adds a vehicle to a locked account's garage, after the ones that its owner used. False if a vehicle of this year, make
 * and model is there.
 */
export async function insertVehicle(
  tx: Tx,
  accountId: string,
  vehicle: ChosenVehicle,
  at: Temporal.Instant,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('account_vehicle')
    .values({
      ...vehicleRow(accountId, vehicle, at),
      used_at: sql<Temporal.Instant>`coalesce((select min(used_at) from account_vehicle where account_id = ${accountId}::uuid), ${at})`,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'year', 'make_slug', 'model_slug']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Removes a vehicle from a garage and returns it; undefined if it was not there. */
export function deleteVehicle(db: Database, accountId: string, id: string): Promise<{ choice: string } | undefined> {
  return db
    .deleteFrom('account_vehicle')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('choice')
    .executeTakeFirst()
}

/** Stores a vehicle's readings, the next rotation date, and whether its owner wants a reminder. */
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
 * Marks up to `limit` rotations due by `today` as mailed, longest overdue first, and returns whom to write to; skips
 * locked vehicles until the next run.
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
