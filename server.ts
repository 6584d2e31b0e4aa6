/** The web process. */
import { loadConfig } from '#platform/config.ts'
import { keepHeapSmall } from '#platform/heap.ts'
import { serveMetrics } from '#platform/metrics-server.ts'
import { startVitalSigns } from '#domain/health/health.server.ts'
import { openShop } from '#shop'

keepHeapSmall()

// The bundle exists only after a build, so it is typed by its source.
const { createWebServer } = (await import(
  new URL('./build/server/index.js', import.meta.url).href
)) as typeof import('#app/server/web.ts')

const config = loadConfig()
const shop = await openShop(config, 'pages')
const server = await createWebServer(shop)
const metricsServer =
  config.metrics && (await serveMetrics(shop.metrics, { host: config.metrics.host, port: config.metrics.webPort }))

const stopVitalSigns = startVitalSigns(shop, 'web')

// Loaded before the first shopper types. If that fails because the database is down, the first search retries.
void shop.catalog.vocabulary
  .current()
  .catch((error: unknown) => shop.log.warn({ err: error }, 'names for the search are not read yet'))

server.listen({ port: config.web.port, ...config.listen }, () => {
  shop.log.info({ port: config.web.port }, 'web is listening')
  process.send?.({ type: 'ready' })
})

function stop(): void {
  server.close(() => void stopVitalSigns().then(() => shop.close()))
  server.closeIdleConnections()
  metricsServer?.close()
  metricsServer?.closeIdleConnections()
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
// The supervisor is gone, so nothing would stop this process later.
process.once('disconnect', stop)
