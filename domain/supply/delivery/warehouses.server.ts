/** Warehouses in the back office, where managers add and change the store's. */
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { WarehouseDraft } from './warehouse-form.ts'
import {
  insertWarehouse,
  replaceHours,
  selectLastChange,
  selectOfficeWarehouses,
  updateWarehouse,
  type LastChange,
  type OfficeWarehouse,
  type WarehouseRow,
} from './warehouses.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { dayNames } from '#platform/week-hours.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }
type SaveRefusal = Refused<'not-allowed'> | Refused<'zip-unknown'> | Refused<'branch-taken'>

/** Lists every warehouse by code, including suppliers'. */
export function listWarehouses({ db }: Pick<Deps, 'db'>): Promise<OfficeWarehouse[]> {
  return selectOfficeWarehouses(db, null)
}

/** Returns the warehouse with this id; undefined if it doesn't exist. */
export async function findWarehouse({ db }: Pick<Deps, 'db'>, id: number): Promise<OfficeWarehouse | undefined> {
  return (await selectOfficeWarehouses(db, id))[0]
}

/**
 * Adds a warehouse and returns its id. City, state, and, unless it is chosen, time zone come from its ZIP code. Refuses `not-allowed`,
 * `zip-unknown` for a ZIP without a place on the map, `code-taken`, `branch-taken` for an ID that another
 * warehouse has at the supplier, and refusals from `requireHolder`.
 */
