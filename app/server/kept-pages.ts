/**
 * The documents of the page cache, each in the forms its readers ask for: nearly always one. A plain form is seven times
 * as large as a compressed one, so it is kept only where nothing else is.
 */
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { acceptedEncoding, compress, compressNow, worthwhile, type Encoding } from '#http/compression.ts'

/** Ready to send: header names and values alternating, the form node:http sends fastest. */
type Form = { headers: string[]; body: Buffer }
type FormName = Encoding | 'plain'
export type KeptPage = {
  until: number
  etag: string
  /** The headers of every form, and those of a 304. */
  headers: Record<string, string>
  /** The catalog's readings that it shows: it goes out of date with any of them. */
  readings: readonly string[]
  unchanged: string[]
  forms: Partial<Record<FormName, Form>>
  /** Whether it was, or is being, compressed for many readers; the first reader's form is made in a hurry. */
  isDense: boolean
}

/** What a guest's document depends on besides its address. */
export const sharedVary = 'Accept-Encoding, Cookie, Sec-GPC'

/** Keeps documents of at most `maxBytes` together, those read last. */
export function createKeptPages(maxBytes: number) {
  const pages = new LRUCache<string, KeptPage>({
    maxSize: maxBytes,
    sizeCalculation: ({ forms: { plain, br, gzip } }) =>
      (plain?.body.length ?? 0) + (br?.body.length ?? 0) + (gzip?.body.length ?? 0) + 2_048,
  })

  let clearings = 0

  function findForm(key: string, page: KeptPage, accepted: string | string[] | null | undefined): Form {
    const { plain, ...compressed } = page.forms
    const encoding = plain && plain.body.length < worthwhile ? undefined : acceptedEncoding(accepted)
    if (encoding && !page.isDense) void compressForMany(key, page, encoding)
    const kept = page.forms[encoding ?? 'plain']
    if (kept) return kept
    const form = formOf(page, encoding ? compressNow(plainOf(page), encoding) : plainOf(page), encoding)
    if (encoding) pages.set(key, { ...page, forms: { ...compressed, [encoding]: form } })
    return form
  }

  /** Replaces the forms of a page that is read again by a smaller one. Nobody waits for it. */
  async function compressForMany(key: string, page: KeptPage, encoding: Encoding): Promise<void> {
    page.isDense = true
    const form = formOf(page, await compress(plainOf(page), encoding, 'kept'), encoding)
    if (pages.get(key)?.etag === page.etag) pages.set(key, { ...page, forms: { [encoding]: form } })
  }

  return {
    find: (key: string): KeptPage | undefined => pages.get(key),
    /** The page in the form that a reader takes, made from another form if nobody asked for it before. */
    formFor: findForm,
    /** Keeps a document until `until` (milliseconds) and returns it in the form for its first reader. */
    async add(key: string, { headers, readings, document, until, accepted }: NewPage): Promise<Form> {
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
        isDense: false,
      }
      const form = formOf(page, encoding ? await compress(body, encoding, 'once') : body, encoding)
      pages.set(key, { ...page, forms: { [encoding ?? 'plain']: form } })
      return form
    },
    bytes: (): number => pages.calculatedSize,
    /** How often something was forgotten: what was rendered before that may be out of date. */
    clearings: (): number => clearings,
    forget: (key: string): void => void pages.delete(key),
    /** Forgets the pages that show any reading with such a name, and those with such a key. */
    forgetReadings(isOutdated: (name: string) => boolean): void {
      clearings += 1
      for (const [key, { readings }] of pages.entries())
        if (isOutdated(key) || readings.some(isOutdated)) pages.delete(key)
    },
    clear(): void {
      clearings += 1
      pages.clear()
    },
  }
}

type NewPage = {
  headers: Record<string, string>
  readings: readonly string[]
  document: string
  until: number
  accepted: string | null
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
