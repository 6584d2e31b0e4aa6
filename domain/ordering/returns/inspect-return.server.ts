/** Returns in the office. Tires are received, inspected, accepted or refused one by one, and refunded. */
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { readAttachment, type Attachment, type FileRefusal } from '#domain/kernel/files/files.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { tellReceived } from './return-life.server.ts'
import { mayTireMove, returnNumber, type ReturnOutcome } from './return-terms.ts'
import { readReturn, type ReturnTire, type ReturnView } from './return-view.sql.server.ts'
import { insertReturnPhoto, lockReturn, moveTire, nextPhotoNo } from './returns.sql.server.ts'

type Deps = { db: Database; clock: Clock }

export type OfficeReturnRefusal = Refused<'not-allowed'> | Refused<'return-not-found'> | Refused<'tire-not-found'>

/**
 * Records that tires arrived at the dock, which starts each tire's 48 hours. Already received tires are unchanged, so
 * concurrent receipts and earlier scans are harmless. Refuses if no tire can be received.
 */
export async function receiveTires(
  { db, clock }: Deps,
  by: Actor,
  { id, tireNos }: { id: number; tireNos: readonly number[] },
): Promise<Outcome<{ received: number }, OfficeReturnRefusal | Refused<'nothing-to-receive'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'returns.receive', at)
    if (!permitted.ok) return permitted
    const view = await lockView(tx, id)
    if (!view) return refused('return-not-found')
    const asked = view.tires.filter(({ tireNo }) => tireNos.includes(tireNo))
    if (asked.length === 0) return refused('tire-not-found')
    const arriving = asked.filter(({ state }) => mayTireMove(state, 'received'))
    if (arriving.length === 0)
      return asked.some(({ state }) => state === 'canceled') ? refused('nothing-to-receive') : ok({ received: 0 })
    for (const { tireNo, state } of arriving)
      await moveTire(tx, { returnId: id, tireNo, state }, 'received', {
        received_at: at,
        change: { actor: by.name, at, note: null },
      })
    if (arriving.some(({ shipsBack }) => shipsBack)) await tellReceived(tx, view, at)
    await recordAct(tx, {
      by,
      act: 'return.received',
      subject: returnNumber(id),
      after: { tires: arriving.map(({ tireNo }) => tireNo).join(', ') },
      at,
    })
    return ok({ received: arriving.length })
  })
}

/**
 * The inspection result for one tire. A refusal requires a reason, which the shopper receives verbatim, and our own
 * photo.
 */
export type Inspection = {
  id: number
  tireNo: number
  outcome: ReturnOutcome
  finding: string | null
  dot: string | null
  isDotMatch: boolean | null
  refusal: string | null
  photo: { name: string; bytes: Uint8Array } | null
}

export type InspectRefusal =
  | OfficeReturnRefusal
  | Refused<'not-received'>
  | Refused<'inspected-already'>
  | Refused<'no-reason'>
  | Refused<'no-photo'>
  | Refused<'photo', { why: FileRefusal['reason'] }>

/**
 * Accepts or refuses one tire, once. `send-back` refuses it. The shopper is emailed the reason. A tire that never
 * arrived is decided without a photo.
 */
export async function inspectTire(
  { db, clock }: Deps,
  by: Actor,
  inspection: Inspection,
): Promise<Outcome<{ state: 'accepted' | 'refused' }, InspectRefusal>> {
  const isRefused = inspection.outcome === 'send-back'
  if (isRefused && !inspection.refusal) return refused('no-reason')
  const photo = await readPhoto(inspection)
  if (!photo.ok) return photo
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'returns.inspect', at)
    if (!permitted.ok) return permitted
    const view = await lockView(tx, inspection.id)
    if (!view) return refused('return-not-found')
    const tire = view.tires.find(({ tireNo }) => tireNo === inspection.tireNo)
    if (!tire) return refused('tire-not-found')
    if (tire.state !== 'received') return refused(isOver(tire) ? 'inspected-already' : 'not-received')
    if (isRefused && tire.shipsBack && !photo.value) return refused('no-photo')
    if (photo.value)
      await insertReturnPhoto(tx, view.id, {
        no: await nextPhotoNo(tx, view.id),
        tireNo: tire.tireNo,
        by: 'staff',
        photo: photo.value,
        at,
      })
    await writeInspection(tx, by, { view, tire, inspection, at })
    return ok({ state: isRefused ? 'refused' : 'accepted' })
  })
}

