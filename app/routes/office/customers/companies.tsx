import { ListPage } from '#app/office/list-page.tsx'
import { companies } from '#app/office/lists/companies.server.ts'
import { openList } from '#app/office/read-list.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { listWaitingExemptions } from '#domain/customers/companies/companies.server.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Route } from './+types/companies.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Companies', officePaths.officeCompanies())

export async function loader(args: Route.LoaderArgs) {
  const { data, reader } = await openList(args, companies)
  const certificates = reader.can('certificates.read') ? await listWaitingExemptions(reader.app) : []
  return {
    data,
    certificates: certificates.map(({ id, companyId, company, state, sentAt }) => ({
      id,
      companyId,
      company,
      state,
      sent: storeDateText(sentAt),
    })),
  }
}

export default function CompaniesPage({ loaderData: { data, certificates } }: Route.ComponentProps) {
  return (
    <ListPage
      data={data}
      before={
        certificates.length > 0 ? (
          <Panel
            id="certificates"
            title="Tax certificates to check"
            end={<a href={officePaths.officeListFile('certificates')}>Export CSV</a>}
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
        ) : null
      }
    />
  )
}
