/**
 * The demo wholesalers' stock. Each has some tires of the demo's brands, by their part numbers. Orders
 * lower it, and trucks refill it on the half hour.
 */
import { createHash } from 'node:crypto'

/** The wholesalers, by their identities on the network in lower case, with their branch and the percentage of tires. */
const demoWholesalers: Readonly<Record<string, { branch: string; share: number }>> = {
  greatlakes: { branch: '31', share: 45 },
  broadmoor: { branch: '7', share: 55 },
}

/** A truck's units of each tire, and minutes between trucks. */
const truck = { units: 4, minutes: 30 }
const truckMs = truck.minutes * 60_000

type Branches = { id: string; quantity: number }[]
type Stocked = {
  supplier: string
  partNumber: string
  brand: string
  cost: null
  branches: Branches
  at: string
}

/**
 * Returns a wholesaler's part as of `now`, with what trucks brought since its last order (`known`). Undefined for a part
 * that the wholesaler doesn't stock.
 */
export function demoPart(
  {
    supplier,
    partNumber,
    known,
  }: { supplier: string; partNumber: string; known: { branches: Branches; at?: string } | undefined },
  now: Temporal.Instant,
): Stocked | undefined {
  const wholesaler = demoWholesalers[supplier]
  if (!wholesaler || !partNumber.endsWith('DEMO')) return undefined
  const drawn = numberOf(`${supplier} ${partNumber}`)
  if (drawn % 100 >= wholesaler.share) return undefined
  const full = 8 + (Math.floor(drawn / 100) % 33)
  const part = { supplier, partNumber, brand: '', cost: null, at: now.toString() }
  const left = known?.branches[0]?.quantity ?? full
  const trucks = known?.at === undefined ? 0 : trucksBefore(now) - trucksBefore(Temporal.Instant.from(known.at))
  const quantity = Math.max(left, Math.min(full, left + trucks * truck.units))
  return { ...part, branches: [{ id: wholesaler.branch, quantity }] }
}

/** When the next truck arrives. */
export function nextDelivery(now: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds((trucksBefore(now) + 1) * truckMs)
}

function trucksBefore(at: Temporal.Instant): number {
  return Math.floor(at.epochMilliseconds / truckMs)
}

/** A number of 32 bits, always the same for a text. */
export function numberOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE()
}
