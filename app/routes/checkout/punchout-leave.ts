import { applicationContext, visitorContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { endPunchout } from '#domain/channels/purchasing/purchasing.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { cookiesFor } from '#http/visitor.ts'
import type { Route } from './+types/punchout-leave.ts'

/** A link cannot end a visit. */
export function loader(): Response {
  return seeOther(serverPaths.punchoutReturn())
}

/** Ends this browser's punchout session without returning a cart. */
export async function action({ context }: Route.ActionArgs): Promise<Response> {
  const app = context.get(applicationContext)
  const { punchoutId } = context.get(visitorContext)
  if (punchoutId !== undefined) await endPunchout(app, punchoutId)
  const cookies = cookiesFor(app.config)
  return seeOther(paths.home(), [
    ['set-cookie', cookies.punchout(null)],
    ['set-cookie', cookies.cart(null)],
  ])
}
