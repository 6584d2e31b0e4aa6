import type { CSSProperties } from 'react'
import { requireShop } from '#app/server/portal.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { PortalFault, portalHandle, portalHead, portalLinks } from '#app/ui/portal/portal-page.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { readShopDay } from '#domain/portal/portal.server.ts'
import type { DayJob } from '#domain/portal/portal.ts'
import { dayText } from '#platform/day-text.ts'
import type { Route } from './+types/day.ts'

export const handle = portalHandle('day')
export const links = portalLinks
export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  portalHead(
    matches,
    loaderData ? `${loaderData.title}, ${loaderData.portal.shop?.name ?? ''}` : 'Day',
    portalPaths.portal(),
  )

/** With more bays than these the day stays a list on wide screens, too. */
const mostColumns = 8

/** The day of the address, or today on the shop's clock. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { shopCode } = params
  const asked = dayOf(url.searchParams.get('on'))
  const path = portalPaths.day(shopCode, { on: asked?.toString() })
  const { shop, place, portal } = await requireShop(context, 'day.read', { shopCode, path })
  const { day, today, closed, shopDay } = await readShopDay(shop, place, asked)
  return {
    portal,
    shopCode,
    title: dayText(day),
    isToday: day.equals(today),
    closed,
    shopDay,
    news: url.searchParams.get('done') === 'opened' ? 'Your shop is open: shoppers are offered it from now on.' : null,
    before: portalPaths.day(shopCode, { on: day.subtract({ days: 1 }).toString() }),
    today: portalPaths.day(shopCode),
    after: portalPaths.day(shopCode, { on: day.add({ days: 1 }).toString() }),
    setUp: place.isInSetUp ? portalPaths.setUp(shopCode) : null,
  }
}

/** A day of this century as "2026-11-24"; null for anything else. */
function dayOf(text: string | null): Temporal.PlainDate | null {
  if (text === null || !/^20\d{2}-\d{2}-\d{2}$/.test(text)) return null
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return null
  }
}

export default function Day({ loaderData }: Route.ComponentProps) {
  const { shopCode, title, isToday, closed, shopDay, news, setUp, before, today, after } = loaderData
  const { columns, jobs, hours, quarters, zone, done, short } = shopDay
  const grid = { '--columns': columns.length, '--quarters': quarters } as CSSProperties
  return (
    <div className="wrap portal">
      {news ? (
        <p className="portal-news" role="status">
          <Icon name="check-circle" size="s" /> {news}
        </p>
      ) : null}
      <div className="portal-title">
        <h1>{title}</h1>
        <nav aria-label="Days">
          <a className="btn" href={before} aria-label="Day before">
            <Icon name="left" />
          </a>
          <a className="btn" href={today} aria-current={isToday ? 'date' : undefined}>
            Today
          </a>
          <a className="btn" href={after} aria-label="Day after">
            <Icon name="right" />
          </a>
        </nav>
        <p className="portal-stats tabular">
          <span>
            <b>{jobs.length}</b> {jobs.length === 1 ? 'job' : 'jobs'}
          </span>
          <span>
            <b>{done}</b> done
          </span>
          {short > 0 ? (
            <span>
              <b>{short}</b> short of tires
            </span>
          ) : null}
          <span>Times in {zone}</span>
        </p>
      </div>
      {setUp ? (
        <p className="portal-news">
          Shoppers do not see this shop yet. <a href={setUp}>Finish set-up</a>
        </p>
      ) : null}
      {jobs.length === 0 ? (
        <p className="portal-empty">{closed ? `Closed: ${closed}.` : 'Nothing is booked.'}</p>
      ) : null}
      {columns.length > 0 ? (
        <section className="portal-bays" aria-label="Bays">
          <div className={columns.length <= mostColumns ? 'portal-grid is-grid' : 'portal-grid'} style={grid}>
            {columns.map(({ id, label }, index) => (
              <div key={id} className="portal-bay" style={{ '--column': index } as CSSProperties}>
                {label}
              </div>
            ))}
            {hours.map(({ quarter, label }) => (
              <div key={quarter} className="portal-hour" style={{ '--from': quarter } as CSSProperties}>
                {label}
              </div>
            ))}
            {jobs.map((job) => (
              <Job key={job.id} job={job} path={portalPaths.job(shopCode, job.id)} />
            ))}
          </div>
        </section>
      ) : null}
    </div>
  )
}

function Job({ job, path }: { job: DayJob; path: string }) {
  const place = { '--column': job.column, '--from': job.from, '--to': job.to } as CSSProperties
  return (
    <article className={`portal-job is-${job.state}`} style={place}>
      <h2>
        <a href={path}>
          {job.time} <span>{job.who}</span>
        </a>
      </h2>
      <p>{job.vehicle}</p>
      {job.tires.map((tire) => (
        <p key={tire}>{tire}</p>
      ))}
      {job.dropOffCode ? <p className="tabular">Drop-off {job.dropOffCode}</p> : null}
      {job.news ? <p className="portal-job-news">{job.news}</p> : null}
      <p className="portal-state">
        {job.state === 'booked' ? job.pieces : job.state === 'short' ? `${job.words}: ${job.pieces}` : job.words}
      </p>
      <p className="portal-place">
        {job.bay} · {job.order}
      </p>
    </article>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PortalFault error={error} />
}
