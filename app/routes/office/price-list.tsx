import { randomUUID } from 'node:crypto'
import { checkForm, formRefusal, readFormWithFile, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  assignForm,
  listedTypes,
  mostPriceListBytes,
  priceListColumns,
  versionForm,
} from '#domain/price-tiers/price-tiers.ts'
import {
  assignPriceList,
  findPriceList,
  listCompaniesOfList,
  uploadPriceList,
} from '#domain/price-tiers/price-tiers.server.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import { Options } from './options.tsx'
import { scheduledStates } from '#app/views/scheduled-states.ts'
import type { Route } from './+types/price-list.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.name ?? 'Price list', officePaths.officePriceLists())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officePriceList(params.slug)
  const { shop, session } = await requireStaff(context, 'price-lists.read', path)
  const list = await findPriceList(shop, params.slug)
  if (!list) throw new Response(null, { status: 404 })
  const { id, name, slug, accountType, versions } = list
  return {
    name,
    slug,
    type: accountType ?? '',
    companies: staffCan(session.roles, 'companies.read') ? await listCompaniesOfList(shop, id) : [],
    formKey: randomUUID(),
    mayEdit: staffCan(session.roles, 'price-lists.edit'),
    isAssigned: url.searchParams.get('done') === 'assigned',
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
export async function action({ request, context, params: { slug } }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'price-lists.edit', officePaths.officePriceList(slug))
  const { fields, file } = await readFormWithFile(request, 'file')
  if (fields.get('intent') === 'assign') {
    const checked = checkForm(assignForm, fields)
    if (!checked.ok) return refuseForm(checked.reply)
    const assigned = await assignPriceList(shop, actor, { slug, ...checked.value })
    return assigned.ok
      ? seeOther(officePaths.officePriceList(slug, { done: 'assigned' }))
      : refusal(fields, assigned.reason)
  }
  if (fields.get('intent') !== 'upload') return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const checked = checkForm(versionForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  if (!file) return refuseForm(formRefusal(fields, 'Fix 1 field:', { file: 'Choose a CSV file.' }))
  const uploaded = await uploadPriceList(shop, actor, { slug, ...checked.value, file })
  if (uploaded.ok) return seeOther(officePaths.officePriceListVersion(slug, uploaded.value, { done: 'drafted' }))
  if (uploaded.reason !== 'faults') return refusal(fields, uploaded.reason)
  const shown = uploaded.detail.slice(0, 10).join(' ')
  const more = uploaded.detail.length - 10
  return refuseForm(
    formRefusal(fields, 'Fix 1 field:', { file: more > 0 ? `${shown} And ${countOf(more, 'more fault')}.` : shown }),
  )
}

function refusal(fields: URLSearchParams, reason: 'not-allowed' | 'gone') {
  return reason === 'gone'
    ? refuseForm(formRefusal(fields, 'There is no such list.'), 404)
    : refuseForm(formRefusal(fields, 'Your role does not allow that. Nothing was changed.'), 403)
}

export default function PriceListPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { name, slug, type, companies, formKey, mayEdit, isAssigned, versions } = loaderData
  return (
    <OfficePage title={name} crumbs={[{ label: 'Price lists', path: officePaths.officePriceLists() }]}>
      {isAssigned && !reply ? (
        <Notice tone="go" title="Assigned. Its accounts see the new prices at once." isNews />
      ) : null}
      <Panel id="versions" title="Versions" note="The newest 50. A version ends when the next one starts.">
        {versions.length === 0 ? (
          <p className="office-panel-body">
            No versions were uploaded. The rules of the list came from a file on the server.
          </p>
        ) : (
          <DataTable
            caption="Versions"
            columns={[
              { key: 'name', label: 'Version', isRowHeader: true },
              { key: 'state', label: 'State' },
              { key: 'entries', label: 'Rules', isAmount: true },
              { key: 'starts', label: 'Starts' },
              { key: 'by', label: 'Uploaded by' },
            ]}
            rows={versions.map(({ id, name, ...cells }) => ({
              id: String(id),
              cells: { ...cells, name: <a href={officePaths.officePriceListVersion(slug, id)}>{name}</a> },
            }))}
          />
        )}
      </Panel>
      {companies.length > 0 ? (
        <Panel id="companies" title="Companies" note="Their list, whatever the type of their accounts.">
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
          <UploadForm formKey={formKey} reply={reply?.values['intent'] === 'upload' ? reply : undefined} />
          <AssignForm type={type} reply={reply?.values['intent'] === 'assign' ? reply : undefined} />
        </>
      ) : null}
    </OfficePage>
  )
}

function UploadForm({ formKey, reply }: { formKey: string; reply: FormReply | undefined }) {
  const labels = { name: 'Name of the version', file: 'CSV file' }
  return (
    <Panel id="upload" title="Upload a version" note="It is a draft: compare and test it before it starts.">
      <form method="post" encType="multipart/form-data" noValidate>
        <input type="hidden" name="intent" value="upload" />
        <input type="hidden" name="formKey" value={reply?.values['formKey'] ?? formKey} />
        <PanelBody>
          <ErrorSummary reply={reply} labels={labels} />
          <Field name="name" label={labels.name} reply={reply} maxLength={80} required autoComplete="off" />
          <Field
            name="file"
            label={labels.file}
            reply={reply}
            value=""
            type="file"
            accept=".csv,text/csv"
            required
            hint={`Up to ${mostPriceListBytes / 1024 / 1024} MB and 5,000 rows, with the columns ${priceListColumns.join(', ')}.`}
          />
          <button className="btn primary">Upload</button>
        </PanelBody>
      </form>
    </Panel>
  )
}

function AssignForm({ type, reply }: { type: string; reply: FormReply | undefined }) {
  const types = Object.fromEntries([['', 'No accounts'], ...listedTypes.map((each) => [each, each] as const)])
  return (
    <Panel
      id="assign"
      title="Assign"
      note="A type has one list: it is taken from the list that has it now. A single company is given a list on its own page."
    >
      <form method="post" noValidate>
        <input type="hidden" name="intent" value="assign" />
        <PanelBody>
          <ErrorSummary reply={reply} labels={{ type: 'Accounts of the type' }} />
          <SelectField name="type" label="Accounts of the type" reply={reply} value={type}>
            <Options of={types} />
          </SelectField>
          <button className="btn">Assign list</button>
        </PanelBody>
      </form>
    </Panel>
  )
}
