import { requireSignedIn } from '#app/http/accounts.server.ts'
import { shopContext } from '#app/http/context.ts'
import { paths } from '#app/paths.ts'
import { readAccountData } from '#domain/accounts/accounts.server.ts'
import type { Route } from './+types/account-data.ts'

/** Everything that is kept of the account, as a file. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { accountId } = await requireSignedIn(context, paths.account())
  const body = JSON.stringify(await readAccountData(context.get(shopContext), accountId), null, 2)
  return new Response(body, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="my-account.json"',
    },
  })
}
