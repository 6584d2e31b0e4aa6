import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field, TextAreaField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { listTemplates, retireTemplate, saveTemplate, templateForm } from '#domain/support/support.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { readWhole } from '#app/views/office-message.server.ts'
import type { Route } from './+types/message-templates.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Answer templates', officePaths.officeTemplates())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'requests.read', officePaths.officeTemplates())
  const templates = await listTemplates(shop)
  const edited = readWhole(url.searchParams.get('edit'))
  const done = url.searchParams.get('done')
  return {
    mayEdit: staffCan(session.roles, 'templates.manage'),
    templates: templates.map(({ changedAt, changedBy, ...template }) => ({
      ...template,
      changed: `${storeDateText(changedAt)} by ${changedBy}`,
    })),
    edited: templates.find(({ id }) => id === edited) ?? null,
    news: done === 'saved' ? 'Saved.' : done === 'retired' ? 'Removed.' : null,
  }
}

/** `save` adds a template or changes one, `retire` removes one. */
export async function action({ request, context }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'templates.manage', officePaths.officeTemplates())
  const fields = await readForm(request)
  if (fields.get('intent') === 'retire') {
    const id = readWhole(fields.get('id'))
    const retired = await retireTemplate(shop, actor, id ?? 0)
    return retired.ok
      ? seeOther(officePaths.officeTemplates({ done: 'retired' }))
      : refuseForm(formRefusal(fields, refusals[retired.reason]), retired.reason === 'not-allowed' ? 403 : 409)
  }
  if (fields.get('intent') !== 'save') return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const checked = checkForm(templateForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const saved = await saveTemplate(shop, actor, checked.value)
  if (saved.ok) return seeOther(officePaths.officeTemplates({ done: 'saved' }))
  return saved.reason === 'name-taken'
    ? refuseForm(formRefusal(fields, 'Fix 1 field:', { name: refusals[saved.reason] }), 409)
    : refuseForm(formRefusal(fields, refusals[saved.reason]), saved.reason === 'not-allowed' ? 403 : 409)
}

const refusals = {
  'not-allowed': 'Your role was revoked in the meantime. Nothing was changed.',
  'name-taken': 'Another template has this name.',
  gone: 'This template was removed in the meantime.',
} as const

const columns = [
  { key: 'name', label: 'Name', isRowHeader: true },
  { key: 'text', label: 'Text' },
  { key: 'changed', label: 'Changed' },
]

export default function MessageTemplates({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { templates, mayEdit, edited, news } = loaderData
  return (
    <OfficePage
      title="Answer templates"
      crumbs={[{ label: 'Messages', path: officePaths.officeMessages() }]}
      end={
        <a className="btn quiet" href={officePaths.officeEmails()}>
          Every email
        </a>
      }
    >
      {news && !reply ? <Notice tone="go" title={news} isNews /> : null}
      {reply?.formError ? <Notice tone="stop" title={reply.formError} isNews /> : null}
      <Columns
        body={
          <Panel id="templates" title="In use">
            {templates.length === 0 ? (
              <PanelBody>
                <p>No templates yet.</p>
              </PanelBody>
            ) : (
              <DataTable
                caption="Answer templates"
                columns={columns}
                rows={templates.map(({ id, name, body, changed }) => ({
                  id: String(id),
                  cells: {
                    name: mayEdit ? <a href={officePaths.officeTemplates({ edit: id })}>{name}</a> : name,
                    text: body.length > 120 ? `${body.slice(0, 120)}…` : body,
                    changed,
                  },
                }))}
              />
            )}
          </Panel>
        }
        last={mayEdit ? <Editor key={edited?.id ?? 'new'} edited={edited} reply={reply} /> : null}
      />
      <ListFoot label="Pages of templates" older={null} file={officePaths.officeListFile('templates')} />
    </OfficePage>
  )
}

function Editor({
  edited,
  reply,
}: {
  edited: Route.ComponentProps['loaderData']['edited']
  reply: FormReply | undefined
}) {
  const begun: FormReply | undefined = reply ?? (edited ? { values: { body: edited.body }, errors: {} } : undefined)
  return (
    <Panel id="edit" title={edited ? 'Edit' : 'Add a template'}>
      <PanelBody>
        <form method="post" noValidate>
          <ErrorSummary reply={reply} labels={{ name: 'Name', body: 'Text' }} />
          <input type="hidden" name="id" value={reply?.values['id'] ?? edited?.id ?? ''} />
          <Field
            name="name"
            label="Name"
            reply={reply}
            value={edited?.name}
            maxLength={60}
            autoComplete="off"
            required
          />
          <TextAreaField name="body" label="Text" reply={begun} rows={8} maxLength={3_000} />
          <p className="row wrap-row">
            <button className="btn primary" name="intent" value="save">
              Save
            </button>
            {edited ? (
              <button className="btn stop" name="intent" value="retire">
                Remove
              </button>
            ) : null}
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}
