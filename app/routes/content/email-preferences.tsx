import { data, type RouterContextProvider } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import { applicationContext, signedInContext } from '#app/server/context.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { paths } from '#content/paths.ts'
import {
  readMailPreferences,
  readPreferencesLink,
  saveMailPreferences,
} from '#domain/messaging/messages/messages.server.ts'
import { stoppableKinds, stoppableList } from '#domain/messaging/messages/messages.ts'
import type { Route } from './+types/email-preferences.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Email preferences',
    description: 'Choose which emails you get.',
    path: paths.emailPreferences(),
    isIndexed: false,
  })

/** Shows the subscriptions of the email address in the link. Read-only, because link scanners open all links. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const email = await emailOf(context, url)
  if (email === undefined) return data({ email: null, preferences: [] }, { status: 404 })
  const preferences = await readMailPreferences(app, email)
  return data({
    email,
    preferences: preferences.map((each) => ({ ...each, words: wordsOf(stoppableKinds[each.kind]) })),
  })
}

/** Returns the email address sealed in the link, or the account's verified email. */
async function emailOf(context: Readonly<RouterContextProvider>, url: URL): Promise<string | undefined> {
  const linked = url.searchParams.get('of')
  if (linked !== null) return readPreferencesLink(context.get(applicationContext).config, linked)
  const signedIn = await context.get(signedInContext)()
  return signedIn?.isEmailVerified ? (signedIn.email ?? undefined) : undefined
}

/** Saves the whole form. Unchecked kinds are unsubscribed. `stop-all` unsubscribes from everything. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const email = await emailOf(context, url)
  if (email === undefined) return data({ isSaved: false }, { status: 404 })
  const fields = await readForm(request)
  const wanted = fields.get('intent') === 'stop-all' ? [] : stoppableList.filter((kind) => fields.has(kind))
  await saveMailPreferences(app, { email, wanted })
  return data({ isSaved: true })
}

function wordsOf(kind: string): string {
  return kind.slice(0, 1).toUpperCase() + kind.slice(1)
}

export default function EmailPreferences({ loaderData: { email, preferences }, actionData }: Route.ComponentProps) {
  if (email === null) {
    return (
      <div className="wrap narrow-page">
        <h1>This link does not work.</h1>
        <p>Part of it is missing. Open it from the email again, or open it from your account.</p>
        <p>
          <a className="btn primary" href={paths.account()}>
            Go to your account
          </a>
        </p>
      </div>
    )
  }
  return (
    <div className="wrap narrow-page stack">
      <h1>Email preferences</h1>
      {actionData?.isSaved ? (
        <p className="notice" role="status">
          Saved.
        </p>
      ) : null}
      <p>
        Choose what we send to <b>{email}</b>. Emails about your orders, appointments and messages always come.
      </p>
      <form method="post" className="panel padded stack">
        <fieldset className="stack">
          <legend className="visually-hidden">Emails you get</legend>
          {preferences.map(({ kind, words, isWanted }) => (
            <label key={kind} className="check">
              <input type="checkbox" name={kind} value="1" defaultChecked={isWanted} />
              <span>{words}</span>
            </label>
          ))}
        </fieldset>
        <p className="row wrap-row">
          <button className="btn primary" name="intent" value="save">
            Save
          </button>
          <button className="btn quiet" name="intent" value="stop-all">
            Stop all of these
          </button>
        </p>
      </form>
    </div>
  )
}
