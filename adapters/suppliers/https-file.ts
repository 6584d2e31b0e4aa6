/** A file over HTTPS, with a conditional request: RFC 9110, sections 8.8 and 13. */
import type { FetchedFile, FetchFailure, FileRequest } from '#domain/catalog/supplier-feeds/supplier-files.port.ts'
import type { Download, Outgoing } from '#platform/outgoing-http.ts'

const maxRedirects = 3

type Answer<Value> = { kind: 'file'; value: Value } | { kind: 'unchanged' } | ({ kind: 'failed' } & FetchFailure)

/** Fetches a file with basic authentication if there is a user name. Redirects to another site get no password. */
export async function fetchOverHttps<Value>(
  { outgoing, timeoutMs }: { outgoing: Outgoing; timeoutMs: number },
  { url, username, secret, known }: FileRequest,
  take: (file: FetchedFile) => Promise<Value>,
): Promise<Answer<Value>> {
  const headers = {
    accept: 'text/csv, application/gzip, */*;q=0.5',
    'user-agent': 'Sidewall',
    ...(username !== null && {
      authorization: `Basic ${Buffer.from(`${username}:${secret ?? ''}`).toString('base64')}`,
    }),
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  }
  const answer = await outgoing.download({ url, headers, timeoutMs, maxRedirects }, (response) =>
    takeFile(url, response, take),
  )
  if (answer.ok) return answer.value
  return { kind: 'failed', fault: answer.fault === 'broken-answer' ? 'cut-off' : answer.fault, detail: null }
}

async function takeFile<Value>(
  url: string,
  { status, headers, bytes }: Download,
  take: (file: FetchedFile) => Promise<Value>,
): Promise<Answer<Value>> {
  if (status === 304) return { kind: 'unchanged' }
  if (status !== 200) return { kind: 'failed', fault: faultOf(status), detail: String(status) }
  const value = await take({
    name: decoded(new URL(url).pathname),
    size: sizeOf(headers['content-length']),
    bytes,
    etag: shortened(headers.etag, 300),
    lastModified: shortened(headers['last-modified'], 100),
  })
  return { kind: 'file', value }
}

function faultOf(status: number): FetchFailure['fault'] {
  if (status === 401 || status === 403) return 'refused-login'
  return status === 404 || status === 410 ? 'not-found' : status >= 500 ? 'unreachable' : 'refused'
}

function sizeOf(length: string | undefined): number | null {
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null
}

/** A longer validator is not sent back. */
function shortened(text: string | undefined, max: number): string | null {
  return text && text.length <= max ? text : null
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
