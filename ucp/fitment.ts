/** The extension `fitment`, which takes a vehicle or a size and returns fitment results with reasons and conditions. */
import type { UcpContext } from '#ucp/context.ts'
import type { FitmentInput } from '#ucp/input.ts'
import {
  judgeCartSets,
  summarizeSets,
  type CartVerdict,
  type JudgedSet,
} from '#domain/ordering/checkout/checkout.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import {
  ruleBookVersion,
  summarizeVerdict,
  type FitmentVerdict,
  type Requirement,
} from '#domain/catalog/fitment/fitment.ts'
import { parseTire, sizeSlug } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { findChosenVehicle, findVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { decodeChosenVehicle, encodeChosenVehicle, type ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { extensionNames } from '#ucp/profile.ts'
import { slugOf } from '#platform/slug.ts'

export type KnownVehicle = { chosen: ChosenVehicle; name: string; requirement: Requirement }

export const speaksFitment = (context: UcpContext): boolean =>
  context.agent.capabilities.has(extensionNames(context.app.config.web.origin).fitment)

/** Returns the submitted vehicle. Returns undefined if omitted and null if unknown. */
export async function readVehicle(
  { app }: UcpContext,
  { vehicle }: FitmentInput = {},
): Promise<KnownVehicle | null | undefined> {
  if (!vehicle) return undefined
  const chosen = vehicle.id === undefined ? await chosenBy(vehicle) : decodeChosenVehicle(vehicle.id)
  if (!chosen) return null
  const found = await findChosenVehicle(app, chosen)
  return found.ok ? { chosen, name: found.value.name, requirement: found.value.requirement } : null

  async function chosenBy(asked: NonNullable<FitmentInput['vehicle']>): Promise<ChosenVehicle | undefined> {
    const { year, make, model, trim } = asked
    if (year === undefined || make === undefined || model === undefined) return undefined
    const [makeSlug, modelSlug] = [slugOf(make), slugOf(model)]
    const named = await findVehicle(app, {
      year,
      makeSlug,
      modelSlug,
      trimSlug: trim === undefined ? undefined : slugOf(trim),
    })
    // A trim we do not list leaves the trim open.
    const known = named.ok ? named : await findVehicle(app, { year, makeSlug, modelSlug })
    if (!known.ok) return undefined
    const trims = known.value.kind === 'sized' ? known.value.trims : []
    const [only] = trims.length === 1 ? trims : []
    return {
      vehicleId: only?.vehicle.id ?? null,
      fitmentId: null,
      year,
      makeSlug,
      modelSlug,
      name: known.value.name,
      // Only a person reads the door label.
      confirmed: false,
      label: null,
    }
  }
}

/** Returns the submitted sizes as slugs. Returns undefined if omitted or invalid. */
export function readSizes({ size }: FitmentInput = {}): { front: string; rear: string } | undefined {
  const slugIn = (written: string) => {
    const tire = parseTire(written)
    return tire ? (sizeSlug(tire.size) ?? undefined) : undefined
  }
  const front = size && slugIn(size.front)
  const rear = size?.rear === undefined ? front : slugIn(size.rear)
  return front !== undefined && rear !== undefined ? { front, rear } : undefined
}

/** Returns the full fitment result of a set of tires. `itemOn` returns the item on each axle. */
export function verdictView(verdict: FitmentVerdict, vehicleName: string, itemOn?: JudgedSet['itemOn']): object {
  const summary = summarizeVerdict(verdict, { vehicleName })
  const reasonsOf = (where: 'front' | 'rear' | 'set') =>
    verdict.findings.filter(({ axle }) => axle === where).map(({ rule, text }) => ({ code: rule, text }))
  const axle = (name: 'front' | 'rear') => {
    const found = verdict[name]
    if (!found) return []
    const reasons = reasonsOf(name)
    const itemId = itemOn?.[name]
    return [
      {
        axle: name,
        ...(itemId !== undefined && { item_id: String(itemId) }),
        verdict: found.verdict,
        reasons: reasons.length > 0 ? reasons : [{ code: 'all', text: found.text }],
      },
    ]
  }
  return {
    verdict: verdict.verdict,
    text: summary.headline,
    axles: [...axle('front'), ...axle('rear')],
    // Problems with the combination of tires.
    reasons: reasonsOf('set'),
    conditions: verdict.conditions.map(({ code, text }) => ({ id: code, text })),
    data_version: verdict.ruleBook,
  }
}

/** Returns a cart's fitment result with our pages' text. Returns undefined without a vehicle. */
export async function cartFitment(
  context: UcpContext,
  cart: Cart,
): Promise<{ view: object; verdict: CartVerdict } | undefined> {
  const judged = await judgeCartSets(context.app, cart)
  if (!judged) return undefined
  const verdict = summarizeSets(judged)
  const vehicle = cart.vehicle as ChosenVehicle
  return {
    verdict,
    view: {
      vehicle: { id: encodeChosenVehicle(vehicle), name: verdict.vehicleName },
      verdict: verdict.verdict,
      sets: judged.sets.map((set) => ({
        item_ids: set.itemIds.map(String),
        ...verdictView(set.verdict, judged.vehicleName, set.itemOn),
      })),
      conditions: conditionsOf(verdict),
      data_version: ruleBookVersion,
    },
  }
}

/** What a person has to read before these tires are installed, each once. */
export function conditionsOf({ sets }: CartVerdict): { id: string; text: string }[] {
  const all = sets.flatMap(({ conditions }) => conditions.map(({ code, text }) => ({ id: code, text })))
  return [...new Map(all.map((condition) => [`${condition.id} ${condition.text}`, condition])).values()]
}
