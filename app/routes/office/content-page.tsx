import { randomUUID } from 'node:crypto'
import { readForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, Field, TextAreaField } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { findContentPage, readContentPage } from '#app/views/office-content.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { longestBody, longestSent } from '#domain/content/content.ts'
import { actOnContentPage } from './content-acts.server.ts'
import type { Route } from './+types/content-page.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.title ?? 'Content', officePaths.officeContent())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeContentPage(params.page)
  const { shop } = await requireStaff(context, 'content.edit', path)
  const page = await findContentPage(params.page)
  return {
    formKey: randomUUID(),
    isRolledBack: url.searchParams.get('done') === 'rolled-back',
    ...(await readContentPage(shop, page, url.searchParams.get('from'))),
  }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const path = officePaths.officeContentPage(params.page)
  const { shop, actor } = await requireStaff(context, 'content.edit', path)
  const page = await findContentPage(params.page)
  return actOnContentPage(shop, { page, fields: await readForm(request, longestSent), by: actor })
}

export default function ContentPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, address, isChanged, isRolledBack, versions } = loaderData
  const replyTo = (intent: string) => (reply?.values['intent'] === intent ? reply : undefined)
  return (
    <OfficePage
      title={title}
      crumbs={[{ label: 'Content', path: officePaths.officeContent() }]}
      tags={isChanged ? <Tag tone="go">Changed</Tag> : <Tag tone="plain">As released</Tag>}
      end={
        <a className="btn quiet" href={address}>
          Open the page
        </a>
      }
    >
      {isRolledBack && !reply ? <Notice tone="go" title="Rolled back. Shoppers see it within seconds." isNews /> : null}
      <TextForm view={loaderData} reply={replyTo('draft')} />
      <Panel id="versions" title="Versions" note="The newest 50. Times are Eastern.">
        {versions.length === 0 ? (
          <PanelBody>
            <p>Nothing was written yet. Shoppers see the text that was released.</p>
          </PanelBody>
        ) : (
          <Versions view={loaderData} />
        )}
      </Panel>
      {isChanged ? <RollBackForm formKey={loaderData.formKey} reply={replyTo('roll-back')} /> : null}
    </OfficePage>
  )
}

type View = { view: Route.ComponentProps['loaderData'] }

function Versions({ view: { slug, versions } }: View) {
  return (
    <DataTable
      caption="Versions"
      columns={[
        { key: 'version', label: 'Version', isRowHeader: true },
        { key: 'state', label: 'State' },
        { key: 'title', label: 'Title' },
        { key: 'written', label: 'Written' },
        { key: 'published', label: 'Published' },
      ]}
      rows={versions.map(({ id, state, ...cells }) => ({
        id: String(id),
        cells: {
          ...cells,
          version: <a href={officePaths.officeContentVersion(slug, id)}>{`Version ${id}`}</a>,
          state: <Tag tone={state.tone}>{state.words}</Tag>,
        },
      }))}
    />
  )
}

const labels = { title: 'Title', description: 'Description', body: 'Text' }

function TextForm({ view: { formKey, text, isPolicy }, reply }: View & { reply: FormReply | undefined }) {
  return (
    <Panel id="write" title="Write a version" note="It is a draft: preview it before it is published.">
      <form method="post" noValidate>
        <input type="hidden" name="intent" value="draft" />
        <input type="hidden" name="formKey" value={reply?.values['formKey'] ?? formKey} />
        <PanelBody>
          <ErrorSummary reply={reply} labels={labels} />
          <Field name="title" label={labels.title} reply={reply} value={text.title} maxLength={80} required />
          <Field
            name="description"
            label={labels.description}
            reply={reply}
            value={text.description}
            maxLength={160}
            required
            hint="Below the title, and in search results."
          />
          <TextAreaField
            name="body"
            label={labels.body}
            reply={reply}
            value={text.body}
            rows={24}
            maxLength={longestBody}
            hint={
              isPolicy
                ? 'Markdown. A policy keeps every {{value}} and `name` of the released text: the store acts on them.'
                : 'Markdown. A {{value}} is filled in with what the store does, {{value day}} with its noun.'
            }
          />
          <button className="btn primary">Save draft</button>
        </PanelBody>
      </form>
    </Panel>
  )
}

function RollBackForm({ formKey, reply }: { formKey: string; reply: FormReply | undefined }) {
  return (
    <Panel id="roll-back" title="Roll back" note="At once, to the text that was released.">
      <form method="post">
        <input type="hidden" name="intent" value="roll-back" />
        <input type="hidden" name="formKey" value={reply?.values['formKey'] ?? formKey} />
        <PanelBody>
          <ErrorSummary reply={reply} />
          <button className="btn">Roll back to the released text</button>
        </PanelBody>
      </form>
    </Panel>
  )
}
