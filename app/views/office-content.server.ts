/** Content pages in the office, each with its live version and the text for the next draft. */
import { listReleasedPages, type WrittenPage } from '#app/content/pages.server.ts'
import { readSource } from '#app/content/library.server.ts'
import { listContentVersions, readContentStates, type StatedVersion } from '#domain/content/content.server.ts'
import type { PageText, VersionState } from '#domain/content/content.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Shop } from '#shop'

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
export async function readContentRows(shop: Pick<Shop, 'db' | 'clock'>): Promise<ContentRow[]> {
  const [pages, { published, nextAt }] = await Promise.all([listReleasedPages('own'), readContentStates(shop)])
  return pages.map((page) => {
    const version = published.get(page.path)
    return {
      slug: slugOf(page),
      title: version?.text?.title ?? page.title,
      address: page.address,
      kind: page.isPolicy ? 'Policy' : 'Page',
      version: version?.text ? `Version ${version.id}` : 'As released',
      since: version?.startsAt ?? null,
      by: version?.publishedBy ?? '',
      nextAt: nextAt.get(page.path) ?? null,
    }
  })
}

/** Returns the page for a slug; throws a 404. */
export async function findContentPage(slug: string): Promise<WrittenPage> {
  const page = (await listReleasedPages('own')).find((each) => slugOf(each) === slug)
  if (!page) throw new Response(null, { status: 404 })
  return page
}

export function slugOf({ address }: WrittenPage): string {
  return address.slice(1)
}

/** The text that a page was released with, before its values are filled in. */
export async function releasedText(page: WrittenPage): Promise<PageText> {
  return { title: page.title, description: page.description, body: (await readSource(page.path)).body.trim() }
}

/** Returns a page with its versions, and the text for the next draft, from `from` or the published version. */
export async function readContentPage(shop: Pick<Shop, 'db' | 'clock'>, page: WrittenPage, from: string | null) {
  const versions = await listContentVersions(shop, page.path)
  const published = versions.find(({ state }) => state === 'published')
  const chosen = versions.find(({ id }) => String(id) === from) ?? published
  const text = chosen?.text ?? (await releasedText(page))
  return {
    slug: slugOf(page),
    title: published?.text?.title ?? page.title,
    address: page.address,
    isPolicy: page.isPolicy,
    isChanged: Boolean(published?.text),
    text,
    versions: versions.map(versionRow),
  }
}

/** A version as its row and its page show it; times are in the store's zone. */
export function versionRow({ id, state, text, by, at, startsAt, publishedBy }: StatedVersion) {
  return {
    id,
    state: contentStates[state],
    title: text?.title ?? 'As released',
    written: `${timeText(at, storeZone)}, ${by}`,
    published: startsAt ? `${timeText(startsAt, storeZone)}, ${publishedBy}` : '',
  }
}
