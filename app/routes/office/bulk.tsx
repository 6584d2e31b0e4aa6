import { Fragment } from 'react'
import { data } from 'react-router'
import { formRefusal, readForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import type { BulkField } from '#app/office/bulk/act.server.ts'
import {
  performBulk,
  readAgreed,
  readBulkIds,
  readBulkKeys,
  readBulkRows,
  rowIdText,
  undoBulk,
  withCosts,
  type BulkResult,
} from '#app/office/bulk/perform.server.ts'
import type { ListDefinition } from '#app/office/define-list.server.ts'
import { readListAsk, viewText } from '#app/office/list-address.ts'
import { bulkActNamed } from '#app/office/lists.server.ts'
import { readerOf, readRowIds } from '#app/office/read-list.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { withQuery } from '#content/paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { newId } from '#platform/ids.ts'
import { countOf } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'
import type { Route } from './+types/bulk.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.title ?? 'Bulk actions', officePaths.office())

/** The act an address names; a 404 for any other word. */
function actOf(name: string) {
  const found = bulkActNamed(name)
  if (!found) throw data(null, { status: 404 })
  return found
}

/** The view that the rows were selected in, as the query of an address. */
function viewOf(list: ListDefinition, url: URL): string {
  return viewText(readListAsk(list, new URLSearchParams((url.searchParams.get('back') ?? '').slice(0, 1_000))))
}

/** The list in this view, with these rows selected. */
function backTo({ title, path }: ListDefinition, view: string, selected: readonly string[] = []) {
  return {
    label: title,
    path: withQuery(path, {
      ...Object.fromEntries(new URLSearchParams(view)),
      ...(selected.length > 0 && { selected: selected.join(',') }),
    }),
  }
}

/** Previews the action for each selected row, including the rows that refuse it and why. Read-only. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { act, of, list } = actOf(params.act)
  const staff = await requireStaff(context, act.permission, officePaths.officeBulk(params.act) + url.search)
  const { app, session } = staff
  const view = viewOf(list, url)
  const isAll = url.searchParams.get('all') !== null && staffCan(session.roles, list.permission)
  const named = isAll ? await readRowIds(readerOf(staff), list, view) : url.searchParams.getAll(of.field)
  const rows = await withCosts(staff, act, await readBulkRows(staff, act, readBulkIds(of, named)))
  const { title, effect } = act
  const possible = rows.filter(({ whyNot }) => whyNot === null)
  const total = possible.some(({ costCents }) => costCents !== undefined)
    ? formatCents(possible.reduce((sum, { costCents = 0 }) => sum + costCents, 0))
    : null
  return {
    title,
    total,
    effect,
    back: backTo(list, view),
    input: act.file ? null : ((await act.input?.(app)) ?? null),
    file: act.file ? { ...act.file, ids: possible.map(({ id }) => rowIdText(of, id)).join(',') } : null,
    rows: rows.map((row) => ({ ...row, id: rowIdText(of, row.id), key: newId() })),
    button: total === null ? act.button(possible.length) : `${act.button(possible.length)} for ${total}`,
  }
}

type BulkReply = {
  reply: FormReply | null
  results: BulkResult[]
  undo: string | null
  isUndone: boolean
  /** The list, with the rows that were not done still selected. */
  back: { label: string; path: string } | null
}

