/**
 * Requests to third-party URLs. The check uses the resolved address at connection time, and the connection uses exactly
 * that address. Only downloads follow redirects, each checked the same way, and time and size are limited. Only https is
 * allowed, on port 443 or above 1023 because the other ports belong to different protocols; other protocols connect with
 * `connect`. Trusted origins from the configuration are exempt.
 */
import { lookup as resolveName, type LookupAddress } from 'node:dns'
import { request as requestHttp, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect as connectSocket, isIP, type LookupFunction, type Socket } from 'node:net'
import { isPublicAddress } from '#platform/public-address.ts'

export type OutgoingRequest = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array
  timeoutMs?: number
  /** The maximum returned bytes. The rest isn't read. */
  maxBytes?: number
}

/** Why a request failed. */
export type OutgoingFault =
  | 'bad-address'
  | 'not-https'
  | 'private-address'
  | 'unresolved'
  | 'unreachable'
  | 'timeout'
  | 'broken-answer'

export type OutgoingAnswer =
  | { ok: true; status: number; headers: IncomingMessage['headers']; body: string; isCut: boolean }
  | { ok: false; fault: OutgoingFault }

/** A response with a body that is read while it arrives. Reading throws if the connection ends early. */
export type Download = { status: number; headers: IncomingMessage['headers']; bytes: AsyncIterable<Uint8Array> }

export type Outgoing = {
  /**
   * Requests a file and passes its response to `take`, following up to `maxRedirects` redirects. The headers aren't
   * sent to other sites. The time limit includes reading. What `take` throws is thrown, unless the time is over.
   */
  download<Value>(
    request: {
      url: string
      headers: Readonly<Record<string, string>>
      timeoutMs: number
      maxRedirects: number
    },
    take: (response: Download) => Promise<Value>,
  ): Promise<{ ok: true; value: Value } | { ok: false; fault: OutgoingFault | 'redirects' }>
  /** Opens a connection to a public address for another protocol. */
  connect(to: {
    host: string
    port: number
    timeoutMs: number
  }): Promise<{ ok: true; socket: Socket } | { ok: false; fault: OutgoingFault }>
  get(request: Omit<OutgoingRequest, 'body'>): Promise<OutgoingAnswer>
  post(request: OutgoingRequest): Promise<OutgoingAnswer>
  /** Why an address is refused at first sight; null for one that may be tried. */
  refuse(url: string): Extract<OutgoingFault, 'bad-address' | 'not-https' | 'private-address'> | null
}

export type Resolve = (
  hostname: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export type OutgoingOptions = {
  /** The origin of the demo's sandbox, which can use http and a private address. Null without a sandbox. */
  trustedOrigin: string | null
  /** Whether requests to this machine are allowed, as in a demo with the user's own programs. */
  trustsThisMachine?: boolean
  resolve?: Resolve
}

class PrivateAddress extends Error {}

const systemResolve: Resolve = (hostname, done) => resolveName(hostname, { all: true }, done)

/** Opens the way out. */
export function createOutgoing(options: OutgoingOptions): Outgoing {
  const { trustedOrigin, trustsThisMachine = false, resolve = systemResolve } = options
  const trusted = trustedOrigin === null ? null : new URL(trustedOrigin).origin
  const trusts = ({ origin, hostname }: URL) =>
    origin === trusted || (trustsThisMachine && ['localhost', '127.0.0.1'].includes(hostname))
  const refuse = (text: string) => refuseAddress(text, trusts)
  const ask = (method: 'GET' | 'POST', asked: Omit<OutgoingRequest, 'body'> & { body?: OutgoingRequest['body'] }) => {
    const fault = refuse(asked.url)
    if (fault) return Promise.resolve({ ok: false as const, fault })
    const url = new URL(asked.url)
    return call(url, { method, ...asked }, trusts(url) ? null : resolve)
  }
  return {
    refuse,
    get: (asked) => ask('GET', asked),
    post: (asked) => ask('POST', asked),
    download: (asked, take) => download(asked, take, { refuse, trusts, resolve }),
    connect(to) {
      const host = to.host.includes(':') ? `[${to.host}]` : to.host
      const url = URL.parse(`https://${host}${to.port === sshPort ? '' : `:${to.port}`}`)
      const fault = url ? refuse(url.href) : 'bad-address'
      return url && !fault
        ? openSocket(to, trusts(url) ? null : resolve)
        : Promise.resolve({ ok: false as const, fault: fault ?? 'bad-address' })
    },
  }
}

const sshPort = 22

type Guard = { refuse: Outgoing['refuse']; trusts: (url: URL) => boolean; resolve: Resolve }

async function download<Value>(
  { url: first, headers: all, timeoutMs, maxRedirects }: Parameters<Outgoing['download']>[0],
  take: (response: Download) => Promise<Value>,
  { refuse, trusts, resolve }: Guard,
): Promise<{ ok: true; value: Value } | { ok: false; fault: OutgoingFault | 'redirects' }> {
  const deadline = AbortSignal.timeout(timeoutMs)
  let address = first
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const fault = refuse(address)
    if (fault) return { ok: false, fault }
    const url = new URL(address)
    const headers = url.origin === new URL(first).origin ? all : {}
    const opened = await open(url, { headers, deadline, resolve: trusts(url) ? null : resolve })
    if (!opened.ok) return opened
    const { request, response } = opened
    const to = redirectOf(response, url)
    if (to === null) return takeFrom(response, take, { request, deadline })
    request.destroy()
    address = to
  }
  return { ok: false, fault: 'redirects' }
}

function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): string | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return null
  return URL.parse(location, from)?.href ?? ''
}

