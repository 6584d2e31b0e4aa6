/** The one rule for merging a guest's data into an account at sign-in. */
import { mostCompared } from '#domain/catalog/catalog/catalog.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'

export type Search = { readonly label: string; readonly path: string }

/** What a browser or account remembers. The newest search and the vehicle used last come first. */
export type Remembered = {
  readonly zip: string | null
  readonly compared: readonly string[]
  readonly searches: readonly Search[]
  readonly vehicles: readonly ChosenVehicle[]
  readonly cart: RememberedCart | null
}

/** An open cart. `isOthers`: it belongs to another account that signed in in this browser and did not sign out. */
export type RememberedCart = {
  readonly id: string
  readonly tires: number
  readonly isOthers: boolean
  /** It books a service instead of tires. */
  readonly isService?: boolean
}

export type Joined = Omit<Remembered, 'cart'> & {
  /** The cart to use from now on, for browser and account; null without a cart. */
  readonly cartId: string | null
  /** The cart to move missing tires from, into `cartId`. */
  readonly emptied: string | null
}

/** The maximum searches stored per account. A browser stores the first few. */
export const mostSearches = 20

/**
 * Merges a guest's data with the account's. The guest's latest actions take precedence, and the account's data is added
 * and never lost.
 *
 * - ZIP: the guest's, else the account's.
 * - Compared tires: the guest's, then the account's, up to five.
 * - Searches: the guest's, then the account's, without duplicates, up to twenty.
 * - Vehicles: the guest's comes first. One per model and year, which is the more detailed one, or the guest's if equal.
 * - Cart: the guest's stays, with its shop and time, and takes the account's tires it does not have. An empty one is
 *   replaced by the account's, and so is one that belongs to another account. A cart with a service doesn't change.
 */
export function joinGuest(guest: Remembered, account: Remembered): Joined {
  const { kept, other } = joinCarts(guest.cart?.isOthers ? null : guest.cart, account.cart)
  return {
    zip: guest.zip ?? account.zip,
    compared: [...new Set([...guest.compared, ...account.compared])].slice(0, mostCompared),
    searches: firstOfEach([...guest.searches, ...account.searches], ({ path }) => path).slice(0, mostSearches),
    vehicles: joinVehicles(guest.vehicles, account.vehicles),
    cartId: kept?.id ?? null,
    emptied: other && other.id !== kept?.id && other.tires > 0 ? other.id : null,
  }
}

function joinCarts(own: RememberedCart | null, accounts: RememberedCart | null) {
  const kept = own && (own.tires > 0 || own.isService || !accounts) ? own : accounts
  return { kept, other: kept?.isService ? null : kept === own ? accounts : own }
}

/** The same for one car, however much is known about it. */
export function vehicleKey({
  year,
  makeSlug,
  modelSlug,
}: Pick<ChosenVehicle, 'year' | 'makeSlug' | 'modelSlug'>): string {
  return `${year}/${makeSlug}/${modelSlug}`
}

function joinVehicles(guest: readonly ChosenVehicle[], account: readonly ChosenVehicle[]): ChosenVehicle[] {
  const known = new Map(account.map((vehicle) => [vehicleKey(vehicle), vehicle]))
  const brought = guest.map((vehicle) => {
    const same = known.get(vehicleKey(vehicle))
    return same && certainty(same) > certainty(vehicle) ? same : vehicle
  })
  return firstOfEach([...brought, ...account], vehicleKey)
}

/** Ranks how much is known about a vehicle; placard readings rank highest. */
function certainty({ label, confirmed, fitmentId, vehicleId }: ChosenVehicle): number {
  return label ? 4 : confirmed ? 3 : fitmentId !== null ? 2 : vehicleId !== null ? 1 : 0
}

function firstOfEach<Thing>(things: readonly Thing[], keyOf: (thing: Thing) => string): Thing[] {
  const first = new Map<string, Thing>()
  for (const thing of things) if (!first.has(keyOf(thing))) first.set(keyOf(thing), thing)
  return [...first.values()]
}
