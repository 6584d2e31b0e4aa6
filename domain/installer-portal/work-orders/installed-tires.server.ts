/** The tires that shops installed for an account, by order, as their owner sees them. */
import { orderIdsOfAccount, ownsOrder, readOrder } from '#domain/ordering/orders/orders.server.ts'
import { vehicleText } from '#domain/ordering/orders/orders.ts'
import type { Database } from '#platform/db.ts'
import { selectRecallsOfOrders } from './recalls.sql.server.ts'
import { selectInstalledTires, type AccountTire } from './tire-registrations.sql.server.ts'
import { selectArticles } from './work-orders.sql.server.ts'

/** Orders looked through; a garage has few cars. */
const ordersShown = 100

/** An order's installed tires. */
export type InstalledSet = {
  orderId: number
  vehicle: string | null
  shop: string
  installedOn: Temporal.PlainDate
  /** As the shop read it. */
  odometerMiles: number
  tires: (Pick<AccountTire, 'position' | 'tin' | 'brand' | 'line' | 'size'> & { recall: string | null })[]
}

/** Lists the sets of an account, newest first. */
export async function listInstalledSets(db: Database, accountId: string): Promise<InstalledSet[]> {
  return listInstalledSetsOf(db, await orderIdsOfAccount(db, accountId, ordersShown))
}

/** Lists the sets that these orders put on cars, newest first. */
export async function listInstalledSetsOf(db: Database, orderIds: readonly number[]): Promise<InstalledSet[]> {
  const tires = await selectInstalledTires(db, orderIds)
  const recalls = await recallsOf(
    db,
    tires.map(({ orderId }) => orderId),
  )
  return [...Map.groupBy(tires, ({ orderId }) => orderId).values()].flatMap((set) => setOf(set, null, recalls))
}

/**
 * A set with the lowest mileage warranty of its tires, or null if one has no warranty. Undefined if the order belongs
 * to another account or was not installed.
 */
export async function readInstalledSet(
  db: Database,
  { accountId, orderId }: { accountId: string; orderId: number },
): Promise<(InstalledSet & { warrantyMiles: number | null; isStaggered: boolean }) | undefined> {
  const isOwn = await ownsOrder({ db }, accountId, orderId)
  const tires = isOwn ? await selectInstalledTires(db, [orderId]) : []
  const order = tires.length > 0 ? await readOrder(db, orderId) : undefined
  const [set] = setOf(tires, order ? vehicleText(order) : null, await recallsOf(db, [orderId]))
  if (!order || !set) return undefined
  const itemIds = order.lines.flatMap(({ kind, itemId }) => (kind === 'tire' && itemId !== null ? [itemId] : []))
  const miles = [...(await selectArticles(db, itemIds)).values()].map(({ warrantyMiles }) => warrantyMiles)
  const known = miles.filter((each) => each !== null)
  return {
    ...set,
    warrantyMiles: known.length > 0 && known.length === miles.length ? Math.min(...known) : null,
    isStaggered: new Set(set.tires.map(({ size }) => size)).size > 1,
  }
}

async function recallsOf(db: Database, orderIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const recalls = await selectRecallsOfOrders(db, [...new Set(orderIds)])
  return new Map(recalls.map(({ registrationId, campaign }) => [registrationId, campaign]))
}

function setOf(
  tires: readonly AccountTire[],
  vehicle: string | null,
  recalls: ReadonlyMap<number, string>,
): InstalledSet[] {
  const [first] = tires
  if (!first) return []
  return [
    {
      orderId: first.orderId,
      vehicle,
      shop: first.shop,
      installedOn: first.installedAt.toZonedDateTimeISO(first.timeZone).toPlainDate(),
      odometerMiles: first.odometerMiles,
      tires: tires.map(({ id, position, tin, brand, line, size }) => ({
        position,
        tin,
        brand,
        line,
        size,
        recall: recalls.get(id) ?? null,
      })),
    },
  ]
}
