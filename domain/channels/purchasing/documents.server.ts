/**
 * Notifies purchasing systems about their orders. Events are derived from the order, so code that changes orders
 * doesn't depend on this. Each document is created once, and sent until it is accepted or left to staff.
 */
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { salesTaxText } from '#domain/pricing/pricing/pricing.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { unseal } from '#platform/sealing.ts'
import {
  insertDocument,
  selectDead,
  selectDocument,
  selectDocumentsOf,
  selectToldOrder,
  selectToldParcel,
  selectUntold,
  updateFailed,
  updateRevived,
  updateSent,
  type KeptDocument,
  type ToldOrder,
  type Untold,
} from './documents.sql.server.ts'
import type { DocumentFacts, NoticeLine, PurchasingSystems } from './purchasing-system.port.ts'
import { documentNames, mostDocumentAttempts, retryMinutes } from './purchasing.ts'
import { documentSecretPurpose } from './systems.server.ts'
import { selectSystem } from './systems.sql.server.ts'
import type { Secrets } from '#platform/secrets.ts'

type Deps = { db: Database; clock: Clock }

const mostAtOnce = 200

/** Makes the documents of everything that happened since the last time, and queues them. */
export async function tellPurchasingSystems({ db, clock }: Deps): Promise<number> {
  const untold = await selectUntold(db, mostAtOnce)
  for (const each of untold) {
    const facts = await factsOf({ db, clock }, each)
    if (!facts) continue
    await db.transaction().execute(async (tx) => {
      const documentId = await insertDocument(tx, each, { facts, at: clock.now() })
      if (documentId !== undefined) await enqueue(tx, 'send-purchasing-document', { documentId })
    })
  }
  return untold.length
}

async function factsOf({ db, clock }: Deps, { orderId, kind, shipmentId }: Untold): Promise<DocumentFacts | undefined> {
  const order = await selectToldOrder(db, orderId)
  const about = {
    buyerOrderId: order.buyerOrderId,
    orderPayloadId: order.payloadId,
    orderDate: order.orderDate,
    orderNumber: orderNumber(orderId),
    at: clock.now().toString({ smallestUnit: 'second' }),
  }
  switch (kind) {
    case 'confirmation':
      return { ...about, kind, deliveryOn: order.deliveryOn, lines: order.lines.map(noticeOf) }
    case 'rejection':
      return { ...about, kind, words: 'The order was canceled.' }
    case 'invoice': {
      const { invoice } = order
      return invoice
        ? { ...about, kind, ...invoice, taxCents: order.taxCents, taxText: salesTaxText(order.tax), lines: order.lines }
        : undefined
    }
    case 'ship-notice': {
      const parcel = await selectToldParcel(db, shipmentId ?? '')
      if (!parcel || shipmentId === null) return undefined
      const lines = parcel.units.flatMap(({ itemId, quantity }) => shippedLine(order, itemId, quantity))
      return { ...about, ...parcel, kind, shipmentId, lines }
    }
  }
}

function shippedLine({ lines }: ToldOrder, itemId: number, quantity: number): NoticeLine[] {
  const line = lines.find((each) => each.itemId === itemId)
  return line ? [{ lineNumber: line.lineNumber, unit: line.unit, quantity }] : []
}

function noticeOf({ lineNumber, quantity, unit }: NoticeLine): NoticeLine {
  return { lineNumber, quantity, unit }
}

/**
 * Sends a document under its constant payload id. Retries a document that isn't accepted, with increasing delays. After
 * `mostDocumentAttempts` it is left to staff.
 */
export async function sendPurchasingDocument(
  {
    db,
    clock,
    config,
    purchasingSystems,
  }: Deps & { config: { session: { secret: Secrets } }; purchasingSystems: PurchasingSystems },
  documentId: string,
): Promise<void> {
  const document = await selectDocument(db, documentId)
  if (document?.state !== 'waiting') return
  const system = await selectSystem(db, document.companyId)
  const secret = system?.secret && unseal(config.session.secret, documentSecretPurpose, system.secret)
  const url = system?.url ?? null
  const sent =
    system && url !== null && typeof secret === 'string'
      ? await purchasingSystems.send({
          payloadId: `${document.id}@sidewall`,
          kind: document.kind,
          facts: document.facts,
          isTest: document.isTest,
          to: { domain: system.domain, identity: system.identity },
          url,
          secret,
        })
      : { ok: false as const, words: 'There is no address to send it to.' }
  if (sent.ok) return updateSent(db, documentId, clock.now())
  await db.transaction().execute(async (tx) => {
    const attempts = await updateFailed(tx, documentId, { words: sent.words, most: mostDocumentAttempts })
    if (attempts === undefined || attempts >= mostDocumentAttempts) return
    const runAt = clock.now().add({ minutes: retryMinutes(attempts) })
    await enqueue(tx, 'send-purchasing-document', { documentId }, { runAt })
  })
}

/** Sends a document again that was left to staff, as often as a new one. */
export async function sendDocumentAgain(
  { db, clock }: Deps,
  { documentId, companyId, by }: { documentId: string; companyId: string; by: Actor },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'not-dead'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'companies.decide', at)
    if (!permitted.ok) return permitted
    const document = isId(documentId) ? await selectDocument(tx, documentId) : undefined
    if (document?.companyId !== companyId || !(await updateRevived(tx, documentId))) return refused('not-dead')
    await enqueue(tx, 'send-purchasing-document', { documentId })
    await recordAct(tx, {
      by,
      act: 'company.purchasing-document-sent-again',
      subject: `${documentNames[document.kind]} of ${document.buyerOrderId}`,
      at,
    })
    return ok(null)
  })
}

/** The last documents sent about orders of a company, newest first. */
export function listDocuments({ db }: Pick<Deps, 'db'>, companyId: string, limit: number): Promise<KeptDocument[]> {
  return selectDocumentsOf(db, companyId, limit)
}

/** Documents that were not taken and are left to staff, oldest first. */
export function listDeadDocuments({ db }: Pick<Deps, 'db'>, limit: number): Promise<KeptDocument[]> {
  return selectDead(db, limit)
}
