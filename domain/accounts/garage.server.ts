/**
 * The garage: the vehicles of an account, what their owner wrote down about them, and the mail when tires are to be
 * rotated.
 */
import { sql } from 'kysely'
import { mostVehicles, upsertVehicle } from '#domain/accounts/memory.sql.server.ts'
import type { Readings as TypedReadings } from '#domain/accounts/readings-form.ts'
import {
  nextRotation,
  rotationMiles,
  rotationMonths,
  type NextRotation,
  type Readings,
} from '#domain/accounts/rotation.ts'
import type { MessageValues } from '#domain/messages/messages.ts'
import { isStoppedFor, queueMessage, resumeMails } from '#domain/messages/messages.server.ts'
import { decodeChosenVehicle, type ChosenVehicle } from '#domain/vehicles/vehicles.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'

type Deps = { db: Database; clock: Clock }

export type GarageVehicle = Readings & {
  id: string
  vehicle: ChosenVehicle
  wantsReminder: boolean
  next: NextRotation | null
}

/** The vehicles of an account, the one last used first. */
export async function listGarage({ db }: Pick<Deps, 'db'>, accountId: string): Promise<GarageVehicle[]> {
  const [isStopped, rows] = await Promise.all([
    isStoppedFor(db, 'rotation-due', accountId),
    selectVehicles(db, accountId),
  ])
  return rows.flatMap(({ id, choice, ...row }) => {
    const vehicle = decodeChosenVehicle(choice)
    const readings = {
      mileage: row.mileage,
      mileageOn: row.mileage_on,
      rotatedMileage: row.rotated_mileage,
      rotatedOn: row.rotated_on,
    }
    return vehicle
      ? [{ id, vehicle, ...readings, wantsReminder: row.wants_reminder && !isStopped, next: nextRotation(readings) }]
      : []
  })
}

function selectVehicles(db: Database, accountId: string) {
  return db
    .selectFrom('account_vehicle')
    .select(['id', 'choice', 'mileage', 'mileage_on', 'rotated_mileage', 'rotated_on', 'wants_reminder'])
    .where('account_id', '=', accountId)
    .orderBy('used_at', 'desc')
    .orderBy('id')
    .limit(mostVehicles)
    .execute()
}

/** Makes a vehicle the one in use; answers it. Refuses `vehicle-not-found` for one that is not in the garage. */
export async function takeVehicle(
  { db, clock }: Deps,
  accountId: string,
  id: string,
): Promise<Outcome<ChosenVehicle, Refused<'vehicle-not-found'>>> {
  const found = (await listGarage({ db }, accountId)).find((each) => each.id === id)
  if (!found) return refused('vehicle-not-found')
  await upsertVehicle(db, accountId, found.vehicle, clock.now())
  return ok(found.vehicle)
}

/** Takes a vehicle out of the garage; answers it, so that the browser can let go of it, too. */
export async function removeVehicle(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  id: string,
): Promise<Outcome<ChosenVehicle | null, Refused<'vehicle-not-found'>>> {
  const row = await db
    .deleteFrom('account_vehicle')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('choice')
    .executeTakeFirst()
  return row ? ok(decodeChosenVehicle(row.choice) ?? null) : refused('vehicle-not-found')
}

/**
 * Writes down what the owner read; `today` is the store's day. A mileage that is the same as before was read when it
 * was written first.
 */
export async function noteReadings(
  { db }: Pick<Deps, 'db'>,
  {
    accountId,
    id,
    readings,
    today,
  }: { accountId: string; id: string; readings: TypedReadings; today: Temporal.PlainDate },
): Promise<Outcome<NextRotation | null, Refused<'vehicle-not-found'>>> {
  const before = (await listGarage({ db }, accountId)).find((each) => each.id === id)
  if (!before) return refused('vehicle-not-found')
  const { mileage, rotatedOn, rotatedMileage, reminder } = readings
  // The box was empty while the mails were stopped: a tick means that they are wanted again.
  if (reminder) await resumeMails({ db }, { kind: 'rotation-due', accountId })
  const mileageOn = mileage === null ? null : mileage === before.mileage ? before.mileageOn : today.toString()
  const next = nextRotation({ mileage, mileageOn, rotatedMileage, rotatedOn })
  await db
    .updateTable('account_vehicle')
    .set({
      mileage,
      mileage_on: mileageOn,
      rotated_mileage: rotatedMileage,
      rotated_on: rotatedOn,
      rotation_due_on: next?.on.toString() ?? null,
      wants_reminder: reminder,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute()
  return ok(next)
}

/** How many mails one round promises; the next day's takes the rest. */
const mostReminders = 1_000

/**
 * Promises a mail for every rotation that is due and was not written about, to owners with a verified email who want
 * it; answers how many.
 */
export async function remindOfRotations({ db, clock }: Deps): Promise<number> {
  const now = clock.now()
  const today = storeDay(now).toString()
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string; due: string; email: string }>`
      with due as (
        select vehicle.id, vehicle.rotation_due_on, account.email from account_vehicle vehicle
        join account on account.id = vehicle.account_id and account.email_verified_at is not null
        where vehicle.wants_reminder and vehicle.rotation_due_on is distinct from vehicle.reminded_for and vehicle.rotation_due_on <= ${today}::date
        order by vehicle.rotation_due_on, vehicle.id limit ${mostReminders}
        for update of vehicle skip locked)
      update account_vehicle set reminded_for = due.rotation_due_on from due where account_vehicle.id = due.id
      returning due.id, due.rotation_due_on as due, due.email`.execute(tx)
    for (const { id, due, email } of rows)
      await queueMessage(tx, {
        kind: 'rotation-due',
        key: `rotation-due:${id}:${due}`,
        to: email,
        orderId: null,
        at: now,
      })
    return rows.length
  })
}

/** What fills that mail; undefined for another one. The vehicle may have left the garage since. */
export async function rotationMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'web' | 'store'> },
  { key }: { key: string },
): Promise<MessageValues | undefined> {
  const id = /^rotation-due:([\da-f-]{36}):/.exec(key)?.[1]
  if (id === undefined) return undefined
  const row = await db
    .selectFrom('account_vehicle')
    .select(['choice', 'mileage', 'mileage_on', 'rotated_mileage', 'rotated_on'])
    .where('id', '=', id)
    .executeTakeFirst()
  const next =
    row &&
    nextRotation({
      mileage: row.mileage,
      mileageOn: row.mileage_on,
      rotatedMileage: row.rotated_mileage,
      rotatedOn: row.rotated_on,
    })
  return {
    vehicle: (row && decodeChosenVehicle(row.choice)?.name) ?? 'vehicle',
    because:
      next?.because === 'miles'
        ? `By what you wrote down, about ${rotationMiles.toLocaleString('en-US')} miles are driven since the last time.`
        : `${rotationMonths} months have passed since the last time.`,
    garageUrl: `${config.web.origin}/account/my-garage`,
    phone: config.store.phone,
  }
}
