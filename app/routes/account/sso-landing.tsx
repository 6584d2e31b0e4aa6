import { data } from 'react-router'
import { joinAccount } from '#app/server/account-memory.server.ts'
import { applicationContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { landAtWork } from '#app/server/land-at-work.server.ts'
import { measure } from '#app/server/measure.ts'
import { safePath, seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { findSignInPurpose, landSignIn } from '#domain/customers/accounts/accounts.server.ts'
import { cookiesFor } from '#http/visitor.ts'
import type { Route } from './+types/sso-landing.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'You are not signed in',
    description: 'Returning from signing in.',
    path: paths.signIn(),
    isIndexed: false,
  })

/** The provider's return URL. Redirects to the previous page after sign-in, or shows why it failed. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const visitor = context.get(visitorContext)
  const answer = { query: url.searchParams, browserKey: visitor.signInKey }
  const purpose = await findSignInPurpose(app, answer)
  if (purpose === 'office' || purpose === 'portal') return landAtWork(context, purpose, answer)
  const landed = await landSignIn(app, {
    ...answer,
    userAgent: request.headers.get('user-agent'),
    session: visitor.session,
  })
  if (landed.ok) {
    const { cookie, accountId, isNew, returnPath } = landed.value
    app.log.info({ accountId, isNew }, 'signed in')
    measure(context, () => ({ name: isNew ? 'sign_up' : 'login', params: { method: 'sign-in service' } }))
    const keep = cookiesFor(app.config)
    // Retains the sign-in cookie for its ten minutes because another tab may still be signing in.
    throw seeOther(safePath(returnPath, paths.home()), [
      ['set-cookie', keep.session(cookie)],
      ...(await joinAccount(app, accountId, visitor)),
    ])
  }
  app.log.warn({ reason: landed.reason }, 'a sign-in came to nothing')
  if (landed.reason === 'declined') throw seeOther(safePath(landed.detail.returnPath, paths.home()))
  // The visitor repeated the request with the back button or a second click and is already signed in.
  if (await context.get(signedInContext)()) throw seeOther(paths.account())
  return data({ reason: landed.reason, again: paths.signIn() }, { status: landed.reason === 'unavailable' ? 503 : 400 })
}

export default function SsoLanding({ loaderData }: Route.ComponentProps) {
  return (
    <div className="wrap narrow-page">
      <h1>You are not signed in</h1>
      <p>
        {loaderData.reason === 'unavailable'
          ? 'Our sign-in service is not responding right now. Try again in a moment.'
          : 'This sign-in was started in another browser, took longer than ten minutes, or was already used. Start again.'}
      </p>
      <form method="post" action={loaderData.again}>
        <button className="btn primary large">Sign in again</button>
      </form>
    </div>
  )
}
