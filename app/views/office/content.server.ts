/** Content pages in the office, each with its live version and the text for the next draft. */
import { listReleasedPages, ownPage, type WrittenPage } from '#app/content/pages.server.ts'
import { readSource } from '#app/content/library.server.ts'
import { paths } from '#content/paths.ts'
import {
  listContentVersions,
  listOwnPages,
  readContentStates,
  type StatedVersion,
} from '#domain/kernel/content/content.server.ts'
import {
  isLegal,
  isOwn,
  ownPath,
  pageParts,
  type PagePart,
  type PageText,
  type VersionState,
} from '#domain/kernel/content/content.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'

export const contentStates = {
  draft: { words: 'Draft', tone: 'plain' },
  scheduled: { words: 'Scheduled', tone: 'signal' },
  published: { words: 'Published', tone: 'go' },
  replaced: { words: 'Replaced', tone: 'plain' },
} as const satisfies Record<VersionState, { words: string; tone: string }>

export type ContentRow = {
  slug: string
  title: string
  address: string
  kind: string
  /** "As released", or "Version 12". */
  version: string
  since: Temporal.Instant | null
  by: string
  nextAt: Temporal.Instant | null
}

/** Returns every page with its live text. */
export async function readContentRows(app: Pick<Application, 'db' | 'clock'>): Promise<ContentRow[]> {
  const [released, own, { published, nextAt }] = await Promise.all([
    listReleasedPages('own'),
    listOwnPages(app),
    readContentStates(app),
  ])
  const added = own.map(({ path, title }) => ({ ...ownPage(path), title }))
  return [...partPages, ...released, ...added].map((page) => {
    const version = published.get(page.path)
    return {
      slug: slugOf(page),
      title: isPart(page) ? page.title : (version?.text?.title ?? page.title),
      address: page.address,
      kind: page.isPolicy ? 'Policy' : isPart(page) ? 'Section' : isOwn(page.path) ? 'Your page' : 'Page',
      version: version?.text ? `Version ${version.id}` : withoutText(page, version !== undefined),
      since: version?.startsAt ?? null,
      by: version?.publishedBy ?? '',
      nextAt: nextAt.get(page.path) ?? null,
    }
  })
}

/** Returns the label for a page without a published text. */
function withoutText(page: WrittenPage, wasPublished: boolean): string {
  if (isOwn(page.path)) return wasPublished ? 'Taken down' : 'Not published'
  return isLegal(page.path) && !wasPublished ? 'Draft' : 'As released'
}

/** The page that contains each part. */
const partAddresses: Readonly<Record<PagePart, string>> = { 'home-banner': paths.home(), 'own-questions': paths.faqs() }

const partPages = (Object.keys(pageParts) as PagePart[]).map((part) => ({
  ...ownPage(pageParts[part].path),
  title: pageParts[part].name,
  address: partAddresses[part],
}))

const isPart = ({ path }: WrittenPage) => path.startsWith('parts/')

/** Returns the page for a slug; throws a 404. */
export async function findContentPage(app: Pick<Application, 'db'>, slug: string): Promise<WrittenPage> {
  const page = await contentPageOf(app, slug)
  if (!page) throw new Response(null, { status: 404 })
  return page
}

/** Returns the page for a slug; undefined if not found. */
export async function contentPageOf(app: Pick<Application, 'db'>, slug: string): Promise<WrittenPage | undefined> {
  const known = [...partPages, ...(await listReleasedPages('own'))].find((each) => slugOf(each) === slug)
  if (known) return known
  const own = (await listOwnPages(app)).find(({ path }) => path === ownPath(slug))
  return own && { ...ownPage(own.path), title: own.title, description: own.description }
}

/** Returns the slug of a page in office addresses. */
export function slugOf(page: WrittenPage): string {
  return isPart(page) ? page.slug : page.address.slice(1)
}

/** The text that a page was released with, before its values are filled in; empty for one that the store added. */
export async function releasedText(page: WrittenPage): Promise<PageText> {
  // The name of a part is for staff. Customers read the heading that staff write.
  if (isPart(page)) return { title: '', description: page.description, body: '' }
  if (isOwn(page.path)) return { title: page.title, description: page.description, body: '' }
  return { title: page.title, description: page.description, body: (await readSource(page.path)).body.trim() }
}

/** Returns a page with its versions, and the text for the next draft, from `from` or the published version. */
export async function readContentPage(app: Pick<Application, 'db' | 'clock'>, page: WrittenPage, from: string | null) {
  const versions = await listContentVersions(app, page.path)
  const published = versions.find(({ state }) => state === 'published')
  const chosen =
    versions.find(({ id }) => String(id) === from) ??
    published ??
    (isOwn(page.path) ? versions.find((version) => version.text) : undefined)
  const text = chosen?.text ?? (await releasedText(page))
  return {
    slug: slugOf(page),
    title: isPart(page) ? page.title : (published?.text?.title ?? page.title),
    isOwn: isOwn(page.path),
    hint: isPart(page) ? pageParts[page.slug as PagePart].hint : null,
    address: page.address,
    isPolicy: page.isPolicy,
    isChanged: Boolean(published?.text),
    isDraft: isLegal(page.path) && !published,
    text,
    versions: versions.map(versionRow),
  }
}

/** A version as its row and its page show it; times are in the store's zone. */
export function versionRow({ id, path, state, text, by, at, startsAt, publishedBy }: StatedVersion) {
  return {
    id,
    state: contentStates[state],
    title: text?.title ?? (isOwn(path) ? 'Taken down' : 'As released'),
    written: `${timeText(at, storeZone)}, ${by}`,
    published: startsAt ? `${timeText(startsAt, storeZone)}, ${publishedBy}` : '',
  }
}
