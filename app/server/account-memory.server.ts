/** Syncs a browser's cookies with the account; changes to one are also saved to the other. */
import { createContext, type RouterContextProvider } from 'react-router'
import { applicationContext } from '#app/server/context.ts'
import { cookiesFor, cutSearches, type Visitor } from '#http/visitor.ts'
import type { SignedIn } from '#domain/customers/accounts/accounts.ts'
import {
  bringGuest,
  findSession,
  keepForAccount,
  type BrowserMemory,
} from '#domain/customers/accounts/accounts.server.ts'
import { parseTireKeys } from '#domain/catalog/catalog/catalog.ts'
import { settleHold } from '#domain/ordering/checkout/checkout.server.ts'
import { createBuyer } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { decodeChosenVehicle, encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import type { Application } from '#application'

/** Values to save in the browser's cookies and, for a signed-in visitor, in the account. */
export type Remembered = {
  zip?: string
  /**
   * In the form `encodeChosenVehicle` writes; null clears the selected vehicle, which stays in the account's garage.
   */
  vehicle?: string | null
  compared?: readonly string[]
  recent?: Visitor['recent']
  cartId?: string
}

/** The values that this request's loaders and actions saved in the browser. */
export const rememberedContext = createContext<Remembered[]>()

/**
 * Returns the Set-Cookie headers that save `values` in the browser; for a signed-in visitor, the account saves them
 * too.
 */
export function remember(context: Readonly<RouterContextProvider>, values: Remembered): [string, string][] {
  context.get(rememberedContext).push(values)
  return rememberedHeaders(context.get(applicationContext), values)
}

/** Returns only the headers, for callers that pass `values` to `keepInAccount` themselves. */
export function rememberedHeaders({ config }: Pick<Application, 'config'>, values: Remembered): [string, string][] {
  const keep = cookiesFor(config)
  const cookies = [
    values.zip !== undefined && keep.zip(values.zip),
    values.vehicle !== undefined && keep.vehicle(values.vehicle),
    values.compared && keep.compared(values.compared),
    values.recent && keep.recent(values.recent),
    values.cartId !== undefined && keep.cart(values.cartId),
  ]
  return cookies.flatMap((cookie): [string, string][] =>
    cookie === false || cookie === undefined ? [] : [['set-cookie', cookie]],
  )
}

/**
 * Merges the visitor's data into the account and returns the cookies that bring the browser in line with the result.
 */
export async function joinAccount(app: Application, accountId: string, visitor: Visitor): Promise<[string, string][]> {
  const joined = await bringGuest(app, accountId, memoryOf(visitor))
  const { cartId } = joined
  if (cartId !== null) await settleJoinedCart(app, accountId, { cartId, heldBy: visitor.networkKey })
  const keep = cookiesFor(app.config)
  return [
    ...(joined.zip === null ? [] : [keep.zip(joined.zip)]),
    keep.compared(joined.compared),
    keep.recent(joined.searches.map(({ label, path }) => ({ label, path }))),
    keep.vehicle(joined.vehicle && encodeChosenVehicle(joined.vehicle)),
    keep.cart(joined.cartId),
  ].map((cookie) => ['set-cookie', cookie])
}

/**
 * Makes the held time of a joined cart agree with the tires it has now, and releases it where they no longer fit it. The
 * account is signed in already, so a failure here must not undo that.
 */
async function settleJoinedCart(
  app: Application,
  accountId: string,
  { cartId, heldBy }: { cartId: string; heldBy: string },
): Promise<void> {
  try {
    await settleHold({ ...app, buyer: createBuyer(app, async () => accountId) }, { cartId, heldBy })
  } catch (error) {
    app.log.warn({ err: error }, 'the time of a joined cart could not be checked')
  }
}

/** Reads the session from the database at most once. */
export function readSessionOnce(app: Application, { session }: Visitor): () => Promise<SignedIn | undefined> {
  let reading: Promise<SignedIn | undefined> | undefined
  return () => (reading ??= findSession(app, session))
}

/**
 * Saves to the account what the browser saved. The page's own work is already done, so a failure here must not make the
 * whole request fail.
 */
export async function keepInAccount(
  app: Application,
  readSignedIn: () => Promise<SignedIn | undefined>,
  remembered: readonly Remembered[],
): Promise<void> {
  if (remembered.length === 0) return
  try {
    const signedIn = await readSignedIn()
    if (!signedIn) return
    const told: Remembered = {}
    for (const values of remembered) Object.assign(told, values)
    const { zip, compared, recent, vehicle, cartId } = told
    const chosen = vehicle ? decodeChosenVehicle(vehicle) : undefined
    await keepForAccount(app, signedIn.accountId, {
      ...(zip !== undefined && { zip }),
      ...(compared && { compared: parseTireKeys(compared.join(',')).keys }),
      ...(recent && recent.length > 0 && { searches: cutSearches(recent) }),
      ...(chosen && { vehicle: chosen }),
      ...(cartId !== undefined && { cartId }),
    })
  } catch (error) {
    app.log.warn({ err: error }, 'an account could not remember what its browser was told')
  }
}

function memoryOf({ zip, compared, recent, vehicle, cartId }: Visitor): BrowserMemory {
  return {
    zip: zip ?? null,
    compared: parseTireKeys(compared ?? '').keys,
    searches: recent,
    vehicle: (vehicle === undefined ? undefined : decodeChosenVehicle(vehicle)) ?? null,
    cartId: cartId ?? null,
  }
}
