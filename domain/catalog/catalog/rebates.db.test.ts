/** Rebates, as staff add, change and retire them. */
import { expect, test } from 'vitest'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import {
  addRebate,
  changeRebate,
  createCatalog,
  findOfficeRebate,
  findRebate,
  listOfficeRebates,
  listRebates,
  retireRebate,
} from './catalog.server.ts'
import { rebateForm, rebateStateAt } from './catalog.ts'

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
const draft = (change: Record<string, string> = {}) => rebateForm.parse({ ...typed, ...change })
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

test('a rebate is shown on its days of the store, and claimed until its last day', async () => {
  await using store = await openStore()
  const { id } = must(await addRebate(store.deps, store.sales, draft()))
  const rebate = await findOfficeRebate(store.deps, id)
  const stateAt = (time: string) => rebate && rebateStateAt(rebate, Temporal.Instant.from(time))
  expect(stateAt('2026-11-01T03:59:59Z')).toBe('scheduled')
  expect(stateAt('2026-11-01T04:00:00Z')).toBe('running')
  expect(stateAt('2026-12-01T04:59:59Z')).toBe('running')
  expect(stateAt('2026-12-01T05:00:00Z')).toBe('claimable')
  expect(stateAt('2027-01-01T05:00:00Z')).toBe('ended')
  const shown = await findRebate(store.shown('2026-12-01T04:59:59Z'), 'kestrel-45-rebate')
  expect(shown).toMatchObject({ state: 'running', subject: { brand: { slug: 'kestrel' } } })
  expect(await findOfficeRebate(store.deps, id)).toMatchObject({
    slug: 'kestrel-45-rebate',
    subject: 'kestrel',
    subjectName: 'Kestrel',
    amountCents: 4_500,
    version: 1,
  })
  expect((await listOfficeRebates(store.deps, null)).rebates[0]).toMatchObject({ id })
})

test('of two simultaneous rebate edits the second gets a conflict, and the address stays', async () => {
  await using store = await openStore()
  const { id } = must(await addRebate(store.deps, store.sales, draft()))
  const answers = await Promise.all(
    ['One $1 rebate', 'Other $2 rebate'].map((name) =>
      changeRebate(store.deps, store.sales, id, draft({ name, version: '1' })),
    ),
  )
  expect(answers.map(reasonOf).toSorted()).toEqual(['changed-meanwhile', 'ok'])
  expect(await findOfficeRebate(store.deps, id)).toMatchObject({ slug: 'kestrel-45-rebate', version: 2 })
})

test('a retired rebate ends now and is still claimed; one that has not started is never shown', async () => {
  await using store = await openStore()
  const { deps, sales } = store
  const running = must(await addRebate(deps, sales, draft()))
  must(await retireRebate(deps, sales, { id: running.id, version: 1 }))
  expect((await findRebate(store.shown('2026-11-20T15:00:00Z'), 'kestrel-45-rebate'))?.state).toBe('claimable')
  expect(reasonOf(await retireRebate(deps, sales, { id: running.id, version: 2 }))).toBe('other-state')
  expect(reasonOf(await changeRebate(deps, sales, running.id, draft({ version: '2' })))).toBe('other-state')
  const later = must(await addRebate(deps, sales, draft({ name: 'Later', startsOn: '2026-11-25' })))
  must(await retireRebate(deps, sales, { id: later.id, version: 1 }))
  const day = store.shown('2026-11-26T15:00:00Z')
  expect(await findRebate(day, 'later-rebate')).toBeUndefined()
  expect((await listRebates(day)).map(({ rebate: { slug } }) => slug)).not.toContain('later-rebate')
})

test('a name that is taken, an unknown brand, and a role without the permission are refused', async () => {
  await using store = await openStore()
  const { deps, sales, support } = store
  const both = await Promise.all([addRebate(deps, sales, draft()), addRebate(deps, sales, draft())])
  expect(both.map(reasonOf).toSorted()).toEqual(['name-taken', 'ok'])
  // The same address under another spelling.
  expect(reasonOf(await addRebate(deps, sales, draft({ name: 'KESTREL $45' })))).toBe('name-taken')
  expect(reasonOf(await addRebate(deps, sales, draft({ name: 'Other', subject: 'nobody' })))).toBe('no-subject')
  expect(reasonOf(await addRebate(deps, support, draft({ name: 'Other' })))).toBe('not-allowed')
  expect(reasonOf(await changeRebate(deps, sales, 999_999, draft({ version: '1' })))).toBe('gone')
  expect(reasonOf(await retireRebate(deps, support, { id: 1, version: 1 }))).toBe('not-allowed')
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
  const checked = rebateForm.safeParse({ ...typed, ...change })
  expect(checked.error?.issues.map(({ path }) => path[0])).toEqual([field])
})
