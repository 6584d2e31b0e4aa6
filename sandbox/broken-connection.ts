import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

/**
 * Begins an answer and breaks the connection in the middle of it. Only so does a client notice: a connection that
 * closes before any answer makes browsers, and Stripe's SDK, quietly send the request again.
 */
export function breakConnection({ env: { outgoing } }: { env: Partial<HttpBindings> }): Response {
  outgoing?.writeHead(200, { 'content-length': '1000' })
  outgoing?.write('{', () => outgoing.destroy())
  return RESPONSE_ALREADY_SENT
}
