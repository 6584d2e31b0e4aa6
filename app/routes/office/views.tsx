import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff, type Staff } from '#app/server/office.server.ts'
import { ErrorSummary, Field, SelectField } from '#app/ui/field.tsx'
import { Options, type FieldOptions } from '#app/ui/select-options.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { readListAsk, viewText } from '#app/office/list-address.ts'
import { listNamed } from '#app/office/lists.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { deleteView, listViews, saveView, updateView } from '#domain/kernel/staff/staff.server.ts'
import { longestViewQuery, mostViews, staffCan, viewForm } from '#domain/kernel/staff/staff.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/views.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Saved views', officePaths.officeViews())

/** The list and the filters that an address is about; those that the list does not have are dropped. */
function readAsked(query: URLSearchParams) {
  const list = listNamed(query.get('list'))
  const filters = list ? viewText(readListAsk(list, new URLSearchParams(query.get('filters') ?? ''))) : ''
  return { list, filters: filters.length > longestViewQuery ? '' : filters }
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'office.open', officePaths.officeViews() + url.search)
  const { list, filters } = readAsked(url.searchParams)
  const mayRead = list !== undefined && staffCan(session.roles, list.permission)
  const views = await listViews(app, session, list?.name ?? null)
  return {
    list: mayRead ? { title: list.title, path: list.path } : null,
    filters: mayRead && filters !== '' ? wordsOf(filters) : null,
    isDeleted: url.searchParams.get('done') === 'deleted',
    views: views.flatMap((view) => {
      const of = listNamed(view.list)
      return of && staffCan(session.roles, of.permission)
        ? [
            {
              id: view.id,
              name: view.name,
              path: `${of.path}?${view.query}`,
              list: of.title,
              filters: wordsOf(view.query),
              seenBy: view.isShared ? (view.isMine ? 'Everyone' : `Everyone, from ${view.savedBy}`) : 'You',
              isMine: view.isMine,
            },
          ]
        : []
    }),
  }
}

/** "state late, company grant" */
function wordsOf(filters: string): string {
  return [...new URLSearchParams(filters)].map(([name, value]) => `${name} ${value}`).join(', ')
}

/**
 * `save` saves the URL's filters as a named view. `update` replaces the filters of a view that the user saved. `delete`
 * deletes one.
 */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { list, filters } = readAsked(url.searchParams)
  const { app, actor } = await requireStaff(context, list?.permission ?? 'office.open', officePaths.officeViews())
  const fields = await readForm(request)
  const intent = fields.get('intent')
  if (intent === 'delete') return remove({ app, actor, fields }, list?.name)
  if (!list || filters === '' || (intent !== 'save' && intent !== 'update'))
    return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const { name: listName, permission, path } = list
  const saved =
    intent === 'update'
      ? await updateView(app, actor, { id: fields.get('view') ?? '', list: listName, permission, query: filters })
      : await saveAsNew({ app, actor, fields }, { list: listName, permission, query: filters })
  if ('reply' in saved) return refuseForm(saved.reply)
  if (saved.ok) return seeOther(`${path}?${filters}`)
  return saved.reason === 'name-taken'
    ? refuseForm(formRefusal(fields, 'Fix 1 field:', { name: refusals['name-taken'] }), 409)
    : refuse(fields, saved.reason)
}

type Posted = Pick<Staff, 'app' | 'actor'> & { fields: URLSearchParams }

async function remove({ app, actor, fields }: Posted, list: string | undefined) {
  const deleted = await deleteView(app, actor, fields.get('view') ?? '')
  return deleted.ok
    ? seeOther(officePaths.officeViews({ ...(list !== undefined && { list }), done: 'deleted' }))
    : refuse(fields, deleted.reason)
}

async function saveAsNew(
  { app, actor, fields }: Posted,
  view: Pick<Parameters<typeof saveView>[2], 'list' | 'permission' | 'query'>,
) {
  const checked = checkForm(viewForm, fields)
  if (!checked.ok) return checked
  const { name, shared } = checked.value
  return saveView(app, actor, { ...view, name, isShared: shared === 'yes' })
}

