/** Redirects from old addresses, over HTTP: added and imported in the back office, and what shoppers get. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
const manager = createVisitor()
beforeAll(async () => {
  store = await startStore()
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const edit = () => `${store.origin}/office/redirects/edit`
const ask = (path: string, init: RequestInit = {}) => fetch(store.origin + path, { redirect: 'manual', ...init })

test('an old address leads to its page at once, with its query; other addresses stay as they are', async () => {
  expect((await ask('/old-store/tires.html')).status).toBe(404)
  const form = { intent: 'add', from: '/Old-Store/tires.html', to: '/tires' }
  const wrong = await manager.ask(edit(), { form: { ...form, to: 'https://evil.test/<b>' } })
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toContain('https://evil.test/&lt;b&gt;')
  expect((await manager.ask(edit(), { form })).headers.get('location')).toBe('/office/redirects?done=saved')
  const moved = await ask('/old-store/TIRES.html?utm_source=x')
  expect(moved.status).toBe(301)
  expect(moved.headers.get('location')).toBe('/tires?utm_source=x')
  expect((await ask('/old-store/tires.html', { method: 'HEAD' })).status).toBe(301)
  // A page that is there stays there.
  await manager.ask(edit(), { form: { ...form, from: '/about', to: '/contact' } })
  expect((await ask('/about')).status).toBe(200)
  const chain = await manager.ask(edit(), { form: { ...form, from: '/older', to: '/old-store/tires.html' } })
  expect(chain.status).toBe(409)
  expect(await chain.text()).toContain('Enter the page that it ends at.')
})

test('a file is imported whole, or refused by row; a redirect is removed', async () => {
  const send = (text: string) => {
    const form = new FormData()
    form.append('intent', 'import')
    form.append('file', new Blob([text]), 'redirects.csv')
    return manager.ask(edit(), { form })
  }
  const bad = await send('from,to\n/p/1,/tires\n/p/2,/p/1\n')
  expect(bad.status).toBe(422)
  expect(await bad.text()).toContain('Row 3: /p/1 is redirected itself, in row 2. Use its target.')
  expect((await ask('/p/1')).status).toBe(404)
  const rows = Array.from({ length: 20_000 }, (_, index) => `/p/${index},/tires`).join('\n')
  expect((await send(`from,to\n${rows}`)).headers.get('location')).toBe('/office/redirects?done=imported')
  expect((await ask('/p/19999')).headers.get('location')).toBe('/tires')
  const list = await (await manager.ask(`${store.origin}/office/redirects?start=%2Fp%2F19999`)).text()
  expect(list).toContain('href="/office/redirects/edit?from=%2Fp%2F19999"')
  const removed = await manager.ask(edit(), { form: { intent: 'remove', from: '/p/19999', version: '1' } })
  expect(removed.headers.get('location')).toBe('/office/redirects?done=removed')
  expect((await ask('/p/19999')).status).toBe(404)
})
