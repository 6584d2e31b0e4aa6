/**
 * Rejects requests with oversized headers, with a readable message. Node would reject them with an empty response
 * before the store sees the request, so Node's limit is higher than the store's.
 */
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The most characters the address and the headers of a request may have together, header names included. */
const most = 16 * 1024
/**
 * The maximum URL length. The store's own URLs are at most half as long, and patterns and routes match against the full
 * URL.
 */
const longestAddress = 8 * 1024
/** How much of them Node reads, in bytes. */
export const mostRead = 4 * most

/**
 * Returns whether the URL (414) or the headers (431) of a request are too large. The URL also counts toward the
 * headers, because redirects return it in a header, and browsers and API clients limit headers too.
 */
export function oversizedPart({ url, headers }: Pick<Request, 'url' | 'headers'>): 'address' | 'headers' | null {
  if (url.length > longestAddress) return 'address'
  let { length } = url
  for (const [name, value] of headers) length += name.length + value.length
  return length > most ? 'headers' : null
}

/** Responds to requests with an unreadable URL with the JSON of `body`, and to other invalid HTTP like Node. */
export function answerBrokenRequests(server: Server, body: object): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (error.code === 'HPE_HEADER_OVERFLOW') endWith(socket, 431, JSON.stringify(body))
    else endWith(socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400, '')
  })
}

/**
 * Returns whether a request has several Host headers, for which RFC 9112, section 3.2, requires 400. Node uses the
 * first, and a proxy or cache in front of the store can use another.
 */
export function hasSeveralHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** Answers such a request with 400, and closes its connection. */
export function refuseSeveralHosts(response: ServerResponse): void {
  response.writeHead(400, { 'content-length': 0, 'cache-control': 'no-store', connection: 'close' }).end()
}

function endWith(socket: Duplex, status: number, body: string): void {
  const type =
    body === ''
      ? ''
      : 'content-type: application/problem+json\r\ncache-control: private, no-store\r\nx-content-type-options: nosniff\r\n'
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${type}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
