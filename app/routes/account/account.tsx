import { data } from 'react-router'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { applicationContext, visitorContext } from '#app/server/context.ts'
import { readForm } from '#app/forms/form.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import {
  endSession,
  listSessions,
  refreshPerson,
  signOutEverywhere,
  type LiveSession,
} from '#domain/customers/accounts/accounts.server.ts'
import { cookiesFor } from '#http/visitor.ts'
import { SIGN_IN_SECONDS } from '#platform/business-constants.ts'
import { isId } from '#platform/ids.ts'
import { dayText } from '#platform/day-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import { accountOverview, type Status, type Waiting } from './account-overview.server.ts'
import { AccountPage } from './account-page.tsx'
import { AccountTerms } from './account-terms.tsx'
import { GarageVehicle } from './garage-vehicle.tsx'
import type { VehicleView } from './garage-view.server.ts'
import type { OrderCard } from './order-card.ts'
import { OrderLine } from './order-line.tsx'
import type { Route } from './+types/account.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Your account',
    description: 'Your vehicles, your orders and your details.',
    path: paths.account(),
    isIndexed: false,
  })

export async function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const signedIn = await requireSignedIn(context, paths.account())
  // Refreshes the profile once after the visitor returns from the provider's pages.
  if (url.searchParams.has('changed') && app.identity) {
    const refreshed = await refreshPerson({ ...app, identity: app.identity }, signedIn.sessionId)
    const isOver = !refreshed.ok && refreshed.reason === 'signed-out'
    throw seeOther(paths.account(), isOver ? [['set-cookie', cookiesFor(app.config).session(null)]] : [])
  }
  const back = `${app.config.web.origin}${paths.account({ changed: true })}`
  return {
    name: signedIn.name,
    email: signedIn.email,
    isEmailVerified: signedIn.isEmailVerified,
    overview: await accountOverview(app, context.get(visitorContext), signedIn),
    sessions: (await listSessions(app, signedIn.accountId)).map((session) => sessionView(session, signedIn.sessionId)),
    editProfile: app.identity?.profilePage('edit-profile', back) ?? null,
    preferencesUrl: signedIn.isEmailVerified && signedIn.email !== null ? paths.emailPreferences() : null,
    hasTexts: app.texts !== null,
    changePassword: app.identity?.profilePage('change-password', back) ?? null,
  }
}

/** Ends the named session, or all but this one. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const signedIn = await requireSignedIn(context, paths.account())
  const named = (await readForm(request)).get('session')
  const ended =
    named === null
      ? await signOutEverywhere(app, signedIn.accountId, signedIn.sessionId)
      : Number(isId(named) && (await endSession(app, signedIn.accountId, named)))
  app.log.info({ accountId: signedIn.accountId, ended }, 'signed out elsewhere')
  return data({ ended })
}

type SessionView = { id: string; browser: string; days: string; isHere: boolean }

function sessionView({ id, browser, createdAt, lastSeenAt }: LiveSession, here: string): SessionView {
  const [since, seen] = [createdAt, lastSeenAt].map((instant) => dayText(instant.toZonedDateTimeISO(storeZone)))
  return {
    id,
    browser: browser ?? 'A browser',
    days: since === seen ? `Since ${since}` : `Since ${since}, last used ${seen}`,
    isHere: id === here,
  }
}

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { overview, sessions } = loaderData
  const { waiting, order, vehicle, hasMoreVehicles, statuses, terms } = overview
  return (
    <AccountPage title="Your account" at="account">
      {actionData ? (
        <p className="notice" role="status">
          {actionData.ended === 0
            ? 'You have no other active sessions.'
            : `You are signed out on ${countOf(actionData.ended, 'other browser')}.`}
        </p>
      ) : null}
      <div className="account-columns">
        <div className="account-body">
          {waiting.length > 0 ? <WaitingList waiting={waiting} /> : null}
          <LatestOrder order={order} />
          <YourVehicle vehicle={vehicle} hasMore={hasMoreVehicles} />
          <YourDetails person={loaderData} />
        </div>
        <div className="account-body">
          <Statuses statuses={statuses} />
          {terms ? <AccountTerms terms={terms} /> : null}
          {loaderData.preferencesUrl ? <Emails preferencesUrl={loaderData.preferencesUrl} /> : null}
          {loaderData.hasTexts ? <Texts /> : null}
          <KeptData />
        </div>
      </div>
      <Sessions sessions={sessions} />
    </AccountPage>
  )
}

function WaitingList({ waiting }: { waiting: Waiting[] }) {
  return (
    <section className="account-waiting" aria-labelledby="waiting">
      <h2 id="waiting">Waiting for you</h2>
      <ul>
        {waiting.map(({ words, action, path }) => (
          <li key={words}>
            <span>{words}</span>
            <a className="btn small" href={path} aria-label={`${action}: ${words}`}>
              {action}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function LatestOrder({ order }: { order: OrderCard | null }) {
  return (
    <section className="panel padded stack" aria-labelledby="order">
      <div className="order-line-head">
        <h2 id="order">Latest order</h2>
        {order ? (
          <a className="small" href={paths.myOrders()}>
            All your orders
          </a>
        ) : null}
      </div>
      {order ? (
        <OrderLine order={order} heading="h3" />
      ) : (
        <>
          <p className="muted">No orders yet. Orders you place while signed in appear here.</p>
          <p>
            <a className="btn primary" href={paths.find()}>
              Find your tires
            </a>
          </p>
        </>
      )}
    </section>
  )
}

function YourVehicle({ vehicle, hasMore }: { vehicle: VehicleView | null; hasMore: boolean }) {
  return (
    <section className="panel padded stack" aria-labelledby="vehicle">
      <div className="order-line-head">
        <h2 id="vehicle">Your vehicle</h2>
        {hasMore ? (
          <a className="small" href={paths.myGarage()}>
            All your vehicles
          </a>
        ) : null}
      </div>
      {vehicle ? (
        <GarageVehicle vehicle={vehicle} heading="h3" />
      ) : (
        <>
          <p className="muted">No vehicles yet. Add your vehicle to see which tires fit and get rotation reminders.</p>
          <p>
            <a className="btn" href={paths.find()}>
              Add a vehicle
            </a>
          </p>
        </>
      )}
    </section>
  )
}

type Person = Pick<
  Route.ComponentProps['loaderData'],
  'name' | 'email' | 'isEmailVerified' | 'editProfile' | 'changePassword'
>

/** Stored at the sign-in provider, and changed on its pages if it has any. */
function YourDetails({ person: { name, email, isEmailVerified, editProfile, changePassword } }: { person: Person }) {
  return (
    <section className="panel padded stack" aria-labelledby="details">
      <h2 id="details">Your details</h2>
      <dl className="account-details">
        {name ? <Detail title="Name">{name}</Detail> : null}
        {email ? <Detail title="Email">{`${email}${isEmailVerified ? '' : ' (not verified)'}`}</Detail> : null}
      </dl>
      {email && !isEmailVerified ? (
        <p className="small muted">Until it is verified, guest orders placed with it stay separate.</p>
      ) : null}
      <p className="row wrap-row">
        {editProfile ? (
          <a className="btn" href={editProfile}>
            Edit your details
          </a>
        ) : null}
        {changePassword ? (
          <a className="btn" href={changePassword}>
            Change your password
          </a>
        ) : null}
      </p>
    </section>
  )
}

