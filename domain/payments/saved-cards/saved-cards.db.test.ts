/** Tests the ownership, default card, and removal of saved cards in the sandbox. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteAccount } from '#domain/operations/personal-data/personal-data.server.ts'
import { makeReadyCart, must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { newId } from '#platform/ids.ts'
import { testSecrets } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { cardConsentVersion } from './saved-cards.ts'
import {
  chargeSavedCard,
  detachCard,
  finishCardPage,
  forgetCustomer,
  listSavedCards,
  openCardPage,
  removeSavedCard,
  requireCustomer,
  setDefaultCard,
} from './saved-cards.server.ts'
import { enterCard, saveCard } from './saved-cards.testing.ts'

const [port = 0] = await freePorts(3)
const returnUrl = 'http://store.example/return?payment={payment}'

async function addAccount({ db, clock }: TestStore): Promise<string> {
  const id = newId()
  await db
    .insertInto('account')
    .values({ id, name: 'Mae', email: `${id}@example.com`, email_verified_at: clock.now(), created_at: clock.now() })
    .execute()
  return id
}

async function cardsAtProvider({ sandbox, db }: TestStore, accountId: string): Promise<string[] | number> {
  const { provider_ref: ref } = await db
    .selectFrom('payment_customer')
    .select('provider_ref')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return askProvider(sandbox.origin, ref)
}

async function askProvider(origin: string, customer: string): Promise<string[] | number> {
  const answer = await fetch(`${origin}/v1/payment_methods?customer=${customer}`, {
    headers: { authorization: `Bearer ${testSecrets.stripeSecretKey}` },
  })
  if (!answer.ok) return answer.status
  const { data } = (await answer.json()) as { data: { card: { last4: string } }[] }
  return data.map(({ card }) => card.last4)
}

const jobsOf = async ({ db }: TestStore, name: string) =>
  (
    await sql<{
      key: string
    }>`select key from graphile_worker.jobs where task_identifier = ${name} order by key`.execute(db)
  ).rows.map(({ key }) => key.split(':')[1] ?? '')

test('a card is saved with its consent, by the first report of it, and only as the provider’s name and its last digits', async () => {
  await using store = await openTestStore(port)
  const accountId = await addAccount(store)
  const customers = await Promise.all([1, 2, 3].map(() => requireCustomer(store, { accountId, email: null })))
  expect(new Set(customers.map((customer) => must(customer))).size).toBe(1)

  const { url } = must(
    await openCardPage(store, {
      accountId,
      email: null,
      returnUrl: 'http://store.example/?of={saving}',
      cancelUrl: returnUrl,
    }),
  )
  const early = await store.db.selectFrom('card_saving').select(['id', 'hosted_ref']).executeTakeFirstOrThrow()
  expect(await finishCardPage(store, { id: early.id, accountId })).toMatchObject({ ok: false, reason: 'not-saved' })
  expect(await enterCard(url, '4000000000000002')).toBeNull()
  expect(await enterCard(url, '4242424242424242')).toBe(`http://store.example/?of=${early.id}`)
  expect(await finishCardPage(store, { id: early.id, accountId: newId() })).toMatchObject({ reason: 'not-saved' })
  await Promise.all([
    finishCardPage(store, { id: early.id, accountId }),
    finishCardPage(store, { hostedRef: early.hosted_ref ?? '' }),
  ])
  expect(await listSavedCards(store, accountId)).toEqual([
    { id: expect.any(String), brand: 'visa', last4: '4242', expMonth: 12, expYear: 2039, isDefault: true },
  ])
  const [row] = await store.db.selectFrom('saved_card').selectAll().execute()
  expect(row).toMatchObject({ consent_version: cardConsentVersion, consented_at: store.clock.now() })
  expect(JSON.stringify(row)).not.toContain('4242424242424242')
})

test('there is one default card, the same card replaces the first, and removing it makes the next one default', async () => {
  await using store = await openTestStore(port)
  const accountId = await addAccount(store)
  const visa = await saveCard(store, accountId)
  const other = await saveCard(store, accountId, '5555555555554444')
  expect(await saveCard(store, accountId)).toBe(visa)
  for (const cardRef of await jobsOf(store, 'detach-card')) await detachCard(store, cardRef)
  expect(await cardsAtProvider(store, accountId)).toHaveLength(2)

  must(await setDefaultCard(store, accountId, other))
  const stranger = await addAccount(store)
  await saveCard(store, stranger)
  for (const card of [visa, 'x']) {
    expect(await setDefaultCard(store, stranger, card)).toMatchObject({ reason: 'not-found' })
    expect(await removeSavedCard(store, stranger, card)).toMatchObject({ reason: 'not-found' })
  }

  const removed = await Promise.all([1, 2].map(() => removeSavedCard(store, accountId, other)))
  expect(removed.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await listSavedCards(store, accountId)).toMatchObject([{ id: visa, isDefault: true }])
  for (const cardRef of await jobsOf(store, 'detach-card')) await detachCard(store, cardRef)
  expect(await cardsAtProvider(store, accountId)).toEqual(['4242'])
})

test('closing the account deletes its customer at the provider, with every card', async () => {
  await using store = await openTestStore(port)
  const accountId = await addAccount(store)
  await saveCard(store, accountId)
  await deleteAccount(store, accountId)
  const [customer = ''] = await jobsOf(store, 'forget-customer')
  expect(await askProvider(store.sandbox.origin, customer)).toEqual(['4242'])
  await forgetCustomer(store, customer)
  await forgetCustomer(store, customer)
  expect(await askProvider(store.sandbox.origin, customer)).toBe(404)
  expect(await store.db.selectFrom('saved_card').select('id').execute()).toEqual([])
})

test('a saved card pays, unless it is foreign, removed, expired, or declined, with the reason', async () => {
  await using store = await openTestStore(port)
  const accountId = await addAccount(store)
  const good = await saveCard(store, accountId)
  const asking = await saveCard(store, accountId, '4000002760003184')
  const empty = await saveCard(store, accountId, '4000000000000341')
  const stranger = await saveCard(store, await addAccount(store))
  const { id: cartId } = await makeReadyCart(store, { fulfillment: 'home' })
  const charge = (cardId: string) =>
    chargeSavedCard(store, { cartId, accountId, cardId, amountCents: 5_000, returnUrl })

  expect(await charge(stranger)).toMatchObject({ reason: 'not-found' })
  expect(await charge(empty)).toMatchObject({ ok: true, value: { payment: { state: 'failed' } } })
  const asked = must(await charge(asking))
  expect(asked.payment.state).toBe('pending')
  expect(asked.approvalUrl).toContain('/challenge/')
  expect(must(await charge(good)).payment).toMatchObject({ state: 'authorized', flow: 'saved' })
  await removeSavedCard(store, accountId, good)
  expect(await charge(good)).toMatchObject({ reason: 'removed' })
  store.clock.set(Temporal.Instant.from('2040-02-01T12:00:00Z'))
  expect(await charge(asking)).toMatchObject({ reason: 'expired' })
})
