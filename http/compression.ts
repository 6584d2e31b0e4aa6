/** Compresses text responses, which matters on slow connections. It runs on separate threads from rendering. */
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** `once` is for a single reader and costs 0.4 ms for 100 kB; `kept` is for many readers, and a tenth smaller. */
export type Effort = 'once' | 'kept'

const levels = { once: { br: 3, gzip: 1 }, kept: { br: 5, gzip: 6 } } as const
/** Text that fits into one packet doesn't get faster. */
export const worthwhile = 1_200
const text = /^(text\/|application\/(json|ld\+json|xml))/

/** Named, and not refused by a weight of zero (RFC 9110, section 12.5.3). */
const taken: Record<Encoding, RegExp> = {
  br: /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
  gzip: /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
}

/** The smallest form that an Accept-Encoding header allows, or undefined for plain. */
export function acceptedEncoding(header: string | string[] | null | undefined): Encoding | undefined {
  const accepted = String(header ?? '')
  if (taken.br.test(accepted)) return 'br'
  return taken.gzip.test(accepted) ? 'gzip' : undefined
}

export async function compress(bytes: Buffer, encoding: Encoding, effort: Effort): Promise<Buffer> {
  return encoding === 'gzip'
    ? promisify(gzip)(bytes, { level: levels[effort].gzip })
    : promisify(brotliCompress)(bytes, brotliOptions(bytes, effort))
}

/** Compresses for one client on the current thread, for responses that can't wait. */
export function compressNow(bytes: Buffer, encoding: Encoding): Buffer {
  return encoding === 'gzip'
    ? gzipSync(bytes, { level: levels.once.gzip })
    : brotliCompressSync(bytes, brotliOptions(bytes, 'once'))
}

function brotliOptions(bytes: Buffer, effort: Effort) {
  return {
    params: { [constants.BROTLI_PARAM_QUALITY]: levels[effort].br, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }
}

/**
 * Compresses a response for one client. Doesn't change responses that are small, already compressed, or not text.
 * Reuses and extends `headers`.
 */
export async function compressAnswer(
  body: BodyInit | null,
  status: number,
  headers: Headers,
  accepted: string | null,
): Promise<Response> {
  const encoding = acceptedEncoding(accepted)
  if (!encoding || body === null || headers.has('content-encoding') || !text.test(headers.get('content-type') ?? ''))
    return new Response(body, { status, headers })
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(await new Response(body).arrayBuffer())
  if (!/\baccept-encoding\b/i.test(headers.get('vary') ?? '')) headers.append('vary', 'Accept-Encoding')
  if (bytes.length < worthwhile) return new Response(bytes, { status, headers })
  headers.set('content-encoding', encoding)
  return new Response(new Uint8Array(await compress(bytes, encoding, 'once')), { status, headers })
}
