import { queueReader, requireStaff } from '#app/server/office.server.ts'
import { HomeAppointments } from '#app/ui/office/home-appointments.tsx'
import { HomeFigures } from '#app/ui/office/home-figures.tsx'
import { WaitingWork } from '#app/ui/office/waiting-work.tsx'
import { OfficeIcon } from '#app/ui/office/office-icon.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { SetupCard } from '#app/ui/office/setup-card.tsx'
import { Columns, Notice, Tag } from '#app/ui/office/office-parts.tsx'
import { Selling } from '#app/ui/office/selling.tsx'
import { periods, readFigures, type PeriodName } from '#app/views/office/figures.server.ts'
import { readHomeAppointments, readHomeQueues, readSelling } from '#app/views/office/home.server.ts'
import { readOpenSetup } from '#app/views/office/setup.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'
import { clockText, zoneName } from '#platform/time-text.ts'
import type { Route } from './+types/home.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Home', officePaths.office())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'office.open', officePaths.office())
  const { roles, name } = session
  const asked = url.searchParams.get('period') ?? ''
  const period: PeriodName = asked === '7' || asked === '30' ? asked : 'today'
  const now = app.clock.now()
  const [setup, queues, figures, appointments, selling] = await Promise.all([
    readOpenSetup(app, roles),
    readHomeQueues(roles, { now, read: queueReader(context) }),
    readFigures(app, roles, period),
    staffCan(roles, 'orders.read') ? readHomeAppointments(app, roles) : null,
    staffCan(roles, 'stock.read') || staffCan(roles, 'reports.read') ? readSelling(app, roles, periods[period]) : null,
  ])
  const day = storeDay(now).toLocaleString('en-US', { weekday: 'long', month: 'long', day: 'numeric' })
  return {
    // A store that was open and is closed again is not new.
    welcome: setup && figures.every(({ value }) => value === null) ? (name?.split(' ')[0] ?? '') : null,
    mayAddShop: setup !== null && staffCan(roles, 'shops.edit'),
    period,
    zone: zoneName(now, storeZone),
    setup,
    now: `${day} · ${clockText(now, storeZone)}`,
    queues,
    figures,
    appointments,
    selling,
  }
}

const titles: Record<PeriodName, { label: string; title: string; selling: string; note: string }> = {
  today: { label: 'Today', title: 'Today', selling: 'Selling today', note: 'tires ordered since midnight' },
  '7': { label: '7 days', title: 'Last 7 days', selling: 'Selling in 7 days', note: 'tires ordered, today included' },
  '30': {
    label: '30 days',
    title: 'Last 30 days',
    selling: 'Selling in 30 days',
    note: 'tires ordered, today included',
  },
}

export default function Home({ loaderData }: Route.ComponentProps) {
  const { period, zone, now, setup, queues, figures, appointments, selling, welcome } = loaderData
  const next = appointments?.rows.find(({ isInBay }) => !isInBay)
  const { title, selling: sellingTitle, note } = titles[period]
  const hasQueues = queues.waiting.length + queues.empty.length > 0
  return (
    <OfficePage
      title={welcome === null ? title : `Welcome${welcome && `, ${welcome}`}`}
      tags={
        <>
          {setup ? <Tag tone="signal">Store not live</Tag> : null}
          {welcome === null ? <span className="muted">{now}</span> : null}
        </>
      }
      end={
        <>
          {setup ? (
            <a className="btn quiet" href={paths.home()}>
              <OfficeIcon name="outside" />
              Preview store
            </a>
          ) : null}
          {figures.length > 0 && welcome === null ? <Periods period={period} /> : null}
        </>
      }
    >
      {setup ? <SetupCard setup={setup} /> : null}
      {figures.length > 0 ? <HomeFigures figures={figures} label={`Figures, ${titles[period].label}`} /> : null}
      <Columns
        body={
          <>
            {hasQueues ? (
              <WaitingWork
                queues={queues}
                zone={zone}
                next={next ? `${next.time}, ${next.name} at ${next.shop}` : null}
              />
            ) : (
              <Notice tone="signal" title="Your role has no queues">
                <p>Queues appear here for the roles that work on them.</p>
              </Notice>
            )}
            {selling ? <Selling {...selling} title={sellingTitle} note={note} /> : null}
          </>
        }
        last={
          appointments ? <HomeAppointments appointments={appointments} mayAddShop={loaderData.mayAddShop} /> : undefined
        }
      />
    </OfficePage>
  )
}

function Periods({ period }: { period: PeriodName }) {
  return (
    <nav className="office-periods" aria-label="Period">
      {(['today', '7', '30'] as const).map((name) => (
        <a
          key={name}
          href={officePaths.office({ period: name === 'today' ? undefined : name })}
          aria-current={name === period ? 'page' : undefined}
        >
          {titles[name].label}
        </a>
      ))}
    </nav>
  )
}
