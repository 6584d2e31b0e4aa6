import type { ReactNode } from 'react'
import { ChartFigure } from '#app/ui/office/chart.tsx'
import { DateRange } from '#app/ui/office/date-range.tsx'
import { DataTable, type DataRow } from '#app/ui/office/data-table.tsx'
import { OfficeIcon } from '#app/ui/office/office-icon.tsx'
import { OfficePage } from '#app/ui/office/office-page.tsx'
import { Facts, Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import type { readReportsPage } from '#app/views/office/reports.server.ts'
import type { ReportView } from '#app/views/report-tables.server.ts'
import { officePaths } from '#content/office-paths.ts'

type View = Awaited<ReturnType<typeof readReportsPage>>

/** The page of one report, or the overview of a period, with links to all others. */
export function ReportsPage({ view, children }: { view: View; children?: ReactNode }) {
  const { name, title, isMonth, isRunning, countedAt, facts, previous, next, pages, reports } = view
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
      <nav className="report-pages" aria-label="Reports">
        {pages.map((page) => (
          <a key={page.name} href={page.path} aria-current={page.name === (name ?? '') ? 'page' : undefined}>
            {page.label}
          </a>
        ))}
      </nav>
      <Filters view={view} />
      {countedAt === null ? (
        <Notice
          tone="signal"
          title={isMonth ? 'No days in this month have been counted yet' : 'No data for these days yet'}
        >
          <p>Reports update every five minutes. Figures appear after the next update.</p>
        </Notice>
      ) : null}
      {facts.length > 0 ? <Facts facts={facts} /> : null}
      {reports.map((report) => (
        <ReportPanel key={report.name} report={report} />
      ))}
      {children}
      <p className="small muted">
        {countedAt ? `Last updated ${countedAt}. Today’s figures update every five minutes. ` : ''}
        Days start at midnight Eastern time.
      </p>
    </OfficePage>
  )
}

function Filters({ view: { filters, allCsv, name, pages } }: { view: View }) {
  const { months, states, shops, types } = filters
  return (
    <form
      className="office-panel report-filters"
      action={officePaths.officeReports()}
      role="search"
      aria-label="Filters"
    >
      <div className="report-choice">
        <Choice
          name="report"
          label="Report"
          value={name ?? ''}
          options={pages.map((page) => ({ value: page.name, label: page.label }))}
        />
      </div>
      <Choice
        name="month"
        label="Month, quarter or year"
        value={filters.month}
        options={filters.month === '' ? [{ value: '', label: 'Other days' }, ...months] : months}
      />
      <DateRange label="Or days" from={filters.days.from} to={filters.days.to} />
      <Choice
        name="compare"
        label="Compare with"
        value={filters.comparison}
        options={[
          { value: 'year', label: 'Previous year' },
          { value: 'month', label: /^\d{4}-\d\d$/.test(filters.month) ? 'Previous month' : 'Previous period' },
          { value: 'nothing', label: 'Nothing' },
        ]}
      />
      {filters.hasState ? (
        <Choice
          name="state"
          label="State"
          value={filters.state}
          options={[{ value: '', label: 'All states' }, ...states]}
        />
      ) : null}
      {filters.hasShop ? (
        <Choice name="shop" label="Shop" value={filters.shop} options={[{ value: '', label: 'All shops' }, ...shops]} />
      ) : null}
      {filters.hasType ? (
        <Choice
          name="type"
          label="Account type"
          value={filters.type}
          options={[{ value: '', label: 'All types' }, ...types]}
        />
      ) : null}
      <button className="btn">Show</button>
      <a className="btn primary" href={allCsv} download>
        <OfficeIcon name="download" size="s" />
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

function ReportPanel({
  report: { name, title, note, details, path, csv, chart, columns, rows, footer },
}: {
  report: View['reports'][number]
}) {
  const shown = path === null ? rows : rows.filter(({ isMain }) => isMain)
  return (
    <Panel
      id={name}
      title={title}
      note={note}
      end={
        <>
          {path === null ? null : (
            <a className="btn quiet small" href={path} aria-label={`Open report: ${title}`}>
              Open report
            </a>
          )}
          <a className="btn quiet small" href={csv} download aria-label={`CSV: ${title}`}>
            <OfficeIcon name="download" size="s" />
            CSV
          </a>
        </>
      }
    >
      {rows.length === 0 ? (
        <p className="report-none">No data for this period.</p>
      ) : (
        <div className="report-pair">
          {chart ? <ChartFigure chart={chart} /> : null}
          <DataTable
            caption={title}
            columns={columns}
            rows={shown.map(linked)}
            footer={footer.map((row) => linked(row).cells)}
          />
        </div>
      )}
      {path !== null && shown.length < rows.length ? (
        <PanelBody>
          <a href={path}>Show all {rows.length} in the report</a>
        </PanelBody>
      ) : null}
      {path === null && details !== null ? (
        <PanelBody>
          <p className="small muted">{details}</p>
        </PanelBody>
      ) : null}
    </Panel>
  )
}

/** A row of cells that link to their entries. */
function linked({ id, cells, links }: ReportView['rows'][number]): DataRow {
  const shown = Object.entries(cells).map(([key, text]) => {
    const path = links[key]
    return [
      key,
      path === undefined ? (
        text
      ) : (
        <a key={key} href={path}>
          {text}
        </a>
      ),
    ] as const
  })
  return { id, cells: Object.fromEntries(shown) }
}
