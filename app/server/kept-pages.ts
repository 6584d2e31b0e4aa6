/**
 * The page cache's documents, each in the encodings its readers request, which is nearly always one. An uncompressed
 * document is seven times as large, so it is cached only if there is no other encoding.
 *
 * Documents requested once are new and have little space, so that a crawler that visits every page once evicts only its
 * own entries. Documents requested again use the rest of the memory, and are compressed more
 * (docs/decisions/003-page-cache.md).
 */
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { acceptedEncoding, compress, compressNow, worthwhile, type Effort, type Encoding } from '#http/compression.ts'

/** Ready to send, with header names and values alternating, which node:http sends fastest. */
type Form = { headers: string[]; body: Buffer }
type FormName = Encoding | 'plain'
export type KeptPage = {
  until: number
  etag: string
  /** Headers for every encoding, and for a 304. */
  headers: Record<string, string>
  /** The catalog queries it shows. Each can invalidate it. */
  readings: readonly string[]
  unchanged: string[]
  forms: Partial<Record<FormName, Form>>
  /** Whether it was, or is being, compressed for many readers; the first reader's form is made in a hurry. */
  isDense: boolean
}

/** The share of memory for pages requested once. */
const newShare = 1 / 16

/** What a guest's document depends on, in addition to its URL. */
export const sharedVary = 'Accept-Encoding, Cookie, Sec-GPC'

/** Caches documents up to `maxBytes` in total, preferring recently read and repeatedly read ones. */
export function createKeptPages(maxBytes: number) {
  let clearings = 0
  let evictions = 0
  const evicted = () => {
    evictions += 1
  }
  const fresh = roomFor(Math.floor(maxBytes * newShare), evicted)
  const proven = roomFor(maxBytes - fresh.maxSize, evicted)

  const find = (key: string): KeptPage | undefined => proven.get(key) ?? fresh.get(key)
  const put = (key: string, page: KeptPage): void => void (proven.has(key) ? proven : fresh).set(key, page)

  /** Promotes a page requested again to the long-lived ones. */
  function prove(key: string): void {
    const page = fresh.peek(key)
    if (!page) return
    fresh.delete(key)
    proven.set(key, page)
  }

  function findForm(key: string, page: KeptPage, accepted: string | string[] | null | undefined): Form {
    prove(key)
    const { plain, ...compressed } = page.forms
    const encoding = plain && plain.body.length < worthwhile ? undefined : acceptedEncoding(accepted)
    if (encoding && !page.isDense) void compressForMany(key, page, encoding)
    const kept = page.forms[encoding ?? 'plain']
    if (kept) return kept
    const form = formOf(page, encoding ? compressNow(plainOf(page), encoding) : plainOf(page), encoding)
    if (encoding) put(key, { ...page, forms: { ...compressed, [encoding]: form } })
    return form
  }

  /** Recompresses a repeatedly read page in the background. */
  async function compressForMany(key: string, page: KeptPage, encoding: Encoding): Promise<void> {
    page.isDense = true
    const form = formOf(page, await compress(plainOf(page), encoding, 'kept'), encoding)
    if (find(key)?.etag === page.etag) put(key, { ...page, forms: { [encoding]: form } })
  }

  return {
    find,
    prove,
    /** Returns the page in a reader's encoding, converting it on first use. */
    formFor: findForm,
    /**
     * Caches a document until `until` (milliseconds) and returns it in its first reader's encoding. `effort` indicates
     * the expected readers; a document added a second time is promoted.
     */
    async add(key: string, { headers, readings, document, until, accepted, effort }: NewPage): Promise<Form> {
      const body = Buffer.from(document)
      const every = { etag: `"${createHash('sha1').update(body).digest('base64url')}"`, vary: sharedVary }
      const encoding = body.length < worthwhile ? undefined : acceptedEncoding(accepted)
      const page: KeptPage = {
        etag: every.etag,
        until,
        headers: { ...headers, ...every },
        readings,
        unchanged: Object.entries({ ...every, 'cache-control': headers['cache-control'] ?? '' }).flat(),
        forms: {},
        isDense: encoding !== undefined && effort === 'kept',
      }
      const form = formOf(page, encoding ? await compress(body, encoding, effort) : body, encoding)
      prove(key)
      put(key, { ...page, forms: { [encoding ?? 'plain']: form } })
      return form
    },
    /** Cache statistics, with new and total pages, total bytes, and evictions. */
    size: (): KeptSize => ({
      bytes: fresh.calculatedSize + proven.calculatedSize,
      newPages: fresh.size,
      pages: fresh.size + proven.size,
      evictions,
    }),
    /** The number of invalidations; anything rendered before the latest may be outdated. */
    clearings: (): number => clearings,
    forget(key: string): void {
      fresh.delete(key)
      proven.delete(key)
    },
    /** Invalidates pages that show a catalog query with a matching name, and those with a matching key. */
    forgetReadings(isOutdated: (name: string) => boolean): void {
      clearings += 1
      forgetIn(fresh, isOutdated)
      forgetIn(proven, isOutdated)
    },
    clear(): void {
      clearings += 1
      fresh.clear()
      proven.clear()
    },
  }
}

/** Room for pages of so many bytes together. */
function roomFor(maxSize: number, evicted: () => void): LRUCache<string, KeptPage> {
  return new LRUCache({
    maxSize,
    sizeCalculation: ({ forms: { plain, br, gzip } }) =>
      (plain?.body.length ?? 0) + (br?.body.length ?? 0) + (gzip?.body.length ?? 0) + 2_048,
    dispose(_page, _key, reason) {
      if (reason === 'evict') evicted()
    },
  })
}

function forgetIn(pages: LRUCache<string, KeptPage>, isOutdated: (name: string) => boolean): void {
  for (const [key, { readings }] of pages.entries()) if (isOutdated(key) || readings.some(isOutdated)) pages.delete(key)
}

export type KeptSize = { bytes: number; newPages: number; pages: number; evictions: number }
type NewPage = {
  headers: Record<string, string>
  readings: readonly string[]
  document: string
  until: number
  accepted: string | null
  effort: Effort
}

/** A Response with the form's headers and body. */
export function answerWith({ headers, body }: Form): Response {
  const named = headers.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : [],
  )
  return new Response(new Uint8Array(body), { headers: named })
}

function formOf({ headers }: KeptPage, body: Buffer, encoding: Encoding | undefined): Form {
  const ofForm = {
    ...headers,
    'content-length': String(body.length),
    ...(encoding && { 'content-encoding': encoding }),
  }
  return { headers: Object.entries(ofForm).flat(), body }
}

function plainOf({ forms: { plain, br, gzip } }: KeptPage): Buffer {
  if (plain) return plain.body
  if (br) return brotliDecompressSync(br.body)
  if (gzip) return gunzipSync(gzip.body)
  throw new Error('A kept page has no form.')
}
