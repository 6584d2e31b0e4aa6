/** Company members. Over 400 lines: one company with members changed by each test. */
import { expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { readPriceTier } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { violatedConstraint } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  acceptInvitation,
  addDomain,
  applyForCompany,
  changeRole,
  companyInvitationValues,
  decideCompany,
  findCompanyOfMail,
  findInvitation,
  findMembership,
  inviteMember,
  joinByMail,
  leaveCompany,
  listCompanies,
  listMembers,
  removeMember,
  setTerms,
  takeBackInvitation,
} from './companies.server.ts'
import { application, companyDeps, openCompany, signUp, type CompanyDeps } from './companies.testing.ts'
import type { CompanyRole } from './companies.ts'
import { invitationsPerDay } from './members.server.ts'
import { inspect } from '#db/invariants/invariants.ts'

/** Returns the link key of the newest invitation to an address. */
async function linkTo(deps: CompanyDeps, email: string): Promise<string> {
  const { key } = await deps.db
    .selectFrom('message')
    .select('key')
    .where('to_address', '=', email)
    .orderBy('id', 'desc')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow()
  return keyIn(deps, key)
}

async function keyIn(deps: CompanyDeps, message: string): Promise<string> {
  const url = (await companyInvitationValues(deps, { key: message }))['invitationUrl']
  return typeof url === 'string' ? (new URL(url).searchParams.get('key') ?? '') : ''
}

async function addMember(deps: CompanyDeps, by: string, email: string, role: CompanyRole) {
  const person = await signUp(deps, email)
  await inviteMember(deps, by, { email, role })
  const accepted = await acceptInvitation(deps, person, await linkTo(deps, email))
  if (!accepted.ok) throw new Error(accepted.reason)
  return person
}

test('an invitation admits its addressee to the company once, with its account type', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner, companyId } = await openCompany(deps)
  const bob = await signUp(deps, 'bob@example.com')
  const eve = await signUp(deps, 'eve@example.com')
  const claimed = await signUp(deps, 'bob2@example.com', { isEmailVerified: false })
  expect(await inviteMember(deps, owner.accountId, { email: bob.email, role: 'buyer' })).toMatchObject({ ok: true })
  const key = await linkTo(deps, bob.email)
  expect(await findInvitation(deps, key)).toMatchObject({ company: 'Acme Plumbing', role: 'buyer', email: bob.email })
  expect(await acceptInvitation(deps, eve, key)).toMatchObject({
    reason: 'other-address',
    detail: { email: bob.email },
  })
  expect(await acceptInvitation(deps, { ...claimed, email: bob.email }, key)).toMatchObject({ reason: 'other-address' })
  expect(await acceptInvitation(deps, bob, `${key}x`)).toMatchObject({ reason: 'gone' })
  expect(await acceptInvitation(deps, bob, 'nonsense')).toMatchObject({ reason: 'gone' })
  for (let press = 1; press <= 2; press += 1)
    expect(await acceptInvitation(deps, bob, key)).toEqual({ ok: true, value: { company: 'Acme Plumbing' } })
  expect(await acceptInvitation(deps, eve, key)).toMatchObject({ reason: 'gone' })
  expect(await findMembership(deps, bob.accountId)).toMatchObject({ role: 'buyer', company: { id: companyId } })
  expect(await readPriceTier(database.db, bob.accountId, deps.clock.now())).toMatchObject({
    accountType: 'Fleet',
    companyId,
  })
  expect(await inviteMember(deps, owner.accountId, { email: bob.email, role: 'buyer' })).toMatchObject({
    reason: 'member-already',
  })
  await leaveCompany(deps, bob.accountId)
  expect(await acceptInvitation(deps, bob, key)).toMatchObject({ reason: 'gone' })
})

test('an invitation can’t be opened with data from the database', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner } = await openCompany(deps)
  await inviteMember(deps, owner.accountId, { email: 'bob@example.com', role: 'buyer' })
  const row = await database.db.selectFrom('company_invitation').selectAll().executeTakeFirstOrThrow()
  for (const value of Object.values(row)) expect(await findInvitation(deps, String(value))).toBeUndefined()
  expect(isId(row.id)).toBe(true)
})

