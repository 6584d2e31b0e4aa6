import { checkForm, formRefusal, readForm, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff, type Staff } from '#app/server/office.server.ts'
import { ErrorSummary, SelectField, TextAreaField } from '#app/ui/field.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/staff/staff.ts'
import {
  answerForm,
  answerRequest,
  assignRequest,
  closeRequest,
  findThread,
  listAssignees,
  listTemplates,
  reopenRequest,
} from '#domain/support/support.server.ts'
import { longestAnswer } from '#domain/support/support.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { newId } from '#platform/ids.ts'
import { factsOf, readRequestId, readWhole, rowOf, threadOf, type Said } from '#app/views/office-message.server.ts'
import type { Route } from './+types/message.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Message R-${params.id}`, officePaths.officeMessage(Number(params.id)))

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = readRequestId(params.id)
  const { shop, session } = await requireStaff(context, 'requests.read', officePaths.officeMessage(id))
  const thread = await findThread(shop, id)
  if (!thread) throw new Response(null, { status: 404 })
  const templates = await listTemplates(shop)
  const chosen = readWhole(url.searchParams.get('template'))
  const done = url.searchParams.get('done') ?? ''
  return {
    request: rowOf(thread.request),
    facts: factsOf(thread.request),
    said: threadOf(thread.request, thread.replies),
    mayAnswer: staffCan(session.roles, 'requests.answer'),
    assignees: await listAssignees(shop),
    templates: templates.map(({ id: templateId, name }) => ({ id: templateId, name })),
    begin: templates.find((template) => template.id === chosen)?.body ?? '',
    once: newId(),
    news: Object.hasOwn(news, done) ? news[done as keyof typeof news] : null,
  }
}

/** `answer` emails the sender, `note` is for staff, `assign`, `close` and `reopen` change the request. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const id = readRequestId(params.id)
  const staff = await requireStaff(context, 'requests.answer', officePaths.officeMessage(id))
  const fields = await readForm(request)
  switch (fields.get('intent')) {
    case 'answer':
    case 'note':
      return write(staff, id, fields)
    case 'assign': {
      const to = fields.get('to') || null
      return led(fields, 'assigned', id, await assignRequest(staff.shop, staff.actor, { id, to }))
    }
    case 'close':
      return led(fields, 'closed', id, await closeRequest(staff.shop, staff.actor, id))
    case 'reopen':
      return led(fields, 'reopened', id, await reopenRequest(staff.shop, staff.actor, id))
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

async function write({ shop, actor }: Staff, id: number, fields: URLSearchParams) {
  const checked = checkForm(answerForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const kind = fields.get('intent') === 'note' ? 'note' : 'out'
  const { body, once: onceKey } = checked.value
  const answered = await answerRequest(shop, actor, { id, kind, body, onceKey })
  return led(fields, kind === 'note' ? 'noted' : 'answered', id, answered)
}

/** Leads back to the page with what was done, or says why it was not. */
function led(
  fields: URLSearchParams,
  done: keyof typeof news,
  id: number,
  outcome: { ok: true } | { ok: false; reason: keyof typeof refusals },
) {
  if (outcome.ok) return seeOther(officePaths.officeMessage(id, { done }))
  if (outcome.reason === 'request-not-found') throw new Response(null, { status: 404 })
  return refuseForm(formRefusal(fields, refusals[outcome.reason]), outcome.reason === 'not-allowed' ? 403 : 409)
}

const refusals = {
  'not-allowed': 'Your role was revoked in the meantime. Nothing was changed.',
  'request-not-found': 'There is no such message.',
  'already-closed': 'It was closed in the meantime.',
  'already-open': 'It was reopened in the meantime.',
  closed: 'It was closed in the meantime. Reopen it to answer.',
  'sent-again': 'The same text was sent again since, and that message is open. Answer it there.',
  'not-staff': 'Choose someone from the list.',
} as const

const news = {
  answered: 'Sent. Their answer comes back here.',
  noted: 'Note added. Only staff see it.',
  assigned: 'Assigned.',
  closed: 'Closed.',
  reopened: 'Reopened.',
} as const

