/** Whether the cart's tires fit the cart's vehicle: asked before installation is sold (fitment rule FR46), and printed on the order. */
import { findItem, offeredTire, type Catalog } from '#domain/catalog/catalog.server.ts'
import type { Axle, Cart, CartLine } from '#domain/cart/cart.ts'
import { judgeFitment, makerTreadTolerance32, summarizeVerdict, worst, type Candidate, type Level, type Need } from '#domain/fitment/fitment.ts'
import { findChosenVehicle } from '#domain/vehicles/vehicles.server.ts'
import { chosenVehicleSchema } from '#domain/vehicles/vehicles.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'

/** The verdict on one set of the cart. Plain data: it is stored with the order. */
export type SetVerdict = {
  itemIds: number[]
  verdict: Level
  headline: string
  lines: string[]
  conditions: { code: string; text: string }[]
  ruleBook: string
}

/** The lowest verdict of the cart's sets, with each of them. */
export type CartVerdict = { vehicleName: string; verdict: Level; sets: SetVerdict[] }

type Deps = { db: Database; clock: Clock; catalog: Catalog }

/** Judges every set of the cart against its vehicle; null when the shopper named none, so that nothing is claimed. */
export async function judgeCart(deps: Deps, cart: Pick<Cart, 'vehicle' | 'lines'>): Promise<CartVerdict | null> {
  const chosen = chosenVehicleSchema.safeParse(cart.vehicle)
  if (!chosen.success || cart.lines.length === 0) return null
  const vehicle = await findChosenVehicle(deps, chosen.data)
  if (!vehicle.ok) return null
  const sets = await Promise.all(setsOf(cart.lines).map((lines) => judgeSet(deps, vehicle.value.need, vehicle.value.name, lines)))
  return { vehicleName: vehicle.value.name, verdict: worst(sets.map((set) => set.verdict)), sets }
}

/** A line for all wheels is a set; the lines for front and rear are one together. */
function setsOf(lines: readonly CartLine[]): CartLine[][] {
  const pairs = lines.filter((line) => line.axle !== 'all')
  return [...lines.filter((line) => line.axle === 'all').map((line) => [line]), ...(pairs.length > 0 ? [pairs] : [])]
}

async function judgeSet({ catalog, clock }: Deps, need: Need, vehicleName: string, lines: CartLine[]): Promise<SetVerdict> {
  const now = clock.now()
  const tireFor = async (axle: Axle) => {
    const line = lines.find((candidate) => candidate.axle === axle)
    const item = line && (await findItem(catalog, line.itemId))
    return item && offeredTire(item, now)
  }
  const [all, front, rear] = await Promise.all([tireFor('all'), tireFor('front'), tireFor('rear')])
  const candidate: Candidate = { front: all ?? front, rear: all ? undefined : rear }
  const quantity = lines.reduce((sum, line) => sum + line.quantity, 0)
  const verdict = judgeFitment({ need, candidate, context: { quantity, makerTreadTolerance32: makerTreadTolerance32[need.make ?? ''] } })
  const summary = summarizeVerdict(verdict, { vehicleName })
  return {
    itemIds: lines.map((line) => line.itemId),
    verdict: verdict.verdict,
    headline: summary.headline,
    lines: [...summary.lines],
    conditions: verdict.conditions.map(({ code, text }) => ({ code, text })),
    ruleBook: verdict.ruleBook,
  }
}
