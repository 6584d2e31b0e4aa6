/** A crawler that follows links like a search engine, and records each page's metadata. */
import { matchRoutes } from 'react-router'
import { allRoutes as routes } from '#tests/support/routes.ts'

export type ReadPage = {
  /** Path and query. */
  address: string
  template: string
  /** The page with the link; for start pages, the address itself. */
  foundOn: string
  status: number
  movedTo: string | null
  title: string | null
  description: string | null
  canonical: string | null
  sharedAs: string | null
  isNoindex: boolean
  headings: number
  language: string | null
  links: string[]
}

/** The address templates of app/routes.ts, as "brands/:brand"; the home page is "". */
const objects = routes.map((route) => ({
  id: route.path ?? '',
  ...(route.index ? { index: true as const } : { path: route.path ?? '' }),
}))
export const templates: readonly string[] = objects.map(({ id }) => id)

/** The router sorts its routes on every match, so results are cached by path. */
const known = new Map<string, string>()

export function templateOf(address: string): string {
  const { pathname } = new URL(address, 'http://x')
  const template = known.get(pathname) ?? matchRoutes(objects, pathname)?.at(-1)?.route.id ?? '*'
  known.set(pathname, template)
  return template
}

/**
 * Crawls `first` and all linked pages, a few at a time. Follows at most `most.pages` URLs per template, and at most
 * `most.queries` with queries other than a list's later pages, because filters combine endlessly. Follows the first
 * ones found. `cookie` identifies the reader, a guest by default. `look` is called with every page.
 */
export async function crawl(
  origin: string,
  first: readonly string[],
  most: { pages: number; queries: number },
  as: Reader = {},
): Promise<ReadPage[]> {
  const pages: ReadPage[] = []
  const met = new Set<string>()
  const counts = new Map<string, number>()
  const waiting: { address: string; foundOn: string }[] = []
  const meet = (address: string, foundOn: string) => {
    if (met.has(address)) return
    met.add(address)
    const isQuery = /\?(?!page=\d+$)/.test(address)
    const kind = `${templateOf(address)}${isQuery ? '?' : ''}`
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    if (count <= (isQuery ? most.queries : most.pages)) waiting.push({ address, foundOn })
  }
  for (const address of first) meet(address, address)
  while (waiting.length > 0) {
    const read = await Promise.all(
      waiting.splice(0, atOnce).map((next) => readPage(origin, next.address, next.foundOn, as)),
    )
    pages.push(...read)
    for (const page of read) for (const link of page.links) meet(link, page.address)
  }
  return pages
}

/** Reads these pages without following links. */
export async function readPages(origin: string, addresses: readonly string[]): Promise<ReadPage[]> {
  const pages: ReadPage[] = []
  for (let at = 0; at < addresses.length; at += atOnce) {
    pages.push(
      ...(await Promise.all(addresses.slice(at, at + atOnce).map((address) => readPage(origin, address, address)))),
    )
  }
  return pages
}

const atOnce = 6

type Reader = { cookie?: string; look?: (address: string, html: string) => void }

async function readPage(
  origin: string,
  address: string,
  foundOn: string,
  { cookie, look }: Reader = {},
): Promise<ReadPage> {
  const ask = () =>
    fetch(`${origin}${address}`, { redirect: 'manual', headers: cookie === undefined ? {} : { cookie } })
  // An idle connection may close just as it is reused; browsers retry too.
  const answer = await ask().catch(ask)
  const isHtml = answer.headers.get('content-type')?.startsWith('text/html') ?? false
  const html = await answer.text()
  look?.(address, html)
  const head = html.slice(0, html.indexOf('</head>'))
  const first = (pattern: RegExp) => decode(pattern.exec(head)?.[1] ?? null)
  return {
    address,
    template: templateOf(address),
    foundOn,
    status: answer.status,
    movedTo: answer.headers.get('location'),
    title: first(/<title>([^<]*)<\/title>/),
    description: first(/<meta name="description" content="([^"]*)"/),
    canonical: first(/<link rel="canonical" href="([^"]*)"/),
    sharedAs: first(/<meta property="og:url" content="([^"]*)"/),
    isNoindex:
      /<meta name="robots" content="[^"]*noindex/.test(head) ||
      (answer.headers.get('x-robots-tag') ?? '').includes('noindex'),
    headings: [...html.matchAll(/<h1[\s>]/g)].length,
    language: /<html lang="([^"]+)"/.exec(html)?.[1] ?? null,
    links: isHtml && answer.status === 200 ? linksOf(html, origin, address) : [],
  }
}

/** A page's links within the store, without fragments. */
function linksOf(html: string, origin: string, address: string): string[] {
  const links = [...html.matchAll(/<a\s[^>]*?href="([^"]*)"/g)].flatMap(([, href]) => {
    const url = URL.parse(decode(href ?? '') ?? '', `${origin}${address}`)
    return url?.origin === origin ? [`${url.pathname}${url.search}`] : []
  })
  return [...new Set(links)]
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }

function decode(text: string | null): string | null {
  return text?.replace(/&(amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity) ?? null
}
