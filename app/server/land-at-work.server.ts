/** The way back from the sign-in provider into the back office and into the portal of shops. */
import type { RouterContextProvider } from 'react-router'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { landAtDoor } from '#app/server/work-door.server.ts'
import { officePaths, type OfficeProblem } from '#content/office-paths.ts'
import { portalPaths, type PortalProblem } from '#content/portal-paths.ts'
import type { WorkPurpose } from '#domain/customers/accounts/accounts.ts'
import { findPortalSession, openPortal } from '#domain/installer-portal/portal/portal.server.ts'
import { findOfficeSession, openOffice } from '#domain/kernel/staff/staff.server.ts'
import { cookiesFor } from '#http/visitor.ts'

/** Opens the back office or the portal to who comes back with a grant or a shop, and leads on. */
export function landAtWork(
  context: Readonly<RouterContextProvider>,
  purpose: WorkPurpose,
  answer: Parameters<typeof landAtDoor>[1],
) {
  const app = context.get(applicationContext)
  const { officeSession, portalSession } = context.get(visitorContext)
  return purpose === 'office'
    ? landAtDoor(context, answer, {
        purpose,
        name: 'the back office',
        home: officePaths.office(),
        signIn: (problem?: OfficeProblem) => officePaths.officeSignIn(problem ? { problem } : {}),
        session: officeSession,
        isOpen: async () => (await findOfficeSession(app, officeSession)) !== undefined,
        open: (person) => openOffice(app, person),
        keep: cookiesFor(app.config).office,
      })
    : landAtDoor(context, answer, {
        purpose,
        name: 'the portal',
        home: portalPaths.portal(),
        signIn: (problem?: PortalProblem) => portalPaths.signIn(problem ? { problem } : {}),
        session: portalSession,
        isOpen: async () => (await findPortalSession(app, portalSession)) !== undefined,
        open: (person) => openPortal(app, person),
        keep: cookiesFor(app.config).portal,
      })
}
