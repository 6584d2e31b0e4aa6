/** The pages of copy at the top level of the site: fixed pages and landing pages. */
import { paths } from '#content/paths.ts'
import { fixedPages } from './fixed-pages.ts'
import { listArticles, type Article } from './library.server.ts'

export type WrittenPage = (Article<'policies'> | Article<'pages'>) & {
  readonly address: string
  readonly isPolicy: boolean
}

const slugOfFile = new Map<string, string>(Object.entries(fixedPages).map(([slug, file]) => [file, slug]))

/** Returns every page with its address: policies first, then by title. */
export async function listPages(): Promise<readonly WrittenPage[]> {
  const [policies, pages] = await Promise.all([listArticles('policies'), listArticles('pages')])
  return [
    ...policies.map((page) => ({ ...page, isPolicy: true })),
    ...pages.map((page) => ({ ...page, isPolicy: false })),
  ].map((page) => ({
    ...page,
    address: paths.written(slugOfFile.get(page.path) ?? page.slug),
  }))
}

/** Returns the page at a one-segment address, or undefined. */
export async function findPage(slug: string): Promise<WrittenPage | undefined> {
  const address = paths.written(slug)
  return (await listPages()).find((page) => page.address === address)
}
