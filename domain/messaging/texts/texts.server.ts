/**
 * Text messages with double opt-in. The customer requests them on a page with the consent text, then confirms by
 * replying YES. Each is sent at most once, in the daytime of the phone's time zone, and never to a phone that replied
 * STOP.
 */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { keepHandledEvent } from '#domain/kernel/provider-events/provider-events.server.ts'
import {
  deleteCartWish,
  insertConsentEvent,
  insertText,
  lockConsent,
  selectAccountText,
  selectCartWish,
  selectText,
  type QueuedText,
  selectTextOrder,
  updateConsent,
  updateText,
  upsertAccountText,
  upsertAsked,
  upsertCartWish,
  upsertTextOrder,
} from './texts.sql.server.ts'
import {
  consentWording,
  teamConsentWording,
  nextSendTime,
  textNumber,
  wishOf,
  zoneOfPhone,
  type TextKind,
  type TextState,
} from './texts.ts'
import type { OrderText } from './order-texts.sql.server.ts'
import type { TextSender } from './text-sender.port.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

export { selectOrderOfPhone as orderOfPhone, selectTextsOfOrder, type OrderText } from './order-texts.sql.server.ts'
export {
  eraseTexts,
  selectTextConsents,
  selectTextsOfOrders,
  type CustomerText,
  type TextConsent,
} from './customer-texts.sql.server.ts'
export {
  deleteAccountText,
  exportTexts,
  selectAccountText,
  selectCartWish,
  selectConsentState,
} from './texts.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** A phone gets at most one confirmation request in this time, from any requester. */
const askAgainAfterHours = 24

/**
 * Requests text messages about an order for its own phone. A confirmed phone gets them immediately. Any other is sent
 * one text message that requests YES. Returns whether it must still confirm. Refuses a number that can't receive text
 * messages, and with `stopped` a phone that replied STOP, which only its owner can reverse from the phone. `words` is
 * the consent text next to the button.
 */
export async function askForTexts(
  { db, clock }: Deps,
  { orderId, phone, networkKey, words }: { orderId: number; phone: string; networkKey: string; words: string },
): Promise<Outcome<{ mustConfirm: boolean }, AskRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const agreed = { words, wording: consentWording }
    const asked = await askPhone(tx, { phone, agreed, from: networkKey, orderId, at })
    if (!asked.ok) return asked
    await upsertTextOrder(tx, orderId, asked.value.phone, at)
    return ok({ mustConfirm: asked.value.mustConfirm })
  })
}

export type AskRefusal = Refused<'no-mobile-number'> | Refused<'stopped'>

/** Records the consent, and requests YES from an unconfirmed phone, at most once in `askAgainAfterHours`. */
async function askPhone(
  tx: Tx,
  { phone, agreed, from, orderId, at, isTeam = false }: AskedPhone,
): Promise<Outcome<{ phone: string; mustConfirm: boolean }, AskRefusal>> {
  const number = textNumber(phone)
  if (number === undefined) return refused('no-mobile-number')
  const before = await lockConsent(tx, number)
  if (before?.state === 'stopped') return refused('stopped')
  const isNew = !before || at.since(before.askedAt).total('hours') >= askAgainAfterHours
  if (before?.state !== 'confirmed' && isNew) {
    await upsertAsked(tx, { phone: number, words: agreed.words, from, at })
    await insertConsentEvent(tx, { phone: number, what: 'asked', ...agreed, at })
    const day = at.toZonedDateTimeISO('UTC').toPlainDate().toString()
    const key = `${isTeam ? teamConfirmPrefix : 'confirm:'}${number}:${day}`
    await queueText(tx, { kind: 'confirm-request', key, phone: number, orderId, at })
  }
  return ok({ phone: number, mustConfirm: before?.state !== 'confirmed' })
}

type AskedPhone = {
  phone: string
  agreed: { words: string; wording: number }
  /** The key of the network that asked; null where it is not known. */
  from: string | null
  orderId: number | null
  at: Temporal.Instant
  /** The request to the phone is about its shop's appointments, not orders. */
  isTeam?: boolean
}

/** The key prefix of the text message that requests YES from a shop member. */
export const teamConfirmPrefix = 'confirm-team:'

/**
 * Requests YES from a shop member's phone, in the transaction, unless it has confirmed. Returns the phone as
 * providers write it. Refuses as `askForTexts` does.
 */
export function askTeamPhone(
  tx: Tx,
  { phone, words, networkKey, at }: { phone: string; words: string; networkKey: string; at: Temporal.Instant },
): Promise<Outcome<{ phone: string; mustConfirm: boolean }, AskRefusal>> {
  const agreed = { words, wording: teamConsentWording }
  return askPhone(tx, { phone, agreed, from: networkKey, orderId: null, at, isTeam: true })
}

