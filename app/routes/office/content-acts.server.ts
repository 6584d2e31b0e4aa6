/** The forms of content pages: write, publish, schedule, withdraw, discard and roll back. */
import { whyNotText } from '#app/content/check-text.server.ts'
import type { WrittenPage } from '#app/content/pages.server.ts'
import { checkForm, formRefusal, refuseForm } from '#app/forms/form.ts'
import { slugOf } from '#app/views/office-content.server.ts'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import {
  discardContent,
  draftContent,
  publishContent,
  rollBackContent,
  withdrawContent,
  type StatedVersion,
} from '#domain/content/content.server.ts'
import { pageTextForm, publishAtForm, rollBackForm } from '#domain/content/content.ts'
import type { Actor } from '#domain/staff/staff.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import type { Shop } from '#shop'

type Posted = { page: WrittenPage; fields: URLSearchParams; by: Actor }

/** Writes a draft of a page, or rolls it back to the text it was released with. */
export async function actOnContentPage(shop: Shop, { page, fields, by }: Posted) {
  if (fields.get('intent') === 'roll-back') return rollBack(shop, { page, fields, by }, null)
  if (fields.get('intent') !== 'draft') return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  const checked = checkForm(pageTextForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { formKey, ...text } = checked.value
  const whyNot = await whyNotText(page.path, text)
  if (whyNot) return refuseForm(formRefusal(fields, 'Fix 1 field:', { body: whyNot }))
  const made = await draftContent(shop, by, { path: page.path, formKey, text })
  return made.ok
    ? seeOther(officePaths.officeContentVersion(slugOf(page), made.value, { done: 'drafted' }))
    : refusal(fields, made.reason)
}

type OnVersion = Posted & { version: StatedVersion }

/** Publishes, schedules, withdraws or discards a version, or rolls the page back to it. */
export async function actOnContentVersion(shop: Shop, posted: OnVersion) {
  const { page, version, fields, by } = posted
  switch (fields.get('intent')) {
    case 'publish':
      return publish(shop, posted, null)
    case 'schedule': {
      const checked = checkForm(publishAtForm, fields)
      return checked.ok ? publish(shop, posted, checked.value.startsAt) : refuseForm(checked.reply)
    }
    case 'withdraw': {
      const done = await withdrawContent(shop, by, version.id)
      return done.ok ? leadTo(posted, 'withdrawn') : refusal(fields, done.reason)
    }
    case 'discard': {
      const done = await discardContent(shop, by, version.id)
      return done.ok ? seeOther(officePaths.officeContentPage(slugOf(page))) : refusal(fields, done.reason)
    }
    case 'roll-back':
      return rollBack(shop, posted, version.id)
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

async function publish(shop: Shop, posted: OnVersion, startsAt: Temporal.Instant | null) {
  const { page, version, fields, by } = posted
  // A release in between may have other values.
  const whyNot = version.text && (await whyNotText(page.path, version.text))
  if (whyNot) return refuseForm(formRefusal(fields, whyNot))
  const done = await publishContent(shop, by, { id: version.id, startsAt })
  if (!done.ok) return refusal(fields, done.reason)
  // This process shows it at once, the others within seconds.
  await shop.content.read()
  return leadTo(posted, startsAt ? 'scheduled' : 'published')
}

function leadTo({ page, version }: OnVersion, done: string): Response {
  return seeOther(officePaths.officeContentVersion(slugOf(page), version.id, { done }))
}

async function rollBack(shop: Shop, { page, fields, by }: Posted, versionId: number | null) {
  const checked = checkForm(rollBackForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  const { formKey } = checked.value
  const done = await rollBackContent(shop, by, { path: page.path, formKey, versionId })
  if (!done.ok) return refusal(fields, done.reason)
  await shop.content.read()
  return seeOther(officePaths.officeContentPage(slugOf(page), { done: 'rolled-back' }))
}

const refusals = {
  'not-allowed': { words: 'Your role does not allow that. Nothing was changed.', status: 403 },
  gone: { words: 'It was discarded in the meantime.', status: 409 },
  'other-state': { words: 'A colleague changed it in the meantime. Nothing was changed.', status: 409 },
  'starts-in-past': { words: 'Choose a time that has not passed.', field: 'startsAt', status: 422 },
  'start-taken': { words: 'Another version starts at that time.', field: 'startsAt', status: 422 },
} as const satisfies Record<string, { words: string; field?: string; status: number }>

function refusal(fields: URLSearchParams, reason: keyof typeof refusals) {
  const { words, field, status }: { words: string; field?: string; status: number } = refusals[reason]
  return field
    ? refuseForm(formRefusal(fields, 'Fix 1 field:', { [field]: words }), status)
    : refuseForm(formRefusal(fields, words), status)
}
