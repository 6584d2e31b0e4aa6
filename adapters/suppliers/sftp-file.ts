/** A file over SFTP. */
import type SftpClient from 'ssh2-sftp-client'
import type {
  FetchedFile,
  FetchFailure,
  FileRequest,
  FileVersion,
} from '#domain/catalog/supplier-feeds/supplier-files.port.ts'
import type { Outgoing } from '#platform/outgoing-http.ts'
import { isMissing, SftpFailed, withSftp } from './sftp.ts'

type Answer<Value> = { kind: 'file'; value: Value } | { kind: 'unchanged' } | ({ kind: 'failed' } & FetchFailure)

/** Fetches a file whose size and modification time differ from the version that was read last. */
export async function fetchOverSftp<Value>(
  connection: { outgoing: Outgoing; timeoutMs: number },
  request: FileRequest,
  take: (file: FetchedFile) => Promise<Value>,
): Promise<Answer<Value>> {
  const done = await withSftp(connection, request, async (client, path): Promise<Answer<Value>> => {
    const { size, modifyTime, isFile } = await client.stat(path).catch((error: unknown) => {
      throw new SftpFailed(isMissing(error) ? 'not-found' : 'cut-off')
    })
    if (!isFile) throw new SftpFailed('not-found')
    const version: FileVersion = { etag: `${size}-${modifyTime}`, lastModified: null }
    if (request.known?.etag === version.etag) return { kind: 'unchanged' }
    return { kind: 'file', value: await take({ name: path, size, ...version, bytes: bytesOf(client, { path, size }) }) }
  })
  return done.ok ? done.value : { kind: 'failed', fault: done.fault, detail: done.detail }
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
      throw new SftpFailed('cut-off')
    })
    if (next.done) break
    total += next.value.length
    yield next.value
  }
  if (total !== size) throw new SftpFailed('cut-off')
}
