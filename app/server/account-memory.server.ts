/** A browser's memory and an account's: what the one is told to keep, the other keeps. */
import { createContext, type RouterContextProvider } from 'react-router'
import { shopContext } from '#app/server/context.ts'
import { cookiesFor, cutSearches, type Visitor } from '#http/visitor.ts'
import type { SignedIn } from '#domain/accounts/accounts.ts'
import { bringGuest, findSession, keepForAccount, type BrowserMemory } from '#domain/accounts/accounts.server.ts'
import { parseTireKeys } from '#domain/catalog/catalog.ts'
import { decodeChosenVehicle, encodeChosenVehicle } from '#domain/vehicles/vehicles.ts'
import type { Shop } from '#shop'

/** What a browser is told to keep, and with it the account of who is signed in. */
export type Remembered = {
  zip?: string
  /** As `encodeChosenVehicle` writes it; null forgets the one in use, which stays in the account's garage. */
  vehicle?: string | null
  compared?: readonly string[]
  recent?: Visitor['recent']
  cartId?: string
}

/** What the loaders and actions of a request had its browser remember. */
export const rememberedContext = createContext<Remembered[]>()

/** The Set-Cookie headers with which the browser keeps `values`; who is signed in finds them in their account, too. */
export function remember(context: Readonly<RouterContextProvider>, values: Remembered): [string, string][] {
  context.get(rememberedContext).push(values)
  return rememberedHeaders(context.get(shopContext), values)
}

/** The headers alone, for who hands `values` to `keepForWhoIsSignedIn` by itself. */
export function rememberedHeaders({ config }: Pick<Shop, 'config'>, values: Remembered): [string, string][] {
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
 * Joins the visitor's things with the account's, and answers the cookies with which the browser keeps what came of it.
 */
export async function joinAccount(shop: Shop, accountId: string, visitor: Visitor): Promise<[string, string][]> {
  const joined = await bringGuest(shop, accountId, memoryOf(visitor))
  const keep = cookiesFor(shop.config)
  return [
    ...(joined.zip === null ? [] : [keep.zip(joined.zip)]),
    keep.compared(joined.compared),
    keep.recent(joined.searches.map(({ label, path }) => ({ label, path }))),
    keep.vehicle(joined.vehicle && encodeChosenVehicle(joined.vehicle)),
    keep.cart(joined.cartId),
  ].map((cookie) => ['set-cookie', cookie])
}

/** Who is signed in, asked of the database at most once. */
export function readSessionOnce(shop: Shop, { session }: Visitor): () => Promise<SignedIn | undefined> {
  let reading: Promise<SignedIn | undefined> | undefined
  return () => (reading ??= findSession(shop, session))
}

/**
 * Keeps for the account what its browser was told to keep. The page has done its work by then: that an account does not
 * remember it is a pity, and no reason to say that it failed.
 */
export async function keepForWhoIsSignedIn(
  shop: Shop,
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
    await keepForAccount(shop, signedIn.accountId, {
      ...(zip !== undefined && { zip }),
      ...(compared && { compared: parseTireKeys(compared.join(',')).keys }),
      ...(recent && recent.length > 0 && { searches: cutSearches(recent) }),
      ...(chosen && { vehicle: chosen }),
      ...(cartId !== undefined && { cartId }),
    })
  } catch (error) {
    shop.log.warn({ err: error }, 'an account could not remember what its browser was told')
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
