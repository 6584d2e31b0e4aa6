import { PeriodNav } from '#app/ui/portal/period-nav.tsx'
import type { CSSProperties } from 'react'
import { requireShop } from '#app/server/portal.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { PortalScript, portalHead, useShop } from '#app/ui/portal/portal-page.tsx'
import { portalPaths } from '#content/portal-paths.ts'
import { readCalendarVersion } from '#domain/scheduling/booking/booking.server.ts'
import { readShopWeek } from '#domain/installer-portal/portal/portal.server.ts'
import { readDay, type WeekDay } from '#domain/installer-portal/portal/portal.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/week.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Week', portalPaths.portal())

/** The week of the day in the address, or of today on the shop's clock. */
export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const asked = readDay(url.searchParams.get('on'))
  const path = portalPaths.week(shopCode, { on: asked?.toString() })
  const { app, place } = await requireShop(context, 'day.read', { shopCode, path })
  const version = await readCalendarVersion(app.db, place.shopId)
  const { monday, ...week } = await readShopWeek(app, place, asked)
  return {
    ...week,
    days: week.days.map((day) => ({
      ...day,
      href: portalPaths.day(shopCode, { on: day.on }),
      show: portalPaths.week(shopCode, { on: day.on }),
    })),
    version,
    live: portalPaths.dayVersion(shopCode),
    add: portalPaths.newOwnJob(shopCode),
    before: portalPaths.week(shopCode, { on: monday.subtract({ days: 7 }).toString() }),
    now: portalPaths.week(shopCode),
    after: portalPaths.week(shopCode, { on: monday.add({ days: 7 }).toString() }),
  }
}

export default function Week({ loaderData }: Route.ComponentProps) {
  const { title, zone, days, online, own, attention, before, now, after, add, live, version } = loaderData
  const { rows, free } = baysOf(days)
  return (
    <div className="wrap portal" data-live={live} data-version={version}>
      <div className="portal-title">
        <h1>{title}</h1>
        <PeriodNav unit="Week" before={before} now={{ path: now, label: 'Today', isShown: false }} after={after} />
        <a className="btn" href={add}>
          <Icon name="plus" /> Add walk-in or block
        </a>
        <p className="portal-stats tabular">
          <span>
            <b>{online}</b> online
          </span>
          {own > 0 ? (
            <span>
              <b>{own}</b> own
            </span>
          ) : null}
          {attention > 0 ? (
            <span>
              <b>{attention}</b> to look at
            </span>
          ) : null}
        </p>
      </div>
      <nav className="portal-week-days" aria-label="Days of the week">
        {days.map((day) => (
          <a
            key={day.on}
            href={day.show}
            aria-current={day.isShown ? 'true' : undefined}
            title={day.attention > 0 ? `${day.attention} to look at` : undefined}
            className={day.attention > 0 ? 'is-marked' : isClosedDay(day) ? 'is-off' : undefined}
          >
            <span>{day.weekday}</span>
            <b>{day.dayOfMonth}</b>
            {isClosedDay(day) ? <ClosedDay /> : <span>{day.online + day.own}</span>}
          </a>
        ))}
      </nav>
      <div className="portal-week" style={{ '--days': columnsOf(days), '--rows': rows.length } as CSSProperties}>
        <div className="portal-week-labels" aria-hidden="true">
          <b />
          {rows.map((label) => (
            <b key={label}>{label}</b>
          ))}
        </div>
        {days.map((day) => (
          <Day key={day.on} day={day} rows={rows} href={day.href} />
        ))}
      </div>
      {free.length > 0 ? <p className="portal-week-rest">Free all week: {free.join(', ')}</p> : null}
      <p className="small muted">Times in {zone}</p>
      <PortalScript />
    </div>
  )
}

/** The week's bays in order, by whether they have jobs. On wide screens each with jobs is a row. */
function baysOf(days: readonly WeekDay[]): { rows: string[]; free: string[] } {
  const bays = days.flatMap((day) => day.bays)
  const labels = [...new Set(bays.map(({ label }) => label))]
  const taken = new Set(bays.filter(({ jobs }) => jobs.length > 0).map(({ label }) => label))
  return {
    rows: labels.filter((label) => taken.has(label)),
    free: labels.filter((label) => !taken.has(label)),
  }
}

