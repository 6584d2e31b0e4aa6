import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { readFile } from '#domain/kernel/files/files.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { expect, test } from 'vitest'
import { readPriceTier } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  addDomain,
  applyForCompany,
  changePoRule,
  companyApplicationValues,
  companyDecisionValues,
  decideCompany,
  decideExemption,
  findCertificate,
  findCompany,
  findExemption,
  findMembership,
  findPoRule,
  listCompanies,
  listCompanyBrands,
  listExemptions,
  listExemptionsByState,
  listWaitingExemptions,
  selectMemberships,
  sendExemption,
  setBrands,
  setTerms,
} from './companies.server.ts'
import { application, companyDeps, openCompany, signUp } from './companies.testing.ts'

const by = desk

test('an approved company buys at its prices; once closed, at retail again', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const owner = await signUp(deps, 'olga@acme.example')
  expect(await applyForCompany(deps, owner.accountId, application)).toMatchObject({ ok: true })
  expect(await applyForCompany(deps, owner.accountId, application)).toMatchObject({ ok: false, reason: 'in-a-company' })
  const [waiting] = await listCompanies(deps, 'applied')
  expect(waiting).toMatchObject({
    name: 'Acme Plumbing',
    applicant: 'olga@acme.example',
    vehicles: 40,
    terms: null,
    po: { rule: 'optional', mask: null },
  })
  expect(await readPriceTier(database.db, owner.accountId, deps.clock.now())).toMatchObject({
    accountType: 'Retail',
    companyId: null,
  })
  const id = waiting?.id ?? ''

  expect(await decideCompany(deps, { id, decision: 'approve', by })).toMatchObject({ ok: true })
  expect(await listCompanies(deps, 'applied')).toEqual([])
  expect(await readPriceTier(database.db, owner.accountId, deps.clock.now())).toMatchObject({
    accountType: 'Fleet',
    companyId: id,
    companyRole: 'owner',
    brandIds: null,
  })
  expect(await decideCompany(deps, { id, decision: 'approve', by })).toMatchObject({ ok: false, reason: 'other-state' })
  expect(await decideCompany(deps, { id, decision: 'refuse', by })).toMatchObject({ ok: false, reason: 'other-state' })

  deps.clock.set(deps.clock.now().add({ hours: 1 }))
  expect(await decideCompany(deps, { id, decision: 'close', by })).toMatchObject({ ok: true })
  expect(await readPriceTier(database.db, owner.accountId, deps.clock.now())).toMatchObject({
    accountType: 'Retail',
    companyId: null,
    companyRole: null,
  })
  const mails = await database.db
    .selectFrom('message')
    .select(['kind', 'to_address'])
    .orderBy('created_at')
    .orderBy('kind')
    .execute()
  expect(mails.map((mail) => [mail.kind, mail.to_address])).toEqual([
    ['company-applied', 'help@sidewall.example'],
    ['company-approved', 'olga@acme.example'],
  ])
})

test('a refused company may apply again, and a special-order company grants its own type', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const owner = await signUp(deps, 'olga@acme.example')
  await applyForCompany(deps, owner.accountId, application)
  const first = (await findMembership(deps, owner.accountId))?.company.id ?? ''
  await decideCompany(deps, { id: first, decision: 'refuse', by })
  expect(await applyForCompany(deps, owner.accountId, { ...application, kind: 'special-order' })).toMatchObject({
    ok: true,
  })
  const second = (await findMembership(deps, owner.accountId))?.company.id ?? ''
  expect(second).not.toBe(first)
  await decideCompany(deps, { id: second, decision: 'approve', by })
  expect(await readPriceTier(database.db, owner.accountId, deps.clock.now())).toMatchObject({
    accountType: 'Special Order',
    companyId: second,
  })
})

test('applying twice concurrently creates one company', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { accountId } = await signUp(deps, 'olga@acme.example')
  const outcomes = await Promise.all([1, 2, 3].map(() => applyForCompany(deps, accountId, application)))
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await listCompanies(deps, 'applied')).toHaveLength(1)
})

test('the database allows net terms only for an approved company', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const owner = await signUp(deps, 'olga@acme.example')
  await applyForCompany(deps, owner.accountId, application)
  const id = (await findMembership(deps, owner.accountId))?.company.id ?? ''
  const terms = { netDays: 30, creditLimitCents: 500_000 }
  expect(await setTerms(deps, { by: desk, id, terms })).toMatchObject({ ok: false, reason: 'not-approved' })
  await decideCompany(deps, { id, decision: 'approve', by })
  expect(await setTerms(deps, { by: desk, id, terms })).toMatchObject({ ok: true })
  expect((await findMembership(deps, owner.accountId))?.company.terms).toEqual(terms)
  await setTerms(deps, { by: desk, id, terms: null })
  expect((await findMembership(deps, owner.accountId))?.company.terms).toBeNull()
  await expect(database.db.updateTable('company').set({ net_days: 30 }).execute()).rejects.toThrow()
})