function refuse(fields: URLSearchParams, reason: keyof typeof refusals) {
  return refuseForm(formRefusal(fields, refusals[reason]), reason === 'not-allowed' ? 403 : 409)
}

const refusals = {
  'not-allowed': 'You no longer have permission to do this.',
  'name-taken': 'You already have a view with this name.',
  'too-many': `You have ${countOf(mostViews, 'view')} of this list. Delete one first.`,
  gone: 'This view was deleted.',
} as const

const columns = [
  { key: 'name', label: 'View', isRowHeader: true },
  { key: 'list', label: 'List' },
  { key: 'filters', label: 'Filters' },
  { key: 'seenBy', label: 'Seen by' },
  { key: 'acts', label: 'Delete' },
]

export default function Views({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { list, filters, isDeleted, views } = loaderData
  return (
    <OfficePage title="Saved views" crumbs={list ? [{ label: list.title, path: list.path }] : []}>
      {isDeleted && !reply ? <Notice tone="go" title="Deleted." isNews /> : null}
      {reply?.formError && reply.values['intent'] !== 'save' ? (
        <Notice tone="stop" title={reply.formError} isNews />
      ) : null}
      {list && filters ? (
        <SaveForm
          list={list.title}
          filters={filters}
          own={views.flatMap(({ id, name, isMine }): [string, string][] => (isMine ? [[id, name]] : []))}
          reply={reply}
        />
      ) : null}
      <Panel id="views" title={list ? `Views of ${list.title}` : 'Views of every list'}>
        {views.length === 0 ? (
          <PanelBody>
            <p>No saved views yet. Set filters on a list, then choose “Save view” there.</p>
          </PanelBody>
        ) : (
          <DataTable
            caption="Saved views"
            columns={columns}
            rows={views.map(({ id, name, path, isMine, ...cells }) => ({
              id,
              cells: {
                ...cells,
                name: <a href={path}>{name}</a>,
                acts: isMine ? <DeleteForm id={id} name={name} /> : null,
              },
            }))}
          />
        )}
      </Panel>
    </OfficePage>
  )
}

/** Saves the filters as a new view, or in a view that the user saved before. */
function SaveForm({
  list,
  filters,
  own: views,
  reply,
}: {
  list: string
  filters: string
  own: FieldOptions
  reply: FormReply | undefined
}) {
  const own = reply?.values['intent'] === 'save' ? reply : undefined
  return (
    <Panel id="save" title="Save this view" note={`${list}: ${filters}`}>
      <PanelBody>
        <form method="post" className="stack" noValidate>
          <ErrorSummary reply={own} labels={{ name: 'Name' }} />
          <Field name="name" label="Name" reply={own} maxLength={40} autoComplete="off" required />
          <label className="check">
            <input type="checkbox" name="shared" value="yes" defaultChecked={own?.values['shared'] === 'yes'} />
            <span>Share it with everyone who can open this list</span>
          </label>
          <p>
            <button className="btn primary" name="intent" value="save">
              Save view
            </button>
          </p>
        </form>
      </PanelBody>
      {views.length > 0 ? (
        <PanelBody>
          <form method="post" className="stack">
            <SelectField name="view" label="Or update a view of yours" reply={undefined}>
              <Options of={views} />
            </SelectField>
            <p>
              <button className="btn quiet" name="intent" value="update">
                Update view
              </button>
            </p>
          </form>
        </PanelBody>
      ) : null}
    </Panel>
  )
}

function DeleteForm({ id, name }: { id: string; name: string }) {
  return (
    <form method="post">
      <input type="hidden" name="view" value={id} />
      <button className="btn quiet small" name="intent" value="delete" aria-label={`Delete ${name}`}>
        Delete
      </button>
    </form>
  )
}
