import type { Server } from 'node:http'
import type { Metrics } from '#platform/metrics.ts'
import { createTimedServer } from '#platform/timed-server.ts'

/**
 * Serves `GET /metrics` on a separate port, so that a missing proxy rule can't make the operator's metrics public.
 * Resolves once listening. Rejects if the port is taken.
 */
export async function serveMetrics(metrics: Metrics, { host, port }: { host: string; port: number }): Promise<Server> {
  metrics.watchProcess()
  const server = createTimedServer({}, (request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end()
    metrics.read().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((done, refuse) => {
    server.once('error', refuse)
    server.listen(port, host, done)
  })
  return server
}
