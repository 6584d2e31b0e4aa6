import { randomUUID } from 'node:crypto'
import { contentVersionActions } from '#app/office/actions/content.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { findContentPage, releasedText, slugOf, versionRow } from '#app/views/office/content.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { findContentVersion } from '#domain/kernel/content/content.server.ts'
import type { Route } from './+types/content-version.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Version ${params.version}`, officePaths.officeContent())

const news = {
  drafted: 'Draft saved. Preview it, then publish it.',
  published: 'Published. Customers see it within seconds.',
  scheduled: 'Scheduled. It is published automatically.',
  withdrawn: 'Withdrawn. It is a draft again.',
}

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeContentVersion(params.page, Number(params.version))
  const { app } = await requireStaff(context, 'content.edit', path)
  const page = await findContentPage(app, params.page)
  const version = found(await findContentVersion(app, page.path, params.version))
  return {
    slug: slugOf(page),
    page: page.title,
    formKey: randomUUID(),
    news: doneNews(url, news),
    at: version.state,
    row: versionRow(version),
    text: version.text ?? (await releasedText(page)),
  }
}

export const action = (args: Route.ActionArgs) => {
  const { page: slug, version } = args.params
  return decideActions(
    args,
    {
      noun: 'version',
      id: async (_, { app }) => {
        const { path } = await findContentPage(app, slug)
        return String(found(await findContentVersion(app, path, version)).id)
      },
      path: (done) => officePaths.officeContentVersion(slug, Number(version), { done }),
      done: {
        publish: 'published',
        schedule: 'scheduled',
        withdraw: 'withdrawn',
        discard: officePaths.officeContentPage(slug),
        'roll-back': officePaths.officeContentPage(slug, { done: 'rolled-back' }),
      },
    },
    contentVersionActions,
  )
}

export default function ContentVersion({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { slug, page, at, row, text, formKey } = loaderData
  return (
    <OfficePage
      title={`Version ${row.id}`}
      crumbs={[
        { label: 'Pages', path: officePaths.officeContent() },
        { label: page, path: officePaths.officeContentPage(slug) },
      ]}
      tags={<Tag tone={row.state.tone}>{row.state.words}</Tag>}
      end={
        <>
          <a className="btn quiet" href={officePaths.officeContentPage(slug, { from: row.id })}>
            New version from this one
          </a>
          <a className="btn" href={officePaths.officeContentPreview(slug, row.id)}>
            Preview
          </a>
        </>
      }
      news={loaderData.news}
      reply={reply}
    >
      {at === 'draft' ? (
        <>
          <FormPanel
            id="publish"
            title="Publish"
            lead="Replaces the previous version."
            reply={reply}
            buttons={[button('publish', 'Publish now', 'primary'), button('discard', 'Discard draft', 'quiet')]}
          />
          <FormPanel
            id="schedule"
            title="Schedule"
            lead="Times are Eastern."
            reply={reply}
            fields={{ startsAt: { label: 'Publish at', kind: 'moment' } }}
            buttons={[button('schedule', 'Schedule')]}
          />
        </>
      ) : null}
      {at === 'scheduled' ? (
        <FormPanel id="withdraw" title="Withdraw" reply={reply} buttons={[button('withdraw', 'Withdraw version')]} />
      ) : null}
      {at === 'replaced' ? (
        <FormPanel
          id="roll-back"
          title="Roll back"
          reply={reply}
          hidden={{ formKey }}
          buttons={[button('roll-back', 'Roll back to this version')]}
        />
      ) : null}
      <FactsPanel
        id="version"
        title="Version"
        note="Changes are saved as a new version. Times are Eastern."
        rows={[
          ['Title', text.title],
          ['Description', text.description],
          ['Written', row.written],
          ['Published', row.published || 'Not published'],
        ]}
      >
        <p className="pre-line">{text.body}</p>
      </FactsPanel>
    </OfficePage>
  )
}