/** `do` acts on the rows of the preview, `undo` takes back what the result lists. Both answer with a line per row. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { act, of, list } = actOf(params.act)
  const staff = await requireStaff(context, act.permission, officePaths.officeBulk(params.act))
  const fields = await readForm(request)
  const nothing: BulkReply = { reply: null, results: [], undo: null, isUndone: false, back: null }
  if (act.file) return data({ ...nothing, reply: formRefusal(fields, technicalMessages.tryAgain) }, { status: 400 })
  if (fields.get('intent') === 'undo') {
    const results = await undoBulk(
      staff,
      { act, of },
      [...fields].flatMap(([name, line]) => (name.startsWith('undo-') ? [line] : [])),
    )
    return { ...nothing, results, isUndone: true }
  }
  if (fields.get('intent') !== 'do')
    return data({ ...nothing, reply: formRefusal(fields, technicalMessages.tryAgain) }, { status: 400 })
  const input = act.input ? await act.input(staff.app) : null
  const given = (fields.get('given') ?? '').trim()
  const fault = input ? faultOf(input, given) : null
  if (fault !== null)
    return data({ ...nothing, reply: formRefusal(fields, 'Fix 1 field:', { given: fault }) }, { status: 422 })
  const keys = readBulkKeys(of, fields)
  const rows = await readBulkRows(staff, act, [...keys.keys()])
  const results = await performBulk(staff, { act, of }, { rows, given, keys, agreed: readAgreed(of, fields) })
  const failed = results.flatMap(({ id, why }) => (why === null ? [] : [id]))
  return { ...nothing, results, undo: act.undo?.words ?? null, back: backTo(list, viewOf(list, url), failed) }
}

function faultOf(input: BulkField, given: string): string | null {
  if (input.kind === 'choice') return input.options.some(([value]) => value === given) ? null : input.missing
  if (given === '' && input.isOptional !== true) return input.missing
  return given.length > input.most ? `Please keep this under ${countOf(input.most, 'character')}.` : null
}

export default function Bulk({ loaderData, actionData }: Route.ComponentProps) {
  const { title, back } = loaderData
  const isDone = actionData !== undefined && actionData.reply === null
  return (
    <OfficePage title={title} crumbs={[back]}>
      {isDone ? (
        <Results done={actionData} back={actionData.back ?? back} />
      ) : (
        <Preview view={loaderData} reply={actionData?.reply} />
      )}
    </OfficePage>
  )
}

type View = Route.ComponentProps['loaderData']

const columns = [
  { key: 'row', label: 'Row', isRowHeader: true },
  { key: 'about', label: 'About' },
  { key: 'what', label: 'What happens' },
]

function Preview({ view, reply }: { view: View; reply: FormReply | null | undefined }) {
  const { title, effect, back, file, rows, total } = view
  const possible = rows.filter(({ whyNot }) => whyNot === null)
  return (
    <>
      {rows.length === 0 ? (
        <Notice tone="signal" title="No rows selected">
          <p>
            Select rows on <a href={back.path}>{back.label}</a> first.
          </p>
        </Notice>
      ) : (
        <Panel
          id="preview"
          title="What will be done"
          note={`${possible.length} of ${rows.length} can be done.${total === null ? '' : ` Total: ${total}.`} Review before you apply.`}
        >
          <DataTable
            caption={title}
            columns={columns}
            rows={rows.map(({ id, label, path, about, whyNot, effect: own }) => ({
              id,
              isMuted: whyNot !== null,
              cells: {
                row: <a href={path}>{label}</a>,
                about,
                what:
                  whyNot === null ? (
                    (own ?? effect)
                  ) : (
                    <>
                      <Tag>Skipped</Tag> {whyNot}
                    </>
                  ),
              },
            }))}
          />
        </Panel>
      )}
      {possible.length > 0 ? (
        <Panel id="do" title={title} isOpen>
          <PanelBody>
            {file ? (
              <form action={file.path} className="stack">
                <input type="hidden" name={file.field} value={file.ids} />
                <Buttons view={view} />
              </form>
            ) : (
              <ChangeForm view={view} reply={reply ?? undefined} />
            )}
          </PanelBody>
        </Panel>
      ) : null}
    </>
  )
}

function ChangeForm({ view, reply }: { view: View; reply: FormReply | undefined }) {
  const { input, rows } = view
  return (
    <form method="post" className="stack" noValidate>
      <ErrorSummary reply={reply} labels={{ given: input?.label ?? '' }} />
      {rows
        .filter(({ whyNot }) => whyNot === null)
        .map(({ id, key, agreed }) => (
          <Fragment key={id}>
            <input type="hidden" name={`row-${id}`} value={reply?.values[`row-${id}`] ?? key} />
            {agreed === undefined ? null : (
              <input type="hidden" name={`agreed-${id}`} value={reply?.values[`agreed-${id}`] ?? agreed} />
            )}
          </Fragment>
        ))}
      {input ? <GivenField input={input} reply={reply} /> : null}
      <Buttons view={view} name="intent" />
    </form>
  )
}

function Buttons({ view: { button, back }, name }: { view: View; name?: string }) {
  return (
    <p className="row wrap-row">
      <button className="btn primary" name={name} value={name && 'do'}>
        {button}
      </button>
      <a className="btn quiet" href={back.path}>
        Cancel
      </a>
    </p>
  )
}

function GivenField({ input, reply }: { input: BulkField; reply: FormReply | undefined }) {
  if (input.kind === 'text')
    return (
      <TextAreaField name="given" label={input.label} reply={reply} rows={3} maxLength={input.most} hint={input.hint} />
    )
  return (
    <SelectField name="given" label={input.label} reply={reply}>
      <option value="">Choose</option>
      {input.options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </SelectField>
  )
}

function Results({ done: { results, undo, isUndone }, back }: { done: BulkReply; back: View['back'] }) {
  const did = results.filter(({ why }) => why === null)
  const undoable = results.flatMap((result) => result.undo ?? [])
  return (
    <>
      <Notice
        tone={did.length === results.length && did.length > 0 ? 'go' : 'signal'}
        title={`${did.length} of ${results.length} ${isUndone ? 'undone' : 'done'}`}
        isNews
      >
        <p>
          <a href={back.path}>Back to {back.label}</a>
          {did.length < results.length && !isUndone ? '. The rows that weren’t done are still selected.' : null}
        </p>
      </Notice>
      <Panel id="results" title="Row by row">
        <DataTable
          caption="Results"
          columns={[
            { key: 'row', label: 'Row', isRowHeader: true },
            { key: 'what', label: 'What happened' },
          ]}
          rows={results.map(({ label, path, why, what }) => ({
            id: path,
            cells: {
              row: <a href={path}>{label}</a>,
              what:
                why === null ? (
                  <>
                    <Tag tone="go">{isUndone ? 'Undone' : 'Done'}</Tag> {what}
                  </>
                ) : (
                  why
                ),
            },
          }))}
        />
        {undo && undoable.length > 0 ? (
          <PanelBody>
            <form method="post" className="row wrap-row">
              {undoable.map((line, index) => (
                <input key={line} type="hidden" name={`undo-${index}`} value={line} />
              ))}
              <button className="btn quiet" name="intent" value="undo">
                Undo
              </button>
              <span className="office-note">{undo}</span>
            </form>
          </PanelBody>
        ) : null}
      </Panel>
    </>
  )
}
