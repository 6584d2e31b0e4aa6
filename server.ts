/** The web process. */
import { createWebServer } from './build/server/index.js'
import { loadConfig } from '#platform/config.ts'
import { createShop } from '#shop'

const config = loadConfig()
const shop = createShop(config)
const server = await createWebServer(shop)

server.listen(config.web.port, () => {
  shop.log.info({ port: config.web.port }, 'web is listening')
  process.send?.({ type: 'ready' })
})

async function stop(): Promise<void> {
  server.close(() => void shop.close())
  server.closeIdleConnections()
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
// The supervisor is gone: nobody would stop this process later.
process.once('disconnect', stop)
