/**
 * Purchase orders as EDI files on a supplier's SFTP server. The store writes to the folder `in`, and the supplier to
 * `out`. Files get their final name when they are complete.
 */
import type SftpClient from 'ssh2-sftp-client'
import type { EdiConnection, EdiMessage, SupplierOrder, SupplierReply } from '#domain/supply/stock/supplier.port.ts'
import type { Clock } from '#platform/clock.ts'
import type { Outgoing } from '#platform/outgoing-http.ts'
import { refused, ok, type Outcome, type Refused } from '#platform/outcome.ts'
import { isMissing, SftpFailed, withSftp } from './sftp.ts'
import { maxDocumentLength, readInterchange } from './x12-read.ts'
import { writeAcknowledgment, writeOrder } from './x12-write.ts'

const orderTimeoutMs = 20_000
const collectTimeoutMs = 120_000
/** The most files that are read in one run. */
const maxFiles = 100

export type EdiDeps = { outgoing: Outgoing; clock: Clock; store: { name: string }; isTest: boolean }

/** Uploads an order, or its cancellation. The same order has the same name, so a retry replaces it. */
export async function sendX12(
  { outgoing, store, isTest }: EdiDeps,
  connection: EdiConnection,
  order: SupplierOrder,
  type: 'new' | 'delete',
): Promise<SupplierReply> {
  const parties = { sender: connection.identity, receiver: order.networkId, isTest }
  const file = writeOrder(parties, order, { billTo: store.name, isCanceled: type === 'delete' })
  const sent = await withSftp({ outgoing, timeoutMs: orderTimeoutMs }, connection, (client, folder) =>
    upload(client, folder, file),
  )
  if (sent.ok) return { ok: true }
  return { ok: false, reason: 'unavailable', cause: new Error(`The supplier was not reached: ${sent.fault}.`) }
}

/**
 * Reads the supplier's new files, oldest first. The messages of each are passed to `take`; then the file is acknowledged
 * and removed. A file that can't be read is renamed, and named in the refusal. What `take` throws is thrown.
 */
export async function collectX12(
  { outgoing, clock, isTest }: EdiDeps,
  { networkId, connection }: { networkId: string; connection: EdiConnection },
  take: (messages: readonly EdiMessage[]) => Promise<void>,
): Promise<Outcome<{ files: number }, Refused<'unavailable', { fault: string }>>> {
  const parties = { sender: connection.identity, receiver: networkId, isTest }
  const read = await withSftp({ outgoing, timeoutMs: collectTimeoutMs }, connection, async (client, folder) => {
    const unread: string[] = []
    const files = await listFiles(client, `${folder}/out`)
    for (const { name, size } of files) {
      const path = `${folder}/out/${name}`
      const text = size > maxDocumentLength ? '' : await download(client, path)
      const interchange = readInterchange(text, { sender: networkId, receiver: connection.identity })
      if (!interchange) {
        await onServer(client.rename(path, `${path}.rejected`))
        unread.push(name)
        continue
      }
      await take(interchange.messages)
      if (interchange.acknowledged.length > 0) {
        const received = { control: interchange.control, groups: interchange.acknowledged }
        await upload(client, folder, writeAcknowledgment(parties, received, clock.now()))
      }
      await onServer(client.delete(path, true))
    }
    return { files: files.length, unread }
  })
  if (!read.ok) return refused('unavailable', { fault: [read.fault, read.detail].filter(Boolean).join(' ') })
  const { files, unread } = read.value
  return unread.length > 0
    ? refused('unavailable', { fault: `unreadable ${unread.join(', ')}`.slice(0, 200) })
    : ok({ files })
}

/** Lists regular files with plain names, oldest first. A missing folder is empty. */
async function listFiles(client: SftpClient, folder: string): Promise<{ name: string; size: number }[]> {
  const entries = await client.list(folder).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw new SftpFailed('cut-off')
  })
  return entries
    .filter(({ type, name }) => type === '-' && /^[\w.-]{1,100}$/.test(name) && !/\.(?:rejected|tmp|part)$/i.test(name))
    .toSorted((one, other) => one.modifyTime - other.modifyTime || one.name.localeCompare(other.name))
    .slice(0, maxFiles)
}

async function download(client: SftpClient, path: string): Promise<string> {
  const content = await onServer(client.get(path))
  return Buffer.isBuffer(content) && content.length <= maxDocumentLength ? content.toString('latin1') : ''
}

/** Writes a file under another name first. */
async function upload(client: SftpClient, folder: string, { name, text }: { name: string; text: string }) {
  const path = `${folder}/in/${name}`
  await onServer(client.put(Buffer.from(text, 'latin1'), `${path}.tmp`))
  await onServer(client.delete(path, true))
  await onServer(client.rename(`${path}.tmp`, path))
}

async function onServer<Value>(call: Promise<Value>): Promise<Value> {
  try {
    return await call
  } catch (error) {
    throw new SftpFailed(isMissing(error) ? 'not-found' : 'cut-off')
  }
}
