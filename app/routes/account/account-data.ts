import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { readAccountData } from '#domain/operations/personal-data/personal-data.server.ts'
import type { Route } from './+types/account-data.ts'

/** Returns all data stored for the account, as a file. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { accountId } = await requireSignedIn(context, paths.account())
  const body = JSON.stringify(await readAccountData(context.get(applicationContext), accountId), null, 2)
  return new Response(body, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': 'attachment; filename="my-account.json"',
    },
  })
}
