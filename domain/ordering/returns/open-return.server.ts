/**
 * Requests a return. The rules are checked before and inside the transaction, and the return is stored once with its
 * tires and photos.
 */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { lockOrder, readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { readAttachment, type Attachment, type FileRefusal } from '#domain/kernel/files/files.server.ts'
import { RETURN_PHOTOS_MAX } from '#platform/business-constants.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { checkReturn, type ReturnFacts, type ReturnFinding } from './return-rules.ts'
import { lastReturnDay, returnNumber, shipsBack, type ReturnReason } from './return-terms.ts'
import { selectReturnableLines } from './return-view.sql.server.ts'
import { countReturns, findReturnBySeq, insertReturn, selectTakenUnits } from './returns.sql.server.ts'

export type OpenReturnDeps = {
  db: Database
  clock: Clock
  config: Pick<Config, 'store'>
  rateLimits: RateLimits
}

/** A return request. `lines` has the number of tires to return per order line. */
export type AskedReturn = {
  orderId: number
  lines: readonly { lineNo: number; quantity: number }[]
  reason: ReturnReason | null
  wants: 'refund' | 'exchange'
  isUnmounted: boolean
  note: string | null
}

type Sender = {
  by: 'shopper' | 'program' | 'staff'
  /** The number the form was shown for among the order's returns; null where something else makes it act once. */
  seq: number | null
  photos: readonly { name: string; bytes: Uint8Array }[]
  networkKey: string
  signal?: AbortSignal
}

export type OpenReturnRefusal =
  | Refused<'order-not-found'>
  | Refused<'not-met', readonly ReturnFinding[]>
  | Refused<'photo', { name: string; why: FileRefusal['reason'] }>
  | Refused<'too-many-photos'>

/** Returns the facts for evaluating a return of this order now, and its number within the order. */
export async function readReturnFacts(
  { db, clock }: Pick<OpenReturnDeps, 'db' | 'clock'>,
  order: OrderView,
  asked: Pick<AskedReturn, 'lines' | 'reason' | 'isUnmounted'> & { photos: number },
): Promise<ReturnFacts> {
  const lines = await selectReturnableLines(db, order.id)
  const dayOf = (at: Temporal.Instant) => at.toZonedDateTimeISO(order.timeZone).toPlainDate()
  return {
    order: { state: order.state, isInstalled: order.booking?.state === 'done', terms: order.terms },
    lines: lines.map(({ lineNo, name, delivered, taken, deliveredAt }) => ({
      lineNo,
      name,
      delivered,
      taken,
      deliveredOn: deliveredAt && dayOf(deliveredAt),
    })),
    asked: asked.lines,
    reason: asked.reason,
    isUnmounted: asked.isUnmounted,
    photos: asked.photos,
    today: dayOf(clock.now()),
  }
}

/** The number that the next return of an order has among its returns. */
export async function nextReturnSeq({ db }: Pick<OpenReturnDeps, 'db'>, orderId: number): Promise<number> {
  return (await countReturns(db, orderId)) + 1
}

/**
 * Opens a return and returns its id. The labels are bought by a job, and emailed once they are there. A form submitted
 * again for the same number is the same return. Refuses what fails a rule, with every finding, more photos than
 * `RETURN_PHOTOS_MAX` or than one network may send, and a photo that cannot be read. The caller must have verified
 * access to the order.
 */
export function openReturn(
  deps: OpenReturnDeps,
  asked: AskedReturn,
  sender: Sender & { by: 'shopper' | 'program' },
): Promise<Outcome<Opened, OpenReturnRefusal>> {
  const admitted: Admitted<never> = { ...sender, actor: sender.by, admit: () => Promise.resolve(ok(null)) }
  return open(deps, asked, admitted)
}

/**
 * Opens a return for a customer, by the rules and with the emails that they would get. Refuses as `openReturn` does, and
 * `not-allowed`.
 */
export function openReturnAsStaff(
  deps: OpenReturnDeps,
  by: Actor,
  asked: AskedReturn,
  sender: Omit<Sender, 'by'>,
): Promise<Outcome<Opened, OpenReturnRefusal | Refused<'not-allowed'>>> {
  const at = deps.clock.now()
  return open(deps, asked, {
    ...sender,
    by: 'staff',
    actor: by.name,
    admit: (tx) => requirePermission(tx, by, 'returns.open', at),
    record: (tx, id) =>
      recordAct(tx, {
        by,
        act: 'return.opened',
        subject: orderNumber(asked.orderId),
        after: { return: returnNumber(id), reason: asked.reason },
        at,
      }),
  })
}

type Opened = { id: number; isNew: boolean }

/** A requester whom the transaction authorizes and can audit. */
type Admitted<Refusal extends Refused<string>> = Sender & {
  actor: string
  admit(tx: Tx): Promise<Outcome<null, Refusal>>
  record?(tx: Tx, id: number): Promise<void>
}

async function open<Refusal extends Refused<string>>(
  deps: OpenReturnDeps,
  asked: AskedReturn,
  sender: Admitted<Refusal>,
): Promise<Outcome<Opened, OpenReturnRefusal | Refusal>> {
  const order = await readOrder(deps.db, asked.orderId)
  if (!order) return refused('order-not-found')
  const known = await findAgain(deps.db, asked.orderId, sender.seq)
  if (known !== undefined) return ok({ id: known, isNew: false })
  const judged = await judge(deps, order, asked, sender.photos.length)
  if (!judged.ok) {
    // The same form, submitted a moment before, may be what took the tires.
    const made = await findAgain(deps.db, asked.orderId, sender.seq)
    return made === undefined ? judged : ok({ id: made, isNew: false })
  }
  const photos = await readPhotos(deps, sender)
  if (!photos.ok) return photos
  return deps.db.transaction().execute(async (tx) => {
    const admitted = await sender.admit(tx)
    if (!admitted.ok) return admitted
    await lockOrder(tx, asked.orderId)
    const again = await findAgain(tx, asked.orderId, sender.seq)
    if (again !== undefined) return ok({ id: again, isNew: false })
    const locked = await readOrder(tx, asked.orderId)
    if (!locked) return refused('order-not-found')
    const still = await judge({ ...deps, db: tx }, locked, asked, sender.photos.length)
    if (!still.ok) return still
    const at = deps.clock.now()
    const { reason, facts } = still.value
    const id = await insertReturn(tx, {
      orderId: locked.id,
      seq: (await countReturns(tx, locked.id)) + 1,
      reason,
      wants: asked.wants,
      note: asked.note,
      wasSaidToFit: locked.verdict?.verdict === 'fits',
      by: sender.by,
      actor: sender.actor,
      at,
      shipBy: shipsBack(reason) ? lastDayToShip(facts) : null,
      units: await freeUnits(tx, locked, asked.lines),
      photos: photos.value,
    })
    await sender.record?.(tx, id)
    await promiseNext(deps, tx, { id, order: locked, reason, at })
    return ok({ id, isNew: true })
  })
}

/** The return that this form has made already. */
async function findAgain(db: Database, orderId: number, seq: number | null): Promise<number | undefined> {
  return seq === null ? undefined : findReturnBySeq(db, orderId, seq)
}

async function judge(
  deps: Pick<OpenReturnDeps, 'db' | 'clock'>,
  order: OrderView,
  asked: AskedReturn,
  photos: number,
): Promise<Outcome<{ reason: ReturnReason; facts: ReturnFacts }, Refused<'not-met', readonly ReturnFinding[]>>> {
  const facts = await readReturnFacts(deps, order, { ...asked, photos })
  const findings = checkReturn(facts)
  return asked.reason === null || findings.some(({ isMet }) => !isMet)
    ? refused('not-met', findings)
    : ok({ reason: asked.reason, facts })
}

/** Every photo is counted before any of them is decoded. */
async function readPhotos(
  { rateLimits }: OpenReturnDeps,
  { photos, networkKey, signal }: Sender,
): Promise<
  Outcome<Attachment[], Refused<'photo', { name: string; why: FileRefusal['reason'] }> | Refused<'too-many-photos'>>
> {
  if (photos.length > RETURN_PHOTOS_MAX) return refused('too-many-photos')
  for (const _ of photos)
    if (!(await rateLimits.take('attachment', { sender: networkKey })).ok) return refused('too-many-photos')
  const read: Attachment[] = []
  for (const { name, bytes } of photos) {
    const photo = await readAttachment({ name, bytes }, signal)
    if (!photo.ok) return refused('photo', { name, why: photo.reason })
    if (photo.value.contentType !== 'image/webp') return refused('photo', { name, why: 'other-kind' })
    read.push(photo.value)
  }
  return ok(read)
}

/** Returns the last shipping day in the return window of the selected tires, using the earliest if they differ. */
function lastDayToShip({ order, lines, asked, today }: ReturnFacts): Temporal.PlainDate {
  const days = lines.flatMap(({ lineNo, deliveredOn }) =>
    deliveredOn && asked.some((each) => each.lineNo === lineNo && each.quantity > 0) ? [deliveredOn] : [],
  )
  return lastReturnDay(days.toSorted(Temporal.PlainDate.compare)[0] ?? today, order.terms)
}

/** Takes units in order, and reuses canceled returns' units first. */
async function freeUnits(
  tx: Tx,
  { id, lines }: OrderView,
  asked: AskedReturn['lines'],
): Promise<{ lineNo: number; unit: number }[]> {
  const taken = await selectTakenUnits(tx, id)
  return asked.flatMap(({ lineNo, quantity }) => {
    const bought = lines.find((line) => line.lineNo === lineNo)?.quantity ?? 0
    return Array.from({ length: bought }, (_, index) => ({ lineNo, unit: index + 1 }))
      .filter((one) => !taken.some((other) => other.lineNo === one.lineNo && other.unit === one.unit))
      .slice(0, quantity)
  })
}

/** Labels, or for tires that never arrived a person who looks for them. */
async function promiseNext(
  { config }: OpenReturnDeps,
  tx: Tx,
  { id, order, reason, at }: { id: number; order: OrderView; reason: ReturnReason; at: Temporal.Instant },
): Promise<void> {
  if (shipsBack(reason)) {
    await enqueue(tx, 'label-return', { returnId: id }, { key: `label-return:${id}` })
    return
  }
  const mail = { orderId: order.id, at }
  await queueMessage(tx, { kind: 'return-missing', key: `return-missing:${id}`, to: order.email, ...mail })
  await queueMessage(tx, { kind: 'return-filed', key: `return-filed:${id}`, to: config.store.email, ...mail })
}
