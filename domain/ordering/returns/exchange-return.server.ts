/**
 * Exchanges tires in one step. Makes a cart with the right size for the order's vehicle, and links it to the return
 * until it is ordered.
 */
import { addToCart } from '#domain/payments/cart/cart.server.ts'
import type { NewLine } from '#domain/payments/cart/cart.ts'
import { findItem, getProduct, type Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import type { Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { chosenVehicleSchema, type ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { findChosenVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import type { Taken } from '#platform/attempts.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { lockView } from './inspect-return.server.ts'
import { readReturn, selectReturnableLines, type ReturnView } from './return-view.sql.server.ts'
import { updateExchangeCart } from './returns.sql.server.ts'

type Deps = { db: Database; clock: Clock; buyer: Buyer; catalog: Catalog }

/** The vehicle to choose tires for, because the same model isn't sold in its size; null if unknown. */
export type ExchangePlace = { year: number; makeSlug: string; modelSlug: string } | null

/**
 * Adds the replacement tires for a return to the visitor's cart, and links the cart to the return, so that its order
 * waives the handling fee. For a wrong size these are the same tires in the vehicle's own size, else the same tires
 * again. Refuses with `no-size`, and the vehicle if known, when the shopper has to choose.
 */
export async function startExchange(
  deps: Deps,
  asked: { id: number; cartId: string | undefined; admit: () => Promise<Taken> },
): Promise<
  Outcome<
    { cartId: string },
    | Refused<'return-not-found'>
    | Refused<'no-size', { vehicle: ExchangePlace }>
    | Refused<'not-sold'>
    | Refused<'too-many', { retryAfterSeconds: number }>
  >
> {
  const view = await readReturn(deps.db, asked.id)
  const order = view && (await readOrder(deps.db, view.orderId))
  if (!view || !order) return refused('return-not-found')
  const lines = await findReplacements(deps, order, view)
  if (!lines.ok) return lines
  const vehicle = chosenVehicleSchema.safeParse(order.vehicle)
  const added = await addToCart(deps, {
    cartId: asked.cartId,
    lines: lines.value,
    zip: order.shipTo.zip,
    vehicle: vehicle.success ? vehicle.data : null,
    admit: asked.admit,
  })
  if (!added.ok) return added
  await deps.db.transaction().execute(async (tx) => {
    if (await lockView(tx, view.id)) await updateExchangeCart(tx, view.id, added.value.cartId)
  })
  return ok({ cartId: added.value.cartId })
}

/**
 * Finds the tires that `startExchange` would add to a cart. Refuses `no-size`, with the vehicle where it is known, when
 * the shopper has to choose.
 */
export async function findReplacements(
  deps: Deps,
  order: OrderView,
  { reason, tires }: ReturnView,
): Promise<Outcome<NewLine[], Refused<'no-size', { vehicle: ExchangePlace }>>> {
  const bought = await selectReturnableLines(deps.db, order.id)
  const live = tires.filter(({ state }) => state !== 'canceled')
  const quantityOf = (lineNo: number) => live.filter((tire) => tire.lineNo === lineNo).length
  const same = bought.flatMap(({ lineNo, itemId }): NewLine[] =>
    quantityOf(lineNo) > 0 ? [{ itemId, axle: 'all', quantity: quantityOf(lineNo) }] : [],
  )
  if (reason !== 'wrong-size') return ok(same)
  const chosen = chosenVehicleSchema.safeParse(order.vehicle)
  if (!chosen.success) return refused('no-size', { vehicle: null })
  const right = await rightSizeOf(deps, chosen.data, same)
  const { year, makeSlug, modelSlug } = chosen.data
  return right ? ok(right) : refused('no-size', { vehicle: { year, makeSlug, modelSlug } })
}

/** The same product lines in the size the car needs on all wheels; undefined where one is not made or sold in it. */
async function rightSizeOf(
  deps: Deps,
  chosen: ChosenVehicle,
  lines: readonly NewLine[],
): Promise<NewLine[] | undefined> {
  const found = await findChosenVehicle(deps, chosen)
  if (!found.ok) return undefined
  const replaced: NewLine[] = []
  for (const line of lines) {
    const item = await findItem(deps.catalog, line.itemId)
    const product =
      item &&
      (await getProduct(deps.catalog, {
        brandSlug: item.line.brand.slug,
        lineSlug: item.line.slug,
        itemId: item.id,
        requirement: found.value.requirement,
        vehicleName: chosen.name,
      }))
    const siblings = product?.ok
      ? product.value.siblings.filter(({ itemId, isInStock }) => itemId !== line.itemId && isInStock)
      : []
    // Until the placard is confirmed, an OE size fits on that condition, which the cart checks.
    const right =
      siblings.find(({ fit }) => fit?.verdict === 'fits') ??
      siblings.find(({ fit }) => fit?.verdict === 'fits_with_conditions')
    if (!right) return undefined
    replaced.push({ ...line, itemId: right.itemId })
  }
  return replaced
}
