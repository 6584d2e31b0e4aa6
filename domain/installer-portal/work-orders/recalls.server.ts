/** Tire recalls, which the office drafts, opens and closes. Buyers are notified once per tire (49 CFR 573 and 574). */
import { serverPaths } from '#content/server-paths.ts'
import { keyParts, type MessageState, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { queueMessage, selectMessageStates } from '#domain/messaging/messages/messages.server.ts'
import { orderKey, readOrder } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { recordAct, requirePermission, type Actor, type Recorded } from '#domain/kernel/staff/staff.server.ts'
import { promiseText } from '#domain/messaging/texts/texts.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { RecallAnswer, RecallInput, TinRange } from './recall-form.ts'
import {
  countAffected,
  deleteRecall,
  insertNotices,
  insertRanges,
  insertRecall,
  lockRecall,
  selectAffected,
  selectNoticeKeys,
  selectOpenCampaigns,
  selectRanges,
  selectRecall,
  selectRecalled,
  selectRecalls,
  selectRecallsOfOrders,
  selectToldBy,
  selectUntold,
  updateAnswer,
  updateRecallState,
  type AffectedTire,
  type Recall,
  type RecallState,
  type TireRecall,
} from './recalls.sql.server.ts'
import { tinText } from './tin.ts'
import { positionName } from './wheel-positions.ts'

type Deps = { db: Database; clock: Clock }
const recallsPerPage = 50
const rangesShown = 200
const tiresPerPage = 50
/** Orders told in one transaction. */
const ordersAtOnce = 100

/** Lists a page of recalls, newest first. `before` is the `next` of the page above it. */
export async function listRecalls(
  { db }: Pick<Deps, 'db'>,
  { before }: { before: number | null },
): Promise<{ recalls: (Recall & { told: number })[]; next: number | null }> {
  const found = await selectRecalls(db, { before, limit: recallsPerPage + 1 })
  const recalls = found.slice(0, recallsPerPage)
  return { recalls, next: found.length > recalls.length ? (recalls.at(-1)?.id ?? null) : null }
}

type DraftRefusal =
  | Refused<'not-allowed'>
  | Refused<'recall-exists'>
  | Refused<'unknown-maker'>
  | Refused<'unknown-line'>
  | Refused<'unknown-sizes', readonly string[]>

/**
 * Drafts a recall. Buyers aren't notified and tires aren't refused until it is opened. Refuses brands and models
 * missing in the catalog.
 */
export function draftRecall(
  { db, clock }: Deps,
  by: Actor,
  { recall, ranges }: { recall: RecallInput; ranges: readonly TinRange[] },
): Promise<Outcome<{ campaign: string }, DraftRefusal>> {
  return db.transaction().execute(async (tx): Promise<Outcome<{ campaign: string }, DraftRefusal>> => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'recalls.manage', at)
    if (!permitted.ok) return permitted
    const known = await selectRecalled(tx, recall)
    if (!known) return refused('unknown-maker')
    if (recall.line !== null && known.line === null) return refused('unknown-line')
    if (known.unknownSizes.length > 0) return refused('unknown-sizes', known.unknownSizes)
    const { campaign } = recall
    const id = await insertRecall(tx, { ...recall, maker: known.maker, line: known.line, ranges, by: by.name, at })
    if (id === undefined) return refused('recall-exists')
    const after = { maker: known.maker, ranges: ranges.length }
    await recordAct(tx, { by, act: 'recall.drafted', subject: campaign, after, at })
    return ok({ campaign })
  })
}

type ActRefusal = Refused<'not-allowed'> | Refused<'recall-not-found'> | Refused<'other-state', { state: RecallState }>

/** Runs an act on the locked recall, if the actor may and it is in `state`, and writes it down. */
function actOn(
  { db, clock }: Deps,
  by: Actor,
  {
    campaign,
    state,
    act,
  }: { campaign: string; state: RecallState; act: `recall.${'opened' | 'discarded' | 'closed' | 'extended'}` },
  work: (tx: Tx, recall: Recall, at: Temporal.Instant) => Promise<Recorded>,
): Promise<Outcome<null, ActRefusal>> {
  return db.transaction().execute(async (tx): Promise<Outcome<null, ActRefusal>> => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'recalls.manage', at)
    if (!permitted.ok) return permitted
    const recall = await lockRecall(tx, campaign)
    if (!recall) return refused('recall-not-found')
    if (recall.state !== state) return refused('other-state', { state: recall.state })
    await recordAct(tx, { by, act, subject: campaign, after: await work(tx, recall, at), at })
    return ok(null)
  })
}

