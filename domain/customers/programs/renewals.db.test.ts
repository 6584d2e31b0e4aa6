/** Renewing memberships are announced a week ahead, charged once, retried, stopped, and lapsed. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { changeTerms } from '#domain/kernel/settings/settings.server.ts'
import { selectState } from '#domain/kernel/settings/store-state.sql.server.ts'
import { must, openTestStore, type TestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { openCharge, releaseAbandonedCharges } from '#domain/payments/payments/payments.server.ts'
import type { CardVault } from '#domain/payments/saved-cards/card-vault.port.ts'
import { removeSavedCard } from '#domain/payments/saved-cards/saved-cards.server.ts'
import { saveCard } from '#domain/payments/saved-cards/saved-cards.testing.ts'
import { readConfig } from '#platform/config.ts'
import { newId } from '#platform/ids.ts'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  beginMembership,
  captureMembership,
  joinMembership,
  membershipMessageValues,
  payBackMembership,
  readMembership,
  readRenewal,
  refundMembership,
  renewMembership,
  renewMemberships,
  startRenewal,
  stopRenewal,
} from './programs.server.ts'

const [port = 0] = await freePorts(3)
const config = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!config.ok) throw new Error('The configuration of tests is wrong.')

async function addMember(store: TestStore, card?: string) {
  const { db, clock } = store
  const accountId = newId()
  const person = { name: 'Mae', email: `${accountId}@example.com`, email_verified_at: clock.now() }
  await db
    .insertInto('account')
    .values({ id: accountId, ...person, created_at: clock.now() })
    .execute()
  const { termId, priceCents } = must(await beginMembership(store, accountId))
  const { clientSecret } = must(await openCharge(store, { termId, amountCents: priceCents, email: null }))
  await payWithFields(store.sandbox, clientSecret, '4242424242424242')
  must(await joinMembership(store, accountId))
  await captureMembership(store, termId)
  const cardId = card === undefined ? '' : await saveCard(store, accountId, card)
  await startRenewal(store, accountId)
  const endsAt = must0((await readMembership(store, accountId))?.term.endsAt)
  return { accountId, termId, cardId, endsAt }
}

function must0<Value>(value: Value | undefined | null): Value {
  if (value === undefined || value === null) throw new Error('There is nothing.')
  return value
}

/** Moves to so many days after the end of a term, and announces. Returns the announced renewals. */
async function goTo(store: TestStore, endsAt: Temporal.Instant, days: number): Promise<string[]> {
  store.clock.set(endsAt.add({ hours: 24 * days }))
  await renewMemberships(store)
  return (await store.db.selectFrom('membership_renewal').select('id').execute()).map(({ id }) => id)
}

const charges = async ({ db }: TestStore) =>
  (
    await db
      .selectFrom('payment')
      .select('state')
      .where('flow', '=', 'saved')
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  ).map(({ state }) => state)

const mails = async ({ db }: TestStore) =>
  (await db.selectFrom('message').select('key').where('kind', 'like', 'membership-%').execute())
    .map(({ key }) => key.slice('membership-'.length).replace(/[\da-f-]{36}/, '…'))
    .toSorted()

const outcomes = async ({ db }: TestStore) =>
  (await db.selectFrom('membership_renewal_try').select(['no', 'outcome']).orderBy('no').execute()).map(
    ({ no, outcome }) => `${no} ${outcome}`,
  )

const isSound = async (store: TestStore) =>
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])

test('notifies once a week before, charges once with eight workers, and continues without a gap', async () => {
  await using store = await openTestStore(port)
  const { accountId, termId, endsAt } = await addMember(store, '4242424242424242')
  expect(await goTo(store, endsAt, -9)).toEqual([])
  const [renewalId = ''] = await goTo(store, endsAt, -8)
  expect(await goTo(store, endsAt, -1)).toEqual([renewalId])
  await renewMembership(store, renewalId)
  expect(await charges(store)).toEqual([])
  expect(await readRenewal(store, accountId)).toMatchObject({ isOn: true, chargeAt: endsAt, amountCents: 3_900 })

  await goTo(store, endsAt, 0)
  await Promise.all(Array.from({ length: 8 }, () => renewMembership(store, renewalId)))
  await renewMembership(store, renewalId)
  expect(await charges(store)).toEqual(['authorized'])
  const { term } = must0(await readMembership(store, accountId))
  expect(term.startsAt).toEqual(endsAt)
  expect(term.id).not.toBe(termId)
  await captureMembership(store, term.id)
  expect(await charges(store)).toEqual(['captured'])
  expect(await mails(store)).toEqual(['begun:…', 'renewed:…', 'renewing:…'])
  expect(
    await membershipMessageValues({ ...store, config: config.value }, { key: `membership-renewed:${term.id}` }),
  ).toMatchObject({
    renewedWith: 'your Visa ending in 4242',
  })
  const books =
    await sql`select account, sum(amount_cents)::int as cents from ledger_entry where membership_term_id = ${term.id}::uuid
    group by account having sum(amount_cents) <> 0 order by account`.execute(store.db)
  expect(books.rows).toEqual([
    { account: 'cash', cents: 3_900 },
    { account: 'memberships', cents: -3_900 },
  ])
  await isSound(store)
  // Unused, it is given back, and does not renew again.
  must(await refundMembership(store, accountId))
  expect((await readRenewal(store, accountId))?.isOn ?? false).toBe(false)
})

