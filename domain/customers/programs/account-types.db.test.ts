/** Tests account types that staff set, and their documents. */
import { expect, test } from 'vitest'
import { accountDeps, signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import { deleteAccount } from '#domain/operations/personal-data/personal-data.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { findGrant, grantType, readPriceTier } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { giveCompany } from '#tests/support/company.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  addAccountDocument,
  findAccountDocument,
  listAccountDocuments,
  removeAccountDocument,
  setAccountType,
  typeVersion,
} from './programs.server.ts'
import { mostDocuments } from './programs.ts'

const pdf = { name: 'license.pdf', contentType: 'application/pdf', bytes: Buffer.from('%PDF-1.7 %%EOF') } as const

async function openAccount() {
  const database = await createTestDatabase({ from: 'small' })
  const opened = accountDeps(database.db)
  let now = opened.clock.now()
  const deps = { ...opened, clock: { now: () => (now = now.add({ milliseconds: 1 })) } }
  const { accountId } = await signInAs(opened)
  return {
    ...deps,
    accountId,
    type: async () => (await readPriceTier(deps.db, accountId, now)).accountType,
    version: async () => typeVersion(await findGrant(deps.db, accountId, now)),
    acts: () =>
      deps.db
        .selectFrom('audit_entry')
        .select(['act', 'reason'])
        .where('act', 'like', 'account-%')
        .orderBy('id')
        .execute(),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

test('a type sets the prices at once, ends with its last day, and of two team members one saves', async () => {
  await using store = await openAccount()
  const { accountId } = store
  const manager = await signInStaff(store, 'manager')
  const today = store.clock.now().toZonedDateTimeISO('America/New_York').toPlainDate()
  const set = {
    accountId,
    type: 'Fleet',
    until: today.add({ days: 30 }),
    reason: 'License seen.',
    version: '',
  } as const
  const both = await Promise.all([
    setAccountType(store, manager, set),
    setAccountType(store, desk, { ...set, type: 'EPP' }),
  ])
  expect(both.map((one) => (one.ok ? 'saved' : one.reason)).toSorted()).toEqual(['changed', 'saved'])
  const fleet = await setAccountType(store, manager, { ...set, version: await store.version() })
  expect(fleet.ok).toBe(true)
  expect(await store.type()).toBe('Fleet')
  const lastMoment = today.add({ days: 31 }).toZonedDateTime('America/New_York').toInstant()
  const at = (moment: Temporal.Instant) => readPriceTier(store.db, accountId, moment)
  expect(await at(lastMoment.subtract({ seconds: 1 }))).toMatchObject({ accountType: 'Fleet' })
  expect(await at(lastMoment)).toMatchObject({ accountType: 'Retail' })
  const retail = { ...set, type: 'Retail', until: null, version: await store.version() } as const
  expect((await setAccountType(store, manager, retail)).ok).toBe(true)
  expect(await store.type()).toBe('Retail')
  expect(await store.acts()).toHaveLength(3)
  expect((await store.acts())[0]).toEqual({ act: 'account-type.set', reason: 'License seen.' })
})

test('a paid membership is not ended here, and returns after a type', async () => {
  await using store = await openAccount()
  const { accountId } = store
  const set = { accountId, until: null, reason: 'Asked by phone.' }
  const until = store.clock.now().add({ hours: 24 * 300 })
  await grantType(store, { accountId, type: 'Retail Member', how: 'purchase', until, by: 'order' })
  const retail = { ...set, type: 'Retail' } as const
  expect(await setAccountType(store, desk, { ...retail, version: await store.version() })).toMatchObject({
    reason: 'member',
  })
  await setAccountType(store, desk, { ...set, type: 'EPP', version: await store.version() })
  expect(await store.type()).toBe('EPP')
  await setAccountType(store, desk, { ...retail, version: await store.version() })
  expect(await store.type()).toBe('Retail Member')
})

test('company members, support, and unknown accounts are refused', async () => {
  await using store = await openAccount()
  const { accountId, db } = store
  const set = { accountId, type: 'EPP', until: null, reason: 'Badge seen.', version: '' } as const
  const support = await signInStaff(store, 'support')
  expect(await setAccountType(store, support, set)).toMatchObject({ reason: 'not-allowed' })
  expect(await setAccountType(store, desk, { ...set, accountId: 'x' })).toMatchObject({ reason: 'no-account' })
  const { email } = await db.selectFrom('account').select('email').where('id', '=', accountId).executeTakeFirstOrThrow()
  await giveCompany(db, email ?? '', { clock: store.clock })
  const member = { ...set, version: await store.version() }
  expect(await setAccountType(store, desk, member)).toMatchObject({ reason: 'company' })
})

test('documents have a limit, are read only through their account, and are deleted with their file', async () => {
  await using store = await openAccount()
  const { accountId, db } = store
  const add = () => addAccountDocument(store, desk, { accountId, file: pdf })
  const added = await Promise.all(Array.from({ length: mostDocuments + 2 }, add))
  expect(added.filter(({ ok }) => ok)).toHaveLength(mostDocuments)
  expect(added.filter((one) => !one.ok && one.reason === 'too-many-documents')).toHaveLength(2)
  const [document] = await listAccountDocuments(store, [accountId])
  const id = document?.id ?? ''
  expect(document).toMatchObject({ name: 'license.pdf', by: 'desk' })
  expect(await findAccountDocument(store, { accountIds: [accountId], id })).toMatchObject({ name: 'license.pdf' })
  const others = [crypto.randomUUID()]
  expect(await findAccountDocument(store, { accountIds: others, id })).toBeUndefined()
  const other = { accountId: others[0] ?? '', documentId: id }
  expect(await removeAccountDocument(store, desk, other)).toMatchObject({ reason: 'no-account' })
  expect((await removeAccountDocument(store, desk, { accountId, documentId: id })).ok).toBe(true)
  expect(await removeAccountDocument(store, desk, { accountId, documentId: id })).toMatchObject({
    reason: 'no-document',
  })
  const files = async () => (await db.selectFrom('stored_file').select('key').execute()).length
  expect(await files()).toBe(mostDocuments - 1)
  await deleteAccount(store, accountId)
  expect(await files()).toBe(0)
})
