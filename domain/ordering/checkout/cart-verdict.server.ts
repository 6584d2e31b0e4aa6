/**
 * Fitment of a cart's tires to its vehicle, checked before installation is sold (fitment rule FR46) and stored with the
 * order.
 */
import { findItem, offeredTire, type Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import type { Cart, CartLine } from '#domain/payments/cart/cart.ts'
import { isInstallation, type Fulfillment } from '#domain/supply/delivery/delivery.ts'
import {
  isInstallationRefused,
  judgeFitment,
  makerTreadTolerance32,
  stateRequirement,
  summarizeVerdict,
  worst,
  type Candidate,
  type Context,
  type FitmentVerdict,
  type Level,
  type Requirement,
  type StatedRequirement,
} from '#domain/catalog/fitment/fitment.ts'
import { findChosenVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { chosenVehicleSchema } from '#domain/catalog/vehicles/vehicles.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { refused, type Refused } from '#platform/outcome.ts'
import { cartSets, type CartSet } from './cart-sets.ts'

/** The fitment result for one set of the cart, as plain data stored with the order. */
export type SetVerdict = {
  itemIds: number[]
  verdict: Level
  headline: string
  lines: string[]
  conditions: { code: string; text: string }[]
  ruleBook: string
  /** The rules that decided, such as "FR6". */
  rules: string[]
  /** The vehicle's fitment requirement, quoted on the work order. */
  requirement: StatedRequirement
}

/** The lowest verdict of the cart's sets, and each set's own. */
export type CartVerdict = { vehicleName: string; verdict: Level; sets: SetVerdict[] }

/** The cart's tires do not fit its vehicle, with the verdict on each set. */
export type InstallationRefusal = Refused<'does-not-fit', { verdict: CartVerdict }>

type Deps = { db: Database; clock: Clock; catalog: Catalog }

/** The full fitment result for one set, and the item on each axle. */
export type JudgedSet = {
  readonly itemIds: readonly number[]
  readonly verdict: FitmentVerdict
  readonly itemOn: { readonly front: number | undefined; readonly rear: number | undefined }
}

/** Evaluates the fitment of every set in the cart; null if the shopper chose no vehicle. */
export async function judgeCart(deps: Deps, cart: Pick<Cart, 'vehicle' | 'lines'>): Promise<CartVerdict | null> {
  const judged = await judgeCartSets(deps, cart)
  return judged && summarizeSets(judged)
}

/**
 * Refuses `does-not-fit` when the cart's tires cannot be installed on its vehicle (fitment rule FR46): asked before a
 * shop or van is chosen, a time is held, a payment is opened and an order is placed. Returns undefined for tires that
 * are not installed, that may fit, or that are for no vehicle in particular. `fulfillment` is the cart's unless another
 * one is being chosen.
 */
export async function refuseInstallation(
  deps: Deps,
  cart: Pick<Cart, 'vehicle' | 'lines' | 'fulfillment'>,
  fulfillment: Fulfillment | null = cart.fulfillment,
): Promise<InstallationRefusal | undefined> {
  return isInstallation(fulfillment) ? refusalOf(await judgeCart(deps, cart)) : undefined
}

/** The refusal of a verdict that was read. */
export function refusalOf(verdict: CartVerdict | null): InstallationRefusal | undefined {
  return verdict && isInstallationRefused(verdict) ? refused('does-not-fit', { verdict }) : undefined
}

/** Converts evaluated sets to the form stored and displayed. */
export function summarizeSets({ vehicleName, sets }: { vehicleName: string; sets: readonly JudgedSet[] }): CartVerdict {
  const all = sets.map(({ itemIds, verdict }): SetVerdict => {
    const summary = summarizeVerdict(verdict, { vehicleName })
    return {
      itemIds: [...itemIds],
      verdict: verdict.verdict,
      headline: summary.headline,
      lines: [...summary.lines],
      conditions: verdict.conditions.map(({ code, text }) => ({ code, text })),
      ruleBook: verdict.ruleBook,
      rules: [...verdict.rules],
      requirement: stateRequirement(verdict.input.requirement),
    }
  })
  return { vehicleName, verdict: worst(all.map(({ verdict }) => verdict)), sets: all }
}

/** The whole verdict on every set, axle by axle; null without a vehicle. */
export async function judgeCartSets(
  deps: Deps,
  cart: Pick<Cart, 'vehicle' | 'lines'>,
): Promise<{ vehicleName: string; sets: JudgedSet[] } | null> {
  const chosen = chosenVehicleSchema.safeParse(cart.vehicle)
  if (!chosen.success || cart.lines.length === 0) return null
  const vehicle = await findChosenVehicle(deps, chosen.data)
  if (!vehicle.ok) return null
  const { name, requirement } = vehicle.value
  const sets = await Promise.all(
    cartSets(cart.lines, requirement.dualRearWheels ? 6 : 4).map((set) => judgeSet(deps, requirement, set)),
  )
  return { vehicleName: name, sets }
}

async function judgeSet({ catalog }: Deps, requirement: Requirement, set: CartSet<CartLine>): Promise<JudgedSet> {
  const { lines, leftAndRightDiffer } = set
  const { now, maxAgeYears } = catalog.fitAt()
  const tireOf = async (line: CartLine | undefined) => {
    const item = line && (await findItem(catalog, line.itemId))
    return item && offeredTire(item, now)
  }
  const [front, rear] = await Promise.all([tireOf(set.front), tireOf(set.rear)])
  const quantity = lines.reduce((sum, line) => sum + line.quantity, 0)
  const axle = set.rear === undefined && set.front?.axle === 'front' ? 'front' : undefined
  const context: Context = {
    quantity,
    axle,
    leftAndRightDiffer,
    makerTreadTolerance32: makerTreadTolerance32[requirement.make ?? ''],
    maxAgeYears,
  }
  const judge = (candidate: Candidate) => judgeFitment({ requirement, candidate, context })
  const itemIds = lines.map((line) => line.itemId)
  const [inFront, inRear] = [set.front?.itemId, set.rear?.itemId ?? set.front?.itemId]
  const asBought = { itemIds, verdict: judge({ front, rear }), itemOn: { front: inFront, rear: inRear } }
  if (!set.isEitherWay) return asBought
  const turned = judge({ front: rear, rear: front })
  return better(asBought.verdict, turned) === turned
    ? { itemIds, verdict: turned, itemOn: { front: inRear, rear: inFront } }
    : asBought
}

function better(one: FitmentVerdict, other: FitmentVerdict): FitmentVerdict {
  return worst([one.verdict, other.verdict]) === one.verdict && one.verdict !== other.verdict ? other : one
}