/** Stores whether the checkout's opt-in box is checked, with its consent text. */
export async function saveCartWish(
  { db, clock }: Deps,
  { cartId, words }: { cartId: string; words: string | null },
): Promise<void> {
  if (words === null) return deleteCartWish(db, cartId)
  await upsertCartWish(db, { cartId, words, wording: consentWording, at: clock.now() })
}

/**
 * Starts text messages for an order in its transaction. If the checkout's box was checked, a confirmation is requested
 * from its phone. If its account chose this phone, no confirmation is needed.
 */
export async function startTextsOfOrder(
  tx: Tx,
  order: { orderId: number; cartId: string; accountId: string | null; phone: string; at: Temporal.Instant },
): Promise<void> {
  const { orderId, phone, at } = order
  const agreed = await selectCartWish(tx, order.cartId)
  if (agreed) {
    const asked = await askPhone(tx, { phone, agreed, from: null, orderId, at })
    if (asked.ok) await upsertTextOrder(tx, orderId, asked.value.phone, at)
    return
  }
  const chosen = order.accountId === null ? undefined : await selectAccountText(tx, order.accountId)
  if (chosen && chosen.phone === textNumber(phone)) await upsertTextOrder(tx, orderId, chosen.phone, at)
}

/**
 * Sets the phone for text messages about an account's future orders, and requests its confirmation. Refuses as
 * `askForTexts` does, and if the account or network requested too often.
 */
export async function chooseAccountPhone(
  { db, clock, rateLimits }: Deps & { rateLimits: RateLimits },
  { accountId, phone, networkKey, words }: { accountId: string; phone: string; networkKey: string; words: string },
): Promise<Outcome<{ mustConfirm: boolean }, AskRefusal | Refused<'too-many', { retryAfterSeconds: number }>>> {
  const number = textNumber(phone)
  if (number === undefined) return refused('no-mobile-number')
  const before = await selectAccountText(db, accountId)
  // Repeating it doesn't request another confirmation.
  if (before?.phone === number && before.state !== 'stopped') return ok({ mustConfirm: before.state !== 'confirmed' })
  const taken = await rateLimits.take('text-confirmation', { account: accountId, network: networkKey })
  if (!taken.ok) return taken
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const agreed = { words, wording: consentWording }
    const asked = await askPhone(tx, { phone, agreed, from: networkKey, orderId: null, at })
    if (!asked.ok) return asked
    await upsertAccountText(tx, { accountId, phone: asked.value.phone, at })
    return ok({ mustConfirm: asked.value.mustConfirm })
  })
}

/** Returns whether text messages about an order were requested, with its phone's state; undefined if not. */
export function findTextOrder({ db }: Pick<Deps, 'db'>, orderId: number) {
  return selectTextOrder(db, orderId)
}

/**
 * Queues a text message about an order in the transaction, if its shopper confirmed the opt-in. `key` identifies its
 * subject, for deduplication.
 */
export async function promiseText(
  tx: Tx,
  { kind, key, orderId, at }: { kind: TextKind; key: string; orderId: number; at: Temporal.Instant },
): Promise<void> {
  const wanted = await selectTextOrder(tx, orderId)
  if (wanted?.state === 'confirmed') await queueText(tx, { kind, key, phone: wanted.phone, orderId, at })
}

/**
 * Queues a text message that is not about an order to a phone that has confirmed, once per key; returns whether it
 * has. The caller renders it as any other kind, by its key.
 */
export async function promiseTextTo(
  tx: Tx,
  { kind, key, phone, at }: { kind: 'quote' | 'shop-news'; key: string; phone: string; at: Temporal.Instant },
): Promise<boolean> {
  const number = textNumber(phone)
  const consent = number === undefined ? undefined : await lockConsent(tx, number)
  if (consent?.state !== 'confirmed') return false
  await queueText(tx, { kind, key, phone: consent.phone, orderId: null, at })
  return true
}

/** The state of a phone's consent; undefined for one that never got a request. `phone` is as providers write it. */

/**
 * Queues a text message of an order again, in the transaction; once per `once`, which names the request. False if
 * that was done, or the customer no longer wants text messages.
 */
export async function promiseTextAgain(
  tx: Tx,
  { text, once, orderId, at }: { text: OrderText; once: string; orderId: number; at: Temporal.Instant },
): Promise<boolean> {
  const wanted = await selectTextOrder(tx, orderId)
  if (wanted?.state !== 'confirmed') return false
  const key = `${againPrefix}${once}:${firstKey(text.key)}`
  return queueText(tx, { kind: text.kind, key, phone: wanted.phone, orderId, at })
}

const againPrefix = 'again:'

/** Returns the key of the original text message that this one resends, or its own; the content depends on it. */
function firstKey(key: string): string {
  return key.replace(/^again:[^:]+:/, '')
}

/** Returns false for a key that is queued already. */
async function queueText(
  tx: Tx,
  text: { kind: TextKind; key: string; phone: string; orderId: number | null; at: Temporal.Instant },
): Promise<boolean> {
  const id = newId()
  const isNew = await insertText(tx, { id, ...text })
  if (isNew) await enqueue(tx, 'send-text', { textId: id }, { key: `text:${text.key}` })
  return isNew
}

