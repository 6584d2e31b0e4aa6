import { randomUUID } from 'node:crypto'
import { readForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field } from '#app/ui/field.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { KeyValues, Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { findContentPage, releasedText, slugOf, versionRow } from '#app/views/office-content.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { findContentVersion } from '#domain/content/content.server.ts'
import { actOnContentVersion } from './content-acts.server.ts'
import type { Route } from './+types/content-version.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Version ${params.version}`, officePaths.officeContent())

const news: Readonly<Record<string, string>> = {
  drafted: 'Draft saved. Preview it, then publish it.',
  published: 'Published. Shoppers see it within seconds.',
  scheduled: 'Scheduled. It is published by itself.',
  withdrawn: 'Withdrawn. It is a draft again.',
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeContentVersion(params.page, Number(params.version))
  const { shop } = await requireStaff(context, 'content.edit', path)
  const page = await findContentPage(params.page)
  const version = await findContentVersion(shop, page.path, params.version)
  if (!version) throw new Response(null, { status: 404 })
  return {
    slug: slugOf(page),
    page: page.title,
    formKey: randomUUID(),
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    at: version.state,
    row: versionRow(version),
    text: version.text ?? (await releasedText(page)),
  }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const path = officePaths.officeContentVersion(params.page, Number(params.version))
  const { shop, actor } = await requireStaff(context, 'content.edit', path)
  const page = await findContentPage(params.page)
  const version = await findContentVersion(shop, page.path, params.version)
  if (!version) throw new Response(null, { status: 404 })
  return actOnContentVersion(shop, { page, version, fields: await readForm(request), by: actor })
}

export default function ContentVersion({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { slug, page, news: done, at, row, text, formKey } = loaderData
  return (
    <OfficePage
      title={`Version ${row.id}`}
      crumbs={[
        { label: 'Content', path: officePaths.officeContent() },
        { label: page, path: officePaths.officeContentPage(slug) },
      ]}
      tags={<Tag tone={row.state.tone}>{row.state.words}</Tag>}
      end={
        <>
          <a className="btn quiet" href={officePaths.officeContentPage(slug, { from: row.id })}>
            Write a version from it
          </a>
          <a className="btn" href={officePaths.officeContentPreview(slug, row.id)}>
            Preview
          </a>
        </>
      }
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      {at === 'draft' ? <PublishForm reply={reply} /> : null}
      {at === 'scheduled' ? (
        <ActForm intent="withdraw" title="Withdraw" words="Withdraw version" formKey={formKey} reply={reply} />
      ) : null}
      {at === 'replaced' ? (
        <ActForm
          intent="roll-back"
          title="Roll back"
          words="Roll back to this version"
          formKey={formKey}
          reply={reply}
        />
      ) : null}
      <Panel id="version" title="Version" note="It is never edited: a change is a new version. Times are Eastern.">
        <PanelBody>
          <KeyValues
            rows={[
              ['Title', text.title],
              ['Description', text.description],
              ['Written', row.written],
              ['Published', row.published || 'Not published'],
            ]}
          />
        </PanelBody>
        <PanelBody>
          <p className="pre-line">{text.body}</p>
        </PanelBody>
      </Panel>
    </OfficePage>
  )
}

function PublishForm({ reply }: { reply: FormReply | undefined }) {
  return (
    <Panel id="publish" title="Publish" note="It replaces the version before. Times are Eastern.">
      <form method="post">
        <input type="hidden" name="intent" value="publish" />
        <PanelBody>
          <ErrorSummary reply={reply} labels={{ startsAt: 'Publish at' }} />
          <button className="btn primary">Publish now</button>
        </PanelBody>
      </form>
      <form method="post" noValidate>
        <input type="hidden" name="intent" value="schedule" />
        <PanelBody>
          <Field name="startsAt" label="Publish at" reply={reply} type="datetime-local" required />
          <button className="btn">Schedule</button>
        </PanelBody>
      </form>
      <form method="post">
        <input type="hidden" name="intent" value="discard" />
        <PanelBody>
          <button className="btn quiet">Discard draft</button>
        </PanelBody>
      </form>
    </Panel>
  )
}

function ActForm({
  intent,
  title,
  words,
  formKey,
  reply,
}: {
  intent: string
  title: string
  words: string
  formKey: string
  reply: FormReply | undefined
}) {
  return (
    <Panel id={intent} title={title}>
      <form method="post">
        <input type="hidden" name="intent" value={intent} />
        <input type="hidden" name="formKey" value={reply?.values['formKey'] ?? formKey} />
        <PanelBody>
          <ErrorSummary reply={reply} />
          <button className="btn">{words}</button>
        </PanelBody>
      </form>
    </Panel>
  )
}
