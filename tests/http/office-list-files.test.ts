/** Every list of the office as a file, and its filters as saved views: over HTTP and without script. */
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allRoutes as routes } from '#tests/support/routes.ts'
import { listNamed, officeListDefinitions } from '#app/office/lists.server.ts'
import { permissions, staffCan, staffRoles, type BuiltInRole, type Permission } from '#domain/kernel/staff/staff.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

const officeLists = officeListDefinitions.map(({ name }) => name)

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const htmlOf = async (path: string, who: BuiltInRole = 'owner') => (await staff[who].ask(at(path))).text()

/** Pages without their own list, each with the reason. */
const noLists: Record<string, string> = {
  office: 'the first lines of other lists',
  'office/sign-in': 'a door',
  'office/sign-out': 'a door',
  'office/first-owner': 'a door',
  'office/setup': 'the steps of the store setup',
  'office/account': 'a form',
  'office/business-settings': 'forms',
  'office/shipping-rates': 'forms',
  'office/content/new': 'a form',
  'office/customers/new': 'a form',
  'office/shops/import': 'a form',
  'office/shops/new': 'a form',
  'office/catalog/brands/new': 'a form',
  'office/redirects/edit': 'a form',
  'office/taxes/import': 'a form',
  'office/payment-pages': 'evidence, with a file of its own',
  'office/payment-pages.pdf': 'the evidence itself',
  'office/orders/packing-slips.pdf': 'the slips of chosen orders to print',
  'office/parcels/pick-list.pdf': 'the list of parcels to print',
  'office/parcels/packing-slips.pdf': 'the slips of chosen parcels to print',
  'office/parcels/labels.zpl': 'the labels of chosen parcels to print',
  'office/download': 'the way back to a file after a sign-in',
  'office/menu': 'the pages of the office',
  'office/sidebar': 'a form',
  'office/counts': 'numbers for the sidebar',
  'office/search': 'what was found in other lists',
  'office/search/found': 'the same, as JSON',
  'office/quotes/new': 'a form',
  'office/coupons/import': 'a form',
  'office/rebates/import': 'a form',
  'office/parts/import': 'a form',
  'office/coupons/new': 'a form',
  'office/pay-later': 'a form with the few offers there are',
  'office/promotions/new': 'a form',
  'office/shop-pay-1099.csv': 'the file of a year itself',
  'office/pay-matrix': 'a form with its rates',
  'office/sales-tax': 'has its own file, which can be imported again',
  'office/sales-tax.csv': 'the file of rates itself',
  'office/views': 'addresses that one person keeps',
  'office/orders.csv': 'the file of orders itself',
  'office/reports': 'has its own files',
  'office/reports.csv': 'the file of reports itself',
  'office/promotions.csv': 'the file of promotions itself',
  'office/coupons.csv': 'the file of coupons itself',
  'office/fraud-rules': 'rules',
  'office/price-rules': 'rules',
  'office/health': 'what is so now, of no list',
  'office/reconciliation.csv': 'the file of reconciled days itself',
  'office/price-lists.csv': 'the file of price lists itself',
  'office/map-prices.csv': 'the file of minimum prices itself',
  'office/catalog.csv': 'the file of the catalog itself',
  'office/imports.csv': 'the file of imports itself',
}

test('every list of the office has a file, and its page links to it', async () => {
  const paths = routes.flatMap(({ path }) =>
    path && /^office(?:\/|$)/.test(path) && !path.includes(':') ? [path] : [],
  )
  expect(paths.length).toBeGreaterThan(20)
  const listed = new Set(officeLists.map((name) => listNamed(name)?.path.slice(1)))
  expect(paths.filter((path) => !listed.has(path) && !(path in noLists))).toEqual([])
  for (const list of officeLists) {
    const file = `/office/export/${list}`
    const html = await htmlOf(listNamed(list)?.path ?? '')
    // The certificates have a panel only while there are some to check.
    if (list !== 'certificates') expect(html, list).toContain(`href="${file}`)
    const answer = await staff.owner.ask(at(file))
    expect(answer.status, list).toBe(200)
    expect(answer.headers.get('content-type'), list).toBe('text/csv; charset=utf-8')
    expect((await answer.text()).split('\r\n')[0], list).toMatch(/^\uFEFF?\S/)
  }
})

test('a file requires permission for its list, and the audit log records person and filters', async () => {
  for (const list of officeLists)
    for (const role of staffRoles) {
      const { status } = await staff[role].ask(at(`/office/export/${list}`))
      const { permission, exportPermission = permission } = listNamed(list) ?? { permission: 'office.open' }
      expect(status, `${list} ${role}`).toBe(staffCan([role], exportPermission) ? 200 : 403)
    }
  await staff.finance.ask(at('/office/export/companies?state=approved&after=x&evil=1'))
  const log = await htmlOf('/office/audit?who=finance@example.com&what=list.exported')
  expect(log).toContain('Filters state approved')
  expect((await createVisitor().ask(at('/office/export/staff'))).headers.get('location')).toMatch(/^\/office\/sign-in/)
  expect((await staff.owner.ask(at('/office/export/__proto__'))).status).toBe(404)
})

