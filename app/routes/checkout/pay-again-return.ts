import { shopContext } from '#app/server/context.ts'
import { serverPaths } from '#content/server-paths.ts'
import { payAgain, readPayAgain } from '#domain/open-charges/open-charges.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/pay-again-return.ts'

/**
 * Where the provider's page returns the customer. The result in the address is not trusted: the provider is asked, and
 * the page of the link says what became of it. Opened twice, it still pays once.
 */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const shop = context.get(shopContext)
  const asked = await readPayAgain(shop, params.token)
  if (asked) await payAgain(shop, asked.paymentId)
  return seeOther(serverPaths.payAgain(params.token))
}
