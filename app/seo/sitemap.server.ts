/**
 * The addresses of the store for search engines (sitemaps.org, protocol 0.9): an index and files of at most 50,000
 * addresses. Only pages that answer 200 under this very address and want to be listed are in it; a test walks the store
 * and compares. Days are those on which what the page shows was last written; where nobody knows one, none is said.
 */
import type { AddressGroup } from '#domain/catalog/catalog.server.ts'
import { paths } from '#content/paths.ts'
import type { Shop } from '#shop'
import { inBatches } from './batches.ts'
import { sections, type Address, type Section } from './sitemap-sections.server.ts'
import { xmlText } from './xml.ts'

/** The protocol's limit. */
const mostAddresses = 50_000
/** Read with one statement. */
const batchAddresses = 2_000

type SitemapFile = { name: string; section: Section; groups: readonly AddressGroup[] }

/** The index: one line for each file. */
export async function sitemapIndex(shop: Shop): Promise<string> {
  const files = await listFiles(shop)
  const { origin } = shop.config.web
  const lines = files.map(
    ({ name }) => `<sitemap><loc>${xmlText(`${origin}${paths.sitemapFile(name)}`)}</loc></sitemap>\n`,
  )
  return `${xmlHead}<sitemapindex xmlns="${namespace}">\n${lines.join('')}</sitemapindex>\n`
}

/** What is in the file of that name, in pieces; undefined where the index names no such file. */
export async function sitemapFile(shop: Shop, name: string): Promise<(() => AsyncIterable<string>) | undefined> {
  const file = (await listFiles(shop)).find((each) => each.name === name)
  return file && (() => fileText(shop, file))
}

async function* fileText(shop: Shop, { section, groups }: SitemapFile): AsyncGenerator<string> {
  const { origin } = shop.config.web
  yield `${xmlHead}<urlset xmlns="${namespace}">\n`
  for (const batch of inBatches(groups, batchAddresses)) {
    const addresses = await section.addresses(
      shop,
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

/** Which file holds which groups. Kept as long as the files are, so that they and the index agree. */
async function listFiles(shop: Shop): Promise<readonly SitemapFile[]> {
  return shop.catalog.cache.keep(
    'sitemap files',
    async () => {
      const files: SitemapFile[] = []
      for (const section of sections) {
        const groups = await section.groups(shop)
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
