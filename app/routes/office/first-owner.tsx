import { isRouteErrorResponse } from 'react-router'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { applicationContext } from '#app/server/context.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { SentFault } from '#app/ui/sent-fault.tsx'
import styles from '#app/ui/styles/office.css?url'
import { officePaths } from '#content/office-paths.ts'
import { acceptOwnerLink, isOwnerLinkOpen } from '#domain/kernel/staff/staff.server.ts'
import { firstOwnerForm } from '#domain/kernel/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Route } from './+types/first-owner.ts'

export const handle = { script: false, chrome: false }
export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]
export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'First owner', officePaths.officeSignIn())

/** Secrets are 43 characters long. Longer input is truncated before the lookup. */
const keyOf = (url: URL) => (url.searchParams.get('key') ?? '').slice(0, 64)

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  if (!(await isOwnerLinkOpen(app, keyOf(url)))) throw new Response(null, { status: 404 })
  return { store: app.config.store.name }
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const fields = await readForm(request)
  const checked = checkForm(firstOwnerForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const used = await acceptOwnerLink(context.get(applicationContext), {
    secret: keyOf(url),
    email: checked.value.email,
  })
  if (used.ok) return seeOther(officePaths.officeSignIn({ back: officePaths.office() }))
  return refuseForm(
    formRefusal(
      fields,
      'This link has expired or was used. Restart the store to print a new link while it has no staff.',
    ),
    409,
  )
}

export default function FirstOwner({ loaderData: { store }, actionData: reply }: Route.ComponentProps) {
  return (
    <div className="wrap narrow-page">
      <h1>Become the owner of {store}</h1>
      <p className="muted">
        Enter the email that you sign in with. After you sign in, you can open every page of the back office and invite
        your team.
      </p>
      <form method="post" className="stack" noValidate>
        <ErrorSummary reply={reply} labels={{ email: 'Email' }} />
        <Field
          name="email"
          label="Email"
          type="email"
          reply={reply}
          maxLength={254}
          required
          autoComplete="email"
          hint="The sign-in service must have verified it."
        />
        <p>
          <button className="btn primary large">Continue to sign in</button>
        </p>
      </form>
    </div>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <SentFault status={isRouteErrorResponse(error) ? error.status : undefined} />
}
