import { applicationContext } from '#app/server/context.ts'
import { serverPaths } from '#content/server-paths.ts'
import { payAgain, readPayAgain } from '#domain/ordering/open-charges/open-charges.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/pay-again-return.ts'

/**
 * The provider's return URL. The result in the URL isn't trusted. The loader checks with the provider, and the payment
 * link's page shows the outcome. Idempotent.
 */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const app = context.get(applicationContext)
  const asked = await readPayAgain(app, params.token)
  if (asked) await payAgain(app, asked.paymentId)
  return seeOther(serverPaths.payAgain(params.token))
}
