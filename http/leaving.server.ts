/**
 * The two ways out of an account, as the pages and the API go them: signing out of a browser, and deleting the account.
 */
import type { Visitor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import { deleteAccount, signOut } from '#domain/accounts/accounts.server.ts'
import { leaveCompany } from '#domain/companies/companies.server.ts'
import { cookiesFor } from '#http/visitor.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Shop } from '#shop'

/**
 * `url`: where the browser goes on: to the provider, where that has a session of its own to end, else to a path of this
 * store. `cookies`: Set-Cookie headers of what it forgets.
 */
export type Left = { url: string; cookies: string[] }

export const lastOwnerMessages = 'You are the only owner of your company here. Make somebody else an owner first.'

/**
 * Ends the session here, and leads on to the provider, which asks whether to end its own. Cart, ZIP, vehicle and
 * compared tires stay with the browser; the searches, which may be from another one, do not. Who buys as an employee
 * leaves the cart in the account, too, and comes back to the employees' page (specification, section 4).
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
 * Ends the session at the provider as well as here, and deletes the account with all that is only its own. Refuses who
 * alone runs a company of others.
 */
export async function leaveForGood(
  shop: Shop,
  { session }: Visitor,
  accountId: string,
): Promise<Outcome<Left, Refused<'last-owner'>>> {
  // Else the database would refuse to delete who alone runs a company of others.
  const left = await leaveCompany(shop, accountId)
  if (!left.ok && left.reason === 'last-owner') return refused('last-owner')
  // The cart stays the account's until that is gone, so that it forgets with it whom the tires were for.
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
