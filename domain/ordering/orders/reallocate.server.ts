/** Moves unshipped parcels from a closing warehouse to the store's other warehouses. */
import {
  findWarehouse,
  freeStock,
  lockFromClosing,
  lockStockToHold,
  promisesByZip,
  takeStock,
} from '#domain/supply/delivery/delivery.server.ts'
import { releaseAfterSeconds, warehouseStateOf } from '#domain/supply/delivery/delivery.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { expectParcel } from './expected-day.server.ts'
import { insertOrderNote, lockOrder, lockShipments } from './order-life.sql.server.ts'
import { returnUnits } from './place.sql.server.ts'
import { moveAllocation, moveParcel, selectUnshippedParcels } from './re-source.sql.server.ts'
import { maxPlanned, maxReallocated, planReallocation, type PlannedParcel } from './reallocation.ts'
import { selectOrderOfParcel } from './parcels-to-pack.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'

type Deps = { db: Database; clock: Clock }

/**
 * Plans new warehouses for up to `maxPlanned` unshipped parcels, earliest promise first. `only` limits it to one
 * parcel and target. Excludes pickup orders.
 */
export async function previewReallocation(
  { db, clock }: Deps,
  warehouseId: number,
  only?: { shipmentId: string; to: number },
): Promise<PlannedParcel[]> {
  const parcels = await selectUnshippedParcels(db, {
    warehouseId,
    id: only?.shipmentId ?? null,
    limit: maxPlanned,
  })
  if (parcels.length === 0) return []
  const itemIds = [...new Set(parcels.flatMap(({ items }) => items.map(({ itemId }) => itemId)))]
  const others = await freeStock(db, itemIds, clock.now())
  const zips = [...new Set(parcels.map(({ zip }) => zip))]
  const released = await promisesByZip({ db, clock }, { zips, releaseAfter: 0 })
  const placed = await promisesByZip({ db, clock }, { zips, releaseAfter: releaseAfterSeconds })
  return planReallocation(
    parcels,
    others.filter(({ id }) => id !== warehouseId && (!only || id === only.to)),
    {
      today: storeDay(clock.now()).toString(),
      arrivals: ({ zip, isReleased }) =>
        new Map(
          [...((isReleased ? released : placed).get(zip) ?? [])].map(([id, { arrivesOn }]) => [
            id,
            arrivesOn.toString(),
          ]),
        ),
    },
  )
}

type ReallocationRefusal = Refused<'not-allowed'> | Refused<'gone'> | Refused<'other-state'> | Refused<'nothing-moved'>

/**
 * Moves the previewed parcels with their allocations and expected days, each in a separate transaction. Counts as `left`
 * the parcels that changed since the preview, or that the target can't ship in time anymore. The previous units return
 * to the closing warehouse. Idempotent. Refuses `other-state` for a warehouse that isn't closing, and `nothing-moved` if
 * every parcel changed.
 */
export async function reallocateParcels(
  deps: Deps,
  by: Actor,
  { warehouseId, moves }: { warehouseId: number; moves: readonly { shipmentId: string; to: number }[] },
): Promise<Outcome<{ moved: number; left: number }, ReallocationRefusal>> {
  const warehouse = await findWarehouse(deps, warehouseId)
  if (!warehouse) return refused('gone')
  const state = warehouseStateOf(warehouse)
  if (state !== 'scheduled' && state !== 'closing') return refused('other-state')
  let moved = 0
  for (const move of moves.slice(0, maxReallocated)) {
    const outcome = await deps.db.transaction().execute((tx) => reallocate({ ...deps, db: tx }, by, warehouse, move))
    if (!outcome.ok && outcome.reason === 'not-allowed') return outcome
    if (outcome.ok) moved += 1
  }
  return moved === 0 ? refused('nothing-moved') : ok({ moved, left: moves.length - moved })
}

async function reallocate(
  { db: tx, clock }: { db: Tx; clock: Clock },
  by: Actor,
  from: { id: number; code: string },
  { shipmentId, to }: { shipmentId: string; to: number },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'changed'>>> {
  const at = clock.now()
  const permitted = await requirePermission(tx, by, 'warehouses.manage', at)
  if (!permitted.ok) return permitted
  const orderId = await selectOrderOfParcel(tx, shipmentId)
  const state = orderId === undefined ? undefined : await lockOrder(tx, orderId)
  if (orderId === undefined || (state !== 'confirmed' && state !== 'needs-confirmation')) return refused('changed')
  await lockShipments(tx, orderId)
  const [parcel] = await selectUnshippedParcels(tx, { warehouseId: from.id, id: shipmentId, limit: 1 })
  if (!parcel) return refused('changed')
  const { items } = parcel
  await lockFromClosing(tx, [from.id, to])
  await lockStockToHold(
    tx,
    [from.id, to].map((warehouseId) => ({ warehouseId, items })),
  )
  const [planned] = await previewReallocation({ db: tx, clock }, from.id, { shipmentId, to })
  if (!planned?.to) return refused('changed')
  const { code, arrivesOn } = planned.to
  if (!(await takeStock(tx, [{ warehouseId: to, items }], { cartId: null, at })))
    throw new Error(`The stock of warehouse ${to} changed while it was locked.`)
  await returnUnits(tx, orderId, from.id)
  await moveAllocation(tx, { orderId, warehouseId: from.id }, to)
  const promises = await promisesByZip(
    { db: tx, clock },
    { zips: [parcel.zip], releaseAfter: parcel.isReleased ? 0 : releaseAfterSeconds },
  )
  const shipsBy = promises.get(parcel.zip)?.get(to)?.shipsBy ?? null
  await moveParcel(tx, { orderId, warehouseId: from.id }, { to, shipsBy })
  await expectParcel(tx, { orderId, shipmentId, expectedOn: arrivesOn, asOf: at.toString() }, at)
  if (parcel.isReleased) await enqueue(tx, 'ship-order', { shipmentId, orderId }, { key: `ship-order:${shipmentId}` })
  const note = `Warehouse ${from.code} is closing. ${code} ships its tires.`
  await insertOrderNote(tx, { id: orderId, state }, { actor: `staff:${by.name}`, at, note })
  await recordAct(tx, {
    by,
    act: 'warehouse.parcel-moved',
    subject: orderNumber(orderId),
    before: { warehouse: from.code, parcel: shipmentId },
    after: { warehouse: code, expectedOn: arrivesOn },
    at,
  })
  return ok(null)
}
