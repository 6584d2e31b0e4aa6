import { data } from 'react-router'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext, signedInContext } from '#app/server/context.ts'
import { noWorkEmailMessages, otherTermsMessages } from '#content/messages/programs.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { readCurrentEmail } from '#domain/customers/accounts/accounts.server.ts'
import { employeeDays, findEmployer, joinEmployees } from '#domain/customers/programs/programs.server.ts'
import { findGrant } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/employees.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Employees',
    description: 'Employee prices for people who work for an employer in the program. Sign in with your work email.',
    path: paths.employees(),
    isIndexed: false,
  })

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const signedIn = await context.get(signedInContext)()
  const shared = {
    hasAccounts: app.identity !== null,
    days: employeeDays,
    email: signedIn?.email ?? null,
    isNew: url.searchParams.get('news') === 'joined',
  }
  if (!signedIn)
    return data(
      { ...shared, status: { kind: 'guest' as const } },
      { headers: { 'Cache-Control': 'public, s-maxage=600' } },
    )
  const [grant, employer] = await Promise.all([
    findGrant(app.db, signedIn.accountId, app.clock.now()),
    findEmployer(app, signedIn),
  ])
  if (grant?.type === 'EPP')
    return data({
      ...shared,
      status: { kind: 'employee' as const, by: grant.by, until: grant.until && storeDateText(grant.until) },
    })
  if (!signedIn.isEmailVerified) return data({ ...shared, status: { kind: 'unverified' as const } })
  return data({
    ...shared,
    status: employer === undefined ? { kind: 'unknown' as const } : { kind: 'known' as const, employer },
  })
}

/** Activates the employee prices. Checks with the provider again whether the email is verified. */
export async function action({ context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const signedIn = await requireSignedIn(context, paths.employees())
  const email = await readCurrentEmail(app, signedIn)
  const joined = await joinEmployees(app, { accountId: signedIn.accountId, ...email })
  if (joined.ok) return seeOther(paths.employees('joined'))
  const words =
    joined.reason === 'has-other-prices' ? otherTermsMessages(app.config.store.phone) : noWorkEmailMessages(email)
  return data({ problem: words }, { status: 409 })
}

export default function Employees({
  loaderData: { hasAccounts, status, days, email, isNew },
  actionData,
}: Route.ComponentProps) {
  return (
    <div className="wrap program-page">
      <header className="program-head">
        <h1>Employees</h1>
        <p className="lead">
          The employee price, for people who work here or for an employer in the program. Your work email is the key.
        </p>
      </header>
      {actionData ? (
        <p className="error-summary" role="alert">
          {actionData.problem}
        </p>
      ) : null}
      <div className="program-columns">
        <section className="panel padded stack" aria-labelledby="yours">
          <Yours status={status} email={email} hasAccounts={hasAccounts} isNew={isNew} />
        </section>
        <ul className="program-rules small">
          <li>When you’re signed in, you see employee prices everywhere, from the first list to the receipt.</li>
          <li>It holds for {countOf(days, 'day')}, then use the button again: that way it ends when the job does.</li>
          <li>It replaces deals. Installation, coverage and delivery are the same as for everyone.</li>
          <li>Signing out leaves no cart in this browser and brings you back here. Your cart stays in your account.</li>
        </ul>
      </div>
    </div>
  )
}

type Status = Route.ComponentProps['loaderData']['status']

function Yours({
  status,
  email,
  hasAccounts,
  isNew,
}: {
  status: Status
  email: string | null
  hasAccounts: boolean
  isNew: boolean
}) {
  switch (status.kind) {
    case 'guest':
      return <SignInWithWorkEmail hasAccounts={hasAccounts} />
    case 'employee':
      return <EmployeePrice by={status.by} until={status.until} isNew={isNew} />
    case 'known':
      return (
        <>
          <h2 id="yours">You work for {status.employer}</h2>
          <p>{email} says so. Turn the employee price on for this account.</p>
          <form method="post">
            <button className="btn primary large">Turn it on</button>
          </form>
        </>
      )
    case 'unverified':
      return (
        <>
          <h2 id="yours">Verify your email</h2>
          <p>Open the link in the email we sent to {email ?? 'you'}, then come back and use the button.</p>
          <form method="post">
            <button className="btn primary large">I have opened it</button>
          </form>
        </>
      )
    case 'unknown':
      return (
        <>
          <h2 id="yours">This is not a work email we know</h2>
          <p>
            You are signed in as {email}. Sign out and sign in with the address your employer gave you, or ask them
            whether they take part.
          </p>
          <form method="post" action={paths.signOut()}>
            <button className="btn">Sign out</button>
          </form>
        </>
      )
  }
}

function SignInWithWorkEmail({ hasAccounts }: { hasAccounts: boolean }) {
  return (
    <>
      <h2 id="yours">Sign in with your work email</h2>
      {hasAccounts ? (
        <form method="post" action={paths.signIn(paths.employees())} className="row wrap-row">
          <button className="btn primary large">Sign in</button>
          <button className="btn large" formAction={paths.register(paths.employees())}>
            Create an account
          </button>
        </form>
      ) : (
        <p>This store has no accounts, and so no employee prices.</p>
      )}
    </>
  )
}

function EmployeePrice({ by, until, isNew }: { by: string; until: string | null; isNew: boolean }) {
  return (
    <>
      <h2 id="yours">You buy at the employee price</h2>
      {isNew ? <p role="status">It is on.</p> : null}
      <p>
        Granted by {by}
        {until ? `, until ${until}.` : '.'}
      </p>
      <div className="row wrap-row">
        <a className="btn primary" href={paths.find()}>
          Find your tires
        </a>
        <form method="post">
          <button className="btn">Renew it now</button>
        </form>
        <form method="post" action={paths.signOut()}>
          <button className="btn">Sign out</button>
        </form>
      </div>
    </>
  )
}
