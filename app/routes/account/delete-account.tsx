import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { lastOwnerMessages, leaveForGood } from '#http/leaving.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import type { Route } from './+types/delete-account.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Delete your account',
    description: 'What’s deleted and what we keep.',
    path: paths.deleteAccount(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  await requireSignedIn(context, paths.deleteAccount())
  return null
}

/** Ends the session at the provider as well as here, and deletes the account with all data that is only its own. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const { accountId } = await requireSignedIn(context, paths.deleteAccount())
  const fields = await readForm(request)
  if (fields.get('sure') !== '1') return refuseForm(formRefusal(fields, 'Tick the box if you are sure.'))
  const left = await leaveForGood(app, context.get(visitorContext), accountId)
  if (!left.ok) return refuseForm(formRefusal(fields, lastOwnerMessages), 409)
  const { url, cookies } = left.value
  return seeOther(
    url,
    cookies.map((cookie) => ['set-cookie', cookie]),
  )
}

export default function DeleteAccount({ actionData }: Route.ComponentProps) {
  return (
    <div className="wrap narrow-page">
      <h1>Delete your account</h1>
      <p>
        Your vehicles, addresses, searches, invitations and sign-ins here are deleted immediately, along with your
        prices, memberships and credit. This cannot be undone.
      </p>
      <p>
        Orders stay, because the law requires us to keep sales records. You can still find them by number and ZIP, and
        by the links in our emails. Your sign-in belongs to the sign-in service; delete it there. Questions you sent us
        and reviews you wrote need no account and stay until you <a href={paths.contact()}>ask us</a> to delete them.
      </p>
      <p>
        <a href={paths.accountData()}>Download your data first</a>
      </p>
      <form method="post" className="stack">
        <ErrorSummary reply={actionData} />
        <label className="check">
          <input type="checkbox" name="sure" value="1" />
          <span>Delete my account and all that is only mine</span>
        </label>
        <p className="row wrap-row">
          <button className="btn stop">Delete account</button>
          <a className="btn" href={paths.account()}>
            Keep it
          </a>
        </p>
      </form>
    </div>
  )
}
