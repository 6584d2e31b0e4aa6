/**
 * Servers that wait for nobody for long: who sends slowly, or reads slowly, holds a connection that somebody else could
 * use.
 */
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'

/**
 * In milliseconds. `headers` and `request` count from the first byte that could have come, `silence` from the last that
 * went either way.
 */
export const connectionTimes = { headers: 10_000, request: 30_000, silence: 60_000 } as const

/** How often connections are looked at; one is ended so much later at most. */
const lookEveryMs = 1_000

/**
 * A server, not yet listening. A request whose headers are not there in time, or whose body is not, is answered with
 * 408 and its connection closed; one on which nothing moves any more is closed.
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
