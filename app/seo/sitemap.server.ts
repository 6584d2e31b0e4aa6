/**
 * The sitemap for search engines (sitemaps.org, protocol 0.9): an index and files of at most 50,000 addresses each. It
 * lists only indexable pages that answer 200 at exactly that address; a test crawls the store and compares. Dates are
 * when the page's content last changed, and are omitted if unknown.
 */
import type { AddressGroup } from '#domain/catalog/catalog/catalog.server.ts'
import { paths } from '#content/paths.ts'
import type { Application } from '#application'
import { inBatches } from './batches.ts'
import { sections, type Address, type Section } from './sitemap-sections.server.ts'
import { xmlText } from './xml.ts'

/** The protocol's limit. */
const mostAddresses = 50_000
/** How many are read per query. */
const batchAddresses = 2_000

type SitemapFile = { name: string; section: Section; groups: readonly AddressGroup[] }

/** Returns the index, with one line per file. */
export async function sitemapIndex(app: Application): Promise<string> {
  const files = await listFiles(app)
  const { origin } = app.config.web
  const lines = files.map(
    ({ name }) => `<sitemap><loc>${xmlText(`${origin}${paths.sitemapFile(name)}`)}</loc></sitemap>\n`,
  )
  return `${xmlHead}<sitemapindex xmlns="${namespace}">\n${lines.join('')}</sitemapindex>\n`
}

/** Returns the contents of the named file in chunks; undefined if the index does not list it. */
export async function sitemapFile(app: Application, name: string): Promise<(() => AsyncIterable<string>) | undefined> {
  const file = (await listFiles(app)).find((each) => each.name === name)
  return file && (() => fileText(app, file))
}

async function* fileText(app: Application, { section, groups }: SitemapFile): AsyncGenerator<string> {
  const { origin } = app.config.web
  yield `${xmlHead}<urlset xmlns="${namespace}">\n`
  for (const batch of inBatches(groups, batchAddresses)) {
    const addresses = await section.addresses(
      app,
      batch.map(({ id }) => id),
    )
    yield addresses.map((address) => urlLine(origin, address)).join('')
  }
  yield '</urlset>\n'
}

function urlLine(origin: string, { path, changed }: Address): string {
  const day = changed
    ? `<lastmod>${changed instanceof Temporal.Instant ? changed.round('second').toString() : changed}</lastmod>`
    : ''
  return `<url><loc>${xmlText(`${origin}${path}`)}</loc>${day}</url>\n`
}

/** Decides which file holds which groups. Cached as long as the files, so that they and the index agree. */
async function listFiles(app: Application): Promise<readonly SitemapFile[]> {
  return app.catalog.cache.keep(
    'sitemap files',
    async () => {
      const files: SitemapFile[] = []
      for (const section of sections) {
        const groups = await section.groups(app)
        inBatches(groups, mostAddresses).forEach((chunk, index) =>
          files.push({ name: `${section.name}-${index + 1}`, section, groups: chunk }),
        )
      }
      return files
    },
    { weight: 1_000, life: { minutes: 60 } },
  )
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'