test('an invitation ends when it expires, is withdrawn or replaced, or the company is closed', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner, companyId } = await openCompany(deps)
  const bob = await signUp(deps, 'bob@example.com')
  const invite = async () => {
    deps.clock.set(deps.clock.now().add({ minutes: 1 }))
    await inviteMember(deps, owner.accountId, { email: bob.email, role: 'viewer' })
    const { invitations } = await listMembers(deps, companyId)
    const id = invitations[0]?.id ?? ''
    return { id, key: await keyIn(deps, `company-invitation:${id}`) }
  }
  const first = await invite()
  const second = await invite()
  expect(await acceptInvitation(deps, bob, first.key)).toMatchObject({ reason: 'gone' })
  expect((await listMembers(deps, companyId)).invitations).toHaveLength(1)
  expect(await takeBackInvitation(deps, bob.accountId, second.id)).toMatchObject({ reason: 'not-allowed' })
  expect(await takeBackInvitation(deps, owner.accountId, second.id)).toMatchObject({ ok: true })
  expect(await takeBackInvitation(deps, owner.accountId, second.id)).toMatchObject({ reason: 'gone' })
  expect(await acceptInvitation(deps, bob, second.key)).toMatchObject({ reason: 'gone' })
  const third = await invite()
  const start = deps.clock.now()
  deps.clock.set(start.add({ hours: 24 * 14 }))
  expect(await findInvitation(deps, third.key)).toBeUndefined()
  deps.clock.set(start)
  expect(await findInvitation(deps, third.key)).toBeDefined()
  await decideCompany(deps, { id: companyId, decision: 'close', by: desk })
  expect(await acceptInvitation(deps, bob, third.key)).toMatchObject({ reason: 'gone' })
})

test('a new invitation replaces only invitations from the same company to the same address', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner, companyId } = await openCompany(deps)
  const other = await openCompany(deps, { email: 'otto@other.example' })
  await inviteMember(deps, other.owner.accountId, { email: 'bob@example.com', role: 'buyer' })
  await inviteMember(deps, owner.accountId, { email: 'ann@example.com', role: 'buyer' })
  for (const role of ['buyer', 'viewer'] as const)
    await inviteMember(deps, owner.accountId, { email: 'bob@example.com', role })
  const invited = async (id: string) => {
    const { invitations } = await listMembers(deps, id)
    return invitations.map(({ email, role }) => `${email} ${role}`).toSorted()
  }
  expect(await invited(companyId)).toEqual(['ann@example.com buyer', 'bob@example.com viewer'])
  expect(await invited(other.companyId)).toEqual(['bob@example.com buyer'])
})

test('two people accepting one link create one member, and an account belongs to one company', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner, companyId } = await openCompany(deps)
  const other = await openCompany(deps, { email: 'otto@other.example' })
  const bob = await signUp(deps, 'bob@example.com')
  await inviteMember(deps, owner.accountId, { email: bob.email, role: 'buyer' })
  const key = await linkTo(deps, bob.email)
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => acceptInvitation(deps, bob, key)))
  // Accepting twice gives the same answer twice.
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(4)
  expect((await listMembers(deps, companyId)).members).toHaveLength(2)
  deps.clock.set(deps.clock.now().add({ minutes: 1 }))
  await inviteMember(deps, other.owner.accountId, { email: bob.email, role: 'buyer' })
  const { invitations } = await listMembers(deps, other.companyId)
  const second = await keyIn(deps, `company-invitation:${invitations[0]?.id}`)
  expect(await acceptInvitation(deps, bob, second)).toMatchObject({ reason: 'in-a-company' })
  // The invitation was not used up.
  await leaveCompany(deps, bob.accountId)
  expect(await acceptInvitation(deps, bob, second)).toMatchObject({ ok: true })
})

