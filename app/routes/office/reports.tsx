import { requireStaff } from '#app/server/office.server.ts'
import { ChartFigure } from '#app/ui/office/chart.tsx'
import { DateRange } from '#app/ui/office/date-range.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Facts, Notice, Panel, Tag } from '#app/ui/office/office-parts.tsx'
import { readAskedReports, readReportsPage, type ReportView } from '#app/views/office-reports.server.ts'
import { officePaths } from '#content/office-paths.ts'
import reportStyles from '#app/ui/styles/office-reports.css?url'
import type { Route } from './+types/reports.ts'

export const links = () => [{ rel: 'stylesheet', href: reportStyles }]
export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Reports', officePaths.officeReports())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop } = await requireStaff(context, 'reports.read', officePaths.officeReports())
  return { ...(await readReportsPage(shop, readAskedReports(url.searchParams, shop.clock.now()))) }
}

export default function Reports({ loaderData }: Route.ComponentProps) {
  const { title, isMonth, isRunning, countedAt, facts, previous, next, filters, allCsv, reports } = loaderData
  return (
    <OfficePage
      title={title}
      crumbs={[{ label: 'Reports', path: officePaths.officeReports() }]}
      tags={isRunning ? <Tag tone="signal">So far</Tag> : <Tag tone="go">Closed</Tag>}
      end={
        <>
          <a className="btn quiet small" href={previous.path} rel="prev">
            {previous.label}
          </a>
          {next ? (
            <a className="btn quiet small" href={next.path} rel="next">
              {next.label}
            </a>
          ) : null}
        </>
      }
    >
      <Filters filters={filters} allCsv={allCsv} />
      {countedAt === null ? (
        <Notice
          tone="signal"
          title={isMonth ? 'No day of this month is counted yet' : 'None of these days is counted yet'}
        >
          <p>The worker counts every five minutes. Nothing is shown until it has.</p>
        </Notice>
      ) : null}
      <Facts facts={facts} />
      {reports.map((report) => (
        <ReportPanel key={report.name} report={report} />
      ))}
      <p className="small muted">
        {countedAt ? `Counted from the ledger ${countedAt}; today is counted every five minutes. ` : ''}
        Days begin at midnight Eastern time. Orders count on the day they are placed and taxes with them, cancellations,
        refunds and cash on the day they are entered. Sales, taxes, fees, refunds and cash add up to the ledger to the
        cent.
      </p>
    </OfficePage>
  )
}

type Choices = Route.ComponentProps['loaderData']['filters']

function Filters({ filters, allCsv }: { filters: Choices; allCsv: string }) {
  const { months, states, shops, types } = filters
  return (
    <form
      className="office-panel report-filters"
      action={officePaths.officeReports()}
      role="search"
      aria-label="Filters"
    >
      <Choice
        name="month"
        label="Month"
        value={filters.month}
        options={filters.month === '' ? [{ value: '', label: 'Other days' }, ...months] : months}
      />
      <DateRange label="Or days" from={filters.days.from} to={filters.days.to} />
      <Choice
        name="compare"
        label="Compare with"
        value={filters.comparison}
        options={[
          { value: 'year', label: 'The year before' },
          { value: 'month', label: filters.month === '' ? 'The days before' : 'The month before' },
          { value: 'nothing', label: 'Nothing' },
        ]}
      />
      <Choice
        name="state"
        label="State"
        value={filters.state}
        options={[{ value: '', label: 'All states' }, ...states]}
      />
      <Choice name="shop" label="Shop" value={filters.shop} options={[{ value: '', label: 'All shops' }, ...shops]} />
      <Choice
        name="type"
        label="Account type"
        value={filters.type}
        options={[{ value: '', label: 'All types' }, ...types]}
      />
      <button className="btn">Show</button>
      <a className="btn primary" href={allCsv} download>
        Download all
      </a>
    </form>
  )
}

function Choice({
  name,
  label,
  value,
  options,
}: {
  name: string
  label: string
  value: string
  options: readonly { value: string; label: string }[]
}) {
  return (
    <label className="field" htmlFor={name}>
      {label}
      <select className="input" id={name} name={name} defaultValue={value}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}

function ReportPanel({ report: { name, title, note, csv, chart, columns, rows, footer } }: { report: ReportView }) {
  return (
    <Panel
      id={name}
      title={title}
      note={note}
      end={
        <a className="btn quiet small" href={csv} download aria-label={`CSV: ${title}`}>
          CSV
        </a>
      }
    >
      {rows.length === 0 ? (
        <p className="report-none">Nothing in this period.</p>
      ) : (
        <div className="report-pair">
          {chart ? <ChartFigure chart={chart} /> : null}
          <DataTable caption={title} columns={columns} rows={rows} footer={[footer]} />
        </div>
      )}
    </Panel>
  )
}
