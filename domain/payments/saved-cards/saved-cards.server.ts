/**
 * Saved cards. The payment provider stores the cards. We store its customer and card identifiers, the card's
 * fingerprint, and the consent with version and time.
 */
import { findPayment } from '#domain/payments/payments/payments.server.ts'
import { cardConsentVersion, mostSavedCards, type SavedCard } from './saved-cards.ts'
import {
  deleteSaving,
  insertCustomer,
  insertSaving,
  lockCustomer,
  selectCards,
  selectCardsForExport,
  selectCustomer,
  selectSaving,
  setHostedRef,
  updateDefault,
  updateRemoved,
  upsertCard,
  useSaving,
  type Saving,
} from './saved-cards.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { isId, newTimedId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { CardVault, VaultedCard } from './card-vault.port.ts'

export type { CardVault } from './card-vault.port.ts'
export { chargeSavedCard, completeSavedCharge, letChargeSave, type SavedChargeRefusal } from './charge.server.ts'
export { deleteOldCards as forgetRemovedCards } from './saved-cards.sql.server.ts'
export { selectCard as findSavedCard, type KeptCard } from './saved-cards.sql.server.ts'

type Deps = { db: Database; clock: Clock; cardVault: CardVault }
type Owner = { accountId: string; email: string | null }

/** Lists an account's cards, the default first. */
export function listSavedCards({ db }: Pick<Deps, 'db'>, accountId: string): Promise<SavedCard[]> {
  return selectCards(db, accountId)
}

/**
 * Returns the account's provider customer, created once. After a crash, the provider returns the same customer for the
 * same key; of two concurrent requests, the first one is recorded.
 */
export async function requireCustomer(
  { db, clock, cardVault }: Deps,
  { accountId, email }: Owner,
): Promise<Outcome<string, Refused<'payment-unavailable'>>> {
  const known = await selectCustomer(db, accountId)
  if (known !== undefined) return ok(known)
  const made = await cardVault.createCustomer({ accountId, email, key: `customer:${accountId}` })
  if (!made.ok) return refused('payment-unavailable')
  await insertCustomer(db, { accountId, customerRef: made.value, at: clock.now() })
  return ok((await selectCustomer(db, accountId)) ?? made.value)
}

/** Records the consent to save the card of a payment, in the words shown today. */
export function consentWithPayment(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { accountId, paymentId }: { accountId: string; paymentId: string },
): Promise<void> {
  return insertSaving(db, { id: newTimedId(), accountId, paymentId, ...consentNow(clock) })
}

/** Takes the consent to save the card of a payment back, before it is paid. */
export function withdrawConsent({ db }: Pick<Deps, 'db'>, paymentId: string): Promise<void> {
  return deleteSaving(db, paymentId)
}

function consentNow(clock: Clock) {
  return { consentVersion: cardConsentVersion, consentedAt: clock.now() }
}

/** Records the consent and opens the provider's page that saves a card; `{saving}` in `returnUrl` is replaced. */
export async function openCardPage(
  deps: Deps,
  { accountId, email, returnUrl, cancelUrl }: Owner & { returnUrl: string; cancelUrl: string },
): Promise<Outcome<{ url: string }, Refused<'payment-unavailable'> | Refused<'too-many'>>> {
  if ((await selectCards(deps.db, accountId)).length >= mostSavedCards) return refused('too-many')
  const customer = await requireCustomer(deps, { accountId, email })
  if (!customer.ok) return customer
  const id = newTimedId()
  await insertSaving(deps.db, { id, accountId, ...consentNow(deps.clock) })
  const page = await deps.cardVault.openCardPage({
    customerRef: customer.value,
    reference: id,
    returnUrl: returnUrl.replace('{saving}', id),
    cancelUrl,
    key: `save:${id}`,
  })
  if (!page.ok) return refused('payment-unavailable')
  await setHostedRef(deps.db, id, page.value.hostedRef)
  return ok({ url: page.value.url })
}

/**
 * Stores the card saved on the provider's page, on the owner's return or the provider's event, whichever comes first.
 */