/** A closed day is a narrow column. */
function columnsOf(days: readonly WeekDay[]): string {
  return days.map((day) => (isClosedDay(day) ? '96px' : 'minmax(0, 1fr)')).join(' ')
}

/** A chip has room for three letters on a phone. */
function ClosedDay() {
  return (
    <>
      <span aria-hidden="true">Off</span>
      <span className="visually-hidden">Closed</span>
    </>
  )
}

function countText(day: WeekDay): string {
  const { online, own } = day
  if (isClosedDay(day)) return day.closed ?? 'Closed'
  return `${countOf(online, 'job')}${own > 0 ? `, ${own} own` : ''}`
}

function Day({ day, rows, href }: { day: WeekDay; rows: readonly string[]; href: string }) {
  const state = `${day.isShown ? ' is-shown' : ''}${day.isToday ? ' is-today' : ''}${isClosedDay(day) ? ' is-closed' : ''}`
  const free = day.bays.filter(({ jobs }) => jobs.length === 0)
  return (
    <section className={`portal-week-day${state}`} aria-label={day.title}>
      <header>
        <h2>
          <a href={href}>{day.title}</a> {day.isToday ? <span className="portal-today">Today</span> : null}
        </h2>
        <p className="muted tabular">{countText(day)}</p>
      </header>
      {isClosedDay(day)
        ? null
        : rows.map((label) => {
            const bay = day.bays.find((each) => each.label === label)
            return bay && bay.jobs.length > 0 ? (
              <Bay key={label} bay={bay} />
            ) : (
              <p key={label} className="portal-week-bay is-free">
                <span className="visually-hidden">{label}: </span>
                {bay ? 'Free' : 'Not in use'}
              </p>
            )
          })}
      {isClosedDay(day) || free.length === 0 ? null : (
        <p className="portal-week-free">Free all day: {free.map(({ label }) => label).join(', ')}</p>
      )}
    </section>
  )
}

/** Returns whether the day is closed without bookings. Such a day shows only its name. */
function isClosedDay({ online, own, closed }: WeekDay): boolean {
  return closed !== null && online + own === 0
}

function Bay({ bay }: { bay: WeekDay['bays'][number] }) {
  const shopCode = useShop()?.code ?? ''
  return (
    <section className="portal-week-bay">
      <h3>
        <span>{bay.label}</span> <span className="tabular">{bay.percent}%</span>
      </h3>
      <div className="portal-load" aria-hidden="true">
        {bay.parts.map(({ from, to, isOwn }, index) => (
          <i
            key={index}
            className={isOwn ? 'is-own' : undefined}
            style={{ '--from': `${from}%`, '--wide': `${to - from}%` } as CSSProperties}
          />
        ))}
      </div>
      {bay.jobs.map((job) =>
        'online' in job ? (
          <p key={job.key} className={`portal-job is-${job.online.state}`}>
            <a href={portalPaths.job(shopCode, job.online.id)}>
              {job.online.time} {job.online.who}
            </a>
            {job.online.tires.map((tire) => (
              <span key={tire}>{tire}</span>
            ))}
            {job.online.state === 'booked' ? null : <span className="portal-state">{job.online.words}</span>}
            {job.online.state === 'booked' || job.online.state === 'short' ? (
              <a
                className="portal-move"
                href={portalPaths.move(shopCode, job.online.id)}
                aria-label={`Move ${job.online.who}, ${job.online.time}`}
              >
                Move
              </a>
            ) : null}
          </p>
        ) : (
          <p key={job.key} className={`portal-job is-own${job.own.isBlock ? ' is-block' : ''}`}>
            <a href={portalPaths.ownJob(shopCode, job.own.id)}>
              {job.own.time} {job.own.title}
            </a>
            {job.own.lines.slice(0, 2).map((line, index) => (
              <span key={index}>{line}</span>
            ))}
            {job.own.overlap ? <span className="portal-overlap">{job.own.overlap}</span> : null}
          </p>
        ),
      )}
    </section>
  )
}
