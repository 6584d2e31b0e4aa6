/** The web process. Importing this module has no side effects. */
import { loadConfig } from '#platform/config.ts'
import { keepHeapSmall } from '#platform/heap.ts'
import { serveMetrics } from '#platform/metrics-server.ts'
import { runAsProcess, type StartProgram } from '#platform/program.ts'
import { officePaths } from '#content/office-paths.ts'
import { startVitalSigns } from '#domain/operations/health/health.server.ts'
import { createOwnerLink, ownerLinkMinutes } from '#domain/kernel/staff/staff.server.ts'
import { countOf } from '#platform/count-text.ts'
import { openApplication } from '#application'

keepHeapSmall()

// The bundle exists only after a build, so it is typed by its source.
const { createWebServer } = (await import(
  new URL('./build/server/index.js', import.meta.url).href
)) as typeof import('#app/server/web.ts')

/** Starts the web process; it listens when this resolves. */
export const startProgram: StartProgram = async (env) => {
  const config = loadConfig(env)
  const app = await openApplication(config, 'pages')
  const server = await createWebServer(app)
  const metricsServer =
    config.metrics && (await serveMetrics(app.metrics, { host: config.metrics.host, port: config.metrics.webPort }))
  const stopVitalSigns = startVitalSigns(app, 'web')

  // Loaded before the first shopper types. If that fails because the database is down, the first search retries.
  void app.catalog.vocabulary
    .current()
    .catch((error: unknown) => app.log.warn({ err: error }, 'names for the search are not read yet'))

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: config.web.port, ...config.listen }, resolve)
  })
  app.log.info({ port: config.web.port }, 'web is listening')
  void createOwnerLink(app).then(
    (secret) => {
      if (secret === null) return
      const link = config.web.origin + officePaths.officeFirstOwner(secret)
      app.log.warn(
        { link },
        `this store has no staff: open the link within ${countOf(ownerLinkMinutes, 'minute')} to become its owner`,
      )
    },
    (error: unknown) => app.log.warn({ err: error }, 'no link for a first owner could be made'),
  )

  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeIdleConnections()
    metricsServer?.close()
    metricsServer?.closeIdleConnections()
    await closed
    await stopVitalSigns()
    await app.close()
  }
  return { stop: () => (stopped ??= stop()) }
}

if (import.meta.main) await runAsProcess(startProgram)