/** Opens a drafted recall. Shops can no longer install such tires, and the worker notifies their buyers. */
export function openRecall(deps: Deps, by: Actor, campaign: string): Promise<Outcome<null, ActRefusal>> {
  return actOn(deps, by, { campaign, state: 'draft', act: 'recall.opened' }, async (tx, { id }, at) => {
    await updateRecallState(tx, id, { state: 'open', at })
    await enqueue(tx, 'tell-of-recall', { campaign }, { key: `tell-of-recall:${campaign}` })
    return countAffected(tx, id)
  })
}

/** Deletes a draft. */
export function discardRecall(deps: Deps, by: Actor, campaign: string): Promise<Outcome<null, ActRefusal>> {
  return actOn(deps, by, { campaign, state: 'draft', act: 'recall.discarded' }, async (tx, { id, maker }) => {
    await deleteRecall(tx, id)
    return { maker }
  })
}

/** Closes an open recall, so that its tires can be installed, and notifications stop. */
export function closeRecall(deps: Deps, by: Actor, campaign: string): Promise<Outcome<null, ActRefusal>> {
  return actOn(deps, by, { campaign, state: 'open', act: 'recall.closed' }, async (tx, { id, maker }, at) => {
    await updateRecallState(tx, id, { state: 'closed', at })
    return { maker }
  })
}

/** Adds ranges to an open recall that the manufacturer extended, and notifies those tires' buyers. */
export function extendRecall(
  deps: Deps,
  by: Actor,
  { campaign, ranges }: { campaign: string; ranges: readonly TinRange[] },
): Promise<Outcome<null, ActRefusal>> {
  return actOn(deps, by, { campaign, state: 'open', act: 'recall.extended' }, async (tx, { id }) => {
    const added = await insertRanges(tx, id, ranges)
    await enqueue(tx, 'tell-of-recall', { campaign }, { key: `tell-of-recall:${campaign}` })
    return { ranges: added }
  })
}

/** Where the email to a buyer is. */
export type NoticeState = 'not-told' | 'told' | 'bounced'

/** A recall with its ranges, its counts, and a page of the tires. */
export type RecallPage = {
  recall: Recall
  ranges: TinRange[]
  counts: { tires: number; orders: number; told: number; bounced: number; answered: number }
  tires: (AffectedTire & { state: NoticeState })[]
  next: number | null
}

/** Reads a recall. `show` can limit the tires to buyers with bounced emails. Undefined if it doesn't exist. */
export async function readRecall(
  { db }: Pick<Deps, 'db'>,
  { campaign, show, after }: { campaign: string; show: 'all' | 'bounced'; after: number },
): Promise<RecallPage | undefined> {
  const recall = await selectRecall(db, campaign)
  if (!recall) return undefined
  const notices = await selectNoticeKeys(db, recall.id)
  const states = await selectMessageStates(
    db,
    notices.map(({ messageKey }) => messageKey),
  )
  const cameBack = (key: string) => isBack(states.get(key))
  const bounced = notices.filter(({ messageKey }) => cameBack(messageKey)).map(({ orderId }) => orderId)
  const found = await selectAffected(db, recall.id, {
    after,
    limit: tiresPerPage + 1,
    orderIds: show === 'bounced' ? bounced : null,
  })
  const tires = found.slice(0, tiresPerPage).map((tire): RecallPage['tires'][number] => ({
    ...tire,
    state: tire.messageKey === null ? 'not-told' : cameBack(tire.messageKey) ? 'bounced' : 'told',
  }))
  return {
    recall,
    ranges: await selectRanges(db, recall.id, rangesShown),
    counts: {
      ...(await countAffected(db, recall.id)),
      told: new Set(notices.map(({ orderId }) => orderId)).size,
      bounced: new Set(bounced).size,
      answered: new Set(notices.flatMap(({ orderId, answer }) => (answer === null ? [] : [orderId]))).size,
    },
    tires,
    next: found.length > tiresPerPage ? (tires.at(-1)?.id ?? null) : null,
  }
}