export default function Message({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { request, facts, said, news: done, mayAnswer } = loaderData
  return (
    <OfficePage
      title={`${request.number}: ${request.about}`}
      crumbs={[{ label: 'Messages', path: officePaths.officeMessages() }]}
      tags={<Tag tone={request.state === 'waiting' ? 'signal' : 'plain'}>{stateWords[request.state]}</Tag>}
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      {reply?.formError ? <Notice tone="stop" title={reply.formError} isNews /> : null}
      <Columns
        body={
          <>
            <Thread said={said} />
            {mayAnswer ? <Answer data={loaderData} reply={reply} /> : null}
          </>
        }
        last={
          <>
            <Panel id="facts" title="From">
              <PanelBody>
                <KeyValues rows={facts} />
              </PanelBody>
            </Panel>
            {mayAnswer ? <Handling data={loaderData} reply={reply} /> : null}
          </>
        }
      />
    </OfficePage>
  )
}

const stateWords = { waiting: 'Waiting for an answer', answered: 'Answered', closed: 'Closed' } as const
const kindWords = { in: 'Received', out: 'Emailed', note: 'Note for staff' } as const

function Thread({ said }: { said: readonly Said[] }) {
  return (
    <Panel id="thread" title="Thread" note="oldest first, ET">
      {said.map(({ kind, author, time, body, files }, index) => (
        <PanelBody key={index}>
          <article aria-label={`${kindWords[kind]}, ${time}`}>
            <div className="office-timeline-head">
              <span>
                {kindWords[kind]} · {author}
              </span>
              <time>{time}</time>
            </div>
            <p className="office-words">{body}</p>
            {files.length > 0 ? (
              <ul className="office-list">
                {files.map(({ name, path }) => (
                  <li key={path}>
                    <a href={path} download>
                      {name}
                    </a>
                    <span className="muted">Sent by a stranger: open it with care.</span>
                  </li>
                ))}
              </ul>
            ) : null}
          </article>
        </PanelBody>
      ))}
    </Panel>
  )
}

type Data = Route.ComponentProps['loaderData']
type Parts = { data: Data; reply: FormReply | undefined }

function Answer({ data: { request, templates, begin, once }, reply }: Parts) {
  const isClosed = request.state === 'closed'
  const mine = reply && 'body' in reply.values ? reply : undefined
  return (
    <Panel id="answer" title={isClosed ? 'Add a note' : 'Answer'}>
      {templates.length > 0 && !isClosed ? (
        <PanelBody>
          <form action={officePaths.officeMessage(request.id)}>
            <SelectField name="template" label="Begin with a template">
              {templates.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
            <p>
              <button className="btn quiet">Use it</button>
            </p>
          </form>
        </PanelBody>
      ) : null}
      <PanelBody>
        <form method="post" noValidate>
          <ErrorSummary reply={mine} labels={{ body: 'Text' }} />
          <input type="hidden" name="once" value={once} />
          <TextAreaField
            name="body"
            label="Text"
            reply={mine ?? (begin ? { values: { body: begin }, errors: {} } : undefined)}
            rows={8}
            maxLength={longestAnswer}
          />
          <p className="row wrap-row">
            {isClosed ? null : (
              <button className="btn primary" name="intent" value="answer">
                Send by email
              </button>
            )}
            <button className="btn quiet" name="intent" value="note">
              Add as a note
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}

function Handling({ data: { request, assignees }, reply }: Parts) {
  const isClosed = request.state === 'closed'
  return (
    <Panel id="handling" title="Handling">
      <PanelBody>
        <form method="post">
          <SelectField
            name="to"
            label="Assigned to"
            reply={reply?.values['intent'] === 'assign' ? reply : undefined}
            value={request.assignedTo}
          >
            <option value="">No one</option>
            {assignees.map((email) => (
              <option key={email} value={email}>
                {email}
              </option>
            ))}
          </SelectField>
          <p>
            <button className="btn quiet" name="intent" value="assign">
              Assign
            </button>
          </p>
        </form>
      </PanelBody>
      <PanelBody>
        <form method="post">
          <p>
            <button className="btn" name="intent" value={isClosed ? 'reopen' : 'close'}>
              {isClosed ? 'Reopen' : 'Close'}
            </button>
          </p>
        </form>
      </PanelBody>
    </Panel>
  )
}
