import { readForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { pathWithin } from '#app/server/work-door.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { cookiesFor } from '#http/visitor.ts'
import type { Route } from './+types/sidebar.ts'

/** Only the form changes anything. */
export function loader(): Response {
  return seeOther(officePaths.office())
}

/**
 * Folds or unfolds the sidebar and returns to the page. The choice is a cookie, because it fits the screen rather than the
 * person: the same person folds it on a laptop and not on a wide monitor. The server reads it, so pages arrive folded.
 */
export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const { app } = await requireStaff(context, 'office.open', officePaths.office())
  const fields = await readForm(request)
  const cookie = cookiesFor(app.config).officeSidebar(fields.get('folded') === 'yes')
  return seeOther(pathWithin(fields.get('back'), officePaths.office()), [['set-cookie', cookie]])
}
