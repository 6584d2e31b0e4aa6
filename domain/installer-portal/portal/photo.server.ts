/** Photos that shop staff send with a form. */
import { readAttachment, type Attachment, type FileRefusal } from '#domain/kernel/files/files.server.ts'
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/** An uploaded file, before it is known to be a photo. */
export type SentPhoto = { name: string; bytes: Uint8Array }
/** Where a form came from; `signal` aborts when its sender disconnects. */
export type Sender = { networkKey: string; signal?: AbortSignal }
export type PhotoRefusal = Refused<'too-many-photos'> | Refused<'photo', { why: FileRefusal['reason'] }>

/** Re-encodes a photo, and counts it against the network's limit. Other files are refused. Null stays null. */
export async function readShopPhoto(
  rateLimits: RateLimits,
  photo: SentPhoto | null,
  { networkKey, signal }: Sender,
): Promise<Outcome<Attachment | null, PhotoRefusal>> {
  if (!photo) return ok(null)
  if (!(await rateLimits.take('attachment', { sender: networkKey })).ok) return refused('too-many-photos')
  const read = await readAttachment(photo, signal)
  if (!read.ok) return refused('photo', { why: read.reason })
  return read.value.contentType === 'image/webp' ? ok(read.value) : refused('photo', { why: 'other-kind' })
}
