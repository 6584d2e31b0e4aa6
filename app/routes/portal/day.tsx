import { PeriodNav } from '#app/ui/portal/period-nav.tsx'
import { requireShop } from '#app/server/portal.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { linksOf } from '#app/ui/portal/day-links.ts'
import { DayGrid } from '#app/ui/portal/day-grid.tsx'
import { NextJobCard } from '#app/ui/portal/next-job.tsx'
import { PortalScript, portalHead } from '#app/ui/portal/portal-page.tsx'
import { dayEarnings, dayProgress, nextJobOf, nextJobView, openJobs } from '#app/views/portal-day.server.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { readEarnings } from '#domain/installer-portal/payouts/payouts.server.ts'
import { readShopDay } from '#domain/installer-portal/portal/portal.server.ts'
import { readCalendarVersion } from '#domain/scheduling/booking/booking.server.ts'
import { portalCan, readDay, type ShopDay } from '#domain/installer-portal/portal/portal.ts'
import { readJob, selectJobProgress } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { dayText } from '#platform/day-text.ts'
import { pluralForm } from '#platform/count-text.ts'
import type { Route } from './+types/day.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  portalHead(matches, loaderData ? `${loaderData.title}, ${loaderData.shopName}` : 'Day', portalPaths.portal())

/** The success message by the URL's `done` parameter. */
const newsWords: Readonly<Record<string, string>> = {
  opened: 'Your shop is open. Shoppers can book it now.',
  'own-job': 'The job is saved. Shoppers are not offered this bay at that time.',
  'own-job-done': 'The job is done.',
  moved: 'The appointment is on its new bay.',
  'moved-mailed': 'The appointment is moved, and the customer was emailed the new time.',
}

/** The day of the address, or today on the shop's clock. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { shopCode } = params
  const asked = readDay(url.searchParams.get('on'))
  const path = portalPaths.day(shopCode, { on: asked?.toString() })
  const { app, place } = await requireShop(context, 'day.read', { shopCode, path })
  // Read before the day, so that a change in between is looked for again.
  const version = await readCalendarVersion(app.db, place.shopId)
  const { day, today, closed, shopDay } = await readShopDay(app, place, asked)
  const open = openJobs(shopDay)
  const ids = open.map(({ id }) => id)
  const progress = await selectJobProgress(app.db, ids)
  const earnings = portalCan(place.role, 'pay.read')
    ? await readEarnings(
        app,
        place,
        shopDay.jobs.map(({ id }) => ({ bookingId: id, day })),
      )
    : null
  const next = day.equals(today) ? nextJobOf(open, progress) : undefined
  const job = next && (await readJob(app, { shopId: place.shopId, bookingId: next.id }))
  return {
    shopName: place.shopName,
    title: dayText(day),
    isToday: day.equals(today),
    closed,
    shopDay,
    progress: dayProgress(open, progress),
    next: job ? await nextJobView(app, { job, shopCode, earnings: earnings?.get(job.booking.id) }) : null,
    earned: earnings && dayEarnings(earnings, shopDay.jobs),
    on: day.toString(),
    version,
    live: portalPaths.dayVersion(shopCode),
    sheet: portalPaths.daySheet(shopCode, { on: day.toString() }),
    add: portalPaths.newOwnJob(shopCode, { on: day.toString() }),
    links: linksOf(shopCode, shopDay, day.toString()),
    news: newsWords[url.searchParams.get('done') ?? ''] ?? null,
    before: portalPaths.day(shopCode, { on: day.subtract({ days: 1 }).toString() }),
    today: portalPaths.day(shopCode),
    after: portalPaths.day(shopCode, { on: day.add({ days: 1 }).toString() }),
    setUp: place.isInSetUp ? portalPaths.setUp(shopCode) : null,
  }
}

export default function Day({ loaderData }: Route.ComponentProps) {
  const { closed, shopDay, news, setUp, next, live, version } = loaderData
  return (
    <div className="wrap portal" data-live={live} data-version={version}>
      {news ? (
        <p className="portal-news" role="status">
          <Icon name="check-circle" size="s" /> {news}
        </p>
      ) : null}
      <DayTitle day={loaderData} />
      {setUp ? (
        <p className="portal-news">
          Shoppers do not see this shop yet. <a href={setUp}>Finish set-up</a>
        </p>
      ) : null}
      {isEmpty(shopDay) ? <p className="portal-empty">{closed ?? 'No jobs booked.'}</p> : null}
      <div className={next ? 'portal-day has-next' : 'portal-day'}>
        {next ? <NextJobCard job={next} /> : null}
        <DayGrid shopDay={shopDay} links={loaderData.links} progress={loaderData.progress} on={loaderData.on} />
      </div>
      <p className="small muted">
        Times in {shopDay.zone}
        <span className="portal-hint">
          . Drag a job to move it, or press the arrow keys on its Move or Change link.
        </span>
      </p>
      <PortalScript />
    </div>
  )
}

function isEmpty({ jobs, ownJobs }: Pick<ShopDay, 'jobs' | 'ownJobs'>): boolean {
  return jobs.length + ownJobs.length === 0
}

/** The day with its neighbors, and totals unless it has no jobs. */
function DayTitle({ day }: { day: Route.ComponentProps['loaderData'] }) {
  const { title, isToday, shopDay, before, today, after, sheet, add, earned } = day
  const { jobs, ownJobs, done, short } = shopDay
  return (
    <div className="portal-title">
      <h1>{title}</h1>
      <PeriodNav unit="Day" before={before} now={{ path: today, label: 'Today', isShown: isToday }} after={after} />
      <a className="btn" href={add}>
        <Icon name="plus" /> Add walk-in or block
      </a>
      <a className="btn" href={sheet}>
        Day sheet
      </a>
      <p className="portal-stats tabular">
        {isEmpty(shopDay) ? null : (
          <span>
            <b>{jobs.length}</b> {pluralForm(jobs.length, 'job', 'jobs')}
          </span>
        )}
        {ownJobs.length > 0 ? (
          <span>
            <b>{ownJobs.length}</b> own
          </span>
        ) : null}
        {done > 0 ? (
          <span>
            <b>{done}</b> done
          </span>
        ) : null}
        {short > 0 ? (
          <span>
            <b>{short}</b> short of tires
          </span>
        ) : null}
        {earned ? (
          <span>
            <b>{earned}</b> for the day
          </span>
        ) : null}
      </p>
    </div>
  )
}
