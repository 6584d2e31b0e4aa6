/** Rebates, as staff draft, change, schedule, and end them. */
import { expect, test } from 'vitest'
import { createCatalog, findRebate, listRebates } from '#domain/catalog/catalog/catalog.server.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  changeRebateDraft,
  correctRebate,
  rebateDrafts,
  draftRebate,
  endRebate,
  findOfficeRebate,
  listOfficeRebates,
  listRebated,
  scheduleRebate,
} from './promotions.server.ts'
import { rebateChangeForm, rebateCorrectionForm, rebateDraftForm, rebateStateAt } from './promotions.ts'

const typed = {
  name: 'Kestrel $45 rebate',
  amount: '$45',
  units: '4',
  paidAs: 'prepaid-card',
  subject: 'Kestrel',
  formUrl: 'https://kestrel.example/claim',
  startsOn: '2026-11-01',
  lastPurchaseOn: '2026-11-30',
  lastClaimOn: '2026-12-31',
}
const draft = (change: Record<string, string> = {}) => rebateDraftForm.parse({ ...typed, ...change })
const changeOf = (change: Record<string, string> = {}) => rebateChangeForm.parse({ ...typed, version: '1', ...change })
const reasonOf = (answer: { ok: true } | { ok: false; reason: string }) => (answer.ok ? 'ok' : answer.reason)

