import type { FormReply } from '#app/forms/form.ts'
import { messageActions } from '#app/office/actions/messages.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { Options } from '#app/ui/select-options.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { SelectField } from '#app/ui/field.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { findThread, listAssignees, listTemplates } from '#domain/messaging/support/support.server.ts'
import { longestAnswer } from '#domain/messaging/support/support.ts'
import { newId } from '#platform/ids.ts'
import { factsOf, readRequestId, readWhole, rowOf, threadOf, type Said } from '#app/views/office/message.server.ts'
import type { Route } from './+types/message.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Message R-${params.id}`, officePaths.officeMessage(Number(params.id)))

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = readRequestId(params.id)
  const { app, session } = await requireStaff(context, 'requests.read', officePaths.officeMessage(id))
  const thread = found(await findThread(app, id))
  const templates = await listTemplates(app)
  const chosen = readWhole(url.searchParams.get('template'))
  return {
    request: rowOf(thread.request),
    facts: factsOf(thread.request),
    said: threadOf(thread.request, thread.replies),
    mayAnswer: staffCan(session.roles, 'requests.answer'),
    assignees: await listAssignees(app),
    templates: templates.map(({ id: templateId, name }) => ({ id: templateId, name })),
    begin: templates.find((template) => template.id === chosen)?.body ?? '',
    once: newId(),
    news: doneNews(url, news),
  }
}

export const action = (args: Route.ActionArgs) => {
  const id = readRequestId(args.params.id)
  return decideActions(
    args,
    {
      id: args.params.id,
      path: (done) => officePaths.officeMessage(id, { done }),
      done: { answer: 'answered', note: 'noted', assign: 'assigned', close: 'closed', reopen: 'reopened' },
    },
    messageActions,
  )
}

const news = {
  answered: 'Sent. Their answer comes back here.',
  noted: 'Note added. Only staff see it.',
  assigned: 'Assigned.',
  closed: 'Closed.',
  reopened: 'Reopened.',
} as const

export default function Message({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { request, facts, said, mayAnswer } = loaderData
  return (
    <DetailPage
      title={`${request.number}: ${request.about}`}
      crumbs={[{ label: 'Messages', path: officePaths.officeMessages() }]}
      tags={<Tag tone={request.state === 'waiting' ? 'signal' : 'plain'}>{stateWords[request.state]}</Tag>}
      news={loaderData.news}
      reply={reply}
      body={
        <>
          <Thread said={said} />
          {mayAnswer ? <Answer data={loaderData} reply={reply} /> : null}
        </>
      }
      side={
        <>
          <FactsPanel id="facts" title="From" rows={facts} />
          {mayAnswer ? <Handling data={loaderData} reply={reply} /> : null}
        </>
      }
    />
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
                    <span className="muted">Unverified sender. Open attachments with care.</span>
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
  return (
    <>
      {templates.length > 0 && !isClosed ? (
        <Panel id="templates" title="Template">
          <PanelBody>
            <form action={officePaths.officeMessage(request.id)}>
              <SelectField name="template" label="Start from a template">
                <Options of={templates.map(({ id, name }) => [String(id), name])} />
              </SelectField>
              <p>
                <button className="btn quiet">Use template</button>
              </p>
            </form>
          </PanelBody>
        </Panel>
      ) : null}
      <FormPanel
        id="answer"
        title={isClosed ? 'Add a note' : 'Answer'}
        reply={reply}
        past={['answer']}
        hidden={{ once }}
        fields={{ body: { label: 'Text', kind: 'area', value: begin, rows: 8, max: longestAnswer } }}
        buttons={[
          ...(isClosed ? [] : [button('answer', 'Send by email', 'primary', { hasKey: true })]),
          button('note', 'Add as a note', 'quiet'),
        ]}
      />
    </>
  )
}

function Handling({ data: { request, assignees }, reply }: Parts) {
  return (
    <>
      <FormPanel
        id="handling"
        title="Assignment"
        reply={reply}
        fields={{
          to: {
            label: 'Assigned to',
            kind: 'choice',
            value: request.assignedTo,
            options: [['', 'No one'], ...assignees.map((email): [string, string] => [email, email])],
          },
        }}
        buttons={[button('assign', 'Assign', 'quiet')]}
      />
      <FormPanel
        id="state"
        title="Status"
        reply={reply}
        buttons={[request.state === 'closed' ? button('reopen', 'Reopen') : button('close', 'Close')]}
      />
    </>
  )
}
