/** A file over SFTP. The server must show the expected key before anything is sent to it. */
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import SftpClient from 'ssh2-sftp-client'
import type {
  FetchedFile,
  FetchFailure,
  FileRequest,
  FileVersion,
} from '#domain/catalog/supplier-feeds/supplier-files.port.ts'
import type { Outgoing } from '#platform/outgoing-http.ts'

type Answer<Value> = { kind: 'file'; value: Value } | { kind: 'unchanged' } | ({ kind: 'failed' } & FetchFailure)

/** Host, port and path of an SFTP address; null for one that can't be used, undefined for another scheme. */
export function sftpAddress(url: string): { host: string; port: number; path: string } | null | undefined {
  const parsed = url.length <= 2_000 ? URL.parse(url) : null
  if (parsed?.protocol !== 'sftp:') return undefined
  const { hostname, port, pathname, username, password, search, hash } = parsed
  if (hostname === '' || pathname.length < 2 || username + password + search + hash !== '') return null
  try {
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 22), path: decodeURIComponent(pathname) }
  } catch {
    return null
  }
}

class Failed extends Error {
  readonly failure: FetchFailure

  constructor(fault: FetchFailure['fault'], detail: string | null = null) {
    super(fault)
    this.failure = { fault, detail }
  }
}

/** Fetches a file whose size and modification time differ from the version that was read last. */
export async function fetchOverSftp<Value>(
  { outgoing, timeoutMs }: { outgoing: Outgoing; timeoutMs: number },
  request: FileRequest,
  take: (file: FetchedFile) => Promise<Value>,
): Promise<Answer<Value>> {
  const address = sftpAddress(request.url)
  if (!address) return { kind: 'failed', fault: 'bad-address', detail: null }
  const connected = await outgoing.connect({ ...address, timeoutMs: Math.min(timeoutMs, 20_000) })
  if (!connected.ok)
    return { kind: 'failed', fault: connected.fault === 'broken-answer' ? 'cut-off' : connected.fault, detail: null }
  const { socket } = connected
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    socket.destroy()
  }, timeoutMs)
  try {
    return await takeFile(socket, { ...request, path: address.path }, take)
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    return { kind: 'failed', ...(isLate ? { fault: 'timeout', detail: null } : error.failure) }
  } finally {
    clearTimeout(deadline)
    socket.destroy()
  }
}

async function takeFile<Value>(
  socket: Socket,
  request: FileRequest & { path: string },
  take: (file: FetchedFile) => Promise<Value>,
): Promise<Answer<Value>> {
  const ignore = () => {}
  const client = new SftpClient('sidewall', { error: ignore, end: ignore, close: ignore })
  await logIn(client, socket, request)
  const { path, known } = request
  const { size, modifyTime, isFile } = await client.stat(path).catch((error: unknown) => {
    throw new Failed(isMissing(error) ? 'not-found' : 'cut-off')
  })
  if (!isFile) throw new Failed('not-found')
  const version: FileVersion = { etag: `${size}-${modifyTime}`, lastModified: null }
  if (known?.etag === version.etag) return { kind: 'unchanged' }
  return { kind: 'file', value: await take({ name: path, size, ...version, bytes: bytesOf(client, { path, size }) }) }
}

/** Logs in with the password or the private key. Throws `Failed`. */
async function logIn(client: SftpClient, socket: Socket, { username, secret, hostKey }: FileRequest): Promise<void> {
  let shown: string | null = null
  const isKey = secret?.startsWith('-----BEGIN ') ?? false
  try {
    await client.connect({
      sock: socket,
      username: username ?? '',
      ...(isKey ? { privateKey: secret ?? '' } : { password: secret ?? '' }),
      readyTimeout: 20_000,
      hostVerifier: (key: Buffer) => {
        shown = fingerprint(key)
        return shown === hostKey
      },
    })
  } catch (error) {
    if (shown !== null && shown !== hostKey) throw new Failed('host-key', shown)
    const text = error instanceof Error ? error.message : ''
    if (/authentication methods failed/i.test(text)) throw new Failed('refused-login')
    throw new Failed(/privateKey|parse|passphrase|key format/i.test(text) ? 'bad-key' : 'cut-off')
  }
}

/** A key's fingerprint as OpenSSH writes it. */
function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256')
    .update(key)
    .digest('base64')
    .replace(/={1,2}$/, '')}`
}

/** A file that is shorter or longer than its directory entry was cut off, or is being written. */
async function* bytesOf(
  client: SftpClient,
  { path, size }: { path: string; size: number },
): AsyncGenerator<Uint8Array> {
  const stream = client.createReadStream(path)
  // Also emitted after the last byte, where the connection ends before the server closed the file.
  stream.on('error', () => {})
  const parts = (stream as unknown as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  let total = 0
  for (;;) {
    const next = await parts.next().catch(() => {
      throw new Failed('cut-off')
    })
    if (next.done) break
    total += next.value.length
    yield next.value
  }
  if (total !== size) throw new Failed('cut-off')
}

function isMissing(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 2 || code === 3 || code === 'ENOENT' || code === 'ERR_BAD_PATH'
}
