/**
 * A proxy between processes and their database that a test can close, to simulate a database that restarts, moves, is
 * cut off or hangs.
 */
import { connect, createServer, type Server, type Socket } from 'node:net'

export type Gate = AsyncDisposable & {
  /** The database through the proxy. */
  url: string
  /** Breaks every connection and refuses new ones. */
  shut(): Promise<void>
  /**
   * Silently stops all traffic in both directions. Connections stay open, and new ones are accepted. They stay silent
   * after reopening, and the database doesn't notice that they were abandoned.
   */
  stall(): void
  open(): Promise<void>
}

export async function createGate(url: string): Promise<Gate> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const stalled = new WeakSet<Socket>()
  let server: Server | undefined
  let isStalling = false
  let port = 0

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }

  function letThrough(client: Socket): void {
    const postgres = connect(Number(target.port), target.hostname)
    keep(postgres)
    for (const [socket, other] of [
      [client, postgres],
      [postgres, client],
    ] as const) {
      socket.on('data', (bytes) => stalled.has(socket) || other.write(bytes))
      socket.on('close', () => stalled.has(socket) || other.destroy())
    }
  }

  async function open(): Promise<void> {
    isStalling = false
    if (server) return
    server = createServer((client) => {
      keep(client)
      if (!isStalling) letThrough(client)
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

  function stall(): void {
    isStalling = true
    for (const socket of sockets) stalled.add(socket)
  }

  await open()
  const through = new URL(url)
  ;[through.hostname, through.port] = ['127.0.0.1', String(port)]
  return { url: through.href, open, shut, stall, [Symbol.asyncDispose]: shut }
}