/**
 * Accepts several tires into stock as the ones that were sold, without findings. Requires that all of them were received
 * and are uninspected.
 */
export async function acceptTires(
  { db, clock }: Deps,
  by: Actor,
  { id, tireNos }: { id: number; tireNos: readonly number[] },
): Promise<
  Outcome<{ accepted: number }, OfficeReturnRefusal | Refused<'not-received'> | Refused<'inspected-already'>>
> {
  return db.transaction().execute(async (tx) => {
    const view = await lockView(tx, id)
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'returns.inspect', at)
    if (!permitted.ok) return permitted
    if (!view) return refused('return-not-found')
    const tires = view.tires.filter(({ tireNo }) => tireNos.includes(tireNo))
    if (tires.length === 0 || tires.length < new Set(tireNos).size) return refused('tire-not-found')
    const other = tires.find(({ state }) => state !== 'received')
    if (other) return refused(isOver(other) ? 'inspected-already' : 'not-received')
    for (const tire of tires) {
      const inspection = { ...soldByUs, id, tireNo: tire.tireNo }
      await writeInspection(tx, by, { view, tire, inspection, at })
    }
    return ok({ accepted: tires.length })
  })
}

const soldByUs = {
  outcome: 'restock',
  finding: null,
  dot: null,
  isDotMatch: true,
  refusal: null,
  photo: null,
} as const satisfies Omit<Inspection, 'id' | 'tireNo'>

async function readPhoto({
  photo,
}: Inspection): Promise<Outcome<Attachment | null, Refused<'photo', { why: FileRefusal['reason'] }>>> {
  if (!photo) return ok(null)
  const read = await readAttachment(photo)
  if (!read.ok) return refused('photo', { why: read.reason })
  return read.value.contentType === 'image/webp' ? read : refused('photo', { why: 'other-kind' })
}

function isOver({ state }: ReturnTire): boolean {
  return state === 'accepted' || state === 'refused' || state === 'refunded'
}

async function writeInspection(
  tx: Tx,
  by: Actor,
  {
    view,
    tire,
    inspection: { finding, dot, isDotMatch, outcome, refusal },
    at,
  }: { view: ReturnView; tire: ReturnTire; inspection: Inspection; at: Temporal.Instant },
): Promise<void> {
  const isRefused = outcome === 'send-back'
  const place = { returnId: view.id, tireNo: tire.tireNo, state: tire.state }
  await moveTire(tx, place, isRefused ? 'refused' : 'accepted', {
    finding,
    dot,
    is_dot_match: isDotMatch,
    outcome,
    ...(isRefused && refusal ? { refusal } : {}),
    inspected_at: at,
    change: { actor: by.name, at, note: isRefused ? refusal : finding },
  })
  await recordAct(tx, {
    by,
    act: isRefused ? 'return.refused' : 'return.accepted',
    subject: returnNumber(view.id),
    after: { tire: tire.tireNo, outcome, finding },
    ...(isRefused && refusal ? { reason: refusal } : {}),
    at,
  })
  if (!isRefused) return
  const order = await readOrder(tx, view.orderId)
  if (!order) throw new Error(`Return ${view.id} has no order.`)
  const key = `return-refused:${view.id}:${tire.tireNo}`
  await queueMessage(tx, { kind: 'return-refused', key, to: order.email, orderId: order.id, at })
}

/** Locks a return and reads it; undefined if it doesn't exist. */
export async function lockView(tx: Tx, id: number): Promise<ReturnView | undefined> {
  return (await lockReturn(tx, id)) ? readReturn(tx, id) : undefined
}
