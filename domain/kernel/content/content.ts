/** Version states and forms of content pages in the office. Safe in the browser. */
import { z } from 'zod'
import { storeTime } from '#domain/kernel/schedules/schedules.ts'
import { emptyOr } from '#platform/form-fields.ts'

export { longestPath, maxRedirectBytes, redirectForm, removalForm } from './redirects.ts'

/** A page's text by staff; the rest, such as its links, is part of the release. */
export type PageText = { title: string; description: string; body: string }

/** A text that is published, with the day that it was. */
export type PublishedText = PageText & { versionId: number; publishedAt: Temporal.Instant }

/** The published texts by page ("policies/terms-of-sale"); pages without one show the text they were released with. */
export type PublishedTexts = ReadonlyMap<string, PublishedText>

/** The legally binding pages. They are drafts until an owner publishes them. */
export const legalPages = ['policies/privacy-policy', 'policies/terms-of-use', 'policies/terms-of-sale'] as const

/** Whether a page is a draft until an owner published it. */
export function isLegal(path: string): boolean {
  return (legalPages as readonly string[]).includes(path)
}

/** The file-like path of a page that the store added at a one-segment address. */
export const ownPath = (slug: string) => `own/${slug}`

/** Whether the store added the page or part itself, so that no released text exists for it. */
export const isOwn = (path: string) => path.startsWith('own/') || path.startsWith('parts/')

/** Parts of released pages that the store writes, by their slug in the office. */
export const pageParts = {
  'home-banner': {
    path: 'parts/home-banner',
    name: 'Home page banner',
    hint: 'Shown above the finder. The text may have a link, such as [See the deals](/tire-deals).',
  },
  'own-questions': {
    path: 'parts/own-questions',
    name: 'Your questions and answers',
    hint: 'A section of the FAQ. Start each question with ##, such as ## Do you match prices? The words of another question replace its answer, or remove it if no text follows.',
  },
} as const

export type PagePart = keyof typeof pageParts

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
    .pipe(z.string().min(1, 'Enter the text.').max(longestBody, 'Please keep this under 20,000 characters.'))
    .meta({ maxLength: longestBody }),
})

/** A version's text and its page, by the slug in the office. */
export const versionTextForm = pageTextForm.extend({ page: z.string().trim().max(80) })

const addressMessage = 'Enter an address such as winter-tire-storage.'

/** A new page of the store, at an address of one segment. */
export const newPageForm = pageTextForm.extend({
  slug: z
    .string(addressMessage)
    .trim()
    .toLowerCase()
    .max(80, 'Please keep this under 80 characters.')
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, addressMessage),
})

export const rollBackForm = z.object({ formKey: z.uuid() })

/** Takes a page of the store down, now or at a time. */
export const takeDownForm = rollBackForm.extend({
  startsAt: emptyOr(storeTime('Enter a day and time, or leave it empty.')),
})

/** An owner publishes a page of the release as it is, having read it. */
export const publishReleasedForm = rollBackForm.extend({
  read: z.literal('yes', 'Confirm that you read the page.'),
})

/** The form for scheduling a version. */
export const publishAtForm = z.object({ startsAt: storeTime('Enter the day and time it starts.') })
