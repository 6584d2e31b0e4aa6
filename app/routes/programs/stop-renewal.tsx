import { data } from 'react-router'
import { applicationContext } from '#app/server/context.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { paths } from '#content/paths.ts'
import { readStopLink, stopByLink } from '#domain/customers/programs/programs.server.ts'
import type { Route } from './+types/stop-renewal.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Stop the renewal',
    description: 'Stops the renewal of a membership.',
    path: paths.membership(),
    isIndexed: false,
  })

/** Shows the button. Read-only, because mail programs prefetch links. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const found = await readStopLink(context.get(applicationContext), params.token)
  return data({ status: found ? (found.isStopped ? 'stopped' : 'on') : 'unknown' } as const, {
    status: found ? 200 : 404,
  })
}

/** Stops the renewal, without signing in. Pressed twice, it is stopped. */
export async function action({ context, params }: Route.ActionArgs) {
  const isKnown = await stopByLink(context.get(applicationContext), params.token)
  return data(null, { status: isKnown ? 200 : 404 })
}

export default function StopRenewal({ loaderData: { status } }: Route.ComponentProps) {
  return (
    <div className="wrap program-page">
      {status === 'unknown' ? (
        <>
          <h1>This link does not work</h1>
          <p>It may be cut off. You can stop the renewal on your membership page.</p>
        </>
      ) : status === 'stopped' ? (
        <>
          <h1>The renewal is stopped</h1>
          <p role="status">Your membership ends at the end of its year, and you won’t be charged again.</p>
        </>
      ) : (
        <>
          <h1>Stop the renewal of your membership?</h1>
          <p>Your membership then ends at the end of its year, and you won’t be charged again.</p>
          <form method="post">
            <button className="btn primary large">Stop the renewal</button>
          </form>
        </>
      )}
      <p>
        <a className="btn" href={paths.membership()}>
          Your membership
        </a>
      </p>
    </div>
  )
}
