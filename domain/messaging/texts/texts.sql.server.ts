/** The statements for text messages and the consent to them. */
import { sql } from 'kysely'
import { textLife, type ConsentState, type TextKind, type TextState } from './texts.ts'
import type { Database, Tx } from '#platform/db.ts'
import { statesBefore } from '#platform/transitions.ts'

export type Consent = { phone: string; state: ConsentState; words: string; askedAt: Temporal.Instant }

/** Locks a phone's consent until the transaction ends; undefined if it was never asked. */
export async function lockConsent(tx: Tx, phone: string): Promise<Consent | undefined> {
  const row = await tx
    .selectFrom('text_consent')
    .select(['phone', 'state', 'words', 'asked_at as askedAt'])
    .where('phone', '=', phone)
    .forUpdate()
    .executeTakeFirst()
  return row && { ...row, state: row.state as ConsentState }
}

/** The state of a phone's consent; undefined if it was never asked. */
export async function selectConsentState(db: Database, phone: string): Promise<ConsentState | undefined> {
  const row = await db.selectFrom('text_consent').select('state').where('phone', '=', phone).executeTakeFirst()
  return row && (row.state as ConsentState)
}

/** Records a confirmation request. Of two concurrent ones, the second blocks and finds the first. */
export async function upsertAsked(
  tx: Tx,
  { phone, words, from, at }: { phone: string; words: string; from: string | null; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('text_consent')
    .values({ phone, state: 'asked', words, asked_at: at, asked_from: from })
    .onConflict((conflict) => conflict.column('phone').doUpdateSet({ words, asked_at: at, asked_from: from }))
    .execute()
}

export async function updateConsent(
  tx: Tx,
  phone: string,
  state: 'confirmed' | 'stopped',
  at: Temporal.Instant,
): Promise<void> {
  await tx
    .updateTable('text_consent')
    .set(state === 'confirmed' ? { state, confirmed_at: at, stopped_at: null } : { state, stopped_at: at })
    .where('phone', '=', phone)
    .execute()
}

export async function insertConsentEvent(
  tx: Tx,
  event: {
    phone: string
    what: 'asked' | 'confirmed' | 'stopped' | 'resumed'
    words: string
    /** Which version of our words was agreed to. */
    wording?: number
    at: Temporal.Instant
  },
): Promise<void> {
  await tx.insertInto('text_consent_event').values(event).execute()
}

/** Stores that the shopper of a cart agreed to texts, and to which words. */
export async function upsertCartWish(
  db: Database,
  { cartId, words, wording, at }: { cartId: string; words: string; wording: number; at: Temporal.Instant },
): Promise<void> {
  const values = { words, wording, agreed_at: at }
  await db
    .insertInto('cart_text_wish')
    .values({ cart_id: cartId, ...values })
    .onConflict((conflict) => conflict.column('cart_id').doUpdateSet(values))
    .execute()
}

export async function deleteCartWish(db: Database, cartId: string): Promise<void> {
  await db.deleteFrom('cart_text_wish').where('cart_id', '=', cartId).execute()
}

/** What the shopper of a cart agreed to; undefined if they did not. */
export function selectCartWish(db: Database, cartId: string): Promise<{ words: string; wording: number } | undefined> {
  return db.selectFrom('cart_text_wish').select(['words', 'wording']).where('cart_id', '=', cartId).executeTakeFirst()
}

/** Stores the phone that gets texts about the orders of an account. */
export async function upsertAccountText(
  tx: Tx,
  { accountId, phone, at }: { accountId: string; phone: string; at: Temporal.Instant },
): Promise<void> {
  await tx
    .insertInto('account_text')
    .values({ account_id: accountId, phone, asked_at: at })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ phone, asked_at: at }))
    .execute()
}

/** Ends an account's text messages for future orders. */
export async function deleteAccountText(db: Database, accountId: string): Promise<void> {
  await db.deleteFrom('account_text').where('account_id', '=', accountId).execute()
}

