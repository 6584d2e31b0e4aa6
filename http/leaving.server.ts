/** Signing out and deleting the account, the same for the pages and the API. */
import type { Visitor } from '#http/visitor.ts'
import { paths } from '#content/paths.ts'
import { deleteAccount } from '#domain/operations/personal-data/personal-data.server.ts'
import { signOut } from '#domain/customers/accounts/accounts.server.ts'
import { leaveCompany } from '#domain/customers/companies/companies.server.ts'
import { cookiesFor } from '#http/visitor.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Application } from '#application'

/**
 * `url` is the next page. If the provider has a session to end, it is the provider's page, or else a path in this
 * store. `cookies` are the Set-Cookie headers that clear the browser's data.
 */
export type Left = { url: string; cookies: string[] }

export const lastOwnerMessages = 'You’re your company’s only owner. Make someone else an owner first.'

/**
 * Ends the session and returns the provider's URL, which offers to end its own session. The cart, ZIP code, vehicle,
 * and compared tires stay in the browser. Recent searches, which can come from another browser, don't. For employees,
 * the cart also stays in the account, and the browser goes to the employees' page (specification, section 4).
 */
export async function leaveBrowser(
  app: Application,
  { session, cartId }: Visitor,
  { isEmployee }: { isEmployee: boolean },
): Promise<Left> {
  const path = isEmployee ? paths.employees() : paths.home()
  const url = await signOut(app, {
    cookie: session,
    cartId: isEmployee ? undefined : cartId,
    returnUrl: `${app.config.web.origin}${path}`,
  })
  if (session !== undefined) app.log.info('signed out')
  const keep = cookiesFor(app.config)
  return { url: url ?? path, cookies: [keep.session(null), keep.recent([]), ...(isEmployee ? [keep.cart(null)] : [])] }
}

/**
 * Ends the sessions here and at the provider, and deletes the account with all its personal data. Refuses a company's
 * only owner if it has other members.
 */
export async function leaveForGood(
  app: Application,
  { session }: Visitor,
  accountId: string,
): Promise<Outcome<Left, Refused<'last-owner'>>> {
  // The database would otherwise refuse to delete a company's only owner while it has other members.
  const left = await leaveCompany(app, accountId)
  if (!left.ok && left.reason === 'last-owner') return refused('last-owner')
  // The cart stays with the account until the account is gone, so that the cart loses its personal data with it.
  const url = await signOut(app, {
    cookie: session,
    cartId: undefined,
    returnUrl: `${app.config.web.origin}${paths.home()}`,
  })
  await deleteAccount(app, accountId)
  const keep = cookiesFor(app.config)
  return ok({
    url: url ?? paths.home(),
    cookies: [keep.session(null), keep.recent([]), keep.vehicle(null), keep.compared([])],
  })
}
