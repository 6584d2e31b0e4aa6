/**
 * Allows one process per folder. The lock is a listening local socket. The kernel releases it with the process, so it's
 * never stale.
 */
import { createHash } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type FolderLock = { held: true; release(): void } | { held: false; holder: string }

/** Locks `folder` for this process. If another process holds it, returns that process's current `about` text. */
export async function lockFolder(folder: string, about: () => string): Promise<FolderLock> {
  const path = socketPath(await realpath(folder))
  for (;;) {
    const server = await listen(path, about)
    if (server !== undefined) return { held: true, release: () => void server.close() }
    const holder = await ask(path)
    if (holder !== undefined) return { held: false, holder }
    // The holder has ended. On systems where sockets are files, its file can remain.
    if (!path.startsWith('\0')) await rm(path, { force: true })
  }
}

function socketPath(folder: string): string {
  const name = `sidewall-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
  if (process.platform === 'linux') return `\0${name}` // an abstract socket, without a file
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
}

function listen(path: string, about: () => string): Promise<Server | undefined> {
  return new Promise((answer) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end(about())
    })
    server.once('error', () => answer(undefined))
    server.listen(path, () => answer(server.unref()))
  })
}

function ask(path: string): Promise<string | undefined> {
  return new Promise((answer) => {
    let said = ''
    const socket = connect(path)
    socket.setEncoding('utf8').on('data', (text: string) => (said += text))
    socket.once('error', () => answer(undefined)).once('end', () => answer(said))
  })
}
