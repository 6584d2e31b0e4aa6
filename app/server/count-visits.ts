/** Classifies requests as visits by people. A visit is a document requested by neither bots nor staff. */
import type { IncomingMessage } from 'node:http'
import { clientAddress, networkOf } from '#http/client-address.ts'
import type { Application } from '#application'

/** Paths that aren't shopper pages. */
const others = /^\/(?:office|portal|api|mcp|ucp|cxml|widget|webhooks|assets|pictures|health)(?:[/?.]|$)/

/** Counts the request if it is a visit. Called before the page cache answers, so it costs a few microseconds. */
export function countVisit({ visits, config }: Pick<Application, 'visits' | 'config'>, request: IncomingMessage): void {
  const { method, url = '/', headers } = request
  if (method !== 'GET' || others.test(url.slice(0, 40)) || headers.accept?.includes('text/html') !== true) return
  if (headers['sec-purpose'] !== undefined || headers.cookie?.includes('sw_office=') === true) return
  const address = clientAddress({
    socketAddress: request.socket.remoteAddress,
    header: (name) => headers[name]?.toString(),
    config,
  })
  visits.count({ address: networkOf(address), browser: headers['user-agent'] ?? '' })
}
