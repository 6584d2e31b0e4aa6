import { requireShop } from '#app/server/portal.server.ts'
import { PortalScript, portalHead } from '#app/ui/portal/portal-page.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { readShopDay } from '#domain/installer-portal/portal/portal.server.ts'
import { readDay } from '#domain/installer-portal/portal/portal.ts'
import { dayText } from '#platform/day-text.ts'
import type { Route } from './+types/day-sheet.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Day sheet', portalPaths.portal())

/** Renders a day's schedule for printing, in order of time. */
export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const asked = readDay(url.searchParams.get('on'))
  const path = portalPaths.daySheet(shopCode, { on: asked?.toString() })
  const { app, place } = await requireShop(context, 'day.read', { shopCode, path })
  const { day, closed, shopDay } = await readShopDay(app, place, asked)
  const { jobs, ownJobs } = shopDay
  const rows = [
    ...jobs.map(({ id, from, time, bay, who, order, vehicle, tires, dropOffCode, state, words, pieces }) => ({
      id,
      from,
      time,
      bay,
      who,
      what: [vehicle, ...tires],
      note: [order, dropOffCode ?? '', state === 'booked' ? pieces : words].filter(Boolean).join(' · '),
    })),
    ...ownJobs.map(({ id, from, time, bay, title, lines, overlap, isDone }) => ({
      id,
      from,
      time,
      bay,
      who: title,
      what: lines,
      note: [isDone ? 'Done' : 'Own job', overlap ?? ''].filter(Boolean).join(' · '),
    })),
  ].toSorted((one, other) => one.from - other.from)
  return {
    title: dayText(day),
    shopName: place.shopName,
    zone: shopDay.zone,
    closed,
    rows,
    back: portalPaths.day(shopCode, { on: day.toString() }),
  }
}

export default function DaySheet({ loaderData }: Route.ComponentProps) {
  const { title, shopName, zone, closed, rows, back } = loaderData
  return (
    <div className="wrap portal portal-sheet">
      <p className="portal-back">
        <a href={back}>Back to the day</a>
        <span data-print />
      </p>
      <h1>
        {shopName}: {title}
      </h1>
      <p className="muted">Times in {zone}</p>
      {rows.length === 0 ? (
        <p className="portal-empty">{closed ?? 'No jobs booked.'}</p>
      ) : (
        <ul>
          {rows.map(({ id, time, bay, who, what, note }) => (
            <li key={id}>
              <p className="tabular">
                <b>{time}</b> {bay}
              </p>
              <div>
                <b>{who}</b>
                {what.map((line, index) => (
                  <p key={index}>{line}</p>
                ))}
                <p>{note}</p>
              </div>
              <span className="portal-box" aria-hidden="true" />
            </li>
          ))}
        </ul>
      )}
      <PortalScript />
    </div>
  )
}
