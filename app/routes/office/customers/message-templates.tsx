import { messageTemplateActions } from '#app/office/actions/message-templates.server.ts'
import { actionStep, decideActions, doneNews } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { listTemplates } from '#domain/messaging/support/support.server.ts'
import { storeDateText } from '#platform/store-zone.ts'
import { readWhole } from '#app/views/office/message.server.ts'
import { placeholderList } from '#app/views/office/order-conversation.server.ts'
import type { Route } from './+types/message-templates.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Answer templates', officePaths.officeTemplates())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'requests.read', officePaths.officeTemplates())
  const templates = await listTemplates(app)
  const edited = readWhole(url.searchParams.get('edit'))
  return {
    placeholders: placeholderList,
    mayEdit: staffCan(session.roles, 'templates.manage'),
    templates: templates.map(({ changedAt, changedBy, ...template }) => ({
      ...template,
      changed: `${storeDateText(changedAt)} by ${changedBy}`,
    })),
    edited: templates.find(({ id }) => id === edited) ?? null,
    news: doneNews(url, { saved: 'Template saved.', retired: 'Template removed.' }),
  }
}

/** `save` adds a template or changes one, `retire` removes one. */
export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: (fields) => fields.get('id') ?? '',
      path: (done) => officePaths.officeTemplates({ done }),
      done: { retire: 'retired' },
      more: {
        steps: ({ app, by, fields }) => {
          const id = fields.get('id') ?? ''
          return { save: actionStep(actions[id === '' ? 'add' : 'change'], { app, by, id }, 'saved') }
        },
        refusals: messageTemplateActions.refusals,
      },
    },
    messageTemplateActions,
  )

const { actions } = messageTemplateActions

export default function MessageTemplates({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { templates, mayEdit, edited, placeholders } = loaderData
  return (
    <OfficePage
      title="Answer templates"
      crumbs={[{ label: 'Messages', path: officePaths.officeMessages() }]}
      news={loaderData.news}
      reply={reply}
      end={
        <a className="btn quiet" href={officePaths.officeEmailTemplates()}>
          Email templates
        </a>
      }
    >
      <Columns
        body={
          <TablePanel
            id="templates"
            title="In use"
            caption="Answer templates"
            empty="No templates yet."
            columns={{ name: 'Name', text: 'Text', changed: 'Changed' }}
            rows={templates.map(({ id, name, body, changed }) => ({
              id: String(id),
              cells: {
                name: mayEdit ? <a href={officePaths.officeTemplates({ edit: id })}>{name}</a> : name,
                text: body.length > 120 ? `${body.slice(0, 120)}…` : body,
                changed,
              },
            }))}
          />
        }
        last={
          mayEdit ? (
            <FormPanel
              key={edited?.id ?? 'new'}
              id="edit"
              title={edited ? 'Edit' : 'Add a template'}
              reply={reply}
              hidden={{ id: edited?.id ?? '', version: edited?.version ?? 0 }}
              fields={{
                name: { label: 'Name', value: edited?.name, max: 60 },
                body: {
                  label: 'Text',
                  kind: 'area',
                  value: edited?.body,
                  rows: 8,
                  max: 3_000,
                  hint: `Filled in from the order: ${placeholders}.`,
                },
              }}
              buttons={[button('save', 'Save', 'primary'), ...(edited ? [button('retire', 'Remove', 'stop')] : [])]}
            />
          ) : null
        }
      />
      <ListFoot label="Templates pagination" older={null} file={officePaths.officeListFile('templates')} />
    </OfficePage>
  )
}
