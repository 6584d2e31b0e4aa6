/** Tests the office's shell over HTTP: the pages listed for each role, and that it stays when a page fails. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { officeListDefinitions } from '#app/office/lists.server.ts'
import { officeGroups, officePageAt } from '#app/office/navigation.ts'
import { allRoutes } from '#tests/support/routes.ts'
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

async function read(role: BuiltInRole, path: string): Promise<{ status: number; html: string; side: string }> {
  const answer = await staff[role].ask(`${store.origin}${path}`)
  const html = await answer.text()
  return { status: answer.status, html, side: /<nav aria-label="Back office">.*?<\/nav>/s.exec(html)?.[0] ?? '' }
}

const pathsIn = (html: string) => [...html.matchAll(/ href="(\/office[^"]*)"/g)].map(([, path = '']) => path)
/** The marked pages. */
const currentIn = (side: string) =>
  [...side.matchAll(/ href="(\/office[^"]*)" aria-current/g)].map(([, path = '']) => path)
const opens = (role: BuiltInRole, permission: keyof typeof permissions) =>
  (permissions[permission].roles as readonly BuiltInRole[]).includes(role)

test.for(staffRoles)('%s sees the groups and the pages that the role opens, and no others', async (role) => {
  const groups = officeGroups
    .map((group) => ({ ...group, pages: group.pages.filter(({ permission }) => opens(role, permission)) }))
    .filter(({ pages }) => pages.length > 0)
  const menu = await read(role, '/office/menu')
  const [, list = ''] = menu.html.split('<main')
  expect(pathsIn(list)).toEqual(groups.flatMap(({ pages }) => pages.map(({ path }) => path)))
  expect(pathsIn(menu.side)).toEqual(['/office', ...groups.map(({ pages }) => pages[0]?.path)])
  for (const { pages } of groups) {
    const { status, side } = await read(role, pages.at(-1)?.path ?? '')
    expect(status).toBe(200)
    if (pages.length > 1) for (const { path } of pages) expect(pathsIn(side)).toContain(path)
    expect(side.match(/aria-current="page"/g)).toHaveLength(1)
  }
})

test('support has no prices and no finances to open, warehouse no customers', async () => {
  const labelsOf = async (role: BuiltInRole) =>
    [...(await read(role, '/office')).side.matchAll(/office-side-text">([^<]+)</g)].map(([, label]) => label)
  expect(await labelsOf('owner')).toEqual([
    'Home',
    'Orders',
    'Products',
    'Customers',
    'Shops',
    'Pricing',
    'Finance',
    'Settings',
    'View store',
  ])
  expect(await labelsOf('warehouse')).not.toContain('Customers')
  expect(await labelsOf('warehouse')).not.toContain('Pricing')
})

test('a page that is refused, missing or failing is shown in the shell', async () => {
  const refused = await read('warehouse', '/office/settings')
  expect(refused.status).toBe(403)
  expect(refused.html).toContain('Your role can’t open this page')
  expect(pathsIn(refused.side)).toContain('/office/orders')
  expect(refused.side).not.toContain('Store details')
  const missing = await read('owner', '/office/orders/999999999')
  expect(missing.status).toBe(404)
  expect(missing.side).toMatch(/href="\/office\/orders" aria-current="true"/)
})

test('a folded sidebar stays folded on the next page, and leads back to the page it was folded on', async () => {
  expect((await read('owner', '/office')).html).not.toContain('is-folded')
  const answer = await staff.owner.ask(`${store.origin}/office/sidebar`, {
    form: { folded: 'yes', back: '/office/returns' },
  })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/office/returns')
  expect((await read('owner', '/office/orders')).html).toContain('office-side is-folded')
  await staff.owner.ask(`${store.origin}/office/sidebar`, { form: { folded: '', back: 'https://example.com/' } })
  expect((await read('owner', '/office/orders')).html).not.toContain('is-folded')
})

test('the sign-in page has no shell', async () => {
  const html = await (await createVisitor().ask(`${store.origin}/office/sign-in`)).text()
  expect(html).not.toContain('aria-label="Back office"')
})

test('a bulk page marks its list', async () => {
  const lists = officeListDefinitions.filter(({ bulk }) => bulk)
  expect(lists.length).toBeGreaterThan(5)
  for (const { bulk, path } of lists)
    for (const name of Object.keys(bulk?.acts ?? {})) {
      const { status, side } = await read('owner', `/office/bulk/${name}`)
      expect(status, name).toBe(200)
      expect(currentIn(side), name).toEqual([path])
    }
  const unknown = await read('owner', '/office/bulk/constructor')
  expect(unknown.status).toBe(404)
  expect(currentIn(unknown.side)).toEqual([])
})

test('an address belongs to the page with the longest matching path', () => {
  expect(officePageAt('/office')).toBe('home')
  expect(officePageAt('/office/orders/103002/refund')).toBe('orders')
  expect(officePageAt('/office/stock/purchase-orders/5')).toBe('purchasing')
  expect(officePageAt('/office/stock/12')).toBe('stock')
  expect(officePageAt('/office/stockroom')).toBeUndefined()
  expect(officePageAt('/office/search')).toBeUndefined()
})

test('every page of the navigation is a route, and is named once', () => {
  const known = new Set(allRoutes.map(({ path }) => `/${path}`))
  const pages = officeGroups.flatMap((group) => group.pages)
  expect(pages.filter(({ path }) => !known.has(path))).toEqual([])
  expect(new Set(pages.map(({ name }) => name)).size).toBe(pages.length)
})
