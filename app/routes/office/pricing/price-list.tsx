import { randomUUID } from 'node:crypto'
import { priceListActions, priceListVersionActions } from '#app/office/actions/price-lists.server.ts'
import { actionStep, decideActions, doneNews, found } from '#app/office/decision.server.ts'
import type { ActionCall } from '#app/office/define-actions.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { listedTypes, mostPriceListBytes, priceListColumns } from '#domain/pricing/price-tiers/price-tiers.ts'
import { findPriceList, listCompaniesOfList } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { scheduledStates } from '#app/views/scheduled-states.ts'
import type { Route } from './+types/price-list.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.name ?? 'Price list', officePaths.officePriceLists())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officePriceList(params.slug)
  const { app, session } = await requireStaff(context, 'price-lists.read', path)
  const { id, name, slug, accountType, versions } = found(await findPriceList(app, params.slug))
  return {
    name,
    slug,
    type: accountType ?? '',
    companies: staffCan(session.roles, 'companies.read') ? await listCompaniesOfList(app, id) : [],
    formKey: randomUUID(),
    mayEdit: staffCan(session.roles, 'price-lists.edit'),
    news: doneNews(url, { assigned: 'Assigned. Its accounts see the new prices immediately.' }),
    versions: versions.map(({ id, name, entries, startsAt, state, by }) => ({
      id,
      name,
      entries: entries.toLocaleString('en-US'),
      starts: startsAt ? timeText(startsAt, storeZone) : 'Not scheduled',
      state: scheduledStates[state].words,
      by,
    })),
  }
}

/** Uploads a version, or assigns the list. */
export const action = (args: Route.ActionArgs) => {
  const { slug } = args.params
  return decideActions(
    args,
    {
      id: slug,
      path: (done) => officePaths.officePriceList(slug, { done }),
      file: 'file',
      secrets: ['file', 'list'],
      done: { assign: 'assigned' },
      more: {
        steps: ({ app, by, file }) => ({ upload: uploadStep({ app, by, id: slug }, file) }),
        refusals: { ...priceListVersionActions.refusals, ...priceListActions.refusals },
      },
    },
    priceListActions,
  )
}

/** The button that uploads a file as a version of the list. */
function uploadStep(call: ActionCall, file: File | null) {
  const step = actionStep(priceListVersionActions.actions.add, call, (version) =>
    officePaths.officePriceListVersion(call.id, Number(version), { done: 'drafted' }),
  )
  return {
    ...step,
    run: async (fields: URLSearchParams) => {
      fields.set('list', call.id)
      if (file) fields.set('file', await file.text())
      return step.run(fields)
    },
  }
}

export default function PriceListPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { name, slug, type, companies, formKey, mayEdit, versions } = loaderData
  return (
    <OfficePage
      title={name}
      crumbs={[{ label: 'Price lists', path: officePaths.officePriceLists() }]}
      news={loaderData.news}
      reply={reply}
    >
      <TablePanel
        id="versions"
        title="Versions"
        note="The newest 50. A version ends when the next one starts."
        empty="No versions yet. The rules of this list came from a file on the server."
        columns={{ name: 'Version', state: 'State', entries: 'Rules', starts: 'Starts', by: 'Uploaded by' }}
        amounts={['entries']}
        rows={versions.map(({ id, name: version, ...cells }) => ({
          id: String(id),
          cells: { ...cells, name: <a href={officePaths.officePriceListVersion(slug, id)}>{version}</a> },
        }))}
      />
      {companies.length > 0 ? (
        <Panel id="companies" title="Companies" note="These companies use this list, whatever their account type.">
          <PanelBody>
            <ul className="plain">
              {companies.map((company) => (
                <li key={company.id}>
                  <a href={officePaths.officeCompany(company.id)}>{company.name}</a>
                </li>
              ))}
            </ul>
          </PanelBody>
        </Panel>
      ) : null}
      {mayEdit ? (
        <>
          <FormPanel
            id="upload"
            title="Upload a version"
            lead="Saved as a draft. Compare and test it before it starts."
            reply={reply}
            hidden={{ formKey }}
            fields={{
              name: { label: 'Version name', max: 80 },
              file: {
                label: 'CSV file',
                kind: 'file',
                accept: '.csv,text/csv',
                hint: `Up to ${mostPriceListBytes / 1024 / 1024} MB and 5,000 rows, with the columns ${priceListColumns.join(', ')}.`,
              },
            }}
            buttons={[button('upload', 'Upload', 'primary')]}
          />
          <FormPanel
            id="assign"
            title="Assign"
            lead="Each account type has one list. Assigning this list replaces the current one. Assign a list to a single company on the company’s page."
            reply={reply}
            fields={{
              type: {
                label: 'Account type',
                kind: 'choice',
                value: type,
                options: [['', 'No accounts'], ...listedTypes.map((each): [string, string] => [each, each])],
              },
            }}
            buttons={[button('assign', 'Assign list')]}
          />
        </>
      ) : null}
    </OfficePage>
  )
}
