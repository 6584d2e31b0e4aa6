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

/** Ends the session here, and leads on to the provider, which asks whether to end its own. The cart and the ZIP stay with the browser. */
export async function action({ context }: Route.ActionArgs): Promise<Response> {
  const shop = context.get(shopContext)
  const url = await signOut(shop, context.get(visitorContext).session, `${shop.config.web.origin}${paths.home()}`)
  return seeOther(url ?? paths.home(), [['set-cookie', keepFor(shop).session(null)]])
}