export async function finishCardPage(
  deps: Deps,
  by: { id: string; accountId: string } | { hostedRef: string },
): Promise<Outcome<null, Refused<'not-saved'> | Refused<'payment-unavailable'>>> {
  if ('id' in by && !isId(by.id)) return refused('not-saved')
  const saving = await selectSaving(deps.db, by)
  if (!saving?.hostedRef || ('accountId' in by && saving.accountId !== by.accountId)) return refused('not-saved')
  if (saving.savedAt !== null) return ok(null)
  const card = await deps.cardVault.readCardPage(saving.hostedRef)
  if (!card.ok) return refused('payment-unavailable')
  if (card.value === null) return refused('not-saved')
  await keepCard(deps, saving, card.value)
  return ok(null)
}

/** Stores the card of an authorized payment with the payer's consent. Throws while the provider is down. */
export async function saveCardOfPayment(deps: Deps, paymentId: string): Promise<void> {
  const [payment, saving] = await Promise.all([
    findPayment(deps.db, { id: paymentId }),
    selectSaving(deps.db, { paymentId }),
  ])
  if (!payment?.providerRef || !saving || saving.savedAt !== null) return
  const card = await deps.cardVault.readCardOfCharge(payment.providerRef)
  if (!card.ok) throw new Error('The payment provider does not say which card was saved.', { cause: card.cause })
  if (card.value !== null) await keepCard(deps, saving, card.value)
}

async function keepCard({ db, clock }: Deps, saving: Saving, card: VaultedCard): Promise<void> {
  const at = clock.now()
  await db.transaction().execute(async (tx) => {
    // The account may be gone by now; its customer was deleted with every card.
    if (!(await lockCustomer(tx, saving.accountId)) || !(await useSaving(tx, saving.id, at))) return
    const replaced = await upsertCard(tx, saving, card, at)
    if (replaced !== undefined) await detachSoon(tx, replaced)
  })
}

/** Makes a card the default. Refuses one that is not the account's. */
export function setDefaultCard(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  cardId: string,
): Promise<Outcome<null, Refused<'not-found'>>> {
  if (!isId(cardId)) return Promise.resolve(refused('not-found'))
  return db.transaction().execute(async (tx) => {
    await lockCustomer(tx, accountId)
    return (await updateDefault(tx, accountId, cardId)) ? ok(null) : refused('not-found')
  })
}

/** Removes a card here immediately, and at the provider through a job in the same transaction. Idempotent. */
export function removeSavedCard(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  accountId: string,
  cardId: string,
): Promise<Outcome<null, Refused<'not-found'>>> {
  if (!isId(cardId)) return Promise.resolve(refused('not-found'))
  return db.transaction().execute(async (tx) => {
    await lockCustomer(tx, accountId)
    const cardRef = await updateRemoved(tx, accountId, cardId, clock.now())
    if (cardRef === undefined) return refused('not-found')
    await detachSoon(tx, cardRef)
    return ok(null)
  })
}

function detachSoon(tx: Tx, cardRef: string): Promise<void> {
  return enqueue(tx, 'detach-card', { cardRef }, { key: `detach-card:${cardRef}` })
}

/** Removes a card at the provider. Throws while it is down. */
export async function detachCard({ cardVault }: Pick<Deps, 'cardVault'>, cardRef: string): Promise<void> {
  const gone = await cardVault.detachCard({ cardRef, key: `detach:${cardRef}` })
  if (!gone.ok) throw new Error('A card could not be removed at the payment provider.', { cause: gone.cause })
}

/** Deletes the account's provider customer with all cards, through a job in the transaction that closes the account. */
export async function forgetCustomerSoon(tx: Tx, accountId: string): Promise<void> {
  const customerRef = await selectCustomer(tx, accountId)
  if (customerRef !== undefined)
    await enqueue(tx, 'forget-customer', { customerRef }, { key: `forget-customer:${customerRef}` })
}

/** Deletes a customer at the provider. Throws while it is down. */
export async function forgetCustomer({ cardVault }: Pick<Deps, 'cardVault'>, customerRef: string): Promise<void> {
  const gone = await cardVault.deleteCustomer(customerRef)
  if (!gone.ok) throw new Error('A customer could not be deleted at the payment provider.', { cause: gone.cause })
}

/** The cards of an account, for the data export. */
export async function exportCards(db: Database, accountId: string): Promise<object[]> {
  return (await selectCardsForExport(db, accountId)).map(({ consentedAt, addedAt, removedAt, ...card }) => ({
    ...card,
    consentedAt: consentedAt.toString(),
    addedAt: addedAt.toString(),
    removedAt: removedAt?.toString() ?? null,
  }))
}
