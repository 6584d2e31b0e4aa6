import { data } from 'react-router'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { readForm } from '#app/forms/form.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { allScopes, type AccountApp } from '#domain/customers/accounts/accounts.ts'
import { listApps, setAppAccess } from '#domain/customers/accounts/accounts.server.ts'
import { isId } from '#platform/ids.ts'
import { dayText } from '#platform/day-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { AccountPage } from './account-page.tsx'
import type { Route } from './+types/account-apps.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Connected apps',
    description: 'Apps with access to your account, and what they can do.',
    path: paths.accountApps(),
    isIndexed: false,
  })

export async function loader({ context }: Route.LoaderArgs) {
  const { accountId } = await requireSignedIn(context, paths.accountApps())
  const apps = (await listApps(context.get(applicationContext), accountId)).map(appView)
  return { active: apps.filter(({ isRevoked }) => !isRevoked), revoked: apps.filter(({ isRevoked }) => isRevoked) }
}

/** Revokes or restores the named app's access. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const { accountId } = await requireSignedIn(context, paths.accountApps())
  const fields = await readForm(request)
  const [revoke, allow] = [fields.get('revoke'), fields.get('allow')]
  const appId = revoke ?? allow ?? ''
  const isAllowed = revoke === null
  const isDone = isId(appId) && (await setAppAccess(app, accountId, appId, { isAllowed }))
  if (isDone) app.log.info({ accountId, appId, isAllowed }, 'the access of an app changed')
  const words = isAllowed ? 'The app can act for you again.' : 'Access revoked. The app can no longer act for you.'
  return data({ words: isDone ? words : 'App not found for this account.' }, { status: isDone ? 200 : 404 })
}

type AppView = { id: string; name: string; does: string[]; days: string; isRevoked: boolean }

function appView({ id, name, scopes, firstUsedAt, lastUsedAt, revokedAt }: AccountApp): AppView {
  const day = (instant: Temporal.Instant) => dayText(instant.toZonedDateTimeISO(storeZone))
  const used = `Since ${day(firstUsedAt)}, last used ${day(lastUsedAt)}`
  const days = revokedAt === null ? used : `${used}, revoked ${day(revokedAt)}`
  return { id, name, does: scopes.map((scope) => allScopes[scope]), days, isRevoked: revokedAt !== null }
}

export default function AccountApps({ loaderData: { active, revoked }, actionData }: Route.ComponentProps) {
  return (
    <AccountPage title="Connected apps" at="account">
      {actionData ? (
        <p className="notice" role="status">
          {actionData.words}
        </p>
      ) : null}
      <section className="panel padded stack" aria-labelledby="apps">
        <h2 id="apps">Apps that use your account</h2>
        <p className="small muted">
          You let these apps act for you when you signed in with them. Revoke access for apps you no longer use. It ends
          immediately.
        </p>
        {active.length === 0 ? (
          <p>No app uses your account.</p>
        ) : (
          <ul className="session-list">
            {active.map((app) => (
              <AppRow key={app.id} app={app} />
            ))}
          </ul>
        )}
      </section>
      {revoked.length > 0 ? (
        <section className="panel padded stack" aria-labelledby="revoked">
          <h2 id="revoked">Revoked</h2>
          <p className="small muted">These apps cannot act for you until you allow them again.</p>
          <ul className="session-list">
            {revoked.map((app) => (
              <AppRow key={app.id} app={app} />
            ))}
          </ul>
        </section>
      ) : null}
      <p className="small muted">
        Writing an app? <a href={paths.apiDocs()}>Our API</a> explains how to ask for access.
      </p>
    </AccountPage>
  )
}

function AppRow({ app: { id, name, does, days, isRevoked } }: { app: AppView }) {
  return (
    <li>
      <div>
        <p className="strong">{name}</p>
        <p className="small">
          {does.length === 0 ? 'Can view your basic profile only.' : `May: ${does.join('; ').toLowerCase()}.`}
        </p>
        <p className="small muted">{days}</p>
      </div>
      <form method="post">
        <button
          className="btn"
          name={isRevoked ? 'allow' : 'revoke'}
          value={id}
          aria-label={`${isRevoked ? 'Allow' : 'Revoke the access of'} ${name}`}
        >
          {isRevoked ? 'Allow again' : 'Revoke access'}
        </button>
      </form>
    </li>
  )
}
