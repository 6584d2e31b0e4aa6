import { shopContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { payForChange, readChange } from '#domain/order-changes/order-changes.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/order-change-return.ts'

/**
 * Where the provider's page returns the customer. The result in the address is not trusted: the provider is asked, and
 * the change's own page says what became of it. Opened twice, it still pays once.
 */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const shop = context.get(shopContext)
  const found = await readChange(shop, params.token)
  if (found) await payForChange(shop, found.change.id)
  return seeOther(paths.orderChange(params.token))
}
