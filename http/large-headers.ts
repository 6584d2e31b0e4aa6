/**
 * Requests whose headers are too large, told in words. Node refuses them by itself, with an empty answer and before
 * anybody knows what was asked for; so it is let read more than the store takes.
 */
import { STATUS_CODES, type Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** What the address and the headers of a request come to at most, in characters, names included. */
const most = 16 * 1024
/**
 * The longest address: no page of the store has one half as long, and patterns and routes are asked about all of it.
 */
const longestAddress = 8 * 1024
/** What Node reads of them, in bytes. */
export const mostRead = 4 * most

/**
 * The address counts, too: where a page has moved it comes back in a header, and browsers and programs read as little
 * of those.
 */
export function areHeadersTooLarge({ url, headers }: Pick<Request, 'url' | 'headers'>): boolean {
  let { length } = url
  for (const [name, value] of headers) length += name.length + value.length
  return length > most || url.length > longestAddress
}

/**
 * Answers those of which not even the address was read, with the JSON of `body`, and whatever else is no HTTP as Node
 * does.
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