test('only people with a verified email at a domain of the company may join it', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { companyId } = await openCompany(deps)
  await addDomain(deps, { id: companyId, domain: 'acme.example', role: 'viewer', by: desk })
  const bob = await signUp(deps, 'bob@acme.example')
  const claims = await signUp(deps, 'eve@acme.example', { isEmailVerified: false })
  const alike = await signUp(deps, 'eve@notacme.example')
  const below = await signUp(deps, 'eve@mail.acme.example')
  expect(await findCompanyOfMail(deps, bob)).toMatchObject({ name: 'Acme Plumbing', role: 'viewer' })
  for (const person of [claims, alike, below]) {
    expect(await findCompanyOfMail(deps, person)).toBeUndefined()
    expect(await joinByMail(deps, person)).toMatchObject({ reason: 'gone' })
  }
  expect(await joinByMail(deps, bob)).toMatchObject({ ok: true })
  expect(await findMembership(deps, bob.accountId)).toMatchObject({ role: 'viewer' })
  const grant = await database.db
    .selectFrom('account_grant')
    .select(['how', 'granted_by'])
    .where('account_id', '=', bob.accountId)
    .executeTakeFirstOrThrow()
  expect(grant).toEqual({ how: 'company-domain', granted_by: 'Acme Plumbing' })
})

test('only owners set roles and remove members, and a removed member buys at retail', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner, companyId } = await openCompany(deps)
  const buyer = await addMember(deps, owner.accountId, 'bob@example.com', 'buyer')
  const viewer = await addMember(deps, owner.accountId, 'vera@example.com', 'viewer')
  const stranger = await openCompany(deps, { email: 'otto@other.example' })
  for (const by of [buyer, viewer, stranger.owner]) {
    const answer = by === stranger.owner ? 'member-not-found' : 'not-allowed'
    expect(await changeRole(deps, by.accountId, { accountId: viewer.accountId, role: 'owner' })).toMatchObject({
      reason: answer,
    })
    expect(await removeMember(deps, by.accountId, owner.accountId)).toMatchObject({ reason: answer })
  }
  expect(await inviteMember(deps, buyer.accountId, { email: 'x@example.com', role: 'buyer' })).toMatchObject({
    reason: 'not-allowed',
  })
  expect(await changeRole(deps, owner.accountId, { accountId: viewer.accountId, role: 'buyer' })).toMatchObject({
    ok: true,
  })
  deps.clock.set(deps.clock.now().add({ minutes: 1 }))
  expect(await removeMember(deps, owner.accountId, buyer.accountId)).toMatchObject({ ok: true })
  expect(await removeMember(deps, owner.accountId, buyer.accountId)).toMatchObject({ reason: 'member-not-found' })
  expect(await readPriceTier(database.db, buyer.accountId, deps.clock.now())).toMatchObject({
    accountType: 'Retail',
    companyId: null,
  })
  expect((await listMembers(deps, companyId)).members.map(({ role }) => role)).toEqual(['owner', 'buyer'])
})

test('the last owner cannot leave while there are other members; the last member can', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner } = await openCompany(deps)
  const buyer = await addMember(deps, owner.accountId, 'bob@example.com', 'buyer')
  expect(await changeRole(deps, owner.accountId, { accountId: owner.accountId, role: 'viewer' })).toMatchObject({
    reason: 'last-owner',
  })
  expect(await removeMember(deps, owner.accountId, owner.accountId)).toMatchObject({ reason: 'last-owner' })
  expect(await leaveCompany(deps, owner.accountId)).toMatchObject({ reason: 'last-owner' })
  await expect(database.db.deleteFrom('account').where('id', '=', owner.accountId).execute()).rejects.toThrow(
    'A company needs an owner.',
  )
  await leaveCompany(deps, buyer.accountId)
  expect(await leaveCompany(deps, owner.accountId)).toMatchObject({ ok: true })
  expect(await leaveCompany(deps, owner.accountId)).toMatchObject({ reason: 'member-not-found' })
})

test('of two owners who step down concurrently, one remains', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner, companyId } = await openCompany(deps)
  const second = await addMember(deps, owner.accountId, 'bob@example.com', 'owner')
  await addMember(deps, owner.accountId, 'vera@example.com', 'viewer')
  const outcomes = await Promise.all([leaveCompany(deps, owner.accountId), leaveCompany(deps, second.accountId)])
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  expect((await listMembers(deps, companyId)).members.filter(({ role }) => role === 'owner')).toHaveLength(1)
})