test('only the owner sets the PO rule', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner, companyId } = await openCompany(deps)
  const stranger = await signUp(deps, 'eve@example.com')
  const rule = { rule: 'required', mask: 'PO-####' } as const
  expect(await changePoRule(deps, stranger.accountId, rule)).toMatchObject({ reason: 'not-allowed' })
  expect(await changePoRule(deps, owner.accountId, rule)).toMatchObject({ ok: true })
  expect(await findPoRule(deps, companyId)).toEqual(rule)
})

test("refuses free email domains and another company's domain", async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { companyId } = await openCompany(deps)
  const other = await openCompany(deps, { email: 'otto@other.example' })
  const add = (id: string, domain: string) => addDomain(deps, { id, domain, role: 'buyer', by })
  expect(await add(companyId, 'GMail.com')).toMatchObject({ reason: 'free-mail' })
  expect(await add(companyId, 'acme')).toMatchObject({ reason: 'no-domain' })
  expect(await add(companyId, ' Acme.example')).toMatchObject({ ok: true })
  expect(await add(other.companyId, 'acme.example')).toMatchObject({ reason: 'taken' })
})

test('brands are restricted by company or account, and an empty restriction allows no brands', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = companyDeps(database.db)
  const { owner, companyId } = await openCompany(deps)
  const brands = await database.db.selectFrom('brand').select(['id', 'slug', 'name']).orderBy('id').limit(3).execute()
  const [a, b, c] = brands.map(({ slug }) => slug) as [string, string, string]
  const [ia, ib, ic] = brands.map(({ id }) => id) as [number, number, number]
  const range = async () => (await readPriceTier(database.db, owner.accountId, deps.clock.now())).brandIds
  expect(await range()).toBeNull()
  await setBrands(deps, { of: 'company', id: companyId }, { slugs: [b, a, a], by: desk })
  expect(await range()).toEqual([ia, ib])
  expect(await listCompanyBrands(deps, companyId)).toEqual(
    brands
      .slice(0, 2)
      .map(({ name }) => name)
      .sort(),
  )
  expect(await setBrands(deps, { of: 'company', id: companyId }, { slugs: [a, 'no-such'], by: desk })).toMatchObject({
    reason: 'brand-not-found',
    detail: { slugs: ['no-such'] },
  })
  expect(await range()).toEqual([ia, ib])
  await setBrands(deps, { of: 'account', id: owner.accountId }, { slugs: [b, c], by: desk })
  expect(await range()).toEqual([ib])
  await setBrands(deps, { of: 'company', id: companyId }, { slugs: null, by: desk })
  expect(await range()).toEqual([ib, ic])
  await setBrands(deps, { of: 'account', id: owner.accountId }, { slugs: [], by: desk })
  expect(await range()).toEqual([])
  await setBrands(deps, { of: 'account', id: owner.accountId }, { slugs: null, by: desk })
  await setBrands(deps, { of: 'company', id: companyId }, { slugs: [a], by: desk })
  await sql`delete from company_brand`.execute(database.db)
  expect(await range()).toEqual([])
})

