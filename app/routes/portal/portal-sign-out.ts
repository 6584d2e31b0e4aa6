import { applicationContext, visitorContext } from '#app/server/context.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { leavePortal } from '#domain/installer-portal/portal/portal.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { cookiesFor } from '#http/visitor.ts'
import type { Route } from './+types/portal-sign-out.ts'

/** A link cannot sign anyone out. */
export function loader(): Response {
  return seeOther(portalPaths.portal())
}

/** Ends the portal session in this browser and redirects to the provider, which offers to end its own session. */
export async function action({ context }: Route.ActionArgs): Promise<Response> {
  const app = context.get(applicationContext)
  const idToken = await leavePortal(app, context.get(visitorContext).portalSession)
  const url = idToken === undefined ? undefined : await app.identity?.signOutUrl(idToken, `${app.config.web.origin}/`)
  return seeOther(url ?? portalPaths.signIn(), [['set-cookie', cookiesFor(app.config).portal(null)]])
}
