import { data } from 'react-router'
import { applicationContext } from '#app/server/context.ts'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { verificationMessages } from '#content/messages/military.ts'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { finishVerification } from '#domain/pricing/military/military.server.ts'
import { safePath, seeOther } from '#http/safe-redirect.ts'
import { AccountPage } from './account-page.tsx'
import type { Route } from './+types/military-callback.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'You are not verified',
    description: 'Returning from verifying military service.',
    path: serverPaths.militaryVerify(),
    isIndexed: false,
  })

/** The provider's return URL. Redirects to the previous page after verification, or shows why it failed. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const { accountId } = await requireSignedIn(context, serverPaths.militaryVerify())
  const finished = await finishVerification(app, { accountId, query: url.searchParams })
  if (finished.ok) throw seeOther(safePath(finished.value.returnPath, paths.cart()))
  app.log.info({ reason: finished.reason }, 'a verification came to nothing')
  const status = { unavailable: 503, 'used-elsewhere': 409, 'not-ours': 400 } as const
  const code = finished.reason in status ? status[finished.reason as keyof typeof status] : 200
  return data({ words: verificationMessages[finished.reason], again: serverPaths.militaryVerify() }, { status: code })
}

export default function MilitaryCallback({ loaderData: { words, again } }: Route.ComponentProps) {
  return (
    <AccountPage title="You are not verified" at="account">
      <section className="panel padded stack">
        <p role="alert">{words}</p>
        <p className="row wrap-row">
          <a className="btn primary" href={again}>
            Try again
          </a>
          <a className="btn" href={paths.cart()}>
            Go on without it
          </a>
        </p>
      </section>
    </AccountPage>
  )
}
