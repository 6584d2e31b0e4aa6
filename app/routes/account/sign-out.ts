import { keepFor } from '#app/http/accounts.server.ts'
import { shopContext, visitorContext } from '#app/http/context.ts'
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
 * tires stay with the browser; the searches, which may be from another one, do not.
 */
export async function action({ context }: Route.ActionArgs): Promise<Response> {
  const shop = context.get(shopContext)
  const { session, cartId } = context.get(visitorContext)
  const url = await signOut(shop, { cookie: session, cartId, returnUrl: `${shop.config.web.origin}${paths.home()}` })
  const keep = keepFor(shop)
  return seeOther(url ?? paths.home(), [
    ['set-cookie', keep.session(null)],
    ['set-cookie', keep.recent([])],
  ])
}
