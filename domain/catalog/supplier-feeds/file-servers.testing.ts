/** HTTPS and SFTP servers for tests. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import ssh2, { type Connection } from 'ssh2'

/** SSH_FX_NO_SUCH_FILE of the SFTP protocol. */
const notFoundStatus = 2

const fixture = (name: string) => readFile(new URL(`fixtures/${name}`, import.meta.url), 'utf8')

type TestServer = AsyncDisposable & { origin: string; port: number }

/** Starts an HTTPS server with a certificate that this process trusts from then on. */
export async function startHttpsServer(answer: RequestListener): Promise<TestServer> {
  const [cert, key] = await Promise.all([fixture('localhost.pem'), fixture('localhost-key.pem')])
  setDefaultCACertificates([...getCACertificates(), cert])
  const server = createServer({ cert, key }, answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `https://localhost:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** A key pair in OpenSSH's format. One in 250 Ed25519 keys that ssh2 1.17 generates is malformed. */
export const makeKeys = () => ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })

export type SftpFiles = Map<string, { bytes: Buffer; mtime: number }>

/** Starts an SFTP server for one user, with a password or with the public key of `keys`. */
export async function startSftpServer({
  username,
  password,
  keys,
  files,
  cutsAt = Infinity,
}: {
  username: string
  password?: string
  keys?: ReturnType<typeof makeKeys>
  files: SftpFiles
  /** The connection ends at the first read from here on. */
  cutsAt?: number
}): Promise<TestServer & { fingerprint: string; logins: string[] }> {
  const host = makeKeys()
  const known = keys && ssh2.utils.parseKey(keys.public)
  const logins: string[] = []
  const connections = new Set<Connection>()
  const server = new ssh2.Server({ hostKeys: [host.private] }, (connection) => {
    connections.add(connection)
    connection.on('error', () => {})
    connection.on('close', () => connections.delete(connection))
    connection.on('authentication', (login) => {
      logins.push(login.method)
      const isKnownKey =
        login.method === 'publickey' &&
        known &&
        !(known instanceof Error) &&
        login.key.data.equals(known.getPublicSSH()) &&
        (!login.signature || !login.blob || known.verify(login.blob, login.signature, login.hashAlgo))
      const isPassword = login.method === 'password' && password !== undefined && login.password === password
      if (login.username === username && (isPassword || isKnownKey)) login.accept()
      else login.reject(known ? ['publickey'] : ['password'])
    })
    connection.on('ready', () =>
      connection.on('session', (accept) =>
        accept().on('sftp', (acceptSftp) => serveFiles(acceptSftp(), { files, cutsAt, cut: () => connection.end() })),
      ),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const hostKey = ssh2.utils.parseKey(host.public)
  if (hostKey instanceof Error) throw hostKey
  const digest = createHash('sha256').update(hostKey.getPublicSSH()).digest('base64')
  return {
    port,
    origin: `sftp://localhost:${port}`,
    fingerprint: `SHA256:${digest.replace(/=+$/, '')}`,
    logins,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        for (const connection of connections) connection.end()
      }),
  }
}

const { STATUS_CODE } = ssh2.utils.sftp
const regularFile = 0o100644

function serveFiles(
  sftp: ssh2.SFTPWrapper,
  { files, cutsAt, cut }: { files: SftpFiles; cutsAt: number; cut: () => void },
): void {
  const opened: string[] = []
  const attributesOf = ({ bytes, mtime }: { bytes: Buffer; mtime: number }) => ({
    mode: regularFile,
    uid: 0,
    gid: 0,
    size: bytes.length,
    atime: mtime,
    mtime,
  })
  const stat = (id: number, path: string) => {
    const file = files.get(path)
    if (file) sftp.attrs(id, attributesOf(file))
    else sftp.status(id, notFoundStatus)
  }
  const fileOf = (handle: Buffer) => files.get(opened[handle.readUInt32BE(0)] ?? '')
  sftp.on('REALPATH', (id, path) => sftp.name(id, [{ filename: path, longname: path, attrs: {} as never }]))
  sftp.on('STAT', stat)
  sftp.on('LSTAT', stat)
  sftp.on('FSTAT', (id, handle) => stat(id, opened[handle.readUInt32BE(0)] ?? ''))
  sftp.on('OPEN', (id, path) => {
    if (!files.has(path)) return sftp.status(id, notFoundStatus)
    const handle = Buffer.alloc(4)
    handle.writeUInt32BE(opened.push(path) - 1)
    sftp.handle(id, handle)
  })
  sftp.on('READ', (id, handle, offset, length) => {
    if (offset >= cutsAt) return cut()
    const part = fileOf(handle)?.bytes.subarray(offset, offset + length)
    if (part && part.length > 0) sftp.data(id, part)
    else sftp.status(id, STATUS_CODE.EOF)
  })
  sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK))
}
