import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { openPunchout } from '#domain/channels/purchasing/purchasing.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { cookiesFor } from '#http/visitor.ts'
import type { Route } from './+types/punchout-open.ts'

/**
 * Opens a punchout session from its one-time link. This browser then uses the company's prices and a new cart.
 * Redirects used and expired links to the page that explains it.
 */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const app = context.get(applicationContext)
  const visit = await openPunchout(app, params.token)
  if (!visit) return seeOther(serverPaths.punchoutReturn())
  const cookies = cookiesFor(app.config)
  return seeOther(
    visit.cartId === null ? paths.home() : visit.operation === 'inspect' ? serverPaths.punchoutReturn() : paths.cart(),
    [
      ['set-cookie', cookies.punchout(visit.id)],
      ['set-cookie', cookies.cart(visit.cartId)],
      ...(visit.zip === null ? [] : [['set-cookie', cookies.zip(visit.zip)] as [string, string]]),
    ],
  )
}
