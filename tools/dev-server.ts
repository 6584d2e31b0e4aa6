/**
 * The web process of `npm run dev`. It is the same web app with its modules loaded by Vite, so that changes show
 * immediately. The browser updates in place. On the server, the next request runs the new code.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { ServerBuild } from 'react-router'
import { createServer as createVite } from 'vite'
import { loadConfig } from '#platform/config.ts'
import type { Application } from '#application'

const config = loadConfig()
const server = createServer((request, response) =>
  vite.middlewares(request, response, () => void answer(request, response)),
)
const vite = await createVite({ server: { middlewareMode: true, hmr: { server } }, appType: 'custom' })

type Loaded = { modules: readonly unknown[]; app: Application; web: Server }
let loaded: Loaded | undefined

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { web } = await load()
    web.emit('request', request, response)
  } catch (error) {
    if (error instanceof Error) vite.ssrFixStacktrace(error)
    console.error(error)
    response
      .writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
      .end(error instanceof Error ? error.stack : 'Something went wrong.')
  }
}

/** Returns the web app for the current files; rebuilt if one of its files has changed. */
async function load(): Promise<Loaded> {
  const [web, app, build] = (await Promise.all(
    ['/app/server/web.ts', '/application.ts', 'virtual:react-router/server-build'].map((id) => vite.ssrLoadModule(id)),
  )) as [typeof import('#app/server/web.ts'), typeof import('#application'), ServerBuild]
  const modules = [web, app, build]
  if (loaded && modules.every((module, index) => module === loaded?.modules[index])) return loaded
  void loaded?.app.close()
  const made = app.createApplication(config)
  loaded = { modules, app: made, web: await web.createWebServer(made, build) }
  return loaded
}

server.listen({ port: config.web.port, ...config.listen }, () => process.send?.({ type: 'ready' }))

function stop(): void {
  server.close()
  server.closeAllConnections()
  void Promise.all([vite.close(), loaded?.app.close()]).then(() => process.exit())
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
process.once('disconnect', stop)