test.for(['before the provider is asked', 'before its answer is heard', 'long before'])(
  'a worker that crashes %s makes one charge',
  async (when) => {
    await using store = await openTestStore(port)
    const { accountId, endsAt } = await addMember(store, '4242424242424242')
    await goTo(store, endsAt, -8)
    const [renewalId = ''] = await goTo(store, endsAt, 0)
    const crash = () => Promise.reject(new Error('crash'))
    const cardVault: CardVault = {
      ...store.cardVault,
      ...(when === 'before the provider is asked'
        ? { openSavedCharge: crash }
        : { confirmSavedCharge: (input) => store.cardVault.confirmSavedCharge(input).then(crash) }),
    }
    await expect(renewMembership({ ...store, cardVault }, renewalId)).rejects.toThrow('crash')
    // Another may think the first is still at it.
    await renewMembership(store, renewalId)
    expect((await readMembership(store, accountId))?.term.endsAt).toEqual(endsAt)
    store.clock.set(store.clock.now().add({ minutes: when === 'long before' ? 90 : 3 }))
    if (when === 'long before') await releaseAbandonedCharges(store)
    await renewMembership(store, renewalId)
    expect(await charges(store)).toEqual(when === 'long before' ? ['voided', 'authorized'] : ['authorized'])
    expect((await readMembership(store, accountId))?.term.startsAt).toEqual(endsAt)
    await isSound(store)
  },
)

test('during a provider outage the same attempt continues without a charge', async () => {
  await using store = await openTestStore(port)
  const { endsAt } = await addMember(store, '4242424242424242')
  await goTo(store, endsAt, -8)
  const [renewalId = ''] = await goTo(store, endsAt, 0)
  const cardVault: CardVault = {
    ...store.cardVault,
    openSavedCharge: async () => ({ ok: false, reason: 'unavailable', message: 'away' }),
  }
  await expect(renewMembership({ ...store, cardVault }, renewalId)).rejects.toThrow('away')
  await renewMembership(store, renewalId)
  expect(await charges(store)).toEqual(['authorized'])
  expect(await outcomes(store)).toEqual(['1 paid'])
})

test('a declined card is reported and retried on schedule, and another card succeeds', async () => {
  await using store = await openTestStore(port)
  const { accountId, cardId, endsAt } = await addMember(store, '4000000000000341')
  await goTo(store, endsAt, -8)
  const [renewalId = ''] = await goTo(store, endsAt, 0)
  await renewMembership(store, renewalId)
  await renewMembership(store, renewalId)
  await goTo(store, endsAt, 2)
  await renewMembership(store, renewalId)
  expect(await charges(store)).toEqual(['voided'])
  expect(await outcomes(store)).toEqual(['1 declined'])
  expect(await readRenewal(store, accountId)).toMatchObject({ isLate: true, chargeAt: endsAt.add({ hours: 72 }) })
  await saveCard(store, accountId)
  must(await removeSavedCard(store, accountId, cardId))
  await goTo(store, endsAt, 3)
  await renewMembership(store, renewalId)
  expect(await charges(store)).toEqual(['voided', 'authorized'])
  expect(await outcomes(store)).toEqual(['1 declined', '2 paid'])
  expect((await readMembership(store, accountId))?.term.startsAt).toEqual(endsAt)
  expect(await mails(store)).toEqual(['begun:…', 'not-renewed:…:1', 'renewed:…', 'renewing:…'])
  await isSound(store)
})

