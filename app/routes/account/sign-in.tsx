import { data } from 'react-router'
import { cameFrom, goToProvider, type NoSignIn } from '#app/server/sign-in.server.ts'
import { applicationContext, signedInContext } from '#app/server/context.ts'
import { readForm } from '#app/forms/form.ts'
import { safePath, seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { offersOneTap } from '#domain/customers/accounts/accounts.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { OneTap } from './one-tap.tsx'
import type { Route } from './+types/sign-in.ts'

export const meta: Route.MetaFunction = ({ matches, location }) => {
  const isNew = location.pathname === paths.register()
  return pageHead(matches, {
    title: isNew ? 'Create an account' : 'Sign in',
    description: 'One account for your vehicles, your orders and your cart.',
    path: isNew ? paths.register() : paths.signIn(),
    isIndexed: false,
  })
}

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const back = safePath(url.searchParams.get('back'), paths.account())
  if (await context.get(signedInContext)()) throw seeOther(back)
  const { identity } = context.get(applicationContext)
  const cookies = request.headers.get('cookie') ?? ''
  return {
    isNew: url.pathname === paths.register(),
    back,
    hasAccounts: identity !== null,
    oneTap:
      (offersOneTap({ isSignedIn: false, variant: variantOf(back), cookies }) && identity?.oneTap?.frameUrl) || null,
  }
}

/** Returns the variant for visitors from the employee or business page, who sign in with a work email. */
function variantOf(back: string): Parameters<typeof offersOneTap>[0]['variant'] {
  if (back.startsWith(paths.employees())) return 'employee'
  // Business visitors come from the business page, or from a company's pages in the account, including an invitation.
  return [paths.business(), paths.company()].some((path) => back.startsWith(path)) ? 'special-order' : null
}

/** Redirects to the provider from this page or from the menu. The provider redirects back afterward. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { origin } = context.get(applicationContext).config.web
  const fields = await readForm(request)
  const back = safePath(fields.get('back') ?? url.searchParams.get('back'), cameFrom(request, origin, paths.home()))
  if (await context.get(signedInContext)()) return seeOther(back)
  const gone = await goToProvider(context, url.pathname === paths.register() ? 'register' : 'login', back, {
    credential: fields.get('credential') ?? undefined,
  })
  return gone instanceof Response ? gone : data(gone, { status: statuses[gone.reason] })
}

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const { isNew, back, hasAccounts, oneTap } = loaderData
  const reason = actionData?.reason ?? (hasAccounts ? undefined : 'not-offered')
  return (
    <div className="wrap narrow-page">
      <h1>{isNew ? 'Create an account' : 'Sign in'}</h1>
      {reason ? (
        <p className="error-summary" role="alert">
          {problems[reason]}
        </p>
      ) : null}
      <p className="muted">
        Access your vehicles, orders, and cart on every device. You don’t need an account to buy tires. Guests can
        browse, order and cancel, too.
      </p>
      {hasAccounts ? (
        <>
          <form method="post" className="stack">
            <input type="hidden" name="back" value={back} />
            <button className="btn primary large">{isNew ? 'Continue to create it' : 'Continue to sign in'}</button>
          </form>
          <p className="small">
            {isNew ? 'Have an account? ' : 'No account yet? '}
            <a href={isNew ? paths.signIn(back) : paths.register(back)}>{isNew ? 'Sign in' : 'Create an account'}</a>
          </p>
          {oneTap ? <OneTap frameUrl={oneTap} back={back} /> : null}
          <p className="small muted">Your password stays with our sign-in service; this store never sees it.</p>
        </>
      ) : null}
    </div>
  )
}

const problems: Record<NoSignIn, string> = {
  'not-offered': 'This store has no accounts. Orders are placed, tracked and canceled as a guest.',
  'too-many-attempts':
    'There were too many sign-ins from your network within a few minutes. Wait ten minutes and try again.',
  'not-accepted': 'The one-tap sign-in was not accepted. Sign in with your email instead.',
  unavailable:
    'Our sign-in service is not responding right now. Try again in a moment; you can also continue as a guest.',
}

const statuses: Record<NoSignIn, number> = {
  'not-offered': 404,
  'too-many-attempts': 429,
  'not-accepted': 422,
  unavailable: 503,
}
