import { applicationContext, priceTierContext, visitorContext } from '#app/server/context.ts'
import { leaveBrowser } from '#http/leaving.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import type { Route } from './+types/sign-out.ts'

/** A link cannot sign anyone out. */
export function loader(): Response {
  return seeOther(paths.home())
}

/** Signs this browser out and redirects to the provider. */
export async function action({ context }: Route.ActionArgs): Promise<Response> {
  const isEmployee = (await context.get(priceTierContext)()).accountType === 'EPP'
  const { url, cookies } = await leaveBrowser(context.get(applicationContext), context.get(visitorContext), {
    isEmployee,
  })
  return seeOther(
    url,
    cookies.map((cookie) => ['set-cookie', cookie]),
  )
}
