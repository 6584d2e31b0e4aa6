/** The statements of saved cards. */
import type { SavedCard } from './saved-cards.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import type { VaultedCard } from './card-vault.port.ts'

/** A saved card with the provider's name for it. */
export type KeptCard = SavedCard & { cardRef: string; isRemoved: boolean }

const columns = [
  'id',
  'brand',
  'last4',
  'exp_month as expMonth',
  'exp_year as expYear',
  'is_default as isDefault',
] as const

export async function selectCustomer(db: Database, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('payment_customer')
    .select('provider_ref')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.provider_ref
}

/** Records an account's customer; the first one recorded stays. */
export async function insertCustomer(
  db: Database,
  customer: { accountId: string; customerRef: string; at: Temporal.Instant },
): Promise<void> {
  await db
    .insertInto('payment_customer')
    .values({ account_id: customer.accountId, provider_ref: customer.customerRef, created_at: customer.at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Serializes changes to the account's cards until the transaction ends. False if it no longer has a customer. */
export async function lockCustomer(tx: Tx, accountId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('payment_customer')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** An account's cards, the default first, then the newest. */
export function selectCards(db: Database, accountId: string): Promise<SavedCard[]> {
  return db
    .selectFrom('saved_card')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .orderBy('is_default', 'desc')
    .orderBy('added_at', 'desc')
    .orderBy('id')
    .execute()
}

/** A card of an account, removed ones included; without an id its default. */
export async function selectCard(db: Database, accountId: string, id?: string): Promise<KeptCard | undefined> {
  const query = db
    .selectFrom('saved_card')
    .select([...columns, 'provider_ref as cardRef', 'removed_at'])
    .where('account_id', '=', accountId)
  const row = await (
    id === undefined ? query.where('is_default', '=', true) : query.where('id', '=', id)
  ).executeTakeFirst()
  if (!row) return undefined
  const { removed_at: removedAt, ...card } = row
  return { ...card, isRemoved: removedAt !== null }
}

type Consent = { consentVersion: string; consentedAt: Temporal.Instant }
export type Saving = Consent & {
  id: string
  accountId: string
  hostedRef: string | null
  savedAt: Temporal.Instant | null
}

export async function insertSaving(
  db: Database,
  saving: Consent & { id: string; accountId: string; paymentId?: string },
): Promise<void> {
  await db
    .insertInto('card_saving')
    .values({
      id: saving.id,
      account_id: saving.accountId,
      payment_id: saving.paymentId ?? null,
      consent_version: saving.consentVersion,
      consented_at: saving.consentedAt,
    })
    .onConflict((conflict) => conflict.column('payment_id').doNothing())
    .execute()
}

export async function setHostedRef(db: Database, id: string, hostedRef: string): Promise<void> {
  await db.updateTable('card_saving').set({ hosted_ref: hostedRef }).where('id', '=', id).execute()
}

/** Deletes a consent given with a payment that hasn't saved a card yet. */
export async function deleteSaving(db: Database, paymentId: string): Promise<void> {
  await db.deleteFrom('card_saving').where('payment_id', '=', paymentId).where('saved_at', 'is', null).execute()
}

export async function selectSaving(
  db: Database,
  by: { id: string } | { paymentId: string } | { hostedRef: string },
): Promise<Saving | undefined> {
  const query = db
    .selectFrom('card_saving')
    .select([
      'id',
      'account_id as accountId',
      'hosted_ref as hostedRef',
      'consent_version as consentVersion',
      'consented_at as consentedAt',
      'saved_at as savedAt',
    ])
  return (
    'id' in by
      ? query.where('id', '=', by.id)
      : 'paymentId' in by
        ? query.where('payment_id', '=', by.paymentId)
        : query.where('hosted_ref', '=', by.hostedRef)
  ).executeTakeFirst()
}

/** Marks a consent as used. False if it was. */
export async function useSaving(tx: Tx, id: string, at: Temporal.Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('card_saving')
    .set({ saved_at: at })
    .where('id', '=', id)
    .where('saved_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Stores a card with its consent, as the account's default if it has no default. A duplicate card replaces the first
 * one; returns the provider reference that is no longer needed.
 */
export async function upsertCard(
  tx: Tx,
  { accountId, consentVersion, consentedAt }: Saving,
  card: VaultedCard,
  at: Temporal.Instant,
): Promise<string | undefined> {
  const values = {
    provider_ref: card.cardRef,
    brand: card.brand,
    last4: card.last4,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    consent_version: consentVersion,
    consented_at: consentedAt,
  }
  const same = await tx
    .selectFrom('saved_card')
    .select(['id', 'provider_ref'])
    .where('account_id', '=', accountId)
    .where('fingerprint', '=', card.fingerprint)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (same) {
    await tx.updateTable('saved_card').set(values).where('id', '=', same.id).execute()
    return same.provider_ref === card.cardRef ? undefined : same.provider_ref
  }
  await tx
    .insertInto('saved_card')
    .values({
      ...values,
      id: newTimedId(),
      account_id: accountId,
      fingerprint: card.fingerprint,
      is_default: (await selectCard(tx, accountId)) === undefined,
      added_at: at,
    })
    .execute()
  return undefined
}

/** Makes a card the default. False if the account does not have it. */
export async function updateDefault(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const card = await selectCard(tx, accountId, id)
  if (!card || card.isRemoved) return false
  await tx
    .updateTable('saved_card')
    .set({ is_default: false })
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .execute()
  await tx.updateTable('saved_card').set({ is_default: true }).where('id', '=', id).execute()
  return true
}

/** Removes a card; the newest of the others becomes the default after it. Returns the provider's name for it. */
export async function updateRemoved(
  tx: Tx,
  accountId: string,
  id: string,
  at: Temporal.Instant,
): Promise<string | undefined> {
  const removed = await tx
    .updateTable('saved_card')
    .set({ removed_at: at, is_default: false })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .returning('provider_ref')
    .executeTakeFirst()
  if (!removed) return undefined
  const [next] = await selectCards(tx, accountId)
  if (next && !next.isDefault) await updateDefault(tx, accountId, next.id)
  return removed.provider_ref
}

/** Deletes removed cards, and consents without a card. Returns the number of cards. */
export async function deleteOldCards(db: Database, before: Temporal.Instant): Promise<number> {
  await db.deleteFrom('card_saving').where('consented_at', '<', before).execute()
  const { numDeletedRows } = await db.deleteFrom('saved_card').where('removed_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Returns cards for the owner's data export, including removed ones during their retention period. */
export function selectCardsForExport(db: Database, accountId: string) {
  return db
    .selectFrom('saved_card')
    .select([
      'brand',
      'last4',
      'exp_month as expMonth',
      'exp_year as expYear',
      'is_default as isDefault',
      'consent_version as consentVersion',
      'consented_at as consentedAt',
      'added_at as addedAt',
      'removed_at as removedAt',
    ])
    .where('account_id', '=', accountId)
    .orderBy('added_at')
    .execute()
}
