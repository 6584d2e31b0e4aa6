import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

/**
 * Starts a response and breaks the connection in the middle of it. If it closed before any response, browsers and
 * Stripe's SDK would silently send the request again.
 */
export function breakConnection({ env: { outgoing } }: { env: Partial<HttpBindings> }): Response {
  outgoing?.writeHead(200, { 'content-length': '1000' })
  outgoing?.write('{', () => outgoing.destroy())
  return RESPONSE_ALREADY_SENT
}
