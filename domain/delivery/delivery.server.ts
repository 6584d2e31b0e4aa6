/** Delivery promises from current stock. Each use case reads everything in one statement. */
import { selectGround, type GroundPlace } from '#domain/delivery/delivery.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  planShipments,
  rankWarehouses,
  releaseAfterSeconds,
  type DeliveryPlan,
  type DeliveryPromise,
  type Destination,
  type RankedWarehouse,
  type Shortage,
} from './delivery.ts'

export { lockStock, returnStock, setStock, takeStock } from '#domain/delivery/stock.sql.server.ts'

export type DeliveryDeps = { db: Database; clock: Clock }
export type DeliveryLine = { itemId: number; quantity: number }
/** The ZIP is unknown or has no location; or it is a military post office. */
export type ZipRefusal = Refused<'zip-not-found'> | Refused<'military'>
export type DeliveryOutcome = Outcome<DeliveryPlan, ZipRefusal | Refused<'out-of-stock', Shortage[]>>

/**
 * Plans which warehouses ship what to `zip`, and when it arrives. `releaseAfter` is in seconds; default: the time in
 * which an order can be canceled.
 */
export async function planDelivery(
  deps: DeliveryDeps,
  input: { lines: readonly DeliveryLine[]; zip: string; releaseAfter?: number },
): Promise<DeliveryOutcome> {
  const plans = await planDeliveries(deps, { ...input, zips: [input.zip] })
  return plans.get(input.zip) ?? refused('zip-not-found')
}

/** The same for several ZIPs at once, for a list of shops. */
export async function planDeliveries(
  deps: DeliveryDeps,
  input: { lines: readonly DeliveryLine[]; zips: readonly string[]; releaseAfter?: number },
): Promise<Map<string, DeliveryOutcome>> {
  const serving = await rankFor(deps, { ...input, itemIds: input.lines.map((line) => line.itemId) })
  return new Map(
    [...serving].map(([zip, ranked]) => [zip, ranked.ok ? planShipments(input.lines, ranked.value) : ranked]),
  )
}

/**
 * What each warehouse could promise at `zip`, by warehouse id: for searches that filter by delivery date in the
 * database.
 */
export async function warehousePromises(
  deps: DeliveryDeps,
  input: { zip: string; releaseAfter?: number },
): Promise<Outcome<Map<number, DeliveryPromise>, ZipRefusal>> {
  const ranked =
    (await rankFor(deps, { ...input, zips: [input.zip], itemIds: [] })).get(input.zip) ?? refused('zip-not-found')
  return ranked.ok ? ok(new Map(ranked.value.map(({ warehouse, promise }) => [warehouse.id, promise]))) : ranked
}

async function rankFor(
  { db, clock }: DeliveryDeps,
  input: { zips: readonly string[]; itemIds: readonly number[]; releaseAfter?: number },
): Promise<Map<string, Outcome<RankedWarehouse[], ZipRefusal>>> {
  const { places, warehouses } = await selectGround(db, input.zips, input.itemIds)
  const order = { warehouses, now: clock.now(), releaseAfterSeconds: input.releaseAfter ?? releaseAfterSeconds }
  return new Map(
    input.zips.map((zip) => {
      const destination = destinationOf(places.get(zip))
      return [zip, destination.ok ? ok(rankWarehouses({ ...order, destination: destination.value })) : destination]
    }),
  )
}

function destinationOf(place: GroundPlace | undefined): Outcome<Destination, ZipRefusal> {
  if (place?.region === 'MILITARY') return refused('military')
  if (!place || place.latitude === null || place.longitude === null) return refused('zip-not-found')
  return ok({ latitude: place.latitude, longitude: place.longitude, region: place.region as Destination['region'] })
}
