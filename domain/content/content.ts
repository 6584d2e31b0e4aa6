/** Content pages in the office: version states, and forms. Safe in the browser. */
import { z } from 'zod'
import { listScheduleForm } from '#domain/promotions/promotions.ts'

export { longestPath, redirectForm, removeForm } from './redirects.ts'

/** A page's text by staff; the rest, such as its links, is part of the release. */
export type PageText = { title: string; description: string; body: string }

/** A text that is published, with the day that it was. */
export type PublishedText = PageText & { versionId: number; publishedAt: Temporal.Instant }

/** The published texts by page ("policies/terms-of-sale"); pages without one show the text they were released with. */
export type PublishedTexts = ReadonlyMap<string, PublishedText>

/** The legally binding pages, which are drafts until an owner publishes them. */
export const legalPages = ['policies/privacy-policy', 'policies/terms-of-use', 'policies/terms-of-sale'] as const

/** Whether a page is a draft until an owner published it. */
export function isLegal(path: string): boolean {
  return (legalPages as readonly string[]).includes(path)
}

/** The default without published texts. */
export const asReleased: PublishedTexts = new Map()

export type VersionState = 'draft' | 'scheduled' | 'published' | 'replaced'

/** The state of a version at `now`; `nextAt` is the start of the version after it. */
export function contentStateAt(
  { startsAt, nextAt }: { startsAt: Temporal.Instant | null; nextAt: Temporal.Instant | null },
  now: Temporal.Instant,
): VersionState {
  if (startsAt === null) return 'draft'
  if (Temporal.Instant.compare(now, startsAt) < 0) return 'scheduled'
  return nextAt !== null && Temporal.Instant.compare(nextAt, now) <= 0 ? 'replaced' : 'published'
}

/** In characters. */
export const longestBody = 20_000
/** The same as a browser sends it, with two characters for each end of a line. */
export const longestSent = 2 * longestBody

export const pageTextForm = z.object({
  formKey: z.uuid(),
  title: z.string().trim().min(3, 'Enter a title.').max(80, 'Please keep this under 80 characters.'),
  description: z
    .string()
    .trim()
    .min(20, 'Describe the page in at least 20 characters.')
    .max(160, 'Please keep this under 160 characters.'),
  body: z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n').trim())
    .pipe(z.string().min(1, 'Enter the text.').max(longestBody, 'Please keep this under 20,000 characters.')),
})

export const rollBackForm = z.object({ formKey: z.uuid() })

/** An owner publishes a page of the release as it is, having read it. */
export const publishReleasedForm = rollBackForm.extend({
  read: z.literal('yes', 'Confirm that you read the page.'),
})

/** The form for scheduling a version. */
export const publishAtForm = listScheduleForm.pick({ startsAt: true })
