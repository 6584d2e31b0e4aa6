/** Distributes requests among processes, like the proxy of deploy/haproxy. Removed processes finish their requests. */
import { Agent, createServer, request } from 'node:http'
import { eventually } from '#tests/support/eventually.ts'

export type Balancer = AsyncDisposable & {
  origin: string
  add(port: number): void
  /** Gives it no more requests; settles once it has answered those it had. */
  drain(port: number): Promise<void>
  ports(): readonly number[]
}

/** Listens at `port`. */
export async function openBalancer(port: number): Promise<Balancer> {
  const open = new Map<number, number>()
  let taking: number[] = []
  let next = 0
  // A kept-alive connection could end just when it is used.
  const agent = new Agent({ keepAlive: false })
  const server = createServer((incoming, answer) => {
    next += 1
    const chosen = taking[next % taking.length]
    if (chosen === undefined) return void answer.writeHead(502).end('No process takes requests.')
    open.set(chosen, (open.get(chosen) ?? 0) + 1)
    answer.once('close', () => open.set(chosen, (open.get(chosen) ?? 1) - 1))
    const { method, url, headers } = incoming
    const passed = request({ agent, host: '127.0.0.1', port: chosen, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders)
      response.pipe(answer)
    })
    passed.once('error', (error) => {
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(502).end(String(error))
    })
    incoming.pipe(passed)
  })
  await new Promise<void>((listening) => server.listen(port, listening))
  return {
    origin: `http://localhost:${port}`,
    add: (process) => void taking.push(process),
    async drain(process) {
      taking = taking.filter((each) => each !== process)
      await eventually('end of its requests', async () => (open.get(process) ?? 0) === 0)
    },
    ports: () => taking,
    async [Symbol.asyncDispose]() {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
