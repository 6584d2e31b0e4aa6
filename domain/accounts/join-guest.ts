/** What becomes of a guest's things when they sign in: one rule, in one place. */
import { mostCompared } from '#domain/catalog/catalog.ts'
import type { ChosenVehicle } from '#domain/vehicles/vehicles.ts'

export type Search = { readonly label: string; readonly path: string }

/** What a browser, or an account, remembers. The newest search, and the vehicle last used, stand first. */
export type Remembered = {
  readonly zip: string | null
  readonly compared: readonly string[]
  readonly searches: readonly Search[]
  readonly vehicles: readonly ChosenVehicle[]
  readonly cart: RememberedCart | null
}

/**
 * An open cart. `isOthers`: it belongs to another account, which was signed in in this browser and has not signed out.
 */
export type RememberedCart = { readonly id: string; readonly tires: number; readonly isOthers: boolean }

export type Joined = Omit<Remembered, 'cart'> & {
  /** The cart from now on, for browser and account; null when there is none. */
  readonly cartId: string | null
  /** The cart whose tires are to be put into that one, where it does not have them. */
  readonly emptied: string | null
}

/** How many searches an account keeps. A browser keeps the first few of them. */
export const mostSearches = 20

/**
 * What the shopper did last, as a guest, stands; what the account remembered is added and never lost.
 *
 * - ZIP: the guest's, else the account's.
 * - Compared tires: the guest's, then the account's, up to five.
 * - Searches: the guest's, then the account's, each once, up to twenty.
 * - Vehicles: the guest's stands first. Of one model and year there is one, as the better known of the two; of two
 *   known alike, the guest's.
 * - Cart: the guest's stays, with its shop and time, and takes in the tires of the account's that it does not have. An
 *   empty one gives way to the
 *   account's, and so does one that is another account's.
 */
export function joinGuest(guest: Remembered, account: Remembered): Joined {
  const own = guest.cart?.isOthers ? null : guest.cart
  const kept = own && (own.tires > 0 || !account.cart) ? own : (account.cart ?? null)
  const other = kept === own ? account.cart : own
  return {
    zip: guest.zip ?? account.zip,
    compared: [...new Set([...guest.compared, ...account.compared])].slice(0, mostCompared),
    searches: firstOfEach([...guest.searches, ...account.searches], ({ path }) => path).slice(0, mostSearches),
    vehicles: joinVehicles(guest.vehicles, account.vehicles),
    cartId: kept?.id ?? null,
    emptied: other && other.id !== kept?.id && other.tires > 0 ? other.id : null,
  }
}

/** One car, whatever is known of it. */
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

/** How well a vehicle is known: what its owner read off the label counts most. */
function certainty({ label, confirmed, fitmentId, vehicleId }: ChosenVehicle): number {
  return label ? 4 : confirmed ? 3 : fitmentId !== null ? 2 : vehicleId !== null ? 1 : 0
}

function firstOfEach<Thing>(things: readonly Thing[], keyOf: (thing: Thing) => string): Thing[] {
  const first = new Map<string, Thing>()
  for (const thing of things) if (!first.has(keyOf(thing))) first.set(keyOf(thing), thing)
  return [...first.values()]
}
