import { applicationContext } from '#app/server/context.ts'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { serverPaths } from '#content/server-paths.ts'
import { finishCardPage } from '#domain/payments/saved-cards/saved-cards.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/card-saved.ts'

/**
 * The return URL after saving a card. The URL isn't trusted. The loader checks the result with the provider for a page
 * opened by this account.
 */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { accountId } = await requireSignedIn(context, serverPaths.paymentMethods())
  const id = url.searchParams.get('of') ?? ''
  const saved = await finishCardPage(context.get(applicationContext), { id, accountId })
  const done = saved.ok ? 'added' : saved.reason === 'not-saved' ? 'not-added' : 'unavailable'
  return seeOther(serverPaths.paymentMethods(done))
}
