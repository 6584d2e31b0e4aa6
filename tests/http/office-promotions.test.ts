/** Promotions as staff make them in the office, and shoppers see them. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions, staffRoles, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')

const draft = {
  formKey: '5f0c2c44-9a52-4c7e-8b7a-2f6f2f3a9d01',
  name: 'Winter sale',
  headline: 'Save $40 a tire',
  kind: 'Flat Amount',
  amount: '40',
  subject: '',
  fundedBy: 'store',
  replaces: '',
}

/** A time in the store's zone, as the form sends it. */
const timeIn = (hours: number) =>
  Temporal.Now.zonedDateTimeISO('America/New_York')
    .add({ hours })
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })

test('only roles with the permission read and make promotions', async () => {
  for (const role of staffRoles) {
    const may = (roles: readonly BuiltInRole[]) => (roles.includes(role) ? 200 : 403)
    const list = await staff[role].ask(at('/office/promotions'))
    expect(list.status, role).toBe(may(permissions['promotions.read'].roles))
    const form = await staff[role].ask(at('/office/promotions/new'))
    expect(form.status, role).toBe(may(permissions['promotions.edit'].roles))
  }
  expect((await staff.support.ask(at('/office/promotions/new'), { form: draft })).status).toBe(403)
  expect((await createVisitor().ask(at('/office/promotions'))).headers.get('location')).toMatch(/^\/office\/sign-in/)
})

test('a draft is narrowed and changed on its page, which lists its first tires', async () => {
  const made = await staff.sales.ask(at('/office/promotions/new'), {
    form: { ...draft, formKey: randomUUID(), name: 'Narrow sale', season: 'winter', daily: 'no' },
  })
  const path = made.headers.get('location')?.split('?')[0] ?? ''
  const before = await read(staff.sales, path)
  expect(before).toContain('>Winter<')
  expect(before).toMatch(/For [\d,]+ tires/)
  expect(before).toContain('The first 10 of')
  const change = { ...draft, intent: 'change', version: '1', name: 'Narrow sale', headline: 'Winter tires for less' }
  const wrong = await staff.sales.ask(at(path), { form: { ...change, size: 'no such size' } })
  expect(wrong.status).toBe(422)
  const page = await wrong.text()
  expect(page).toContain('Enter a size of the catalog, such as 225/65R17.')
  expect(page).toContain('value="Winter tires for less"')
  expect((await staff.finance.ask(at(path), { form: change })).status).toBe(403)
  const changed = await staff.sales.ask(at(path), { form: { ...change, season: 'summer' } })
  expect(changed.headers.get('location')).toBe(`${path}?done=changed`)
  const outdated = await staff.sales.ask(at(path), { form: { ...change, season: 'winter' } })
  expect(outdated.status).toBe(409)
  expect(await outdated.text()).toContain('changed')
  expect(await read(staff.finance, path)).not.toContain('name="season"')
})

test('a promotion is drafted once, tested, scheduled and ended', async () => {
  const refused = await staff.sales.ask(at('/office/promotions/new'), { form: { ...draft, amount: 'lots' } })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('Enter dollars off each tire')
  const made = await staff.sales.ask(at('/office/promotions/new'), { form: draft })
  const draftPath = made.headers.get('location')?.split('?')[0] ?? ''
  expect(draftPath).toMatch(/^\/office\/promotions\/d\d+$/)
  const again = await staff.sales.ask(at('/office/promotions/new'), { form: draft })
  expect(again.headers.get('location')?.split('?')[0]).toBe(draftPath)

  const { sku } = await store.database.db.selectFrom('item').select('sku').orderBy('id').executeTakeFirstOrThrow()
  expect(await read(staff.sales, `${draftPath}?cart=${sku}+4&state=IL`)).toContain('With discount')
  expect(await read(staff.sales, `${draftPath}?cart=nothing&state=IL`)).toContain('each a SKU and a quantity')

  const schedule = { intent: 'schedule', version: '1', startsAt: timeIn(1), endsAt: timeIn(50) }
  const past = await staff.sales.ask(at(draftPath), { form: { ...schedule, startsAt: timeIn(-2) } })
  expect(past.status).toBe(422)
  expect(await past.text()).toContain('in the future')
  expect((await staff.catalog.ask(at(draftPath), { form: schedule })).status).toBe(403)
  // $40 leaves cheap tires with less than the minimum margin.
  const requested = await staff.sales.ask(at(draftPath), { form: schedule })
  expect(requested.headers.get('location')).toBe(`${draftPath}?done=requested`)
  expect(await read(staff.manager, draftPath)).toContain('Waiting for a second person')
  const scheduled = await staff.manager.ask(at(draftPath), { form: schedule })
  const path = scheduled.headers.get('location')?.split('?')[0] ?? ''
  expect(path).toMatch(/^\/office\/promotions\/p\d+$/)
  expect(await read(staff.finance, '/office/promotions?state=scheduled')).toContain('Winter sale')

  const withdrawn = await staff.sales.ask(at(path), { form: { intent: 'end', reason: 'Too soon' } })
  expect(withdrawn.headers.get('location')).toBe(`${draftPath}?done=withdrawn`)
  expect((await staff.sales.ask(at(path))).status).toBe(404)
  expect((await staff.sales.ask(at(draftPath), { form: { intent: 'discard' } })).status).toBe(303)
  expect((await staff.sales.ask(at('/office/promotions/d999999999'))).status).toBe(404)
  expect((await staff.sales.ask(at('/office/promotions/zzz'))).status).toBe(404)
})