test('only an owner of the company can withdraw an invitation', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner, companyId } = await openCompany(deps)
  const other = await openCompany(deps, { email: 'otto@other.example' })
  await inviteMember(deps, owner.accountId, { email: 'bob@example.com', role: 'buyer' })
  const [sent] = (await listMembers(deps, companyId)).invitations
  expect(await takeBackInvitation(deps, other.owner.accountId, sent?.id ?? '')).toMatchObject({ reason: 'gone' })
  expect((await listMembers(deps, companyId)).invitations).toEqual([sent])
  expect(await findInvitation(deps, await linkTo(deps, 'bob@example.com'))).toBeDefined()
  // Another company's invitation of the same address replaces only its own.
  for (let press = 1; press <= 2; press += 1)
    await inviteMember(deps, other.owner.accountId, { email: 'bob@example.com', role: 'viewer' })
  expect((await listMembers(deps, other.companyId)).invitations).toHaveLength(1)
  expect((await listMembers(deps, companyId)).invitations).toEqual([sent])
})

test('limits the invitations of a company per day', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner } = await openCompany(deps)
  const send = (index: number) =>
    inviteMember(deps, owner.accountId, { email: `m${index}@example.com`, role: 'viewer' })
  for (let index = 0; index < invitationsPerDay; index += 1) expect((await send(index)).ok).toBe(true)
  expect(await send(99)).toMatchObject({ reason: 'too-many' })
  // Until exactly a day after the first of them.
  const sent = deps.clock.now()
  deps.clock.set(sent.add({ hours: 24 }).subtract({ seconds: 1 }))
  expect(await send(99)).toMatchObject({ reason: 'too-many' })
  deps.clock.set(sent.add({ hours: 24 }))
  expect(await send(99)).toMatchObject({ ok: true })
})

test("replaced and withdrawn invitations count toward the limit, another company's do not", async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner, companyId } = await openCompany(deps)
  const other = await openCompany(deps, { email: 'otto@other.example' })
  const send = () => inviteMember(deps, owner.accountId, { email: 'bob@example.com', role: 'viewer' })
  for (let index = 0; index < invitationsPerDay; index += 1) expect((await send()).ok).toBe(true)
  const { invitations } = await listMembers(deps, companyId)
  expect(invitations).toHaveLength(1)
  expect((await takeBackInvitation(deps, owner.accountId, invitations[0]?.id ?? '')).ok).toBe(true)
  expect(await send()).toMatchObject({ reason: 'too-many' })
  expect(await inviteMember(deps, other.owner.accountId, { email: 'bob@example.com', role: 'viewer' })).toMatchObject({
    ok: true,
  })
})

test('a company without members can’t be joined by invitation or email domain', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner, companyId } = await openCompany(deps)
  await addDomain(deps, { id: companyId, domain: 'acme.example', role: 'buyer', by: desk })
  const [bob, ada] = [await signUp(deps, 'bob@example.com'), await signUp(deps, 'ada@acme.example')]
  await inviteMember(deps, owner.accountId, { email: bob.email, role: 'buyer' })
  const key = await linkTo(deps, bob.email)
  expect(await findCompanyOfMail(deps, ada)).toMatchObject({ id: companyId })
  expect(await leaveCompany(deps, owner.accountId)).toMatchObject({ ok: true })

  expect((await listMembers(deps, companyId)).invitations).toEqual([])
  expect(await findInvitation(deps, key)).toBeUndefined()
  expect(await acceptInvitation(deps, bob, key)).toMatchObject({ reason: 'gone' })
  expect(await findCompanyOfMail(deps, ada)).toBeUndefined()
  expect(await joinByMail(deps, ada)).toMatchObject({ reason: 'gone' })
})

test('when the last owner leaves while someone joins, one of them is refused', async () => {
  for (const join of ['invitation', 'mail'] as const) {
    await using database = await createTestDatabase()
    const deps = companyDeps(database.db)
    const { owner, companyId } = await openCompany(deps)
    await addDomain(deps, { id: companyId, domain: 'acme.example', role: 'buyer', by: desk })
    const ada = await signUp(deps, 'ada@acme.example')
    await inviteMember(deps, owner.accountId, { email: ada.email, role: 'buyer' })
    const key = await linkTo(deps, ada.email)
    const [left, joined] = await Promise.all([
      leaveCompany(deps, owner.accountId),
      join === 'invitation' ? acceptInvitation(deps, ada, key) : joinByMail(deps, ada),
    ])
    expect([left, joined].filter(({ ok }) => ok)).toHaveLength(1)
    expect([left, joined].find(({ ok }) => !ok)).toMatchObject({ reason: left.ok ? 'gone' : 'last-owner' })
    expect(await inspectCompanies(deps)).toEqual({ checked: 1, broken: 0 })
  }
})