/** Returns an account's phone for text messages, and its consent; undefined if not set. */
export async function selectAccountText(
  db: Database,
  accountId: string,
): Promise<{ phone: string; state: ConsentState } | undefined> {
  const row = await db
    .selectFrom('account_text')
    .innerJoin('text_consent', 'text_consent.phone', 'account_text.phone')
    .select(['text_consent.phone', 'text_consent.state'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && { ...row, state: row.state as ConsentState }
}

/** Links an order to the phone that gets texts about it. */
export async function upsertTextOrder(tx: Tx, orderId: number, phone: string, at: Temporal.Instant): Promise<void> {
  await tx
    .insertInto('text_order')
    .values({ order_id: orderId, phone, asked_at: at })
    .onConflict((conflict) => conflict.column('order_id').doUpdateSet({ phone, asked_at: at }))
    .execute()
}

/** Returns the phone and consent for text messages about an order; undefined if not requested. */
export async function selectTextOrder(
  db: Database,
  orderId: number,
): Promise<{ phone: string; state: ConsentState } | undefined> {
  const row = await db
    .selectFrom('text_order')
    .innerJoin('text_consent', 'text_consent.phone', 'text_order.phone')
    .select(['text_consent.phone', 'text_consent.state'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return row && { ...row, state: row.state as ConsentState }
}

export type QueuedText = {
  id: string
  key: string
  kind: TextKind
  phone: string
  orderId: number | null
  state: TextState
  body: string | null
  consent: ConsentState
  createdAt: Temporal.Instant
}

/** Stores a queued text; false if its key already exists. */
export async function insertText(
  tx: Tx,
  text: { id: string; key: string; kind: TextKind; phone: string; orderId: number | null; at: Temporal.Instant },
): Promise<boolean> {
  const { id, key, kind, phone, orderId, at } = text
  const written = await tx
    .insertInto('text_message')
    .values({ id, key, kind, phone, order_id: orderId, created_at: at })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return written !== undefined
}

/** A text with its phone's consent now; undefined if it was deleted. */
export async function selectText(db: Database, id: string): Promise<QueuedText | undefined> {
  const row = await db
    .selectFrom('text_message as text')
    .innerJoin('text_consent as consent', 'consent.phone', 'text.phone')
    .select([
      'text.id',
      'text.key',
      'text.kind',
      'text.phone',
      'text.order_id as orderId',
      'text.state',
      'text.body',
      'consent.state as consent',
      'text.created_at as createdAt',
    ])
    .where('text.id', '=', id)
    .executeTakeFirst()
  return (
    row && {
      ...row,
      kind: row.kind as TextKind,
      state: row.state as TextState,
      consent: row.consent as ConsentState,
    }
  )
}

/** Moves a text on, if its life allows it. */
export async function updateText(
  db: Database,
  which: { id: string } | { ref: string },
  to: {
    state: TextState
    body?: string | undefined
    ref?: string | undefined
    code?: number | null | undefined
    sentAt?: Temporal.Instant | undefined
  },
): Promise<void> {
  await db
    .updateTable('text_message')
    .set({
      state: to.state,
      ...(to.body !== undefined && { body: to.body }),
      ...(to.ref !== undefined && { provider_ref: to.ref }),
      ...(to.code !== undefined && { error_code: to.code }),
      ...(to.sentAt !== undefined && { sent_at: to.sentAt }),
    })
    .where('id' in which ? 'id' : 'provider_ref', '=', 'id' in which ? which.id : which.ref)
    .where('state', 'in', statesBefore(textLife, to.state))
    .execute()
}

/** The texts about an account and its orders, and the consent of their phones, as plain data for JSON. */
export async function exportTexts(
  db: Database,
  { accountId, orderIds }: { accountId: string; orderIds: readonly number[] },
): Promise<object[]> {
  const { rows } = await sql<{ phones: object[] }>`
    select coalesce(json_agg(json_build_object('phone', phone, 'state', state, 'agreedTo', words, 'askedAt', asked_at, 'confirmedAt', confirmed_at, 'stoppedAt', stopped_at,
      'events', (select coalesce(json_agg(json_build_object('what', what, 'words', event.words, 'at', at) order by id), '[]') from text_consent_event event where event.phone = consent.phone),
      'texts', (select coalesce(json_agg(json_build_object('about', kind, 'text', body, 'sentAt', sent_at) order by created_at), '[]') from text_message text where text.phone = consent.phone and text.order_id = any(${orderIds}::bigint[]))
    )), '[]') as phones
    from text_consent consent where phone in (select phone from text_order where order_id = any(${orderIds}::bigint[]) union select phone from account_text where account_id = ${accountId}::uuid)`.execute(
    db,
  )
  return rows[0]?.phones ?? []
}
