import { whyNotText } from '#app/content/check-text.server.ts'
import { isTakenAddress } from '#app/content/taken-addresses.server.ts'
import { defineActions, formAction, plainAction, type ActionCall } from '#app/office/define-actions.server.ts'
import { contentPageOf } from '#app/views/office/content.server.ts'
import {
  discardContent,
  draftContent,
  findContentVersion,
  publishContent,
  rollBackContent,
  takeContentDown,
  withdrawContent,
} from '#domain/kernel/content/content.server.ts'
import {
  newPageForm,
  ownPath,
  publishAtForm,
  publishReleasedForm,
  rollBackForm,
  takeDownForm,
  versionTextForm,
  type PageText,
} from '#domain/kernel/content/content.ts'
import { refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { Application } from '#application'

const formKeyDescription = '`formKey` is a UUID that you choose: sent again, it has no further effect.'

const refusals = {
  gone: 'This version was already discarded.',
  'starts-in-past': { field: 'startsAt', text: 'Choose a time in the future.' },
  'start-taken': { field: 'startsAt', text: 'Another version starts at that time.' },
  'wrong-text': (text: string) => ({ field: 'body', text }),
} as const

/** IDs are slugs of pages in the office. */
export const contentPageActions = defineActions({
  resource: 'content',
  noun: 'page',
  permission: 'content.edit',
  actions: {
    add: formAction(
      {
        summary: 'Add a page',
        description: `Returns the ID of its first version, a draft, which you publish with \`/content-versions/{id}/publish\`. The page’s own ID is its \`slug\`. ${formKeyDescription}`,
        form: newPageForm,
      },
      async (call, { slug, ...draft }) => {
        if (await isTakenAddress(slug)) return refused('address-taken')
        return draftText(call, ownPath(slug), draft)
      },
      String,
    ),
    'roll-back': formAction(
      {
        summary: 'Roll a page back',
        description: `Immediately, to the released text. ${formKeyDescription}`,
        form: rollBackForm,
      },
      (call, { formKey }) =>
        onPage(call, (path) => rollBackContent(call.app, call.by, { path, formKey, versionId: null })),
    ),
    'take-down': formAction(
      {
        summary: 'Take a page down',
        description: `Now, or at \`startsAt\` in Eastern Time. For pages and sections that the store added. ${formKeyDescription}`,
        form: takeDownForm,
      },
      (call, { formKey, startsAt }) =>
        onPage(call, (path) => takeContentDown(call.app, call.by, { path, formKey, startsAt })),
    ),
    'publish-released': formAction(
      {
        summary: 'Publish a legal page as released',
        description: `Requires the permission \`legal.publish\`, too. \`read\` confirms that you read the page. ${formKeyDescription}`,
        form: publishReleasedForm,
      },
      (call, { formKey }) =>
        onPage(call, (path) => rollBackContent(call.app, call.by, { path, formKey, versionId: null })),
    ),
  },
  refusals: { ...refusals, 'address-taken': { field: 'slug', text: 'The store uses this address already.' } },
})

export const contentVersionActions = defineActions({
  resource: 'content-versions',
  noun: 'page version',
  permission: 'content.edit',
  actions: {
    add: formAction(
      {
        summary: 'Draft a version of a page',
        description: `\`page\` is the ID of a page in the list. The text is Markdown. ${formKeyDescription}`,
        form: versionTextForm,
      },
      async (call, { page: slug, ...draft }) => {
        const page = await contentPageOf(call.app, slug)
        return page ? draftText(call, page.path, draft) : refused('no-page')
      },
      String,
    ),
    publish: plainAction({ summary: 'Publish a version' }, (call) => publish(call, null)),
    schedule: formAction(
      {
        summary: 'Schedule a version',
        description: 'Publishes it at `startsAt`, which is in Eastern Time, such as `2027-03-01T09:00`.',
        form: publishAtForm,
      },
      (call, { startsAt }) => publish(call, startsAt),
    ),
    withdraw: plainAction(
      { summary: 'Withdraw a scheduled version', description: 'It becomes a draft again.' },
      async (call) => {
        const version = await versionOf(call)
        return version ? withdrawContent(call.app, call.by, version.id) : refused('gone')
      },
    ),
    discard: plainAction({ summary: 'Discard a draft' }, async (call) => {
      const version = await versionOf(call)
      return version ? discardContent(call.app, call.by, version.id) : refused('gone')
    }),
    'roll-back': formAction(
      {
        summary: 'Roll a page back to an earlier version',
        description: `Immediately, as a new version. ${formKeyDescription}`,
        form: rollBackForm,
      },
      async (call, { formKey }) => {
        const version = await versionOf(call)
        if (!version) return refused('gone')
        const { path, id: versionId } = version
        return shown(call.app, await rollBackContent(call.app, call.by, { path, formKey, versionId }))
      },
    ),
  },
  refusals: {
    ...refusals,
    'no-page': { field: 'page', text: 'Page not found.' },
    outdated: (text: string) => ({ text, status: 422 }),
  },
  read: async (app, id) => {
    const version = await findContentVersion(app, null, id)
    return version?.text ? { ...version.text } : undefined
  },
})

async function draftText({ app, by }: ActionCall, path: string, { formKey, ...text }: PageText & { formKey: string }) {
  const whyNot = await whyNotText(path, text)
  return whyNot ? refused('wrong-text', whyNot) : draftContent(app, by, { path, formKey, text })
}

const versionOf = ({ app, id }: ActionCall) => findContentVersion(app, null, id)

async function publish(call: ActionCall, startsAt: Temporal.Instant | null) {
  const version = await versionOf(call)
  if (!version) return refused('gone')
  // A release in between may have other values.
  const whyNot = version.text && (await whyNotText(version.path, version.text))
  if (whyNot) return refused('outdated', whyNot)
  return shown(call.app, await publishContent(call.app, call.by, { id: version.id, startsAt }))
}

/** Runs an action on the page in the address. */
async function onPage<Value, Refusal extends Refused<string, unknown>>(
  { app, id }: ActionCall,
  act: (path: string) => Promise<Outcome<Value, Refusal>>,
): Promise<Outcome<Value, Refusal | Refused<'not-found'>>> {
  const page = await contentPageOf(app, id)
  return page ? shown(app, await act(page.path)) : refused('not-found')
}

/** Shows the published version immediately in this process, and within seconds in others. */
async function shown<Value, Refusal extends Refused<string, unknown>>(
  app: Application,
  result: Outcome<Value, Refusal>,
): Promise<Outcome<Value, Refusal>> {
  if (result.ok) await app.content.read()
  return result
}
