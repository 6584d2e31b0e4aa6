import { data } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import { requireShop } from '#app/server/portal.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { endFeed, makeFeed, readFeed, seenFeed } from '#domain/installer-portal/portal/portal.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/feed.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Calendar feed', portalPaths.portal())

export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const asked = { shopCode, path: portalPaths.feed(shopCode) }
  const { app, place } = await requireShop(context, 'feed.edit', asked)
  const feed = await readFeed(app, place.shopId)
  return {
    madeAt: feed ? timeText(feed.madeAt, place.timeZone) : null,
    seen: seenFeed(feed),
    isEnded: url.searchParams.get('done') === 'ended' && !feed,
  }
}

/** `make` renders the new feed URL once, and `end` redirects back. */
export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const { app, actor } = await requireShop(context, 'feed.edit', { shopCode, path: portalPaths.feed(shopCode) })
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'make': {
      const seen = fields.get('seen') ?? ''
      const made = await makeFeed(app, actor, { seen: isTime(seen) ? seen : '' })
      if (!made.ok && made.reason === 'not-allowed') throw data(null, { status: 403 })
      if (!made.ok) return data({ address: null }, { status: 409 })
      return data({ address: app.config.web.origin + portalPaths.feedFile(made.value.secret) })
    }
    case 'end': {
      const ended = await endFeed(app, actor)
      if (!ended.ok) throw data(null, { status: 403 })
      return seeOther(portalPaths.feed(shopCode, 'ended'))
    }
    default:
      throw new Response(null, { status: 400 })
  }
}

function isTime(text: string): boolean {
  try {
    return text.length <= 40 && Temporal.Instant.from(text) !== undefined
  } catch {
    return false
  }
}

export default function Feed({ loaderData, actionData }: Route.ComponentProps) {
  const { madeAt, seen, isEnded } = loaderData
  const address = actionData?.address
  return (
    <div className="wrap portal narrow">
      <h1>Calendar feed</h1>
      <p className="muted">
        Subscribe to your jobs in Google, Outlook, Apple, or any other calendar. It shows first names, vehicles and
        times, and follows every change within the hour.
      </p>
      {address === null ? (
        <p className="error-summary" role="alert">
          A newer address was created. Only that one works.
        </p>
      ) : null}
      {isEnded ? (
        <p className="portal-news" role="status">
          <Icon name="check-circle" size="s" /> The address was revoked. Calendars can no longer read it.
        </p>
      ) : null}
      {address ? (
        <section className="portal-feed" role="status">
          <h2>Your address</h2>
          <p>
            <code>{address}</code>
          </p>
          <p>Copy it into your calendar now. It won’t be shown again. Anyone with this link can read your calendar.</p>
        </section>
      ) : (
        <p>{madeAt ? `An address was made on ${madeAt}.` : 'No address is made yet.'}</p>
      )}
      <form method="post" className="portal-form">
        <input type="hidden" name="seen" value={seen} />
        <button className="btn primary large wide" name="intent" value="make">
          {madeAt ? 'Make a new address and end the old one' : 'Make an address'}
        </button>
        {madeAt ? (
          <button className="btn large wide" name="intent" value="end">
            End the address
          </button>
        ) : null}
      </form>
    </div>
  )
}
