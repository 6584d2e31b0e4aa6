import { keepFor } from '#app/http/accounts.server.ts'
import { shopContext, termsContext, visitorContext } from '#app/http/context.ts'
import { seeOther } from '#app/http/safe-redirect.ts'
import { paths } from '#app/paths.ts'
import { signOut } from '#domain/accounts/accounts.server.ts'
import type { Route } from './+types/sign-out.ts'

/** A link cannot sign anybody out. */
export function loader(): Response {
  return seeOther(paths.home())
}

/**
 * Ends the session here, and leads on to the provider, which asks whether to end its own. Cart, ZIP, vehicle and compared
 * tires stay with the browser; the searches, which may be from another one, do not. Who buys as an employee leaves the cart in the account, too, and
 * comes back to the employees' page (specification, section 4).
 */
export async function action({ context }: Route.ActionArgs): Promise<Response> {
  const shop = context.get(shopContext)
  const { session, cartId } = context.get(visitorContext)
  const isEmployee = (await context.get(termsContext)()).accountType === 'EPP'
  const path = isEmployee ? paths.employees() : paths.home()
  const url = await signOut(shop, { cookie: session, cartId: isEmployee ? undefined : cartId, returnUrl: `${shop.config.web.origin}${path}` })
  if (session !== undefined) shop.log.info('signed out')
  const keep = keepFor(shop)
  return seeOther(url ?? path, [
    ['set-cookie', keep.session(null)],
    ['set-cookie', keep.recent([])],
    ...(isEmployee ? [['set-cookie', keep.cart(null)] satisfies [string, string]] : []),
  ])
}