export async function addWarehouse<Refusal extends Refused<string> = never>(
  { db, clock }: Deps,
  by: Actor,
  draft: WarehouseDraft,
  requireHolder?: (tx: Tx) => Promise<Outcome<null, Refusal>>,
): Promise<Outcome<{ id: number }, SaveRefusal | Refused<'code-taken'> | Refusal>> {
  const at = clock.now()
  try {
    return await refusingTakenBranch(db, async (tx) => {
      const row = await rowOf(tx, by, { draft, at })
      if (!row.ok) return row
      const held = await requireHolder?.(tx)
      if (held && !held.ok) return held
      const id = await insertWarehouse(tx, { code: draft.code, supplierId: draft.supplierId }, row.value)
      await replaceHours(tx, id, draft.hours)
      await recordAct(tx, {
        by,
        act: 'warehouse.added',
        subject: draft.code,
        after: recorded({ ...draft, timeZone: row.value.timeZone }),
        at,
      })
      return ok({ id })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'warehouse_code_key') return refused('code-taken')
    throw error
  }
}

/**
 * Changes a warehouse; its code and holder stay. Refuses as `addWarehouse` does, `gone` for an unknown warehouse, and
 * `changed-meanwhile` (with the last change) if its version is no longer the one that the form was filled from.
 */
export async function changeWarehouse(
  { db, clock }: Deps,
  by: Actor,
  id: number,
  draft: WarehouseDraft,
): Promise<Outcome<null, SaveRefusal | Refused<'gone'> | Refused<'changed-meanwhile', LastChange>>> {
  const at = clock.now()
  return refusingTakenBranch(db, async (tx) => {
    const [before] = await selectOfficeWarehouses(tx, id)
    const row = await rowOf(tx, by, { draft: { ...draft, supplierId: before?.supplierId ?? null }, at })
    if (!row.ok) return row
    if (!before) return refused('gone')
    if (!(await updateWarehouse(tx, { id, version: draft.version }, row.value)))
      return refused('changed-meanwhile', await selectLastChange(tx, id))
    await replaceHours(tx, id, draft.hours)
    await recordAct(tx, {
      by,
      act: 'warehouse.changed',
      subject: before.code,
      before: recorded(before),
      after: recorded({ ...draft, supplierId: before.supplierId, timeZone: row.value.timeZone }),
      at,
    })
    return ok(null)
  })
}

/** Runs `save` in a transaction. */
async function refusingTakenBranch<Value, Refusal extends Refused<string, unknown>>(
  db: Database,
  save: (tx: Tx) => Promise<Outcome<Value, Refusal>>,
): Promise<Outcome<Value, Refusal | Refused<'branch-taken'>>> {
  try {
    return await db.transaction().execute(save)
  } catch (error) {
    if (violatedConstraint(error) === 'warehouse_branch_once') return refused('branch-taken')
    throw error
  }
}

async function rowOf(
  tx: Tx,
  by: Actor,
  {
    draft: {
      name,
      street,
      zip,
      timeZone: chosenZone,
      cutoff,
      dayCutoffs,
      handlingDays,
      transit,
      unservedZones,
      shipDays,
      closedDays,
      carriers,
      zoneCarriers,
      shipsByHand,
      offersPickup,
      pickupReadyHours,
      pickupKeptDays,
      pickupNote,
      supplierId,
      pool,
      branch,
    },
    at,
  }: { draft: WarehouseDraft; at: Temporal.Instant },
): Promise<Outcome<WarehouseRow, SaveRefusal>> {
  const permitted = await requirePermission(tx, by, 'warehouses.manage', at)
  if (!permitted.ok) return permitted
  const place = await findPlace(tx, zip)
  if (place?.latitude == null || place.longitude == null || place.timeZone == null) return refused('zip-unknown')
  const { city, state, latitude, longitude } = place
  const timeZone = chosenZone ?? place.timeZone
  return ok({
    name,
    street,
    zip,
    cutoff,
    dayCutoffs,
    handlingDays,
    transit,
    unservedZones,
    city,
    state,
    latitude,
    longitude,
    timeZone,
    shipDays,
    closedDays,
    carriers,
    zoneCarriers,
    shipsByHand,
    offersPickup,
    pickupReadyHours,
    pickupKeptDays,
    pickupNote,
    pool: supplierId === null ? 'on-hand' : pool,
    branch: supplierId === null ? null : branch,
    by: by.name,
    at,
  })
}

type Recorded = Pick<
  OfficeWarehouse,
  | 'name'
  | 'street'
  | 'zip'
  | 'timeZone'
  | 'cutoff'
  | 'dayCutoffs'
  | 'handlingDays'
  | 'transit'
  | 'unservedZones'
  | 'shipDays'
  | 'closedDays'
  | 'carriers'
  | 'zoneCarriers'
  | 'shipsByHand'
  | 'offersPickup'
  | 'pickupReadyHours'
  | 'pickupKeptDays'
  | 'pickupNote'
  | 'hours'
  | 'supplierId'
  | 'pool'
  | 'branch'
>

/** The zones in the order of `transitZones`. */
const zoneNames = ['nearby', 'farther', 'farthest', 'Alaska', 'Hawaii', 'territories'] as const

function recorded({
  name,
  street,
  zip,
  timeZone,
  cutoff,
  dayCutoffs,
  handlingDays,
  transit,
  unservedZones,
  shipDays,
  closedDays,
  carriers,
  zoneCarriers,
  shipsByHand,
  offersPickup,
  pickupReadyHours,
  pickupKeptDays,
  pickupNote,
  hours,
  supplierId,
  pool,
  branch,
}: Recorded) {
  return {
    ...(supplierId !== null && { supplier: supplierId, pool, branch }),
    name,
    street,
    zip,
    timeZone,
    cutoff,
    dayCutoffs: dayCutoffs.flatMap((time, day) => (time === null ? [] : [`${dayNames[day + 1]} ${time}`])).join(', '),
    handlingDays,
    transitDays: [transit.near, transit.mid, transit.far, transit.AK, transit.HI, transit.TERRITORY].join(', '),
    notShippedTo: unservedZones.join(', '),
    shipDays: shipDays.join(', '),
    closedDays: closedDays.join(', '),
    carriers: carriers.join(', '),
    zoneCarriers: zoneCarriers.flatMap((name, index) => (name ? [`${zoneNames[index]} ${name}`] : [])).join(', '),
    shipsByHand,
    offersPickup,
    pickupReadyHours,
    pickupKeptDays,
    pickupNote,
    hours: hours.map(({ weekday, opens, closes }) => `${weekday} ${opens}-${closes}`).join(', '),
  }
}
