import { randomUUID } from 'node:crypto'
import { decide, doneNews } from '#app/office/decision.server.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { findContentPage, readContentPage } from '#app/views/office-content.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { longestBody, longestSent } from '#domain/content/content.ts'
import { contentPageSteps, contentRefusals } from './content-acts.server.ts'
import type { Route } from './+types/content-page.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.title ?? 'Content', officePaths.officeContent())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeContentPage(params.page)
  const { shop } = await requireStaff(context, 'content.edit', path)
  const page = await findContentPage(params.page)
  return {
    formKey: randomUUID(),
    news: doneNews(url, { 'rolled-back': 'Rolled back. Customers see it within seconds.' }),
    ...(await readContentPage(shop, page, url.searchParams.get('from'))),
  }
}

export const action = (args: Route.ActionArgs) => {
  const slug = args.params.page
  return decide(
    args,
    {
      noun: 'page',
      permission: 'content.edit',
      path: () => officePaths.officeContentPage(slug),
      longest: longestSent,
    },
    async (posted) => contentPageSteps(posted, await findContentPage(slug)),
    contentRefusals,
  )
}

export default function ContentPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, address, slug, isChanged, versions, formKey, text, isPolicy } = loaderData
  return (
    <OfficePage
      title={title}
      crumbs={[{ label: 'Content', path: officePaths.officeContent() }]}
      tags={isChanged ? <Tag tone="go">Changed</Tag> : <Tag tone="plain">As released</Tag>}
      news={loaderData.news}
      reply={reply}
      end={
        <a className="btn quiet" href={address}>
          Open the page
        </a>
      }
    >
      <FormPanel
        id="write"
        title="Write a version"
        lead="Saved as a draft. Preview it before you publish it."
        reply={reply}
        hidden={{ formKey }}
        fields={{
          title: { label: 'Title', value: text.title, max: 80 },
          description: {
            label: 'Description',
            value: text.description,
            max: 160,
            hint: 'Below the title, and in search results.',
          },
          body: {
            label: 'Text',
            kind: 'area',
            value: text.body,
            rows: 24,
            max: longestBody,
            hint: isPolicy
              ? 'Markdown. A policy must keep every {{value}} and `name` of the released text, because the store acts on them.'
              : 'Markdown. A {{value}} is replaced by the store’s own value, {{value day}} also by its noun.',
          },
        }}
        buttons={[button('draft', 'Save draft', 'primary')]}
      />
      <TablePanel
        id="versions"
        title="Versions"
        note="The newest 50. Times are Eastern."
        empty="No versions yet. Customers see the released text."
        columns={{ version: 'Version', state: 'State', title: 'Title', written: 'Written', published: 'Published' }}
        rows={versions.map(({ id, state, ...cells }) => ({
          id: String(id),
          cells: {
            ...cells,
            version: <a href={officePaths.officeContentVersion(slug, id)}>{`Version ${id}`}</a>,
            state: <Tag tone={state.tone}>{state.words}</Tag>,
          },
        }))}
      />
      {isChanged ? (
        <FormPanel
          id="roll-back"
          title="Roll back"
          lead="Immediately, to the released text."
          reply={reply}
          hidden={{ formKey }}
          buttons={[button('roll-back', 'Roll back to the released text')]}
        />
      ) : null}
    </OfficePage>
  )
}
