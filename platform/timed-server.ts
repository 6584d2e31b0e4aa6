/** HTTP servers with strict timeouts: a client that sends or reads slowly holds a connection that others could use. */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'

/**
 * In milliseconds. `headers` and `request` count from when the first byte could have arrived, `silence` from the last
 * byte in either direction.
 */
export const connectionTimes = { headers: 10_000, request: 30_000, silence: 60_000 } as const

/** How often connections are checked; closing one may lag by this much. */
const lookEveryMs = 1_000

/**
 * Creates a server, not yet listening. A request whose headers or body do not arrive in time gets 408 and its
 * connection is closed; a silent connection is closed.
 */
export function createTimedServer(
  options: Pick<ServerOptions, 'maxHeaderSize'>,
  listener: RequestListener,
  times: Record<keyof typeof connectionTimes, number> = connectionTimes,
): Server {
  const server = createServer(
    {
      ...options,
      headersTimeout: times.headers,
      requestTimeout: times.request,
      connectionsCheckingInterval: Math.min(lookEveryMs, times.headers),
    },
    listener,
  )
  server.setTimeout(times.silence)
  return server
}