/** Answers to something the phone's owner has just done; they go out at any hour. */
const answers: ReadonlySet<TextKind> = new Set(['confirm-request', 'welcome'])

/**
 * Sends a queued text message and records it. At night in the phone's time zone it is delayed until morning.
 * `contentOf` returns the content and the time zone of the order's ZIP code, or null if the text is outdated. Throws
 * when the provider is down, so the job retries, and checks whether the text was sent before resending it.
 */
export async function sendText(
  { db, clock, texts }: Deps & { texts: TextSender | null },
  textId: string,
  contentOf: (text: {
    kind: TextKind
    key: string
    orderId: number | null
  }) => Promise<{ body: string; zipZone: string | null } | null>,
): Promise<void> {
  const text = await selectText(db, textId)
  if (!text || (text.state !== 'queued' && text.state !== 'sending')) return
  const { id, kind, phone } = text
  const mayGet = kind === 'confirm-request' ? text.consent === 'asked' : text.consent === 'confirmed'
  const content = mayGet && texts ? await contentOf({ ...text, key: firstKey(text.key) }) : null
  if (!texts || content === null) return updateText(db, { id }, { state: 'dropped' })
  const now = clock.now()
  const sendAt = answers.has(kind) ? now : nextSendTime(now, zoneOfPhone(phone, content.zipZone))
  if (Temporal.Instant.compare(sendAt, now) > 0)
    return enqueue(db, 'send-text', { textId }, { key: `text-later:${id}`, runAt: sendAt })
  const sent = await sendOnce(db, texts, text, text.body ?? content.body)
  if (sent.ok) return updateText(db, { id }, { state: 'sent', ref: sent.ref, sentAt: clock.now() })
  if (sent.reason === 'unavailable') throw new Error('The text provider is down.', { cause: sent.cause })
  if (sent.reason === 'stopped') await noteStop({ db, clock }, phone, 'stopped at the provider')
  await updateText(db, { id }, { state: 'failed', code: sent.code })
}

/** Sends a text, or finds the one that was sent before its answer was lost. */
async function sendOnce(
  db: Database,
  texts: TextSender,
  { id, phone, state, createdAt }: QueuedText,
  body: string,
): ReturnType<TextSender['send']> {
  const found = state === 'sending' ? await texts.find({ to: phone, body, since: createdAt }) : undefined
  if (state === 'queued') await updateText(db, { id }, { state: 'sending', body })
  return found?.ok && found.ref !== undefined ? { ok: true, ref: found.ref } : texts.send({ to: phone, body })
}

/** A text that came from a phone. `ref` is the provider's id, so a repeated delivery counts once. */
export async function receiveText(
  { db, clock }: Deps,
  { ref, from, body }: { ref: string; from: string; body: string },
): Promise<void> {
  const phone = textNumber(from)
  const wish = wishOf(body)
  if (phone === undefined || wish === 'other' || wish === 'help') return
  const at = clock.now()
  const words = body.trim().slice(0, 40) || wish
  await db.transaction().execute(async (tx) => {
    if (!(await keepHandledEvent(tx, { provider: 'texts', id: ref, kind: wish, body: {} }, at))) return
    const consent = await lockConsent(tx, phone)
    if (!consent) return
    if (wish === 'stop' && consent.state !== 'stopped') {
      await updateConsent(tx, phone, 'stopped', at)
      await insertConsentEvent(tx, { phone, what: 'stopped', words, at })
    }
    // YES answers our question; after a STOP only START, which the provider takes, too.
    const isYes = wish === 'yes' && consent.state === 'asked'
    const isStart = wish === 'start' && consent.state === 'stopped'
    if (!isYes && !isStart) return
    await updateConsent(tx, phone, 'confirmed', at)
    await insertConsentEvent(tx, { phone, what: isYes ? 'confirmed' : 'resumed', words, at })
    await queueText(tx, { kind: 'welcome', key: `welcome:${phone}:${at.epochMilliseconds}`, phone, orderId: null, at })
  })
}

/** Records a text message's delivery status. Reports may arrive in any order; a final state isn't overwritten. */
export async function receiveTextStatus(
  { db }: Pick<Deps, 'db'>,
  { ref, status, code }: { ref: string; status: string; code: number | null },
): Promise<void> {
  const state = finalStates[status]
  if (state !== undefined) await updateText(db, { ref }, { state, code })
}

const finalStates: Readonly<Record<string, TextState>> = {
  delivered: 'delivered',
  undelivered: 'undelivered',
  failed: 'failed',
}

async function noteStop({ db, clock }: Deps, phone: string, words: string): Promise<void> {
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    const consent = await lockConsent(tx, phone)
    if (!consent || consent.state === 'stopped') return
    await updateConsent(tx, phone, 'stopped', at)
    await insertConsentEvent(tx, { phone, what: 'stopped', words, at })
  })
}
