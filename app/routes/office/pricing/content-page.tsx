import { canUse } from '#app/office/page-parts.ts'
import { randomUUID } from 'node:crypto'
import { contentPageActions, contentVersionActions } from '#app/office/actions/content.server.ts'
import { actionStep, decideActions, doneNews } from '#app/office/decision.server.ts'
import type { FormReply } from '#app/forms/form.ts'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { findContentPage, readContentPage, slugOf } from '#app/views/office/content.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { longestBody, longestSent } from '#domain/kernel/content/content.ts'
import type { Route } from './+types/content-page.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData?.title ?? 'Pages', officePaths.officeContent())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeContentPage(params.page)
  const { app, session } = await requireStaff(context, 'content.edit', path)
  const page = await findContentPage(app, params.page)
  return {
    formKey: randomUUID(),
    mayPublishLegal: canUse(session.roles, 'legal-pages'),
    news: doneNews(url, {
      published: 'Published. Customers see it within seconds.',
      'rolled-back': 'Rolled back. Customers see it within seconds.',
      'taken-down': 'The page is taken down, or will be at the scheduled time. See the versions below.',
    }),
    ...(await readContentPage(app, page, url.searchParams.get('from'))),
  }
}

export const action = (args: Route.ActionArgs) => {
  const slug = args.params.page
  const done = (word: string) => officePaths.officeContentPage(slug, { done: word })
  return decideActions(
    args,
    {
      id: async (_, { app }) => slugOf(await findContentPage(app, slug)),
      path: () => officePaths.officeContentPage(slug),
      longest: longestSent,
      secrets: ['page'],
      done: {
        'roll-back': done('rolled-back'),
        'take-down': done('taken-down'),
        'publish-released': done('published'),
      },
      more: {
        steps: ({ app, by, fields }) => {
          fields.set('page', slug)
          return {
            draft: actionStep(contentVersionActions.actions.add, { app, by, id: '' }, (id) =>
              officePaths.officeContentVersion(slug, Number(id), { done: 'drafted' }),
            ),
          }
        },
        refusals: contentVersionActions.refusals,
      },
    },
    contentPageActions,
  )
}

export default function ContentPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { title, address, slug, isChanged, isDraft, isOwn, versions, formKey, text, isPolicy, hint } = loaderData
  return (
    <OfficePage
      title={title}
      crumbs={[{ label: 'Pages', path: officePaths.officeContent() }]}
      tags={<StateTag isDraft={isDraft} isChanged={isChanged} isOwn={isOwn} />}
      news={loaderData.news}
      reply={reply}
      end={
        <a className="btn quiet" href={address}>
          Open the page
        </a>
      }
    >
      {isDraft ? <PublishReleased formKey={formKey} reply={reply} mayPublish={loaderData.mayPublishLegal} /> : null}
      <FormPanel
        id="write"
        title="Write a version"
        lead="Saved as a draft. Preview it before you publish it."
        reply={reply}
        // Parts have no separate description, but every version has one.
        hidden={hint === null ? { formKey } : { formKey, description: hint }}
        fields={{
          title: { label: hint === null ? 'Title' : 'Heading', value: text.title, max: 80 },
          ...(hint === null ? { description: descriptionField(text.description) } : {}),
          body: {
            label: 'Text',
            kind: 'area',
            value: text.body,
            rows: hint === null ? 24 : 8,
            max: longestBody,
            hint:
              hint ??
              (isPolicy
                ? 'Markdown. A policy must keep every {{value}} and `name` of the released text, because the store acts on them.'
                : 'Markdown. A {{value}} is replaced by the store’s own value, {{value day}} also by its noun.'),
          },
        }}
        buttons={[button('draft', 'Save draft', 'primary')]}
      />
      <TablePanel
        id="versions"
        title="Versions"
        note="The newest 50. Times are Eastern."
        empty={isOwn ? 'No versions yet.' : 'No versions yet. Customers see the released text.'}
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
      {isChanged ? <EndVersion isOwn={isOwn} formKey={formKey} reply={reply} /> : null}
    </OfficePage>
  )
}

function descriptionField(value: string) {
  return { label: 'Description', value, max: 160, hint: 'Below the title, and in search results.' }
}

/** Takes a page of the store down, or rolls a released page back to its released text. */
function EndVersion({ isOwn, formKey, reply }: { isOwn: boolean; formKey: string; reply: FormReply | undefined }) {
  return isOwn ? (
    <FormPanel
      id="take-down"
      title="Take down"
      lead="After that, customers no longer see the page."
      reply={reply}
      hidden={{ formKey }}
      fields={{
        startsAt: { label: 'At', kind: 'moment', isOptional: true, hint: 'Eastern time. Leave empty for now.' },
      }}
      buttons={[button('take-down', 'Take down')]}
    />
  ) : (
    <FormPanel
      id="roll-back"
      title="Roll back"
      lead="Takes effect immediately and restores the released text."
      reply={reply}
      hidden={{ formKey }}
      buttons={[button('roll-back', 'Roll back to the released text')]}
    />
  )
}

/** The form where an owner publishes the released version of a page that is legally binding for the store. */
function PublishReleased({
  formKey,
  reply,
  mayPublish,
}: {
  formKey: string
  reply: FormReply | undefined
  mayPublish: boolean
}) {
  return (
    <FormPanel
      id="publish-released"
      title="Publish as released"
      lead="A draft until an owner publishes it."
      isOpen
      reply={reply}
      hidden={{ formKey }}
      text="Open the page and read it. It names your store, its contact details and the terms that this store acts on, such as the return window. If it isn’t right for you, write a version below and publish that."
      fields={
        mayPublish
          ? { read: { label: 'I have read this page, and it applies to my store.', kind: 'tick', ticked: 'yes' } }
          : {}
      }
      buttons={mayPublish ? [button('publish-released', 'Publish as released', 'primary')] : []}
      note={mayPublish ? undefined : 'An owner publishes this page.'}
    />
  )
}

function StateTag({ isDraft, isChanged, isOwn }: { isDraft: boolean; isChanged: boolean; isOwn: boolean }) {
  if (isOwn) return isChanged ? <Tag tone="go">Published</Tag> : <Tag tone="plain">Not published</Tag>
  if (isDraft) return <Tag tone="signal">Draft</Tag>
  return isChanged ? <Tag tone="go">Changed</Tag> : <Tag tone="plain">As released</Tag>
}
