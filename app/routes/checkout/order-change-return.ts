import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { payForChange, readChange } from '#domain/ordering/order-changes/order-changes.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/order-change-return.ts'

/**
 * The provider's return URL. The result in the URL isn't trusted. The loader checks with the provider, and the order
 * edit's page shows the outcome. Idempotent.
 */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const app = context.get(applicationContext)
  const found = await readChange(app, params.token)
  if (found) await payForChange(app, found.change.id)
  return seeOther(paths.orderChange(params.token))
}
