/** A browser's memory and an account's: what the one is told to keep, the other keeps. */
import { cookiesFor, readVisitor, type Visitor } from '#http/visitor.ts'
import type { SignedIn } from '#domain/accounts/accounts.ts'
import { bringGuest, keepForAccount, type BrowserMemory } from '#domain/accounts/accounts.server.ts'
import { parseTireKeys } from '#domain/catalog/catalog.ts'
import { decodeChosenVehicle, encodeChosenVehicle } from '#domain/vehicles/vehicles.ts'
import type { Shop } from '#shop'

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

/** Whenever an answer tells the browser of who is signed in to keep something, the account keeps it, too. */
export async function keepWhatIsTold(
  shop: Shop,
  { accountId }: SignedIn,
  setCookies: readonly string[],
): Promise<void> {
  const told = readVisitor(
    setCookies.map((line) => line.slice(0, line.indexOf(';'))).join('; '),
    shop.config.session.secret,
    '',
    shop.config.web.isSecure,
  )
  // Somebody signs in or out: what is told then is of another account, or of none.
  if (told.session !== undefined) return
  const { zip, compared, searches, vehicle, cartId } = memoryOf(told)
  await keepForAccount(shop, accountId, {
    ...(zip !== null && { zip }),
    ...(told.compared !== undefined && { compared }),
    ...(searches.length > 0 && { searches }),
    ...(vehicle && { vehicle }),
    ...(cartId !== null && { cartId }),
  })
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
