import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { companyStates, kindNames } from '#domain/companies/companies.ts'
import { listCompaniesPage, listWaitingExemptions } from '#domain/companies/companies.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { placeText, readPlace } from './list-place.ts'
import type { Route } from './+types/companies.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Companies', officePaths.officeCompanies())

const tabs = { applied: 'Applications', approved: 'Approved', closed: 'Closed', refused: 'Refused' } as const

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'companies.read', officePaths.officeCompanies() + url.search)
  const { shop, session } = staff
  const state = companyStates.find((each) => each === url.searchParams.get('state')) ?? 'applied'
  const place = readPlace(url.searchParams.get('after'))
  const [{ companies, next }, certificates, views] = await Promise.all([
    listCompaniesPage(shop, { state, after: place && { appliedAt: place.at, id: place.id } }),
    staffCan(session.roles, 'certificates.read') ? listWaitingExemptions(shop) : [],
    readViewTabs(staff, 'companies', url.searchParams),
  ])
  return {
    state,
    views,
    rows: companies.map(({ id, name, kind, vehicles, terms, appliedAt }) => ({
      id,
      name,
      kind: kindNames[kind],
      vehicles: String(vehicles),
      terms: terms ? `Net ${terms.netDays}, up to ${formatCents(terms.creditLimitCents)}` : 'Pays when ordering',
      applied: storeDateText(appliedAt),
    })),
    certificates: certificates.map(({ id, companyId, company, state: of, sentAt }) => ({
      id,
      companyId,
      company,
      state: of,
      sent: storeDateText(sentAt),
    })),
    next: next && officePaths.officeCompanies({ state, after: placeText(next.appliedAt, next.id) }),
  }
}

export default function CompaniesPage({ loaderData }: Route.ComponentProps) {
  const { state, views, rows, certificates, next } = loaderData
  return (
    <OfficePage title="Companies">
      {certificates.length > 0 ? (
        <Panel
          id="certificates"
          title="Tax certificates to check"
          end={<a href={officePaths.officeListFile('certificates')}>Export as CSV</a>}
        >
          <DataTable
            caption="Tax certificates to check"
            columns={[
              { key: 'company', label: 'Company', isRowHeader: true },
              { key: 'state', label: 'State' },
              { key: 'sent', label: 'Sent' },
            ]}
            rows={certificates.map(({ id, companyId, company, ...cells }) => ({
              id,
              cells: {
                ...cells,
                company: <a href={`${officePaths.officeCompany(companyId)}#certificates`}>{company}</a>,
              },
            }))}
          />
        </Panel>
      ) : null}
      <ListTabs
        label="Companies by state"
        tabs={companyStates.map((each) => ({
          label: tabs[each],
          path: officePaths.officeCompanies({ state: each }),
          isOn: each === state,
        }))}
        views={views}
      />
      <Panel id="companies" title={tabs[state]}>
        {rows.length === 0 ? (
          <p className="office-panel-body">No companies here.</p>
        ) : (
          <DataTable
            caption={tabs[state]}
            columns={[
              { key: 'name', label: 'Company', isRowHeader: true },
              { key: 'kind', label: 'Kind' },
              { key: 'vehicles', label: 'Vehicles', isAmount: true },
              { key: 'terms', label: 'Terms' },
              { key: 'applied', label: 'Applied' },
            ]}
            rows={rows.map(({ id, name, ...cells }) => ({
              id,
              cells: { ...cells, name: <a href={officePaths.officeCompany(id)}>{name}</a> },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of companies" older={next} file={views.file} />
    </OfficePage>
  )
}
