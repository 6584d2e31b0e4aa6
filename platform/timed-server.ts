/** HTTP servers with strict timeouts, so that slow clients don't hold connections. */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'

/**
 * In milliseconds. `headers` and `request` count from when the first byte could have arrived, `silence` from the last
 * byte in either direction. `idle` counts from a response to the next request on its connection, and is longer than the
 * 60 seconds after which proxies usually close theirs. If the server closed first, a request that is on its way would
 * be lost.
 */
export const connectionTimes = { headers: 10_000, request: 30_000, silence: 60_000, idle: 65_000 } as const

/** How often connections are checked; closing one may lag by this much. */
const lookEveryMs = 1_000

/**
 * Creates a server that isn't listening yet. A request with late headers or body gets 408 and its connection is closed.
 * Idle connections are closed.
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
      keepAliveTimeout: times.idle,
      connectionsCheckingInterval: Math.min(lookEveryMs, times.headers),
    },
    listener,
  )
  server.setTimeout(times.silence)
  return server
}