test('the schema refuses new members for a company without an owner', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const { owner, companyId } = await openCompany(deps)
  const other = await openCompany(deps, { email: 'otto@other.example' })
  const bob = await addMember(deps, other.owner.accountId, 'bob@example.com', 'buyer')
  await leaveCompany(deps, owner.accountId)
  const refusedBy = (change: Promise<unknown>) => change.then(() => 'taken', violatedConstraint)
  const joining = { account_id: owner.accountId, company_id: companyId, role: 'buyer', joined_at: deps.clock.now() }
  expect(await refusedBy(database.db.insertInto('company_member').values(joining).execute())).toBe(
    'company_has_an_owner',
  )
  const moving = database.db
    .updateTable('company_member')
    .set({ company_id: companyId })
    .where('account_id', '=', bob.accountId)
  expect(await refusedBy(moving.execute())).toBe('company_has_an_owner')
})

async function inspectCompanies({ db, clock }: CompanyDeps) {
  const { checked, broken } = (await inspect(db, clock.now())).find(({ name }) => name === 'company-has-an-owner') ?? {}
  return { checked, broken }
}

test('decisions, terms, invitations and abandoned applications affect no other company', async () => {
  await using database = await createTestDatabase()
  const deps = companyDeps(database.db)
  const people = [
    await signUp(deps, 'olga@acme.example'),
    await signUp(deps, 'rolf@beta.example'),
    await signUp(deps, 'vera@gamma.example'),
  ] as const
  const [olga, rolf, vera] = people
  for (const [index, { accountId }] of people.entries())
    await applyForCompany(deps, accountId, { ...application, name: `Company ${index + 1}` })
  const companyOf = async ({ accountId }: { accountId: string }) => (await findMembership(deps, accountId))?.company
  const [one, two] = [(await companyOf(olga))?.id ?? '', (await companyOf(rolf))?.id ?? '']

  expect(await decideCompany(deps, { id: one, decision: 'approve', by: desk })).toMatchObject({ ok: true })
  expect((await companyOf(olga))?.state).toBe('approved')
  expect((await companyOf(rolf))?.state).toBe('applied')
  await decideCompany(deps, { id: two, decision: 'approve', by: desk })
  expect(await setTerms(deps, { by: desk, id: one, terms: { netDays: 30, creditLimitCents: 500_000 } })).toMatchObject({
    ok: true,
  })
  expect((await companyOf(olga))?.terms?.netDays).toBe(30)
  expect((await companyOf(rolf))?.terms).toBeNull()

  // An application is deleted with its last member; other companies' applications stay.
  expect(await leaveCompany(deps, vera.accountId)).toMatchObject({ ok: true })
  expect((await listCompanies(deps, 'applied')).map(({ name }) => name)).toEqual([])
  await applyForCompany(deps, vera.accountId, { ...application, name: 'Company 3' })
  expect((await listCompanies(deps, 'applied')).map(({ name }) => name)).toEqual(['Company 3'])

  const bob = await signUp(deps, 'bob@example.com')
  for (const by of [olga, rolf]) await inviteMember(deps, by.accountId, { email: bob.email, role: 'buyer' })
  await inviteMember(deps, olga.accountId, { email: 'carl@example.com', role: 'buyer' })
  const key = await linkTo(deps, bob.email)
  const joined = await acceptInvitation(deps, bob, key)
  expect(joined.ok && joined.value.company).toMatch(/^Company [12]$/)
  const open = [...(await listMembers(deps, one)).invitations, ...(await listMembers(deps, two)).invitations].map(
    ({ email }) => email,
  )
  expect(open.toSorted()).toEqual(['bob@example.com', 'carl@example.com'])
  // A used link works only for its user. Other visitors don't join, whether or not they are in a company.
  const dora = await signUp(deps, 'dora@example.com')
  for (const stranger of [dora, olga])
    expect(await acceptInvitation(deps, { ...stranger, email: stranger.email }, key)).toMatchObject({ ok: false })
})