async function openStore() {
  const database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const deps = { db, clock: fixedClock('2026-11-20T15:00:00Z') }
  return {
    deps,
    at: (time: string) => ({ db, clock: fixedClock(time) }),
    shown: (time: string) => createCatalog({ db, clock: fixedClock(time) }),
    sales: await signInStaff(deps, 'sales'),
    support: await signInStaff(deps, 'support'),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

test('a scheduled rebate is shown on its days of the store, and claimed until its last day', async () => {
  await using store = await openStore()
  const { deps, sales } = store
  const id = must(await draftRebate(deps, sales, draft()))
  const shown = () => findRebate(store.shown('2026-12-01T04:59:59Z'), 'kestrel-45-rebate')
  expect(await findOfficeRebate(deps, id)).toMatchObject({ draft: true })
  expect(await shown()).toBeUndefined()
  const listed = async () => (await listRebates(store.shown('2026-11-20T15:00:00Z'))).map(({ rebate }) => rebate.slug)
  expect(await listed()).not.toContain('kestrel-45-rebate')
  must(await scheduleRebate(deps, sales, { id, version: 1 }))
  const rebate = await findOfficeRebate(deps, id)
  const stateAt = (time: string) => rebate && rebateStateAt(rebate, Temporal.Instant.from(time))
  expect(stateAt('2026-11-01T03:59:59Z')).toBe('scheduled')
  expect(stateAt('2026-11-01T04:00:00Z')).toBe('running')
  expect(stateAt('2026-12-01T04:59:59Z')).toBe('running')
  expect(stateAt('2026-12-01T05:00:00Z')).toBe('claimable')
  expect(stateAt('2027-01-01T05:00:00Z')).toBe('ended')
  expect(await shown()).toMatchObject({ state: 'running', subject: { brand: { slug: 'kestrel' } } })
  expect(await listed()).toContain('kestrel-45-rebate')
  expect(rebate).toMatchObject({
    slug: 'kestrel-45-rebate',
    subject: 'kestrel',
    subjectName: 'Kestrel',
    amountCents: 4_500,
    version: 2,
  })
  expect((await listOfficeRebates(deps, null)).rebates[0]).toMatchObject({ id })
})

test('the second simultaneous edit gets a conflict, and a rebate’s address follows its name', async () => {
  await using store = await openStore()
  const { deps, sales } = store
  const id = must(await draftRebate(deps, sales, draft()))
  const answers = await Promise.all(
    ['One $1 rebate', 'Other $2 rebate'].map((name) => changeRebateDraft(deps, sales, id, changeOf({ name }))),
  )
  expect(answers.map(reasonOf).toSorted()).toEqual(['changed-meanwhile', 'ok'])
  const changed = await findOfficeRebate(deps, id)
  expect(changed).toMatchObject({ slug: expect.stringMatching(/^(one-1|other-2)-rebate$/), version: 2 })
  expect(reasonOf(await scheduleRebate(deps, sales, { id, version: 1 })), 'Another version was read.').toBe(
    'changed-meanwhile',
  )
})

test('a scheduled rebate is edited only after it is withdrawn, and one that started not at all', async () => {
  await using store = await openStore()
  const { deps, sales } = store
  const later = { name: 'Later', startsOn: '2026-11-25' }
  const id = must(await draftRebate(deps, sales, draft(later)))
  must(await scheduleRebate(deps, sales, { id, version: 1 }))
  const edit = (version: string) => changeRebateDraft(deps, sales, id, changeOf({ ...later, amount: '50', version }))
  expect(reasonOf(await edit('2'))).toBe('other-state')
  expect(must(await endRebate(deps, sales, { id, reason: 'Another amount' }))).toEqual({ isWithdrawn: true })
  expect(await findRebate(store.shown('2026-11-26T15:00:00Z'), 'later-rebate')).toBeUndefined()
  must(await edit('3'))
  must(await scheduleRebate(deps, sales, { id, version: 4 }))
  const started = store.at('2026-11-25T05:00:01Z')
  const late = changeOf({ ...later, version: '5' })
  expect(reasonOf(await changeRebateDraft(started, desk, id, late))).toBe('other-state')
  expect(reasonOf(await rebateDrafts.discard(started, desk, id))).toBe('other-state')
  expect(reasonOf(await scheduleRebate(started, desk, { id, version: 5 }))).toBe('other-state')
  const set = (change: object) =>
    deps.db
      .updateTable('rebate')
      .set(change)
      .where('id', '=', id)
      .execute()
      .then(
        () => undefined,
        (error: unknown) => violatedConstraint(error),
      )
  expect(await set({ amount_cents: 1, version: 6 })).toBe('rebate_never_edited')
  expect(await set({ starts_at: '2026-11-24T05:00:00Z', version: 6 })).toBe('rebate_never_edited')
  const past = { ends_at: '2026-11-26T05:00:00Z', changed_at: '2026-11-27T05:00:00Z' }
  expect(await set({ ...past, version: 6 })).toBe('rebate_ends_in_past')
  expect(await set({ last_claim_on: '2026-12-30', version: 6 })).toBe('rebate_claims_until_later_only')
  expect(await set({ draft: true, name: 'Another name', version: 6 })).toBe('rebate_never_edited')
  expect(await set({ ends_at: '2026-11-29T05:00:00Z', version: 5 })).toBe('rebate_next_version')
  expect(await findOfficeRebate(deps, id)).toMatchObject({ amountCents: 5_000, version: 5 })
})

test('a running rebate ends now and is still claimed on its terms', async () => {
  await using store = await openStore()
  const { deps, sales } = store
  const id = must(await draftRebate(deps, sales, draft()))
  must(await scheduleRebate(deps, sales, { id, version: 1 }))
  expect(must(await endRebate(deps, sales, { id, reason: 'Budget spent' }))).toEqual({ isWithdrawn: false })
  const shown = await findRebate(store.shown('2026-11-20T15:00:00Z'), 'kestrel-45-rebate')
  expect(shown).toMatchObject({ state: 'claimable', rebate: { amountCents: 4_500, claimBy: '2026-12-31' } })
  expect(reasonOf(await endRebate(deps, sales, { id, reason: 'Again' }))).toBe('other-state')
})

test('a running rebate’s wording, claim address, and last days are corrected, and its amount and address stay', async () => {
  await using store = await openStore()
  const { deps, sales, support } = store
  const id = must(await draftRebate(deps, sales, draft()))
  const correct = (change: Record<string, string> = {}, from = deps, by = sales) =>
    correctRebate(from, by, id, rebateCorrectionForm.parse({ ...typed, version: '2', ...change }))
  expect(reasonOf(await correct({ version: '1' })), 'A draft is changed.').toBe('other-state')
  must(await scheduleRebate(deps, sales, { id, version: 1 }))
  expect(reasonOf(await correct({ version: '1' }))).toBe('changed-meanwhile')
  expect(reasonOf(await correct({}, deps, support))).toBe('not-allowed')
  expect(reasonOf(await correct({ lastPurchaseOn: '2026-11-19' }))).toBe('ends-in-past')
  expect(await correct({ lastClaimOn: '2026-12-30' })).toMatchObject({ reason: 'claims-earlier', detail: '2026-12-31' })
  must(await draftRebate(deps, sales, draft({ name: 'Taken name' })))
  expect(reasonOf(await correct({ name: 'Taken name' }))).toBe('name-taken')
  const mailed = { name: 'Kestrel holiday rebate', formUrl: '', mailTo: 'Kestrel, PO Box 1' }
  const changes = [{ lastPurchaseOn: '2026-12-05', ...mailed }, {}]
  const answers = await Promise.all(changes.map((change) => correct(change)))
  expect(answers.map(reasonOf).toSorted()).toEqual(['changed-meanwhile', 'ok'])
  if (answers[1]?.ok) must(await correct({ ...changes[0], version: '3' }))
  const saved = await findOfficeRebate(deps, id)
  const version = String(saved?.version)
  expect(saved).toMatchObject({ ...mailed, formUrl: null, slug: 'kestrel-45-rebate', amountCents: 4_500 })
  const shown = (time: string) => findRebate(store.shown(time), 'kestrel-45-rebate')
  expect(await shown('2026-12-06T04:59:59Z')).toMatchObject({ state: 'running', rebate: { claimBy: '2026-12-31' } })
  expect(await shown('2026-12-06T05:00:00Z')).toMatchObject({ state: 'claimable' })
  const [audit] = await deps.db.selectFrom('audit_entry').selectAll().where('act', '=', 'rebate.corrected').execute()
  expect(audit).toMatchObject({
    subject: `rebate ${id}`,
    before: { name: typed.name },
    after: { name: expect.any(String) },
  })
  expect(reasonOf(await correct({ version }, store.at('2027-01-01T05:00:00Z'), desk)), 'Claims are over.').toBe(
    'other-state',
  )
})

test('correcting a rebate that was ended early changes its end only with another day', async () => {
  await using store = await openStore()
  const { deps, sales } = store
  const id = must(await draftRebate(deps, sales, draft()))
  must(await scheduleRebate(deps, sales, { id, version: 1 }))
  must(await endRebate(deps, sales, { id, reason: 'Budget spent' }))
  const correct = (change: Record<string, string>) =>
    correctRebate(deps, sales, id, rebateCorrectionForm.parse({ ...typed, ...change }))
  must(await correct({ version: '3', lastPurchaseOn: '2026-11-20', lastClaimOn: '2027-01-15' }))
  const saved = () => findOfficeRebate(deps, id)
  expect(await saved()).toMatchObject({ endsAt: deps.clock.now(), lastClaimOn: '2027-01-15' })
  must(await correct({ version: '4', lastPurchaseOn: '2026-11-21', lastClaimOn: '2027-01-15' }))
  expect(await saved()).toMatchObject({ endsAt: Temporal.Instant.from('2026-11-22T05:00:00Z') })
})

test('the preview spreads the rebate over the tires that are bought together', async () => {
  await using store = await openStore()
  const { deps, sales } = store
  const id = must(await draftRebate(deps, sales, draft({ amount: '50', units: '2' })))
  const shown = await listRebated(deps, (await findOfficeRebate(deps, id)) ?? expect.unreachable())
  const { count } = await deps.db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('brand.slug', '=', 'kestrel')
    .where('item.active', '=', true)
    .executeTakeFirstOrThrow()
  expect(shown.count).toBe(count)
  expect(shown.tires).toHaveLength(10)
  expect(shown.tires.map(({ wasCents, cents }) => wasCents - cents)).toEqual(Array.from({ length: 10 }, () => 2_500))
})

test('a rebate’s taken name, unknown subject, ended claims, and a role without the permission are refused', async () => {
  await using store = await openStore()
  const { deps, sales, support } = store
  const both = await Promise.all([draftRebate(deps, sales, draft()), draftRebate(deps, sales, draft())])
  expect(both.map(reasonOf).toSorted()).toEqual(['name-taken', 'ok'])
  // The same address under another spelling.
  expect(reasonOf(await draftRebate(deps, sales, draft({ name: 'KESTREL $45' })))).toBe('name-taken')
  expect(reasonOf(await draftRebate(deps, sales, draft({ name: 'Other', subject: 'nobody' })))).toBe('no-subject')
  const { sku } = await deps.db.selectFrom('item').select('sku').limit(1).executeTakeFirstOrThrow()
  expect(reasonOf(await draftRebate(deps, sales, draft({ name: 'Other', subject: sku })))).toBe('no-subject')
  expect(reasonOf(await draftRebate(deps, support, draft({ name: 'Other' })))).toBe('not-allowed')
  expect(reasonOf(await changeRebateDraft(deps, sales, 999_999, changeOf()))).toBe('gone')
  const past = { name: 'Past', startsOn: '2026-01-01', lastPurchaseOn: '2026-01-31', lastClaimOn: '2026-02-28' }
  const id = must(await draftRebate(deps, sales, draft(past)))
  expect(reasonOf(await scheduleRebate(deps, sales, { id, version: 1 }))).toBe('claims-over')
  expect(reasonOf(await scheduleRebate(deps, support, { id, version: 1 }))).toBe('not-allowed')
  expect(reasonOf(await endRebate(deps, support, { id, reason: 'A test' }))).toBe('not-allowed')
  expect(reasonOf(await endRebate(deps, sales, { id, reason: 'A test' }))).toBe('other-state')
  expect(reasonOf(await rebateDrafts.discard(deps, support, id))).toBe('not-allowed')
  must(await rebateDrafts.discard(deps, sales, id))
  expect(reasonOf(await rebateDrafts.discard(deps, sales, id))).toBe('gone')
})

test.for([
  [{ name: '$$$' }, 'name'],
  [{ amount: '0' }, 'amount'],
  [{ units: '9' }, 'units'],
  [{ paidAs: 'cash' }, 'paidAs'],
  [{ subject: '' }, 'subject'],
  [{ formUrl: 'http://kestrel.example' }, 'formUrl'],
  [{ formUrl: '' }, 'formUrl'],
  [{ mailTo: 'Kestrel, PO Box 1' }, 'mailTo'],
  [{ startsOn: '2026-02-30' }, 'startsOn'],
  [{ startsOn: '2026-12-01' }, 'lastPurchaseOn'],
  [{ lastClaimOn: '2026-11-30' }, 'lastClaimOn'],
] as const)('%j is refused at its field', ([change, field]) => {
  const checked = rebateDraftForm.safeParse({ ...typed, ...change })
  expect(checked.error?.issues.map(({ path }) => path[0])).toEqual([field])
})
