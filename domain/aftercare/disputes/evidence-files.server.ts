/** A dispute's evidence files, generated from the store's data, plus one staff upload. */
import sharp from 'sharp'
import type { Files } from '#domain/kernel/files/file-store.port.ts'
import { readFile } from '#domain/kernel/files/files.server.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { EvidenceFile } from '#domain/payments/payments/provider-records.port.ts'
import { recordAct } from '#domain/kernel/staff/staff.server.ts'
import { readAttachment, type FileRefusal } from '#domain/kernel/files/files.server.ts'
import { readWork } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { signaturePath, signatureSize } from '#domain/installer-portal/work-orders/work-orders.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome } from '#platform/outcome.ts'
import { disputeNumber } from './disputes.ts'
import { insertEvent, insertFile, selectFiles } from './disputes.sql.server.ts'
import { readPacket, type EvidenceSheet } from './evidence.server.ts'
import { onOpenDispute, type About, type AnswerDeps, type DisputeRefusal } from './open-dispute.server.ts'

type Deps = {
  db: Database
  config: Pick<Config, 'session' | 'web' | 'store'>
  evidencePdf(sheet: EvidenceSheet): Promise<Uint8Array>
}

/** The files of a dispute's evidence, with their bytes. */
export async function readEvidenceFiles(deps: { db: Database; files: Files }, id: number): Promise<EvidenceFile[]> {
  const files = await selectFiles(deps.db, id)
  return Promise.all(
    files.map(async ({ kind, name, key }) => {
      const file = await readFile(deps, key)
      if (!file) throw new Error(`File ${name} of dispute ${id} is gone.`)
      return { kind, name, type: file.contentType as EvidenceFile['type'], bytes: file.bytes }
    }),
  )
}

const proofs = [
  { kind: 'shipping', title: 'Proof of delivery', parts: ['Order', 'Agreed terms', 'Delivery'], requires: 'Delivery' },
  { kind: 'completion', title: 'Signed completion', parts: ['Order', 'Installation'], requires: 'Installation' },
] as const

/** Generates an order's evidence files, for the delivery if parcels are known, and for the job if there is one. */
export async function drawProofs(deps: Deps, orderId: number): Promise<EvidenceFile[]> {
  const [order, packet = []] = await Promise.all([readOrder(deps.db, orderId), readPacket(deps, orderId)])
  const work = order?.booking ? await readWork(deps.db, order.booking.id) : undefined
  const drawn = proofs.map(async ({ kind, title, parts, requires }): Promise<EvidenceFile[]> => {
    if (!packet.some((part) => part.title === requires)) return []
    const strokes = kind === 'completion' ? (work?.signedStrokes ?? null) : null
    const bytes = await deps.evidencePdf({
      title: `${title}, ${orderNumber(orderId)}`,
      store: deps.config.store.name,
      parts: packet.filter((part) => (parts as readonly string[]).includes(part.title)),
      signature: strokes === null ? null : { path: signaturePath(strokes), ...signatureSize },
    })
    return [{ kind, name: `${kind}-${orderNumber(orderId)}.pdf`, type: 'application/pdf', bytes }]
  })
  return (await Promise.all(drawn)).flat()
}

/**
 * Adds a staff image or PDF, replacing the previous one. Images are converted to JPEG, which every provider accepts.
 */
export async function addEvidenceFile(
  deps: AnswerDeps,
  { id, by, file, signal }: About & { file: { name: string; bytes: Uint8Array }; signal?: AbortSignal },
): Promise<Outcome<void, DisputeRefusal | FileRefusal>> {
  const read = await readAttachment(file, signal)
  if (!read.ok) return read
  const { contentType, bytes, name } = read.value
  const isPdf = contentType === 'application/pdf'
  const kept: EvidenceFile = {
    kind: 'more',
    name: isPdf ? plain(name) : plain(name).replace(/\.webp$/, '.jpg'),
    type: isPdf ? 'application/pdf' : 'image/jpeg',
    bytes: isPdf ? bytes : await sharp(bytes).flatten({ background: '#fff' }).jpeg({ quality: 82 }).toBuffer(),
  }
  return onOpenDispute(deps, { id, by }, async (tx, dispute, at) => {
    if (dispute.submittedAt !== null) return refused('answered')
    await insertFile(tx, id, kept, { by: by.name, at })
    await insertEvent(tx, { disputeId: id, at, actor: by.name, words: `Added ${kept.name}.` })
    await recordAct(tx, { by, act: 'dispute.file-added', subject: disputeNumber(id), after: { name: kept.name }, at })
    return ok(undefined)
  })
}

/** Returns a file name that every provider accepts; PayPal allows letters, digits, dashes and one dot. */
function plain(name: string): string {
  const dot = name.lastIndexOf('.')
  return `${
    name
      .slice(0, dot)
      .replaceAll(/[^A-Za-z0-9-]+/g, '-')
      .slice(0, 80) || 'file'
  }${name.slice(dot)}`
}
