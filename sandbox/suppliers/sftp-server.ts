/** The suppliers' SFTP server, with one login. Its files are in `edi.ts`. */
import { createHash } from 'node:crypto'
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2'
import type { Collection, Store } from '../store.ts'
import type { EdiFiles } from './edi.ts'

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp
/** SSH_FX_NO_SUCH_FILE of the SFTP protocol. */
const notFoundStatus = 2
const regularFile = 0o100644
const folder = 0o040755
/** The most bytes of a written file. */
const maxFileBytes = 1024 * 1024

export type SftpServer = {
  username: string
  /** The fingerprint of the server's key, as OpenSSH writes it. */
  fingerprint: string
  listen(port: number, host: string): Promise<number>
  close(): Promise<void>
}

/** Creates a server. Its key is stored, so that its fingerprint stays. */
export function createSftpServer(
  edi: EdiFiles,
  { store, username, password }: { store: Store; username: string; password: string },
): SftpServer {
  const { key, fingerprint } = hostKeyOf(store.collection('sftp-host-key'))
  const connections = new Set<Connection>()
  const server = new ssh2.Server({ hostKeys: [key] }, (connection) => {
    connections.add(connection)
    connection.on('error', () => {})
    connection.on('close', () => connections.delete(connection))
    connection.on('authentication', (login) => {
      const isKnown = login.method === 'password' && login.username === username && login.password === password
      if (isKnown) login.accept()
      else login.reject(['password'])
    })
    connection.on('ready', () =>
      connection.on('session', (accept) => accept().on('sftp', (acceptSftp) => serve(acceptSftp(), edi))),
    )
  })
  return {
    username,
    fingerprint,
    listen: (port, host) =>
      new Promise((done, fail) => {
        server.once('error', fail)
        server.listen(port, host, () => {
          const address = server.address()
          done(typeof address === 'object' && address ? address.port : port)
        })
      }),
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        for (const connection of connections) connection.end()
      }),
  }
}

function hostKeyOf(keys: Collection<{ private: string }>): { key: string; fingerprint: string } {
  // One in 250 Ed25519 keys that ssh2 1.17 generates is malformed.
  const key = keys.get('host')?.private ?? ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private
  keys.put('host', { private: key })
  const parsed = ssh2.utils.parseKey(key)
  if (parsed instanceof Error) throw parsed
  const digest = createHash('sha256').update(parsed.getPublicSSH()).digest('base64')
  return { key, fingerprint: `SHA256:${digest.replace(/={1,2}$/, '')}` }
}

type Handle = { path: string; isWritten: boolean; bytes: Buffer; names: string[] | null }

function serve(sftp: SFTPWrapper, edi: EdiFiles): void {
  const handles: Handle[] = []
  const handleOf = (handle: Buffer) => handles[handle.length === 4 ? handle.readUInt32BE(0) : -1]
  const open = (id: number, handle: Handle) => {
    const name = Buffer.alloc(4)
    name.writeUInt32BE(handles.push(handle) - 1)
    sftp.handle(id, name)
  }
  const done = (id: number, isDone: boolean) => sftp.status(id, isDone ? STATUS_CODE.OK : notFoundStatus)
  const stat = (id: number, path: string) => {
    const file = edi.find(path)
    if (file) sftp.attrs(id, attributesOf(file))
    else if (/^\/(?:[\w.-]{1,15}(?:\/(?:in|out))?\/?)?$/.test(path)) sftp.attrs(id, { ...attributesOf(), mode: folder })
    else sftp.status(id, notFoundStatus)
  }
  sftp.on('REALPATH', (id, path) => sftp.name(id, [{ filename: path, longname: path, attrs: attributesOf() }]))
  sftp.on('STAT', stat)
  sftp.on('LSTAT', stat)
  sftp.on('FSTAT', (id, handle) => stat(id, handleOf(handle)?.path ?? '?'))
  sftp.on('SETSTAT', (id) => sftp.status(id, STATUS_CODE.OK))
  sftp.on('FSETSTAT', (id) => sftp.status(id, STATUS_CODE.OK))
  sftp.on('OPENDIR', (id, path) =>
    open(id, {
      path,
      isWritten: false,
      bytes: Buffer.alloc(0),
      names: edi.list(path.replace(/\/$/, '')).map((file) => file.path),
    }),
  )
  sftp.on('READDIR', (id, handle) => {
    const listing = handleOf(handle)
    const names = listing?.names?.splice(0) ?? []
    if (names.length === 0) return sftp.status(id, STATUS_CODE.EOF)
    sftp.name(
      id,
      names.flatMap((path) => {
        const file = edi.find(path)
        const filename = path.slice(path.lastIndexOf('/') + 1)
        return file
          ? [{ filename, longname: `-rw-r--r-- 1 edi edi ${file.text.length} ${filename}`, attrs: attributesOf(file) }]
          : []
      }),
    )
  })
  sftp.on('OPEN', (id, path, flags) => {
    const isWritten = (flags & OPEN_MODE.WRITE) !== 0
    const file = edi.find(path)
    if (!isWritten && !file) return sftp.status(id, notFoundStatus)
    open(id, {
      path,
      isWritten,
      bytes: isWritten ? Buffer.alloc(0) : Buffer.from(file?.text ?? '', 'latin1'),
      names: null,
    })
  })
  sftp.on('READ', (id, handle, offset, length) => {
    const part = handleOf(handle)?.bytes.subarray(offset, offset + length)
    if (part && part.length > 0) sftp.data(id, part)
    else sftp.status(id, STATUS_CODE.EOF)
  })
  sftp.on('WRITE', (id, handle, offset, data) => {
    const opened = handleOf(handle)
    if (!opened?.isWritten || offset + data.length > maxFileBytes) return sftp.status(id, STATUS_CODE.FAILURE)
    const bytes = Buffer.alloc(Math.max(opened.bytes.length, offset + data.length))
    opened.bytes.copy(bytes)
    data.copy(bytes, offset)
    opened.bytes = bytes
    sftp.status(id, STATUS_CODE.OK)
  })
  sftp.on('CLOSE', (id, handle) => {
    const opened = handleOf(handle)
    if (opened?.isWritten) edi.write(opened.path, opened.bytes.toString('latin1'))
    sftp.status(id, STATUS_CODE.OK)
  })
  sftp.on('RENAME', (id, from, to) => {
    if (edi.find(to)) return sftp.status(id, STATUS_CODE.FAILURE)
    done(id, edi.rename(from, to))
  })
  sftp.on('REMOVE', (id, path) => done(id, edi.remove(path)))
}

function attributesOf(file?: { text: string; at: string }) {
  const seconds = file ? Math.floor(Temporal.Instant.from(file.at).epochMilliseconds / 1_000) : 0
  return { mode: regularFile, uid: 0, gid: 0, size: file?.text.length ?? 0, atime: seconds, mtime: seconds }
}
