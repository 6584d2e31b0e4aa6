/** A door between a process and its database that a test can shut: what a database looks like that is restarted, moved or cut off. */
import { connect, createServer, type Server, type Socket } from 'node:net'

export type Gate = AsyncDisposable & {
  /** The database, through the door. */
  url: string
  /** Breaks every connection and refuses new ones. */
  shut(): Promise<void>
  open(): Promise<void>
}

export async function createGate(url: string): Promise<Gate> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let port = 0

  async function open(): Promise<void> {
    server = createServer((client) => {
      const postgres = connect(Number(target.port), target.hostname)
      for (const [socket, other] of [
        [client, postgres],
        [postgres, client],
      ] as const) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
        socket.pipe(other)
      }
    })
    await new Promise<void>((done) => server?.listen(port, '127.0.0.1', done))
    const address = server.address()
    if (typeof address === 'object' && address) port = address.port
  }

  async function shut(): Promise<void> {
    const closed = new Promise((done) => (server ? server.close(done) : done(undefined)))
    for (const socket of sockets) socket.destroy()
    await closed
    server = undefined
  }

  await open()
  const through = new URL(url)
  ;[through.hostname, through.port] = ['127.0.0.1', String(port)]
  return { url: through.href, open, shut, [Symbol.asyncDispose]: shut }
}