function isBack(state: MessageState | undefined): boolean {
  return state === 'bounced' || state === 'refused' || state === 'complained'
}

/**
 * Notifies an open recall's unnotified buyers, with one email per order's tires, and a text message if opted in. Each
 * tire is notified once even with concurrent runs, because the recall is locked and notices are unique.
 */
export async function tellOfRecall({ db, clock }: Deps, campaign: string): Promise<number> {
  for (let told = 0; ;) {
    const orders = await db.transaction().execute(async (tx) => {
      const recall = await lockRecall(tx, campaign)
      if (recall?.state !== 'open') return 0
      const untold = Map.groupBy(await selectUntold(tx, recall.id, ordersAtOnce), ({ orderId }) => orderId)
      for (const [orderId, tires] of untold) await tellBuyer(tx, { recall, orderId, tires, at: clock.now() })
      return untold.size
    })
    told += orders
    if (orders < ordersAtOnce) return told
  }
}

async function tellBuyer(
  tx: Tx,
  {
    recall,
    orderId,
    tires,
    at,
  }: { recall: Recall; orderId: number; tires: { id: number; email: string }[]; at: Temporal.Instant },
): Promise<void> {
  const [first] = tires
  if (!first) return
  const key = `recall-notice:${recall.id}:${orderId}:${first.id}`
  const registrationIds = tires.map(({ id }) => id)
  await insertNotices(tx, { recallId: recall.id, orderId, registrationIds, key, at })
  await queueMessage(tx, { kind: 'recall-notice', key, to: first.email, orderId, at })
  await promiseText(tx, { kind: 'recall', key, orderId, at })
}

/** Checks every open recall for tires with unnotified buyers, such as tires installed while it was being opened. */
export async function watchRecalls(deps: Deps): Promise<number> {
  let told = 0
  for (const campaign of await selectOpenCampaigns(deps.db)) told += await tellOfRecall(deps, campaign)
  return told
}

/** Returns the values of the email about a recall. */
export async function recallMessageValues(
  { db, clock, config }: Deps & { config: Pick<Config, 'web' | 'session' | 'store'> },
  { key, orderId }: { key: string; orderId: number | null },
): Promise<MessageValues> {
  const [recallId = ''] = keyParts(key)
  const order = orderId === null ? undefined : await readOrder(db, orderId)
  const told = order ? await selectToldBy(db, Number(recallId), order.id, key) : []
  const [first] = told
  if (!order || !first) throw new Error(`The recall of ${key} is not there.`)
  const opens = orderKey(config.session.secret, order.id, clock.now())
  return {
    firstName: order.firstName,
    orderNumber: orderNumber(order.id),
    maker: first.maker,
    campaign: first.campaign,
    defect: first.defect,
    remedy: first.remedy,
    recalledTires: {
      lines: told.map(({ position, tire, tin }) => `${positionName(position)}: ${tire}, TIN ${tinText(tin)}`),
    },
    answerUrl: config.web.origin + serverPaths.orderRecall(order.id, opens),
    phone: config.store.phone,
  }
}

/** Returns the recalls that an order's buyer was notified about, each with its tires. */
export async function readRecallsOfOrder(db: Database, orderId: number): Promise<Map<string, TireRecall[]>> {
  return Map.groupBy(await selectRecallsOfOrders(db, [orderId]), ({ campaign }) => campaign)
}

/** Records a buyer's answer about their recalled tires, replacing an earlier one. Refuses with `recall-not-found`. */
export async function answerRecall(
  { db, clock }: Deps,
  { orderId, campaign, answer }: { orderId: number; campaign: string; answer: RecallAnswer },
): Promise<Outcome<null, Refused<'recall-not-found'>>> {
  const recall = await selectRecall(db, campaign)
  const isTaken = recall && (await updateAnswer(db, { recallId: recall.id, orderId, answer, at: clock.now() }))
  return isTaken ? ok(null) : refused('recall-not-found')
}