async function takeFrom<Value>(
  response: IncomingMessage,
  take: (response: Download) => Promise<Value>,
  { request, deadline }: { request: ClientRequest; deadline: AbortSignal },
): Promise<{ ok: true; value: Value } | { ok: false; fault: OutgoingFault }> {
  const reading = { isBroken: false }
  try {
    const { statusCode: status = 0, headers } = response
    return { ok: true, value: await take({ status, headers, bytes: bytesOf(response, reading) }) }
  } catch (error) {
    if (!reading.isBroken) throw error
    return { ok: false, fault: deadline.aborted ? 'timeout' : 'broken-answer' }
  } finally {
    request.destroy()
  }
}

async function* bytesOf(response: IncomingMessage, reading: { isBroken: boolean }): AsyncGenerator<Uint8Array> {
  reading.isBroken = true
  for await (const part of response as AsyncIterable<Buffer>) {
    reading.isBroken = false
    yield part
    reading.isBroken = true
  }
  reading.isBroken = false
}

type Opened = { ok: true; request: ClientRequest; response: IncomingMessage } | { ok: false; fault: OutgoingFault }

function open(
  url: URL,
  {
    headers,
    deadline,
    resolve,
  }: { headers: OutgoingRequest['headers']; deadline: AbortSignal; resolve: Resolve | null },
): Promise<Opened> {
  return new Promise((answer) => {
    const options: RequestOptions = {
      headers: { ...headers },
      agent: false,
      signal: deadline,
      maxHeaderSize: 16 * 1024,
      ...(resolve && { lookup: guarded(resolve) }),
    }
    const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options)
    if (resolve) guardConnection(request)
    request.on('error', (error) => answer({ ok: false, fault: deadline.aborted ? 'timeout' : faultOf(error) }))
    request.on('response', (response) => answer({ ok: true, request, response }))
    request.end()
  })
}

function openSocket(
  { host, port, timeoutMs }: Parameters<Outgoing['connect']>[0],
  resolve: Resolve | null,
): ReturnType<Outgoing['connect']> {
  return new Promise((answer) => {
    const socket = connectSocket({ host, port, ...(resolve && { lookup: guarded(resolve) }) })
    const fail = (fault: OutgoingFault) => {
      socket.destroy()
      answer({ ok: false, fault })
    }
    socket.setTimeout(timeoutMs, () => fail('timeout'))
    socket.on('error', (error) => fail(faultOf(error)))
    socket.once('connect', () => {
      if (resolve && !isPublicAddress(socket.remoteAddress ?? '')) return fail('private-address')
      socket.setTimeout(0)
      answer({ ok: true, socket })
    })
  })
}

function refuseAddress(text: string, trusts: (url: URL) => boolean): ReturnType<Outgoing['refuse']> {
  const url = text.length <= 2_000 ? URL.parse(text) : null
  if (!url || url.username !== '' || url.password !== '' || !/^https?:$/.test(url.protocol)) return 'bad-address'
  if (trusts(url)) return null
  if (url.protocol !== 'https:') return 'not-https'
  if (url.port !== '' && Number(url.port) < 1_024) return 'bad-address'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isPublicAddress(host) ? null : 'private-address'
  return /(?:^|\.)(?:localhost|local|internal|home\.arpa)\.?$/.test(host) || !host.includes('.')
    ? 'private-address'
    : null
}

const standardTimeoutMs = 10_000
const standardBytes = 64 * 1024

type Asked = Omit<OutgoingRequest, 'body'> & { method: 'GET' | 'POST'; body?: OutgoingRequest['body'] }

function call(
  url: URL,
  { method, headers, body, timeoutMs = standardTimeoutMs, maxBytes = standardBytes }: Asked,
  resolve: Resolve | null,
): Promise<OutgoingAnswer> {
  return new Promise((answer) => {
    const deadline = AbortSignal.timeout(timeoutMs)
    const options: RequestOptions = {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
      // Every call resolves anew, and shares no connection.
      agent: false,
      signal: deadline,
      maxHeaderSize: 16 * 1024,
      ...(resolve && { lookup: guarded(resolve) }),
    }
    const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options)
    if (resolve) guardConnection(request)
    request.on('error', (error) => answer({ ok: false, fault: deadline.aborted ? 'timeout' : faultOf(error) }))
    request.on('response', (response) => {
      readUpTo(response, maxBytes).then(
        ({ text, isCut }) => {
          answer({ ok: true, status: response.statusCode ?? 0, headers: response.headers, body: text, isCut })
          request.destroy()
        },
        () => answer({ ok: false, fault: deadline.aborted ? 'timeout' : 'broken-answer' }),
      )
    })
    request.end(body)
  })
}

/** Refuses names with any private address, because we don't choose which address is tried. */
function guarded(resolve: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? []
      if (error || !first) return done(error ?? new Error('No address.'), '', 0)
      if (!addresses.every(({ address }) => isPublicAddress(address))) return done(new PrivateAddress(), '', 0)
      return options.all ? done(null, addresses) : done(null, first.address, first.family)
    })
  }
}

/** The same by the address at the other end, before anything is sent. */
function guardConnection(call: ClientRequest): void {
  call.once('socket', (socket) => {
    socket.once('connect', () => {
      if (!isPublicAddress(socket.remoteAddress ?? '')) call.destroy(new PrivateAddress())
    })
  })
}

async function readUpTo(response: IncomingMessage, maxBytes: number): Promise<{ text: string; isCut: boolean }> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, maxBytes - size))
    size += part.length
    if (size > maxBytes) break
  }
  return { text: Buffer.concat(parts).toString('utf8'), isCut: size > maxBytes }
}

function faultOf(error: unknown): OutgoingFault {
  if (error instanceof PrivateAddress) return 'private-address'
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAI_FAIL' ? 'unresolved' : 'unreachable'
}