test('a column hides its values from roles without the permission that it declares, and no other column does', async () => {
  // A role with every other permission.
  const others: readonly Permission[] = (Object.keys(permissions) as Permission[]).filter(
    (one) => one !== 'customers.read' && one !== 'staff.manage',
  )
  const role = { intent: 'add', name: 'No names', version: '0', ...Object.fromEntries(others.map((one) => [one, '1'])) }
  expect((await staff.owner.ask(at('/office/staff/roles/new'), { form: role })).status).toBe(303)
  const grant = { intent: 'invite', email: 'dana@example.com', role: 'no-names', lastDay: '' }
  expect((await staff.owner.ask(at('/office/staff'), { form: grant })).status).toBe(303)
  const dana = createVisitor()
  await signInToOffice(store.origin, dana, { email: grant.email })

  const hiding: string[] = []
  const declared: string[] = []
  for (const { name, permission, exportPermission = permission, columns } of officeListDefinitions) {
    if (!others.includes(permission) || !others.includes(exportPermission)) continue
    const file = await dana.ask(at(`/office/export/${name}`))
    expect(file.status, name).toBe(200)
    const rows = parse(await file.text(), { bom: true, from: 2 })
    if (rows.length === 0) continue
    for (const [index, { key, revealedBy }] of columns.filter(({ isPageOnly }) => !isPageOnly).entries()) {
      if (revealedBy === 'customers.read') declared.push(`${name}.${key}`)
      if (rows.some((row) => row[index] === 'Hidden for your role')) hiding.push(`${name}.${key}`)
    }
  }
  expect(hiding).toEqual(declared)
  expect(declared).toContain('orders.phone')
})

test('the file of a list has the rows of its filters, page after page', async () => {
  const rowsOf = async (path: string) =>
    (await (await staff.owner.ask(at(path))).text()).trimEnd().split('\r\n').slice(1)
  const { rows } = { rows: await rowsOf('/office/export/audit') }
  const count = await store.database.db.selectFrom('audit_entry').select('id').execute()
  // The file's own entry is written before its first row is read.
  expect(rows.length).toBe(count.length)
  expect(rows.length).toBeGreaterThan(50)
  const tomorrow = Temporal.Now.zonedDateTimeISO('America/New_York').toPlainDate().add({ days: 1 })
  expect(await rowsOf(`/office/export/audit?from=${tomorrow.toString()}`)).toEqual([])
  const published = await rowsOf('/office/export/reviews?state=published')
  expect(published.length).toBeGreaterThan(25)
})

test('an old sign-in exports no list before it is renewed', async () => {
  const catalog = createVisitor()
  await signInToOffice(store.origin, catalog, { email: 'catalog@example.com' })
  const [id] = (catalog.cookie('sw_office')?.value ?? '').split('.')
  // Time cannot be waited for here.
  await store.database.db
    .updateTable('office_session')
    .set({ authenticated_at: Temporal.Now.instant().subtract({ minutes: 11 }) })
    .where('id', '=', id ?? '')
    .execute()
  const file = '/office/export/reviews?state=waiting'
  const answer = await catalog.ask(at(file))
  const back = `/office/download?file=${encodeURIComponent(file)}`
  expect(answer.headers.get('location')).toBe(`/office/sign-in?back=${encodeURIComponent(back)}&again=yes`)

  // A download doesn't leave the page, so after sign-in a page starts the download and stays.
  const html = await htmlOf(back)
  expect(html).toContain(`<meta http-equiv="refresh" content="0; url=${file}"/>`)
  expect(html).toContain(`href="${file}"`)
  for (const wrong of ['/office/orders', '/account', 'https://evil.example/x.csv', '/office/../account.csv', '']) {
    const page = await htmlOf(`/office/download?file=${encodeURIComponent(wrong)}`)
    expect(page, wrong).toContain('File not found')
    expect(page, wrong).not.toContain('http-equiv="refresh"')
  }
})

test('every file of the office leads through the download page after a sign-in, and begins with the mark of UTF-8', async () => {
  const files = routes.flatMap(({ path }) =>
    path && /^office\/.*\.csv$/.test(path) && !path.includes(':') ? [`/${path}`] : [],
  )
  expect(files.length).toBeGreaterThan(10)
  for (const file of files) {
    const { headers } = await createVisitor().ask(at(file))
    const back = new URLSearchParams((headers.get('location') ?? '').split('?')[1]).get('back')
    expect(back, file).toBe(`/office/download?file=${encodeURIComponent(file)}`)
    const bytes = new Uint8Array(await (await staff.owner.ask(at(file))).arrayBuffer())
    expect(bytes.slice(0, 3), file).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf))
  }
})

