import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { joinMembership } from '#domain/customers/programs/programs.server.ts'
import type { Route } from './+types/membership-return.ts'

/**
 * The provider's return URL. The result in the URL isn't trusted, so the loader checks with the provider. Idempotent.
 */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const app = context.get(applicationContext)
  const { accountId } = await requireSignedIn(context, paths.membership())
  const joined = await joinMembership(app, accountId)
  if (joined.ok) return seeOther(paths.membership('joined'))
  switch (joined.reason) {
    case 'not-paid':
      return seeOther(paths.membership(joined.detail.isProcessing ? 'processing' : 'not-paid'))
    case 'payment-unavailable':
      return seeOther(paths.membership('unavailable'))
    case 'nothing-begun':
    case 'has-other-prices':
    case 'too-early':
      // The membership page shows the status.
      return seeOther(paths.membership())
  }
}
