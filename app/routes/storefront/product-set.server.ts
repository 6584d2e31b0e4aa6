/**
 * The tires that the product page sells together. They are four of a kind, or a staggered vehicle's front and rear
 * tires.
 */
import {
  findItem,
  getProduct,
  type Catalog,
  type Product,
  type ProductInput,
} from '#domain/catalog/catalog/catalog.server.ts'
import { unitsForSale, verdictOn, type Item } from '#domain/catalog/catalog/catalog.ts'
import { type FitmentVerdict, type Requirement } from '#domain/catalog/fitment/fitment.ts'
import { sizeDesignation } from '#domain/kernel/tire-sizes/tire-sizes.ts'

/** `shown` is the item that the page is about, front or rear. */
export type StaggeredSet = { readonly front: Product; readonly rear: Product; readonly verdict: FitmentVerdict | null }

type Asked = Omit<ProductInput, 'itemId'> & { readonly rearId: number | null }

/**
 * Returns an item's staggered set, with the requested rear item or the model's best item for the vehicle's other axle.
 * Returns null if the vehicle has the same tires on both axles, or if the model lacks the other size.
 */
export async function findStaggeredSet(catalog: Catalog, shown: Product, asked: Asked): Promise<StaggeredSet | null> {
  const { requirement, rearId } = asked
  const at = catalog.fitAt()
  const product = async (itemId: number) => {
    const found = await getProduct(catalog, { ...asked, itemId })
    return found.ok ? found.value : null
  }
  const prices = await catalog.cache.prices()
  const join = (front: Product | null, rear: Product | null) => {
    if (!front || !rear) return null
    // Bought together, both have the same price label.
    const [frontPrice, rearPrice] = prices.pricesOfPair(front.item, rear.item)
    const verdict = requirement ? verdictOn([front.item, rear.item], requirement, at) : null
    return { front: { ...front, price: frontPrice }, rear: { ...rear, price: rearPrice }, verdict }
  }

  if (rearId !== null && rearId !== shown.item.id && shown.siblings.some(({ itemId }) => itemId === rearId))
    return join(shown, await product(rearId))
  const place = requirement && placeOf(shown.item, requirement)
  if (!requirement || !place) return null
  const candidates = await Promise.all(
    shown.siblings.filter(({ size }) => size === place.partnerSize).map(({ itemId }) => findItem(catalog, itemId)),
  )
  const pair = (partner: Item) => (place.axle === 'front' ? [shown.item, partner] : [partner, shown.item])
  const rank = (partner: Item) => [
    levels.indexOf(verdictOn(pair(partner), requirement, at).verdict),
    unitsForSale(partner, at) >= 2 ? 0 : 1,
    partner.retailCents,
    partner.id,
  ]
  const [partner] = candidates
    .filter((item) => item !== undefined)
    .filter((item) => item.runFlat === shown.item.runFlat && item.oeMark === shown.item.oeMark)
    .sort((a, b) => compare(rank(a), rank(b)))
  if (!partner) return null
  return place.axle === 'front' ? join(shown, await product(partner.id)) : join(await product(partner.id), shown)
}

/** Returns the item's axle on a staggered vehicle and the required size of the other axle. */
function placeOf(
  { size }: Item,
  { configurations }: Requirement,
): { axle: 'front' | 'rear'; partnerSize: string } | null {
  for (const { front, rear } of configurations) {
    if (!front.size || !rear.size) continue
    const [frontSize, rearSize] = [sizeDesignation(front.size), sizeDesignation(rear.size)]
    if (frontSize === rearSize) continue
    if (size.designation === frontSize) return { axle: 'front', partnerSize: rearSize }
    if (size.designation === rearSize) return { axle: 'rear', partnerSize: frontSize }
  }
  return null
}

const levels = ['fits', 'fits_with_conditions', 'unknown', 'does_not_fit']

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