const saving = '/office/views?list=orders&filters=state%3Dlate%26company%3Dgrant'
const save = (who: BuiltInRole, name: string, form: Record<string, string> = {}, path = saving) =>
  staff[who].ask(at(path), { form: { intent: 'save', name, ...form } })

test('a view is saved under a name, shown as a tab where its filters apply, and deleted', async () => {
  const list = '/office/orders?state=late&company=grant'
  expect(await htmlOf(`${list}&after=S-1`)).toContain('filters=state%3Dlate%26company%3Dgrant')
  const saved = await save('support', 'Late, Grant')
  expect(saved.status).toBe(303)
  expect(saved.headers.get('location')).toBe(list)
  // Pressed again, it is there once.
  expect((await save('support', 'Late, Grant')).headers.get('location')).toBe(list)
  const html = await htmlOf(list, 'support')
  expect(html.match(/>Late, Grant</g)).toHaveLength(1)
  expect(/<a[^>]*aria-current="page"[^>]*>Late, Grant</.test(html)).toBe(true)
  expect(html).not.toContain('Save view')
  expect(await htmlOf(list, 'sales')).not.toContain('Late, Grant')

  const id = /name="view" value="([^"]+)"/.exec(await htmlOf('/office/views?list=orders', 'support'))?.[1] ?? ''
  // A colleague's view is not theirs to delete.
  const form = { intent: 'delete', view: id }
  expect((await staff.owner.ask(at('/office/views'), { form })).status).toBe(409)
  expect((await staff.support.ask(at('/office/views?list=orders'), { form })).headers.get('location')).toBe(
    '/office/views?list=orders&done=deleted',
  )
  expect((await staff.support.ask(at('/office/views'), { form })).status).toBe(409)
  expect(await htmlOf(list, 'support')).not.toContain('Late, Grant')
})

test('a view of one’s own takes the filters of the page, and keeps its name', async () => {
  expect((await save('support', 'Watched')).status).toBe(303)
  const id =
    /name="view" value="([^"]+)"[^>]*>(?:<[^>]+>)*[^<]*Delete/.exec(
      await htmlOf('/office/views?list=orders', 'support'),
    )?.[1] ?? ''
  const changed = '/office/views?list=orders&filters=state%3Dlate%26company%3Dames'
  const page = await htmlOf(changed, 'support')
  expect(page).toContain('Or update a view of yours')
  const form = { intent: 'update', view: id }
  // A colleague’s view stays as it is.
  expect((await staff.sales.ask(at(changed), { form })).status).toBe(409)
  expect((await staff.support.ask(at('/office/views?list=quotes&filters=state%3Dsent'), { form })).status).toBe(409)
  for (let time = 0; time < 2; time++) {
    const updated = await staff.support.ask(at(changed), { form })
    expect(updated.headers.get('location')).toBe('/office/orders?state=late&company=ames')
  }
  const html = await htmlOf('/office/orders?state=late&company=ames', 'support')
  expect(/<a[^>]*aria-current="page"[^>]*>Watched</.test(html)).toBe(true)
  expect(html.match(/>Watched</g)).toHaveLength(1)
})

test('a shared view is seen by those who may read its list, and by no others', async () => {
  const path = '/office/views?list=audit&filters=who%3Downer%40example.com'
  expect((await save('manager', 'By the owner', { shared: 'yes' }, path)).status).toBe(303)
  expect(await htmlOf('/office/audit', 'finance')).toContain('title="Shared by manager@example.com"')
  expect(await htmlOf('/office/views', 'support')).not.toContain('By the owner')
  expect((await save('support', 'Mine', {}, path)).status).toBe(403)
})

test('a rejected view retains the input at its field', async () => {
  await save('sales', 'Taken')
  const taken = await save('sales', 'taken', { shared: 'yes' })
  expect(taken.status).toBe(409)
  const html = await taken.text()
  expect(html).toContain('You already have a view with this name.')
  expect(html).toContain('value="taken"')
  expect(html).toMatch(/name="shared"[^>]*checked/)
  expect((await save('sales', ' ')).status).toBe(422)
  expect((await save('sales', 'x'.repeat(41))).status).toBe(422)
  expect((await save('sales', 'No filters', {}, '/office/views?list=orders')).status).toBe(400)
  expect((await save('sales', 'No list', {}, '/office/views?list=x&filters=a')).status).toBe(400)
  const codes = []
  for (let count = 0; count < 13; count += 1) codes.push((await save('warehouse', `View ${count}`)).status)
  expect(codes).toEqual([...Array.from({ length: 12 }, () => 303), 409])
})
