/** The rotation log of tires that a shop installed for an account, and the estimate of their mileage warranty. */
import { listGarage, lockAccount, noteReadings } from '#domain/customers/accounts/accounts.server.ts'
import { readInstalledSet, type InstalledSet } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { NextRotation } from '#domain/customers/accounts/accounts.ts'
import {
  estimateWarranty,
  nextOf,
  withGaps,
  type Rotation,
  type RotationInput,
  type WarrantyEstimate,
} from './tire-log.ts'
import { deleteRotation, insertRotation, selectRotations } from './tire-log.sql.server.ts'

export { adviseRotations } from './rotation-advice.server.ts'
export { exportRotations } from './tire-log.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type Of = { accountId: string; orderId: number }

/** A set of tires with its log. */
export type TireLog = InstalledSet & {
  isStaggered: boolean
  rotations: ReturnType<typeof withGaps>
  next: NextRotation | null
  warranty: WarrantyEstimate | null
}

/** Reads the log of a set; undefined for an order that is not the account's, or was not installed by a shop. */
export async function readTireLog({ db }: Pick<Deps, 'db'>, of: Of): Promise<TireLog | undefined> {
  const set = await readInstalledSet(db, of)
  if (!set) return undefined
  const log = await selectRotations(db, of)
  return { ...set, rotations: withGaps(set, log), next: nextOf(set, log), warranty: estimateWarranty(set, log) }
}

type LogRefusal =
  | Refused<'tires-not-found'>
  | Refused<'odometer-back'>
  | Refused<'logged-already'>
  | Refused<'log-full'>

/**
 * Logs a rotation. Refuses a second entry on the same day with `logged-already`; an identical one has no effect. Also
 * updates a garage vehicle with the same name as the order's, so that its reminder follows.
 */
export async function logRotation(
  { db, clock }: Deps,
  of: Of,
  rotation: RotationInput,
): Promise<Outcome<null, LogRefusal>> {
  const set = await readInstalledSet(db, of)
  if (!set) return refused('tires-not-found')
  try {
    const logged = await db.transaction().execute(async (tx): Promise<Outcome<{ isNew: boolean }, LogRefusal>> => {
      await lockAccount(tx, of.accountId)
      const same = (await selectRotations(tx, of)).find(({ on }) => on.equals(rotation.on))
      if (same) return isSame(same, rotation) ? ok({ isNew: false }) : refused('logged-already')
      return (await insertRotation(tx, of, { ...rotation, at: clock.now() }))
        ? ok({ isNew: true })
        : refused('log-full')
    })
    if (!logged.ok) return logged
    if (logged.value.isNew) await tellGarage({ db, clock }, of.accountId, set.vehicle, rotation)
    return ok(null)
  } catch (error) {
    if (violatedConstraint(error) === 'tire_rotation_forward') return refused('odometer-back')
    throw error
  }
}

function isSame({ odometerMiles, place }: Rotation, typed: RotationInput): boolean {
  return odometerMiles === typed.odometer && place === typed.place
}

/** Updates the garage vehicle's last rotation. Ignores an older one or a lower mileage. */
async function tellGarage(
  { db, clock }: Deps,
  accountId: string,
  name: string | null,
  { on, odometer }: RotationInput,
): Promise<void> {
  const found = (await listGarage({ db }, accountId)).find(({ vehicle }) => vehicle.name === name)
  if (!found || (found.rotatedOn !== null && found.rotatedOn >= on.toString())) return
  if ((found.rotatedMileage ?? 0) > odometer) return
  const mileage = Math.max(found.mileage ?? 0, odometer)
  await noteReadings(
    { db },
    {
      accountId,
      id: found.id,
      readings: { mileage, rotatedOn: on.toString(), rotatedMileage: odometer, reminder: found.wantsReminder },
      today: storeDay(clock.now()),
    },
  )
}

/** Removes a rotation that was logged by mistake; twice is once. Refuses `tires-not-found`. */
export async function removeRotation(
  { db }: Pick<Deps, 'db'>,
  of: Of & { nth: number },
): Promise<Outcome<null, Refused<'tires-not-found'>>> {
  if (!(await readInstalledSet(db, of))) return refused('tires-not-found')
  await deleteRotation(db, of)
  return ok(null)
}
