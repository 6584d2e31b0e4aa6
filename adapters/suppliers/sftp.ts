/** SFTP connections. The server must show the expected key before anything is sent to it. */
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import SftpClient from 'ssh2-sftp-client'
import type { FetchFailure } from '#domain/catalog/supplier-feeds/supplier-files.port.ts'
import type { Outgoing } from '#platform/outgoing-http.ts'

/** `secret` is a password or a private key in PEM, and `hostKey` a fingerprint such as "SHA256:…". */
export type SftpLogin = { url: string; username: string | null; secret: string | null; hostKey: string | null }

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

/** Why a connection or a transfer failed. */
export class SftpFailed extends Error {
  readonly failure: FetchFailure

  constructor(fault: FetchFailure['fault'], detail: string | null = null) {
    super(fault)
    this.failure = { fault, detail }
  }
}

/**
 * Connects, logs in, and passes the client and the path of the address to `work`. Failures that `work` throws as
 * `SftpFailed` are returned, and other errors are thrown. The time limit includes `work`.
 */
export async function withSftp<Value>(
  { outgoing, timeoutMs }: { outgoing: Outgoing; timeoutMs: number },
  login: SftpLogin,
  work: (client: SftpClient, path: string) => Promise<Value>,
): Promise<{ ok: true; value: Value } | ({ ok: false } & FetchFailure)> {
  const address = sftpAddress(login.url)
  if (!address) return { ok: false, fault: 'bad-address', detail: null }
  const connected = await outgoing.connect({ ...address, timeoutMs: Math.min(timeoutMs, 20_000) })
  if (!connected.ok)
    return { ok: false, fault: connected.fault === 'broken-answer' ? 'cut-off' : connected.fault, detail: null }
  const { socket } = connected
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    socket.destroy()
  }, timeoutMs)
  try {
    const ignore = () => {}
    const client = new SftpClient('sidewall', { error: ignore, end: ignore, close: ignore })
    await logIn(client, socket, login)
    return { ok: true, value: await work(client, address.path) }
  } catch (error) {
    if (!(error instanceof SftpFailed)) throw error
    return { ok: false, ...(isLate ? { fault: 'timeout', detail: null } : error.failure) }
  } finally {
    clearTimeout(deadline)
    socket.destroy()
  }
}

/** Logs in with the password or the private key. Throws `SftpFailed`. */
async function logIn(client: SftpClient, socket: Socket, { username, secret, hostKey }: SftpLogin): Promise<void> {
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
    if (shown !== null && shown !== hostKey) throw new SftpFailed('host-key', shown)
    const text = error instanceof Error ? error.message : ''
    if (/authentication methods failed/i.test(text)) throw new SftpFailed('refused-login')
    throw new SftpFailed(/privateKey|parse|passphrase|key format/i.test(text) ? 'bad-key' : 'cut-off')
  }
}

/** A key's fingerprint as OpenSSH writes it. */
function fingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256')
    .update(key)
    .digest('base64')
    .replace(/={1,2}$/, '')}`
}

/** Whether the error means that the file doesn't exist. */
export function isMissing(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 2 || code === 3 || code === 'ENOENT' || code === 'ERR_BAD_PATH'
}
