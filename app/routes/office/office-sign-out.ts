import { applicationContext, visitorContext } from '#app/server/context.ts'
import { officePaths } from '#content/office-paths.ts'
import { leaveOffice } from '#domain/kernel/staff/staff.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { cookiesFor } from '#http/visitor.ts'
import type { Route } from './+types/office-sign-out.ts'

/** A link cannot sign anyone out. */
export function loader(): Response {
  return seeOther(officePaths.office())
}

/** Ends the office session in this browser and redirects to the provider, which offers to end its own session. */
export async function action({ context }: Route.ActionArgs): Promise<Response> {
  const app = context.get(applicationContext)
  const { officeSession, networkKey } = context.get(visitorContext)
  const idToken = await leaveOffice(app, { cookie: officeSession, networkKey })
  const url = idToken === undefined ? undefined : await app.identity?.signOutUrl(idToken, `${app.config.web.origin}/`)
  return seeOther(url ?? officePaths.officeSignIn(), [['set-cookie', cookiesFor(app.config).office(null)]])
}