function Statuses({ statuses }: { statuses: Status[] }) {
  return (
    <section className="panel padded stack" aria-labelledby="standings">
      <h2 id="standings">At a glance</h2>
      <dl className="account-statuses">
        {statuses.map(({ term, words, action, path }) => (
          <div key={term}>
            <dt className="small muted">{term}</dt>
            <dd>
              <b>{words}</b>
              <a className="small" href={path}>
                {action}
              </a>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Emails({ preferencesUrl }: { preferencesUrl: string }) {
  return (
    <section className="panel padded stack" aria-labelledby="emails">
      <h2 id="emails">Emails</h2>
      <p className="small muted">Reminders, invitations and advice come only if you want them.</p>
      <p>
        <a className="btn" href={preferencesUrl}>
          Email preferences
        </a>
      </p>
    </section>
  )
}

function Texts() {
  return (
    <section className="panel padded stack" aria-labelledby="texts">
      <h2 id="texts">Text messages</h2>
      <p className="small muted">Shipping, delivery and appointments by text, once your phone has confirmed.</p>
      <p>
        <a className="btn" href={paths.accountTexts()}>
          Text preferences
        </a>
      </p>
    </section>
  )
}

function KeptData() {
  return (
    <section className="panel padded stack" aria-labelledby="data">
      <h2 id="data">What we keep</h2>
      <p className="small muted">Everything this store has on your account, in one file.</p>
      <p className="row wrap-row">
        <a className="btn" href={paths.accountData()}>
          Download my data
        </a>
        <a className="btn quiet" href={paths.deleteAccount()}>
          Delete my account
        </a>
      </p>
    </section>
  )
}

function Sessions({ sessions }: { sessions: SessionView[] }) {
  return (
    <section className="panel padded stack" aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      <p className="small muted">
        A browser stays signed in for {countOf(SIGN_IN_SECONDS / 86_400, 'day')}. If one of them is no longer yours,
        sign it out here.
      </p>
      <ul className="session-list">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {sessions.length > 1 ? (
        <form method="post">
          <button className="btn">Sign out everywhere else</button>
        </form>
      ) : null}
      <p className="small">
        <a href={paths.accountApps()}>Apps that use your account</a>
      </p>
    </section>
  )
}

function SessionRow({ session: { id, browser, days, isHere } }: { session: SessionView }) {
  return (
    <li>
      <div>
        <p className="strong">
          {browser} {isHere ? <span className="tag">This browser</span> : null}
        </p>
        <p className="small muted">{days}</p>
      </div>
      {isHere ? (
        <form method="post" action={paths.signOut()}>
          <button className="btn">Sign out here</button>
        </form>
      ) : (
        <form method="post">
          <button className="btn" name="session" value={id} aria-label={`Sign out ${browser}. ${days}`}>
            Sign out
          </button>
        </form>
      )}
    </li>
  )
}

function Detail({ title, children }: { title: string; children: string }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  )
}
