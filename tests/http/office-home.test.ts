/** Tests the office's home page over HTTP: pending tasks, page counts, and the view of each role. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { officeQueues } from '#app/views/office/queues.server.ts'
import { officeGroups } from '#app/office/navigation.ts'
import { permissions, staffRoles, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { contactSubjects } from '#domain/messaging/support/support.ts'
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

const ask = (role: BuiltInRole, path: string, options?: Parameters<Visitor['ask']>[1]) =>
  staff[role].ask(`${store.origin}${path}`, options)
const read = async (role: BuiltInRole, path: string) => (await ask(role, path)).text()
const countsOf = async (role: BuiltInRole) =>
  (await (await ask(role, '/office/counts')).json()) as Record<string, number>
/** Returns the sidebar's count for a page. */
const besideOf = (html: string, path: string) =>
  countBeside(/<ul class="office-pages">.*?<\/ul>/s.exec(html)?.[0] ?? '', path)
const countBeside = (html: string, path: string) =>
  Number(new RegExp(`href="${path}"[^>]*>.*?</a>`, 's').exec(html)?.[0].match(/office-count">(\d+)/)?.[1] ?? 0)
/** The count in a task list's row, and where the row leads. */
function rowOf(html: string, slug: string): { count: number; path: string | undefined } {
  const row = new RegExp(`<li id="${slug}">.*?</li>`, 's').exec(html)?.[0] ?? ''
  return {
    count: Number(/office-queue-count">(\d+)/.exec(row)?.[1] ?? 0),
    path: /href="([^"]+)"/.exec(row)?.[1],
  }
}

async function write(name: string): Promise<void> {
  const sent = await createVisitor().ask(`${store.origin}/contact`, {
    form: {
      firstName: name,
      lastName: 'Asker',
      email: `${name.toLowerCase()}@example.org`,
      phone: '3125550142',
      subject: contactSubjects[0],
      message: 'I would like to know where my order is.',
    },
  })
  expect(sent.status).toBe(303)
}

test('a message is counted on Home, in navigation, and for scripts until it is closed', async () => {
  const before = rowOf(await read('support', '/office'), 'requests').count
  await write('Ann')
  await write('Bob')
  const html = await read('support', '/office')
  expect(rowOf(html, 'requests')).toEqual({ count: before + 2, path: '/office/messages' })
  expect(html).toContain('Messages to answer')
  const { messages = 0 } = await countsOf('support')
  expect(messages).toBeGreaterThanOrEqual(before + 2)
  const list = await read('support', '/office/messages')
  expect(besideOf(list, '/office/messages')).toBe(messages)
  const path = /href="(\/office\/messages\/\d+)"/.exec(list)?.[1] ?? ''
  expect((await ask('support', path, { form: { intent: 'close' } })).status).toBe(303)
  expect((await countsOf('support'))['messages']).toBe(messages - 1)
  expect(rowOf(await read('support', '/office'), 'requests').count).toBe(before + 1)
})

test('counts that have not changed are answered with 304', async () => {
  const answer = await ask('owner', '/office/counts')
  const etag = answer.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"/)
  const again = await ask('owner', '/office/counts', { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
})

test('every task list gives its count to a page, and each role counts only what it may work on', async () => {
  const pages = officeGroups.flatMap((group) => group.pages)
  const counted = pages.flatMap(({ queues = [] }) => queues)
  expect(counted.toSorted()).toEqual(officeQueues.map(({ slug }) => slug).toSorted())
  for (const role of staffRoles) {
    const open = pages.filter(({ permission }) =>
      (permissions[permission].roles as readonly BuiltInRole[]).includes(role),
    )
    const names = Object.keys(await countsOf(role))
    expect(names.filter((name) => !open.some((page) => page.name === name))).toEqual([])
  }
})

test('empty task lists are behind one line, and each leads to its page', async () => {
  const html = await read('owner', '/office')
  const hidden = /<details.*?<\/details>/s.exec(html)?.[0] ?? ''
  const waiting = officeQueues.filter(({ slug }) => html.includes(`<li id="${slug}">`))
  expect(waiting.length).toBeGreaterThan(0)
  const empty = officeQueues.filter((queue) => !waiting.includes(queue))
  expect(hidden.replaceAll('<!-- -->', '')).toContain(`Nothing waiting in ${empty.length} other queues.`)
  for (const { title } of empty) expect(hidden).toContain(title)
  for (const [, path = ''] of hidden.matchAll(/href="([^"]+)"/g))
    expect((await ask('owner', path.replaceAll('&amp;', '&'))).status, path).toBe(200)
})

test('orders to buy from a supplier are counted as in their list, with the oldest order and its customer', async () => {
  const list = await read('owner', '/office/stock/purchase-orders?state=released')
  const waiting = new Set([...list.matchAll(/href="(\/office\/stock\/purchase-orders\/\d+)"/g)].map(([, path]) => path))
  expect(waiting.size).toBeGreaterThan(0)
  const { count, path } = rowOf(await read('owner', '/office'), 'orders-to-buy')
  expect(count).toBe(waiting.size)
  expect(path).toBe(waiting.size === 1 ? [...waiting][0] : '/office/stock/purchase-orders?state=released')
  expect(rowOf(await read('support', '/office'), 'orders-to-buy').count).toBe(
    permissions['suppliers.read'].roles.some((role) => role === 'support') ? count : 0,
  )
})

test('a task list without a page has one for its roles', async () => {
  expect((await ask('support', '/office/queues/delays')).status).toBe(200)
  expect((await ask('catalog', '/office/queues/delays')).status).toBe(403)
  expect((await ask('owner', '/office/queues/no-such-list')).status).toBe(404)
})

test('money is shown to the roles that read reports, and appointments to those that read orders', async () => {
  const seen = async (role: BuiltInRole) => {
    const html = await read(role, '/office')
    return ['Average order', 'On-time rate', 'id="appointments"', 'id="selling"'].map((words) => html.includes(words))
  }
  expect(await seen('owner')).toEqual([true, true, true, true])
  expect(await seen('finance')).toEqual([true, true, true, true])
  expect(await seen('support')).toEqual([false, true, true, true])
  expect(await seen('warehouse')).toEqual([false, true, true, true])
  expect(await seen('catalog')).toEqual([false, false, false, true])
  const [, selling = ''] = (await read('warehouse', '/office?period=30')).split('id="selling"')
  expect(selling).not.toContain('$')
})

test('best sellers link to the reports for roles that read them, with and without sales', async () => {
  const linksOf = async (role: BuiltInRole) => {
    const [, selling = ''] = (await read(role, '/office')).split('id="selling"')
    return selling.includes('href="/office/reports"')
  }
  expect(await linksOf('owner')).toBe(true)
  expect(await linksOf('warehouse')).toBe(false)
})

test('figures lead to their reports with the same days, for roles that read reports', async () => {
  const owner = await read('owner', '/office?period=30')
  const paths = [...owner.matchAll(/href="(\/office\/reports\/[^"]+)"/g)].map(([, path = '']) =>
    path.replaceAll('&amp;', '&'),
  )
  expect(paths.some((path) => path.startsWith('/office/reports/promise?from='))).toBe(true)
  for (const path of paths) expect((await ask('owner', path)).status, path).toBe(200)
  expect(await read('support', '/office')).not.toContain('/office/reports/')
})

test('a period of days changes the figures and what sells, and a made-up one does not', async () => {
  const html = await read('owner', '/office?period=30')
  expect(html).toContain('Last 30 days')
  expect(html).toContain('On-time rate, 30 days')
  expect(await read('owner', '/office?period=31')).toContain('Selling today')
})
