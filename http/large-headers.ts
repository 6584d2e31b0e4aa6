/**
 * Rejects requests with oversized headers in words. Node rejects them itself, with an empty response and before anyone
 * knows what was requested; so Node's limit is set above the store's.
 */
import { STATUS_CODES, type Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** The most characters the address and the headers of a request may have together, header names included. */
const most = 16 * 1024
/**
 * The longest address allowed: none of the store's is half as long, and patterns and routes are matched against all of
 * it.
 */
const longestAddress = 8 * 1024
/** How much of them Node reads, in bytes. */
export const mostRead = 4 * most

/**
 * Which part of a request is too large: its address (414), or its headers (431). The address counts among the headers
 * too: when a page has moved, it is returned in one, and browsers and API clients limit those as well.
 */
export function oversizedPart({ url, headers }: Pick<Request, 'url' | 'headers'>): 'address' | 'headers' | null {
  if (url.length > longestAddress) return 'address'
  let { length } = url
  for (const [name, value] of headers) length += name.length + value.length
  return length > most ? 'headers' : null
}

/**
 * Answers requests whose address could not even be read with the JSON of `body`, and anything else that is not HTTP as
 * Node does.
 */
export function answerBrokenRequests(server: Server, body: object): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (error.code === 'HPE_HEADER_OVERFLOW') endWith(socket, 431, JSON.stringify(body))
    else endWith(socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400, '')
  })
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
