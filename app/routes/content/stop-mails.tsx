import { data } from 'react-router'
import { applicationContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { readMailStop, stopMails } from '#domain/messaging/messages/messages.server.ts'
import { stoppableKinds } from '#domain/messaging/messages/messages.ts'
import type { Route } from './+types/stop-mails.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Unsubscribe',
    description: 'Unsubscribe from emails you do not want.',
    path: paths.stopMails(),
    isIndexed: false,
  })

/** Doesn't unsubscribe on GET, because link scanners open all links. */
export function loader({ context, url }: Route.LoaderArgs) {
  const stop = readMailStop(context.get(applicationContext).config, url.searchParams.get('of'))
  return data({ stops: stop ? stoppableKinds[stop.kind] : null }, { status: stop ? 200 : 404 })
}

/**
 * Submitted here, or by a mail program's own POST, without cookies or origin (RFC 8058): the sealed address is all it
 * needs.
 */
export async function action({ context, url }: Route.ActionArgs) {
  const app = context.get(applicationContext)
  const stop = readMailStop(app.config, url.searchParams.get('of'))
  if (!stop) return data({ isStopped: false }, { status: 404 })
  await stopMails(app, stop)
  return { isStopped: true }
}

export default function StopMails({ loaderData: { stops }, actionData }: Route.ComponentProps) {
  if (stops === null) {
    return (
      <div className="wrap narrow-page">
        <h1>This link does not work.</h1>
        <p>Part of it is missing. Open it from the email again, or write to us and we will unsubscribe you.</p>
        <p>
          <a className="btn primary" href={paths.contact()}>
            Write to us
          </a>
        </p>
      </div>
    )
  }
  return (
    <div className="wrap narrow-page">
      {actionData?.isStopped ? (
        <>
          <h1>Stopped.</h1>
          <p role="status">{`You get no more ${stops}. Emails about your orders will still come.`}</p>
        </>
      ) : (
        <>
          <h1>Stop these emails?</h1>
          <p>{`You get no more ${stops}. Emails about your orders will still come.`}</p>
          <form method="post">
            <button className="btn primary large">Stop these emails</button>
          </form>
        </>
      )}
    </div>
  )
}
