import { PeriodNav } from '#app/ui/portal/period-nav.tsx'
import { requireShop } from '#app/server/portal.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { PortalScript, portalHead } from '#app/ui/portal/portal-page.tsx'
import { stopView, type StopView } from '#app/views/portal-stops.server.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { readVanDay } from '#domain/installer-portal/portal/portal.server.ts'
import { readDay } from '#domain/installer-portal/portal/portal.ts'
import { dayText } from '#platform/day-text.ts'
import { clockOf } from '#platform/time-text.ts'
import { pluralForm } from '#platform/count-text.ts'
import type { Route } from './+types/stops.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Stops', portalPaths.portal())

/** Where a van comes on a day, in the order of its drive. */
export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const asked = readDay(url.searchParams.get('on'))
  const path = portalPaths.stops(shopCode, { on: asked?.toString() })
  const { app, place } = await requireShop(context, 'stops.read', { shopCode, path })
  const { day, today, stops } = await readVanDay(app, place, asked)
  return {
    title: dayText(day),
    shopName: place.shopName,
    zone: clockOf(place.timeZone, day).zone,
    isToday: day.equals(today),
    stops: stops.map((stop) => stopView(stop, { shopCode, timeZone: place.timeZone })),
    before: portalPaths.stops(shopCode, { on: day.subtract({ days: 1 }).toString() }),
    today: portalPaths.stops(shopCode),
    after: portalPaths.stops(shopCode, { on: day.add({ days: 1 }).toString() }),
  }
}

export default function Stops({ loaderData }: Route.ComponentProps) {
  const { title, shopName, zone, isToday, stops, before, today, after } = loaderData
  return (
    <div className="wrap portal portal-stops">
      <div className="portal-title">
        <h1>
          <span className="portal-print">{shopName}: </span>
          {title}
        </h1>
        <PeriodNav unit="Day" before={before} now={{ path: today, label: 'Today', isShown: isToday }} after={after} />
        <span data-print />
        <p className="portal-stats tabular">
          <span>
            <b>{stops.length}</b> {pluralForm(stops.length, 'stop', 'stops')}
          </span>
          <span>Times in {zone}</span>
        </p>
      </div>
      {stops.length === 0 ? <p className="portal-empty">No stops.</p> : null}
      <ol>
        {stops.map((stop) => (
          <Stop key={stop.id} stop={stop} />
        ))}
      </ol>
      <PortalScript />
    </div>
  )
}

function Stop({ stop }: { stop: StopView }) {
  const { time, who, order, job, drive, address, notes, map, directions, what, isDone } = stop
  return (
    <li className={isDone ? 'is-done' : undefined}>
      {drive ? <p className="portal-drive tabular">{drive}</p> : null}
      <div className="portal-stop">
        <p className="tabular">
          <b>{time}</b> {who}
          {isDone ? ' · Done' : ''}
        </p>
        {address.length > 0 ? (
          <address>
            {address.map((line) => (
              <span key={line}>{line}</span>
            ))}
          </address>
        ) : (
          <p className="muted">The address is no longer shown.</p>
        )}
        {notes ? (
          <p className="portal-notes">
            <b>To get in:</b> {notes}
          </p>
        ) : null}
        {what.map((line, index) => (
          <p key={index}>{line}</p>
        ))}
        <p className="row wrap-row">
          {directions ? (
            <a className="btn primary" href={directions} rel="noreferrer">
              <Icon name="pin" size="s" /> Directions
            </a>
          ) : null}
          {map ? (
            <a className="btn" href={map} rel="noreferrer" target="_blank">
              Map
            </a>
          ) : null}
          <a className="btn" href={job}>
            Job {order}
          </a>
        </p>
      </div>
    </li>
  )
}
