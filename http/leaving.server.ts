/** Signing out and deleting the account, the same for the pages and the API. */
import type { Visitor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import { deleteAccount, signOut } from '#domain/accounts/accounts.server.ts'
import { leaveCompany } from '#domain/companies/companies.server.ts'
import { cookiesFor } from '#http/visitor.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Shop } from '#shop'

/**
 * `url`: where the browser goes next: the provider, if it has a session of its own to end, otherwise a path in this
 * store. `cookies`: Set-Cookie headers that clear what the browser must forget.
 */
export type Left = { url: string; cookies: string[] }

export const lastOwnerMessages = 'You’re your company’s only owner. Make someone else an owner first.'

/**
 * Ends the session here and returns the provider's address, which asks whether to end its own. Cart, ZIP, vehicle and
 * compared tires stay in the browser; the searches, which may come from another browser, do not. An employee buyer also
 * leaves the cart in the account and returns to the employees' page (specification, section 4).
 */
export async function leaveBrowser(
  shop: Shop,
  { session, cartId }: Visitor,
  { isEmployee }: { isEmployee: boolean },
): Promise<Left> {
  const path = isEmployee ? paths.employees() : paths.home()
  const url = await signOut(shop, {
    cookie: session,
    cartId: isEmployee ? undefined : cartId,
    returnUrl: `${shop.config.web.origin}${path}`,
  })
  if (session !== undefined) shop.log.info('signed out')
  const keep = cookiesFor(shop.config)
  return { url: url ?? path, cookies: [keep.session(null), keep.recent([]), ...(isEmployee ? [keep.cart(null)] : [])] }
}

/**
 * Ends the session at the provider as well as here, and deletes the account with all data that is only its own. Refuses
 * the sole owner of a company with other members.
 */
export async function leaveForGood(
  shop: Shop,
  { session }: Visitor,
  accountId: string,
): Promise<Outcome<Left, Refused<'last-owner'>>> {
  // Otherwise the database would refuse to delete the sole owner of a company with other members.
  const left = await leaveCompany(shop, accountId)
  if (!left.ok && left.reason === 'last-owner') return refused('last-owner')
  // The cart stays with the account until the account is gone, so that the cart loses its personal data with it.
  const url = await signOut(shop, {
    cookie: session,
    cartId: undefined,
    returnUrl: `${shop.config.web.origin}${paths.home()}`,
  })
  await deleteAccount(shop, accountId)
  const keep = cookiesFor(shop.config)
  return ok({
    url: url ?? paths.home(),
    cookies: [keep.session(null), keep.recent([]), keep.vehicle(null), keep.compared([])],
  })
}
