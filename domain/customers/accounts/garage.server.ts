/** The garage, with an account's vehicles, mileage readings, and rotation reminder emails. */
import { paths } from '#content/paths.ts'
import { findAccount } from './find-accounts.server.ts'
import {
  deleteVehicle,
  insertVehicle,
  markReminded,
  selectVehicle,
  selectVehicles,
  updateReadings,
} from './garage.sql.server.ts'
import { lockAccount, mostVehicles, upsertVehicle } from './memory.sql.server.ts'
import type { Readings as TypedReadings } from './readings-form.ts'
import { nextRotation, rotationMiles, rotationMonths, type NextRotation, type Readings } from './rotation.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { isStoppedFor, queueMessage, resumeMails } from '#domain/messaging/messages/messages.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { decodeChosenVehicle, type ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'

type Deps = { db: Database; clock: Clock }

export type GarageVehicle = Readings & {
  id: string
  vehicle: ChosenVehicle
  wantsReminder: boolean
  next: NextRotation | null
}

/** Lists an account's vehicles, most recently used first. */
export async function listGarage({ db }: Pick<Deps, 'db'>, accountId: string): Promise<GarageVehicle[]> {
  const [isStopped, rows] = await Promise.all([
    isStoppedFor(db, 'rotation-due', accountId),
    selectVehicles(db, accountId),
  ])
  return rows.flatMap(({ id, choice, wantsReminder, ...readings }) => {
    const vehicle = decodeChosenVehicle(choice)
    return vehicle
      ? [{ id, vehicle, ...readings, wantsReminder: wantsReminder && !isStopped, next: nextRotation(readings) }]
      : []
  })
}

/** Selects a vehicle and returns it. Refuses `vehicle-not-found` if it is not in the garage. */
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

/**
 * Adds a vehicle to a customer's garage for them. Their chosen vehicle stays. Refuses `no-account`, `garage-full`, and
 * `vehicle-known` for a year, make and model that they have.
 */
export function addVehicleAsStaff(
  { db, clock }: Deps,
  by: Actor,
  { accountId, vehicle }: { accountId: string | null; vehicle: ChosenVehicle },
): Promise<
  Outcome<null, Refused<'not-allowed'> | Refused<'no-account'> | Refused<'garage-full'> | Refused<'vehicle-known'>>
> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'customers.edit', at)
    if (!permitted.ok) return permitted
    if (accountId === null) return refused('no-account')
    await lockAccount(tx, accountId)
    const account = await findAccount({ db: tx }, accountId)
    if (!account) return refused('no-account')
    if ((await selectVehicles(tx, accountId)).length >= mostVehicles) return refused('garage-full')
    if (!(await insertVehicle(tx, accountId, vehicle, at))) return refused('vehicle-known')
    const subject = account.email ?? accountId
    await recordAct(tx, { by, act: 'customer.vehicle-added', subject, after: { vehicle: vehicle.name }, at })
    return ok(null)
  })
}

/** Removes a vehicle from the garage; returns it, so that the browser can drop it too. */
export async function removeVehicle(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  id: string,
): Promise<Outcome<ChosenVehicle | null, Refused<'vehicle-not-found'>>> {
  const row = await deleteVehicle(db, accountId, id)
  return row ? ok(decodeChosenVehicle(row.choice) ?? null) : refused('vehicle-not-found')
}

/** Stores the owner's readings; `today` is the store's day. An unchanged mileage retains its original date. */
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
  // The box was unchecked while emails were stopped, so checking it resumes them.
  if (reminder) await resumeMails({ db }, { kind: 'rotation-due', accountId })
  const mileageOn = mileage === null ? null : mileage === before.mileage ? before.mileageOn : today.toString()
  const read = { mileage, mileageOn, rotatedMileage, rotatedOn }
  const next = nextRotation(read)
  await updateReadings(
    db,
    { accountId, id },
    { ...read, rotationDueOn: next?.on.toString() ?? null, wantsReminder: reminder },
  )
  return ok(next)
}

/** How many mails are sent per run; the next day's run continues. */
const mostReminders = 1_000

/**
 * Enqueues a mail for every due rotation not mailed yet, to owners with a verified email who want it; returns how many.
 */
export async function remindOfRotations({ db, clock }: Deps): Promise<number> {
  const now = clock.now()
  const today = storeDay(now).toString()
  return db.transaction().execute(async (tx) => {
    const due = await markReminded(tx, { today, limit: mostReminders })
    for (const { id, due: dueOn, email } of due)
      await queueMessage(tx, {
        kind: 'rotation-due',
        key: `rotation-due:${id}:${dueOn}`,
        to: email,
        orderId: null,
        at: now,
      })
    return due.length
  })
}

/** Returns the values of that mail. The vehicle may have left the garage since. */
export async function rotationMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'web' | 'store'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const row = await selectVehicle(db, id)
  const next = row && nextRotation(row)
  return {
    vehicle: (row && decodeChosenVehicle(row.choice)?.name) ?? 'vehicle',
    because:
      next?.because === 'miles'
        ? `By what you wrote down, about ${countOf(rotationMiles, 'mile')} are driven since the last time.`
        : `${countOf(rotationMonths, 'month')} have passed since the last time.`,
    garageUrl: config.web.origin + paths.myGarage(),
    phone: config.store.phone,
  }
}