test('a certificate is re-encoded, reviewed, and exempts its state until it expires', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner, companyId } = await openCompany(deps)
  const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'white' } })
    .withExif({ IFD0: { Copyright: 'secret of the camera' } })
    .png()
    .toBuffer()
  const day = (text: string) => Temporal.PlainDate.from(text)
  const send = (change: object = {}) =>
    sendExemption(deps, owner.accountId, {
      state: 'IL',
      number: 'E-1',
      expiresOn: day('2027-06-30'),
      file: { name: 'cert.png', bytes: png },
      ...change,
    })
  expect(await send({ expiresOn: day('2026-11-19') })).toMatchObject({ reason: 'expired' })
  expect(await send({ file: { name: 'x.svg', bytes: Buffer.from('<svg onload="alert(1)"/>') } })).toMatchObject({
    reason: 'other-kind',
  })
  expect(await send({ file: { name: 'x.png', bytes: png.subarray(0, 40) } })).toMatchObject({ reason: 'unreadable' })
  expect(await send({ file: { name: 'x.pdf', bytes: Buffer.alloc(1_100_000) } })).toMatchObject({ reason: 'too-large' })
  const field = await sharp({ create: { width: 4_100, height: 4_100, channels: 3, background: 'white' } })
    .png()
    .toBuffer()
  expect(await send({ file: { name: 'x.png', bytes: field } })).toMatchObject({ reason: 'too-many-pixels' })
  expect(await send({ signal: AbortSignal.abort() })).toMatchObject({ reason: 'busy' })
  expect(await send()).toMatchObject({ ok: true })
  expect(await send()).toMatchObject({ reason: 'waiting-already' })
  expect(await findExemption(deps, companyId, 'IL')).toBeNull()
  const [waiting] = await listWaitingExemptions(deps)
  expect(waiting).toMatchObject({ company: 'Acme Plumbing', state: 'IL', status: 'waiting' })
  const file = await findCertificate(deps, waiting?.id ?? '')
  expect(file?.name).toBe('cert.webp')
  const { bytes } = (await readFile(deps, file?.key ?? '')) ?? expect.fail()
  expect(bytes.includes('secret of the camera')).toBe(false)

  const decide = (id: string | undefined, isAccepted: boolean) =>
    decideExemption(deps, { id: id ?? '', isAccepted, by })
  expect(await decide(waiting?.id, true)).toMatchObject({ ok: true })
  expect(await decide(waiting?.id, false)).toMatchObject({ reason: 'not-waiting' })
  expect(await findExemption(deps, companyId, 'IL')).toEqual({ stateCode: 'IL', validThrough: day('2027-06-30') })
  expect(await findExemption(deps, companyId, 'CA')).toBeNull()
  // Refusing a newer one has no effect; the one with the latest expiration counts.
  await send({ number: 'E-2', expiresOn: day('2026-12-31') })
  await decide((await listWaitingExemptions(deps))[0]?.id, false)
  await send({ number: 'E-3', expiresOn: day('2028-06-30') })
  await decide((await listWaitingExemptions(deps))[0]?.id, true)
  expect((await findExemption(deps, companyId, 'IL'))?.validThrough.toString()).toBe('2028-06-30')
  expect((await listExemptions(deps, companyId)).map(({ status }) => status).sort()).toEqual([
    'accepted',
    'accepted',
    'refused',
  ])
  const other = await openCompany(deps, { email: 'otto@other.example' })
  // Prices outside the cart use every state's longest accepted certificate.
  await send({ state: 'CA', number: 'E-4', expiresOn: day('2027-01-31') })
  await sendExemption(deps, other.owner.accountId, {
    state: 'TX',
    number: 'E-5',
    expiresOn: day('2027-06-30'),
    file: { name: 'cert.png', bytes: png },
  })
  for (const { id, state } of await listWaitingExemptions(deps)) if (state === 'TX') await decide(id, true)
  expect(await listExemptionsByState(deps, companyId)).toEqual([{ stateCode: 'IL', validThrough: day('2028-06-30') }])
  expect(await findExemption(deps, other.companyId, 'IL')).toBeNull()
  expect((await listExemptions(deps, other.companyId)).map(({ state }) => state)).toEqual(['TX'])
  const stranger = await signUp(deps, 'eve@example.com')
  expect(
    await sendExemption(deps, stranger.accountId, {
      state: 'IL',
      number: '1',
      expiresOn: day('2027-01-01'),
      file: { name: 'a', bytes: png },
    }),
  ).toMatchObject({
    reason: 'not-allowed',
  })
})

test('a waiting certificate holds back neither other states nor other companies, and each has its own file', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner } = await openCompany(deps)
  const other = await openCompany(deps, { email: 'otto@other.example' })
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'white' } })
    .png()
    .toBuffer()
  const send = (by: string, state: string) =>
    sendExemption(deps, by, {
      state,
      number: 'E-1',
      expiresOn: Temporal.PlainDate.from('2027-06-30'),
      file: { name: `${state}.png`, bytes },
    })
  expect(await send(owner.accountId, 'IL')).toMatchObject({ ok: true })
  expect(await send(owner.accountId, 'CA')).toMatchObject({ ok: true })
  expect(await send(other.owner.accountId, 'IL')).toMatchObject({ ok: true })
  for (const { id, state } of await listWaitingExemptions(deps))
    expect((await findCertificate(deps, id))?.name).toBe(`${state}.webp`)
  const stranger = await signUp(deps, 'eve@example.com')
  expect(await selectMemberships(deps.db, [other.owner.accountId, stranger.accountId])).toMatchObject([
    { accountId: other.owner.accountId, role: 'owner', company: { id: other.companyId } },
  ])
  expect(await selectMemberships(deps.db, [])).toEqual([])
})

test('limits how many files a company sends per hour', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner } = await openCompany(deps)
  const certificate = {
    state: 'IL',
    number: 'E-1',
    expiresOn: Temporal.PlainDate.from('2027-06-30'),
    file: { name: 'a.jpg', bytes: Buffer.from('MZ') },
  }
  for (let index = 0; index < rateLimits.attachment.counts.sender; index++)
    expect(await sendExemption(deps, owner.accountId, certificate)).toMatchObject({ reason: 'other-kind' })
  expect(await sendExemption(deps, owner.accountId, certificate)).toMatchObject({ reason: 'too-many' })
})

test('finds a company by id, or by name if it is unique', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { companyId } = await openCompany(deps)
  const found = async (idOrName: string) => (await findCompany(deps, idOrName))?.id
  expect(await found(companyId)).toEqual(companyId)
  expect(await found('ACME plumbing')).toEqual(companyId)
  expect(await found('Acme')).toBeUndefined()
  await openCompany(deps, { email: 'otto@other.example' })
  expect(await found(companyId)).toEqual(companyId)
  expect(await found('Acme Plumbing')).toBeUndefined()
})

test('company emails have all their values', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { companyId } = await openCompany(deps)
  expect(await companyApplicationValues(deps, { key: `company-applied:${companyId}` })).toMatchObject({
    about: 'The application was dealt with already.',
  })
  expect(await companyDecisionValues(deps, { key: `company-approved:${companyId}` })).toMatchObject({
    company: 'Acme Plumbing',
    companyUrl: 'http://store.test/account/company',
  })
})
