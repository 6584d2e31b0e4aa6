import { data } from 'react-router'
import { applicationContext, signedInContext } from '#app/server/context.ts'
import { formRefusal, refuseForm } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { invitationRefusalMessages, roleNames, roleWords } from '#domain/customers/companies/companies.ts'
import { acceptInvitation, findInvitation } from '#domain/customers/companies/companies.server.ts'
import type { Route } from './+types/company-invitation.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your invitation',
    description: 'Join a company.',
    path: paths.companyInvitation(),
    isIndexed: false,
  })

export function headers() {
  return { 'Referrer-Policy': 'no-referrer' }
}

/** The invitation link from the email. Guests and accounts with another email see the invited email address. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const key = url.searchParams.get('key') ?? ''
  const [invitation, signedIn] = await Promise.all([findInvitation(app, key), context.get(signedInContext)()])
  if (!invitation) return data(null, { status: 404 })
  const { company, email, role, invitedBy } = invitation
  return data({
    key,
    company,
    email,
    role: roleNames[role].toLowerCase(),
    words: roleWords[role],
    invitedBy,
    status: !signedIn
      ? ('guest' as const)
      : signedIn.email !== email
        ? ('other' as const)
        : signedIn.isEmailVerified
          ? ('ready' as const)
          : ('unverified' as const),
    signedInAs: signedIn?.email ?? null,
  })
}

export async function action({ context, url }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const key = url.searchParams.get('key') ?? ''
  const signedIn = await context.get(signedInContext)()
  if (!signedIn) return seeOther(paths.signIn(paths.companyInvitation(key)))
  const accepted = await acceptInvitation(app, signedIn, key)
  if (accepted.ok) return seeOther(paths.company())
  return refuseForm(formRefusal(new URLSearchParams(), invitationRefusalMessages(accepted)), 409)
}

export default function Invitation({ loaderData: invitation, actionData: reply }: Route.ComponentProps) {
  if (!invitation)
    return (
      <div className="wrap narrow-page">
        <h1>This invitation is no longer valid</h1>
        <ErrorSummary reply={reply} />
        <p>It was accepted, withdrawn, or is more than two weeks old. Ask the sender for a new invitation.</p>
      </div>
    )
  const { key, company, email, role, words, invitedBy, status, signedInAs } = invitation
  const here = paths.companyInvitation(key)
  return (
    <div className="wrap narrow-page">
      <h1>Order for {company}</h1>
      <ErrorSummary reply={reply} />
      <p>
        {invitedBy ?? 'An owner'} invites {email} to join as a {role}. {words}
      </p>
      {status === 'ready' ? (
        <form method="post" action={here}>
          <button className="btn primary large">Join {company}</button>
        </form>
      ) : status === 'guest' ? (
        <div className="row wrap-row">
          <form method="post" action={paths.signIn()}>
            <input type="hidden" name="back" value={here} />
            <button className="btn primary large">Sign in</button>
          </form>
          <form method="post" action={paths.register()}>
            <input type="hidden" name="back" value={here} />
            <button className="btn large">Create an account</button>
          </form>
        </div>
      ) : status === 'other' ? (
        <>
          <p className="notice">
            You are signed in as {signedInAs}. Sign out and come back with {email}.
          </p>
          <form method="post" action={paths.signOut()}>
            <button className="btn large">Sign out</button>
          </form>
        </>
      ) : (
        <p className="notice">
          Verify {email} first: open the link in the email you got when you created your account. Then come back here.
        </p>
      )}
    </div>
  )
}
