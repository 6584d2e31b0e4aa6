/** Tests supplier feeds in the back office. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const [clerk, manager, support]: [Visitor, Visitor, Visitor] = [createVisitor(), createVisitor(), createVisitor()]
beforeAll(async () => {
  store = await startStore()
  await signInToOffice(store.origin, clerk, { email: 'catalog@example.com' })
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (id: string) => `${store.origin}/office/supplier-feeds/${id}`
const read = async (visitor: Visitor, url: string) => (await (await visitor.ask(url)).text()).replaceAll('<!-- -->', '')
const form = {
  intent: 'add',
  name: 'Broadmoor prices',
  kind: 'prices',
  mode: 'per-row',
  // No server listens there.
  url: 'sftp://127.0.0.1:1025/prices.csv',
  username: 'store',
  password: 'top secret',
  hostKey: `SHA256:${'A'.repeat(43)}`,
  monday: '1',
  times: '6:00, 14:30',
  maxPricePercent: '20',
  version: '0',
}

test('a manager adds a feed and runs it, and two tabs don’t overwrite each other', async () => {
  expect((await support.ask(at('new'))).status).toBe(403)
  const denied = await clerk.ask(at('new'), { form })
  expect(denied.status).toBe(403)

  const wrong = await manager.ask(at('new'), { form: { ...form, times: '25:00' } })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  expect(again).toContain('Enter up to 24 times, such as 06:00, 14:30.')
  expect(again).toContain('value="Broadmoor prices"')
  expect(again).not.toContain('top secret')
  const key = { ...form, password: '', privateKey: 'a private key', times: '25:00' }
  expect(await (await manager.ask(at('new'), { form: key })).text()).not.toContain('a private key')
  const unpinned = await (await manager.ask(at('new'), { form: { ...form, hostKey: '' } })).text()
  expect(unpinned).toContain('Enter the fingerprint of the server’s key.')

  const added = await manager.ask(at('new'), { form })
  expect(added.headers.get('location')).toBe('/office/supplier-feeds?done=added')
  const list = await read(clerk, `${store.origin}/office/supplier-feeds?done=added`)
  expect(list).toContain('Feed added. It runs at its next scheduled time.')
  expect(list).toContain('Mon at 6:00 AM, 2:30 PM')
  const id = /href="\/office\/supplier-feeds\/(\d+)"[^>]*>Broadmoor prices</.exec(list)?.[1] ?? ''
  const page = await read(manager, at(id))
  expect(page).not.toContain('top secret')
  expect(page).toContain('No runs yet.')

  const change = { ...form, intent: 'change', password: '', times: '07:00', version: '1' }
  const saved = await manager.ask(at(id), { form: change })
  expect(saved.headers.get('location')).toBe(`/office/supplier-feeds/${id}?done=change`)
  const late = await manager.ask(at(id), { form: { ...change, times: '08:00' } })
  expect(late.status).toBe(409)
  const conflict = await late.text()
  expect(conflict).toContain('value="08:00"')
  expect(conflict).toContain('Saved now: 07:00')

  expect((await clerk.ask(at(id), { form: { intent: 'run', version: '2' } })).headers.get('location')).toBe(
    `/office/supplier-feeds/${id}?done=run`,
  )
  const attempts = () => store.database.db.selectFrom('supplier_feed_fetch').select(['state', 'attempts']).execute()
  await expect.poll(attempts, { timeout: 30_000 }).toEqual([{ state: 'due', attempts: 1 }])
  expect(await read(clerk, at(id))).toMatch(/catalog@example\.com/)
  expect((await clerk.ask(at(id), { form: { intent: 'run', version: '2' } })).status).toBe(409)

  await clerk.ask(at(id), { form: { intent: 'subscribe', version: '2' } })
  expect(await read(clerk, at(id))).toContain('Turn off emails')
  expect(await read(manager, at(id))).toContain('Email me')
  expect((await clerk.ask(at(id), { form: { intent: 'pause', version: '2' } })).status).toBe(403)
  await manager.ask(at(id), { form: { intent: 'pause', version: '2' } })
  expect(await read(manager, at(id))).toContain('Resume the feed')
})

test('an unknown feed is not found', async () => {
  for (const id of ['9999', '0', 'x', '1e3', '99999999999']) expect((await manager.ask(at(id))).status, id).toBe(404)
})
