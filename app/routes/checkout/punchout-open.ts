import { shopContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { openPunchout } from '#domain/purchasing/purchasing.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { cookiesFor } from '#http/visitor.ts'
import type { Route } from './+types/punchout-open.ts'

/**
 * Opens a visit from a purchasing system by its link, once: this browser shops at the company's prices from now on, with
 * a cart of its own. A link that was used or is over leads to the page that says so.
 */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const shop = context.get(shopContext)
  const visit = await openPunchout(shop, params.token)
  if (!visit) return seeOther(serverPaths.punchoutReturn())
  const cookies = cookiesFor(shop.config)
  return seeOther(
    visit.cartId === null ? paths.home() : visit.operation === 'inspect' ? serverPaths.punchoutReturn() : paths.cart(),
    [
      ['set-cookie', cookies.punchout(visit.id)],
      ['set-cookie', cookies.cart(visit.cartId)],
      ...(visit.zip === null ? [] : [['set-cookie', cookies.zip(visit.zip)] as [string, string]]),
    ],
  )
}
