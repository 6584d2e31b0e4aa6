/** The actions of content pages. */
import { whyNotText } from '#app/content/check-text.server.ts'
import type { WrittenPage } from '#app/content/pages.server.ts'
import { press, step, type Posted } from '#app/office/decision.server.ts'
import { slugOf } from '#app/views/office-content.server.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  discardContent,
  draftContent,
  publishContent,
  rollBackContent,
  takeContentDown,
  withdrawContent,
  type StatedVersion,
} from '#domain/kernel/content/content.server.ts'
import {
  pageTextForm,
  publishAtForm,
  publishReleasedForm,
  rollBackForm,
  takeDownForm,
} from '#domain/kernel/content/content.ts'
import { refused } from '#platform/outcome.ts'

export const contentRefusals = {
  gone: 'This version was already discarded.',
  'starts-in-past': { field: 'startsAt', text: 'Choose a time in the future.' },
  'start-taken': { field: 'startsAt', text: 'Another version starts at that time.' },
  'wrong-text': (text: string) => ({ field: 'body', text }),
} as const

/** Writes a draft of a page, or rolls it back to the text it was released with. */
export function contentPageSteps(posted: Posted, page: WrittenPage) {
  const { shop, by } = posted
  return {
    draft: step(
      pageTextForm,
      async ({ formKey, ...text }) => {
        const whyNot = await whyNotText(page.path, text)
        return whyNot ? refused('wrong-text', whyNot) : draftContent(shop, by, { path: page.path, formKey, text })
      },
      (id) => officePaths.officeContentVersion(slugOf(page), id, { done: 'drafted' }),
    ),
    'roll-back': rollBack(posted, page, null),
    'take-down': step(
      takeDownForm,
      ({ formKey, startsAt }) => takeContentDown(shop, by, { path: page.path, formKey, startsAt }),
      async () => {
        await shop.content.read()
        return officePaths.officeContentPage(slugOf(page), { done: 'taken-down' })
      },
    ),
    'publish-released': step(
      publishReleasedForm,
      ({ formKey }) => rollBackContent(shop, by, { path: page.path, formKey, versionId: null }),
      async () => {
        await shop.content.read()
        return officePaths.officeContentPage(slugOf(page), { done: 'published' })
      },
    ),
  }
}

/** Publishes, schedules, withdraws or discards a version, or rolls the page back to it. */
export function contentVersionSteps(posted: Posted, page: WrittenPage, version: StatedVersion) {
  const { shop, by } = posted
  const { id } = version
  const publish = async (startsAt: Temporal.Instant | null) => {
    // A release in between may have other values.
    const whyNot = version.text && (await whyNotText(page.path, version.text))
    return whyNot ? refused('outdated', whyNot) : publishContent(shop, by, { id, startsAt })
  }
  // This process shows it immediately, the others within seconds.
  const done = (word: string) => async () => {
    await shop.content.read()
    return word
  }
  return {
    publish: press(() => publish(null), done('published')),
    schedule: step(publishAtForm, ({ startsAt }) => publish(startsAt), done('scheduled')),
    withdraw: press(() => withdrawContent(shop, by, id), 'withdrawn'),
    discard: press(() => discardContent(shop, by, id), officePaths.officeContentPage(slugOf(page))),
    'roll-back': rollBack(posted, page, id),
  }
}

function rollBack({ shop, by }: Posted, page: WrittenPage, versionId: number | null) {
  return step(
    rollBackForm,
    ({ formKey }) => rollBackContent(shop, by, { path: page.path, formKey, versionId }),
    async () => {
      await shop.content.read()
      return officePaths.officeContentPage(slugOf(page), { done: 'rolled-back' })
    },
  )
}
