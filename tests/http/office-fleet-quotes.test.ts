/** Tests the office's view of a company's fleet quotes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let desk: Visitor
beforeAll(async () => {
  store = await startStore()
  desk = createVisitor()
  await signInToOffice(store.origin, desk, { email: 'owner@example.com' })
}, 180_000)
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`

async function companyNamed(name: string): Promise<string> {
  const { id } = await store.database.db
    .selectFrom('company')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return id
}

async function officePage(id: string): Promise<string> {
  const html = await (await desk.ask(at(`/office/companies/${id}`))).text()
  return html.replaceAll('<!-- -->', '')
}

test('a member’s list is visible only to their company', async () => {
  const id = await companyNamed('Grant Delivery')
  await desk.ask(at(`/office/companies/${id}`), { form: { intent: 'fleet-packets', packets: '1' } })
  expect(await officePage(id)).not.toContain('Fleet quotes')
  const felix = createVisitor()
  await signInAt(store.origin, felix, { email: 'felix@example.com' })
  const lines = 'VIN,Unit\n1HGCM82633A004352,117\n1FTFW1ET9DFC10312,118\n'
  const begun = await felix.ask(at('/account/company/vehicles/quotes'), { form: { key: newId(), zip: '60614', lines } })
  expect(begun.status).toBe(303)
  const html = await officePage(id)
  const table = html.slice(html.indexOf('id="fleet-quotes"'))
  expect(html).toContain('id="fleet-quotes"')
  expect(table).toContain('Not held yet')
  expect(table).toMatch(/>2<\/td>/)
  const others = await store.database.db.selectFrom('company').select('id').where('id', '<>', id).limit(3).execute()
  expect(others.length).toBeGreaterThan(0)
  for (const other of others) expect(await officePage(other.id)).not.toContain('id="fleet-quotes"')
})