test('lapses after the last attempt with a notice and no further charges', async () => {
  await using store = await openTestStore(port)
  const { accountId, endsAt, cardId } = await addMember(store, '4000002760003184')
  await goTo(store, endsAt, -8)
  const [renewalId = ''] = await goTo(store, endsAt, 0)
  await renewMembership(store, renewalId)
  expect(await readRenewal(store, accountId)).toMatchObject({ isUnapproved: true })
  await goTo(store, endsAt, 3)
  must(await removeSavedCard(store, accountId, cardId))
  await renewMembership(store, renewalId)
  await saveCard(store, accountId, '4000000000000341')
  await goTo(store, endsAt, 7)
  await renewMembership(store, renewalId)
  expect(await outcomes(store)).toEqual(['1 needs-approval', '2 no-card', '3 declined'])
  await goTo(store, endsAt, 10)
  await renewMembership(store, renewalId)
  expect(await mails(store)).toEqual([
    'begun:…',
    'not-renewed:…:1',
    'not-renewed:…:2',
    'not-renewed:…:lapsed',
    'renewing:…',
  ])
  expect(await charges(store)).toEqual(['voided', 'voided'])
  expect((await readMembership(store, accountId))?.term.endsAt).toEqual(endsAt)
  await isSound(store)
})

test('a renewal canceled before its date isn’t charged, and a resumed one notifies and charges at most once', async () => {
  await using store = await openTestStore(port)
  const { accountId, endsAt } = await addMember(store, '4242424242424242')
  const [renewalId = ''] = await goTo(store, endsAt, -8)
  await stopRenewal(store, accountId, 'member')
  await stopRenewal(store, accountId, 'link')
  await goTo(store, endsAt, 0)
  await renewMembership(store, renewalId)
  expect(await charges(store)).toEqual([])
  await Promise.all([startRenewal(store, accountId), startRenewal(store, accountId)])
  await renewMembership(store, renewalId)
  expect(await charges(store)).toEqual(['authorized'])
  const stops = await store.db.selectFrom('membership_auto_renewal').select('stopped_by').orderBy('id').execute()
  expect(stops.map(({ stopped_by: by }) => by)).toEqual(['member', null])
})

test('a changed membership price applies to later purchases, not to announced renewals', async () => {
  await using store = await openTestStore(port)
  const { accountId, termId, endsAt } = await addMember(store, '4242424242424242')
  const [renewalId = ''] = await goTo(store, endsAt, -8)
  const seen = (await selectState(store.db)).termsVersion
  const input = { values: { 'membership-cents': 5_900 }, startsAt: null, seen }
  must(await changeTerms(store, { via: 'command line', name: 'owner' }, { group: 'services', input }))
  await store.businessTerms.read()
  await goTo(store, endsAt, 0)
  await renewMembership(store, renewalId)
  const renewed = must0(await readMembership(store, accountId)).term
  expect(renewed.id).not.toBe(termId)
  expect(renewed.startsAt).toEqual(endsAt)
  expect(renewed.priceCents).toBe(3_900)
  const later = await addMember(store)
  const bought = must0(await readMembership(store, later.accountId)).term
  expect(bought).toMatchObject({ priceCents: 5_900 })
  const textOf = async (id: string) =>
    membershipMessageValues({ ...store, config: config.value }, { key: `membership-begun:${id}` })
  expect(await textOf(termId)).toMatchObject({ paid: '$39.00' })
  expect(await textOf(later.termId)).toMatchObject({ paid: '$59.00', price: '$59.00' })
  must(await refundMembership(store, later.accountId))
  await payBackMembership(store, later.termId)
  const { refunded_cents: refunded } = await store.db
    .selectFrom('payment')
    .select('refunded_cents')
    .where('membership_term_id', '=', later.termId)
    .executeTakeFirstOrThrow()
  expect(refunded).toBe(5_900)
  await isSound(store)
})

test('an owner who buys the year first is not charged for it again', async () => {
  await using store = await openTestStore(port)
  const { accountId, endsAt } = await addMember(store, '4242424242424242')
  const [renewalId = ''] = await goTo(store, endsAt, -8)
  const { termId, priceCents } = must(await beginMembership(store, accountId))
  const { clientSecret } = must(await openCharge(store, { termId, amountCents: priceCents, email: null }))
  await payWithFields(store.sandbox, clientSecret, '5555555555554444')
  must(await joinMembership(store, accountId))
  await goTo(store, endsAt, 0)
  await renewMembership(store, renewalId)
  expect(await charges(store)).toEqual([])
  expect(await store.db.selectFrom('membership_renewal').select(['state', 'term_id']).execute()).toEqual([
    { state: 'renewed', term_id: termId },
  ])
})
