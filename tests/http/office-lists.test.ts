/** Tests the filter chips, columns, views, counts, previews, and exports of office lists with the order list. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffCan, staffRoles, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { contactSubjects } from '#domain/messaging/support/support.ts'
import { newId } from '#platform/ids.ts'
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
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

const htmlOf = async (path: string, who: BuiltInRole = 'owner') =>
  (await staff[who].ask(`${store.origin}${path}`)).text()
const textOf = (html: string) => html.replaceAll(/<!-- -->/g, '').replaceAll('&amp;', '&')
const headings = (html: string) =>
  [...html.matchAll(/<th scope="col"[^>]*data-column="([^"]+)"/g)].map(([, key]) => key)
const rowsIn = (html: string) => [...html.matchAll(/<tr[^>]*data-row="([^"]+)"/g)].map(([, id]) => id ?? '')

test('a filter is a chip with a link that removes it, and the others stay', async () => {
  const html = textOf(await htmlOf('/office/orders?fulfillment=shop&company=grant&from=2026-01-02'))
  const chips = [...html.matchAll(/<a class="chip is-set" href="([^"]+)">([^<]+)<b>([^<]+)/g)]
  expect(chips.map(([, , label = '', value]) => [label.trim(), value])).toEqual([
    ['Placed', 'from Jan 2, 2026'],
    ['Company', 'grant'],
    ['Delivery method', 'Shop'],
  ])
  expect(chips.map(([, path]) => path)).toEqual([
    '/office/orders?company=grant&fulfillment=shop',
    '/office/orders?from=2026-01-02&fulfillment=shop',
    '/office/orders?from=2026-01-02&company=grant',
  ])
  // A state that has no tab is a chip too.
  expect(textOf(await htmlOf('/office/orders?state=late'))).toContain('State <b>Late')
})

test('an empty view offers to remove each filter, with the orders that would be left', async () => {
  const html = textOf(await htmlOf('/office/orders?company=no such company&fulfillment=home'))
  expect(html).toContain('No orders match this view.')
  expect(html).toMatch(/href="\/office\/orders\?fulfillment=home">Remove Company: no such company<\/a> \(\d+\+?\)/)
})

test('an empty list explains its content and an unmatched filter', async () => {
  expect(textOf(await htmlOf('/office/stock/orders'))).toContain('No stock orders yet.')
  expect(textOf(await htmlOf('/office/stock/orders?state=sent'))).toContain('No stock orders match this view.')
})

test('columns are chosen in the address, and kept with a saved view', async () => {
  expect(headings(await htmlOf('/office/orders'))).toEqual(['order', 'customer', 'shop', 'status', 'total'])
  const chosen = '/office/orders?columns=zip&columns=vehicle&columns=nothing'
  const html = textOf(await htmlOf(chosen, 'support'))
  expect(headings(html)).toEqual(['order', 'customer', 'vehicle', 'zip'])
  const save = /href="(\/office\/views\?[^"]+)">Save view/.exec(html)?.[1] ?? ''
  const saved = await staff.support.ask(store.origin + save, {
    form: { intent: 'save', name: 'With ZIP', shared: 'yes' },
  })
  expect(saved.headers.get('location')).toBe('/office/orders?columns=vehicle%2Czip')
  const shared = textOf(await htmlOf('/office/orders', 'sales'))
  const path = /href="([^"]+)"[^>]*title="Shared by support@example.com"/.exec(shared)?.[1] ?? ''
  expect(headings(await htmlOf(path, 'sales'))).toEqual(['order', 'customer', 'vehicle', 'zip'])
})

test('roomy rows add the tire size, and the phone for roles that see customers', async () => {
  const order = await store.database.db
    .selectFrom('sales_order')
    .select(['id', 'phone'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const phone = order.phone.slice(-4)
  const path = `/office/orders?q=S-${order.id}`
  const rowOf = (html: string) => /<tr[^>]*data-row.*?<\/tr>/s.exec(html)?.[0] ?? ''
  expect(rowOf(await htmlOf(path))).not.toContain(phone)
  expect(rowOf(await htmlOf(`${path}&rows=roomy`))).toContain(phone)
  const hidden = rowOf(await htmlOf(`${path}&rows=roomy`, 'warehouse'))
  expect(hidden).not.toContain(phone)
  expect(hidden).toMatch(/\d{3}\/\d{2}R\d{2}/)
  expect(await htmlOf(`${path}&rows=roomy`)).toContain('Save view')
})

test('a list of another name is saved as a view too', async () => {
  const path = '/office/views?list=tire-registrations&filters=maker%3Dkestrel'
  const saved = await staff.owner.ask(store.origin + path, { form: { intent: 'save', name: 'Kestrel' } })
  expect(saved.status).toBe(303)
})

test('the tabs say how many orders each view has, and the same as the view', async () => {
  const html = textOf(await htmlOf('/office/orders'))
  // A view without orders has no count.
  const tabs = [
    ...html.matchAll(
      /<a href="(\/office\/orders\?state=[\w-]+)">([^<]+)(?:<span class="list-count"> ?([^<]+)<\/span>)?<\/a>/g,
    ),
  ]
  expect(tabs.length).toBe(5)
  for (const [, path = '', label, count = '0'] of tabs) {
    const own = await htmlOf(path)
    const isWhole = !own.includes('rel="next"')
    if (isWhole) expect(count, label).toBe(String(rowsIn(own).length))
    else expect(Number.parseInt(count, 10), label).toBeGreaterThan(49)
  }
})

/** The filter counts in a response that a script reads, in which every value is a place in one array. */
function countsIn(body: string): Record<string, Record<string, string>> {
  const parts = JSON.parse(body.split('\n')[0] ?? '') as unknown[]
  const valueAt = (place: number): unknown => {
    const part = place < 0 ? null : parts[place]
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(
      Object.entries(part as Record<string, number>).map(([key, at]) => [parts[Number(key.slice(1))], valueAt(at)]),
    )
  }
  const routes = valueAt(0) as Record<string, { data?: { counts?: Record<string, Record<string, string>> } }>
  return routes['office/orders']?.data?.counts ?? {}
}

test('the filter menu counts the orders that each value would leave, as the list does', async () => {
  expect(await htmlOf('/office/orders')).not.toMatch(/<option value="home">[^<]*\(/)
  for (const view of ['', '&state=delivered', '&company=grant', '&fulfillment=home&destination=IL']) {
    const counts = countsIn(await htmlOf(`/office/orders.data?part=counts${view}`))
    expect(counts['destination']?.['AK'], view).toBe('0')
    expect(Object.keys(counts).toSorted(), view).toEqual(['destination', 'fulfillment', 'state'])
    for (const [name, values] of Object.entries(counts))
      for (const [value, count] of Object.entries(values).filter(([, each]) => each !== '0')) {
        const others = view.split('&').filter((part) => part !== '' && !part.startsWith(`${name}=`))
        const rows = rowsIn(await htmlOf(`/office/orders?${[...others, `${name}=${value}`].join('&')}`))
        if (rows.length < 50) expect(count, `${view} ${name}=${value}`).toBe(String(rows.length))
        else expect(Number.parseInt(count, 10)).toBeGreaterThanOrEqual(50)
      }
  }
  expect((await staff.catalog.ask(`${store.origin}/office/orders.data?part=counts`)).status).toBe(403)
})

test('without script, a link in the filter menu opens it with the same counts', async () => {
  const link = /<noscript><a href="([^"]*menu=filters)#list-filters">Show counts</
  const [, path = ''] = link.exec(await htmlOf('/office/orders?state=delivered')) ?? []
  const open = await htmlOf(path.replaceAll('&amp;', '&'))
  expect(open).toMatch(/<details[^>]*id="list-filters"[^>]* open=""/)
  expect(open).not.toMatch(link)
  const menu = textOf(/<details[^>]*id="list-filters".*?<\/details>/s.exec(open)?.[0] ?? '')
  const counts = countsIn(await htmlOf('/office/orders.data?part=counts&state=delivered'))
  for (const [name, values] of Object.entries(counts)) {
    const field = new RegExp(`<select[^>]*name="${name}".*?</select>`, 's').exec(menu)?.[0] ?? ''
    for (const [value, count] of Object.entries(values))
      expect(field, `${name} ${value}`).toMatch(
        new RegExp(`value="${value}"[^>]*>[^<]*\\(${count.replace('+', '\\+')}\\)`),
      )
  }
  // A list without counts has no such link.
  expect(await htmlOf('/office/suppliers')).not.toContain('menu=filters')
  expect((await staff.catalog.ask(`${store.origin}/office/orders?menu=filters`)).status).toBe(403)
})

test('orders name the supplier of their tires and the teammate who answers their messages', async () => {
  const bought = /\/office\/orders\/(\d+)/.exec(await htmlOf('/office/stock/purchase-orders?state=accepted'))?.[1] ?? ''
  const wrote = await staff.support.ask(`${store.origin}/office/orders/${bought}`, {
    form: { intent: 'write', as: 'email', message: 'Your tires are on their way.', once: newId() },
  })
  expect(wrote.status).toBe(303)
  const path = `/office/orders?q=S-${bought}&columns=supplier&columns=assigned`
  const html = await htmlOf(path, 'support')
  expect(headings(html)).toEqual(['order', 'customer', 'supplier', 'assigned'])
  expect(html).toContain('support@example.com')
  expect(html).toMatch(/Wholesale|Tire Supply/)
  const packer = await htmlOf(path, 'warehouse')
  expect(headings(packer)).toEqual(['order', 'customer', 'supplier'])
  // A view that support shared is named in a tab.
  expect(/<tr[^>]*data-row.*<\/tr>/s.exec(packer)?.[0]).not.toContain('support@example.com')
})

test('orders are listed oldest first on request, and page both ways', async () => {
  const first = await htmlOf('/office/orders?sort=oldest')
  const { rows } = { rows: rowsIn(first) }
  const all = await store.database.db
    .selectFrom('sales_order')
    .select('id')
    .orderBy('placed_at')
    .orderBy('id')
    .execute()
  expect(rows).toEqual(all.slice(0, 50).map(({ id }) => `S-${id}`))
  const next = textOf(/<a[^>]*href="([^"]+)"[^>]*rel="next"/.exec(first)?.[1] ?? '')
  const second = await htmlOf(next)
  expect(rowsIn(second)).toEqual(all.slice(50, 100).map(({ id }) => `S-${id}`))
  const back = textOf(/<a[^>]*href="([^"]+)"[^>]*rel="prev"/.exec(second)?.[1] ?? '')
  expect(rowsIn(await htmlOf(back))).toEqual(rows)
})

test('the preview answers for one order, and shows the customer only to roles that see customers', async () => {
  const order = await store.database.db
    .selectFrom('sales_order')
    .select(['id', 'first_name', 'last_name', 'email', 'total_cents'])
    .where('company_id', 'is', null)
    .where('shop_id', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const path = `/office/orders?q=S-${order.id}&preview=S-${order.id}`
  const name = `${order.first_name} ${order.last_name}`
  for (const role of staffRoles.filter((one) => staffCan([one], 'orders.read'))) {
    const html = textOf(await htmlOf(path, role))
    const panel = /<aside[^>]*>.*<\/aside>/s.exec(html)?.[0] ?? ''
    expect(panel, role).toContain(`S-${order.id}`)
    for (const part of ['Appointment', 'Money', 'Gross', 'Tire fee and sales tax', 'Open order'])
      expect(panel, role).toContain(part)
    expect(panel.includes(name), role).toBe(staffCan([role], 'customers.read'))
    expect(html.includes(order.email), role).toBe(false)
    // The client's request returns only the preview.
    const part = await htmlOf(`/office/orders.data?preview=S-${order.id}&part=preview`, role)
    expect(part.includes(name), role).toBe(staffCan([role], 'customers.read'))
    expect(part).toContain('Tire fee and sales tax')
  }
})

test('returns, messages, appointments, customers and shops have previews that answer the first questions', async () => {
  const form = new FormData()
  const fields = {
    firstName: 'Ann',
    lastName: 'Ask',
    email: 'ann@example.com',
    phone: '(312) 555-0143',
    orderNumber: '',
    subject: contactSubjects[0],
    message: 'Where are my tires?',
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  expect((await createVisitor().ask(`${store.origin}/contact`, { form })).status).toBe(303)
  const { id: asked } = await store.database.db
    .selectFrom('support_request')
    .select('id')
    .where('email', '=', 'ann@example.com')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const lists = [
    ['returns', '/office/returns', ['Tires', 'Why', 'Refund', 'Open return']],
    ['messages', '/office/messages', ['State', 'Where are my tires?', 'ann@example.com', 'Open message']],
    ['appointments', '/office/appointments', ['Appointment', 'Customer', 'Shop', 'Open order']],
    ['customers', '/office/customers', ['Summary', 'Orders', 'Contact', 'Open customer']],
    ['shops', '/office/shops', ['Address', 'State', 'Team members', 'Open shop']],
  ] as const
  for (const [name, path, parts] of lists) {
    const list = await htmlOf(path)
    const [first = ''] = rowsIn(list)
    expect(first, name).not.toBe('')
    const id = name === 'messages' ? String(asked) : first
    expect(list, name).toContain('list-peek')
    // Without script, the preview is the page with its address.
    const html = await htmlOf(`${path}?preview=${encodeURIComponent(id)}`)
    const panel = textOf(/<aside[^>]*id="preview".*<\/aside>/s.exec(html)?.[0] ?? '')
    for (const part of parts) expect(panel, name).toContain(part)
    for (const unknown of ['999999', newId(), "x'--", 'y'.repeat(300)])
      expect((await staff.owner.ask(`${store.origin}${path}?preview=${encodeURIComponent(unknown)}`)).status).toBe(200)
  }
  // Those who pack see returns and appointments, but no customers.
  const customers = await store.database.db.selectFrom('sales_order').select(['first_name', 'last_name']).execute()
  const names = new Set(customers.map((one) => `${one.first_name} ${one.last_name}`))
  for (const path of ['/office/returns', '/office/appointments']) {
    const [id = ''] = rowsIn(await htmlOf(path, 'warehouse'))
    if (id === '') continue
    const html = await htmlOf(`${path}?preview=${id}`, 'warehouse')
    const panel = /<aside[^>]*id="preview".*<\/aside>/s.exec(html)?.[0] ?? ''
    expect(panel).toContain('Hidden for your role')
    expect([...names].filter((name) => panel.includes(name))).toEqual([])
  }
})

test('a list that is read one way pages back the way it came', async () => {
  const linkOf = (html: string, rel: string) =>
    textOf(new RegExp(`<a[^>]*href="([^"]+)"[^>]*rel="${rel}"`).exec(html)?.[1] ?? '')
  const pages = [await htmlOf('/office/catalog')]
  for (const _ of [1, 2]) pages.push(await htmlOf(linkOf(pages.at(-1) ?? '', 'next')))
  const [first, second, third] = pages.map(rowsIn)
  expect(new Set(pages.flatMap(rowsIn)).size).toBe(pages.flatMap(rowsIn).length)
  expect(third?.length).toBeGreaterThan(0)
  const back = await htmlOf(linkOf(pages[2] ?? '', 'prev'))
  expect(rowsIn(back)).toEqual(second)
  expect(rowsIn(await htmlOf(linkOf(back, 'prev')))).toEqual(first)
})

test('appointments are listed by start time across shops, and shops by name', async () => {
  const ahead = await store.database.db
    .selectFrom('booking')
    .innerJoin('shop', 'shop.id', 'shop_id')
    .select(['booking.id', 'order_id', 'name'])
    .where('booking.state', '=', 'confirmed')
    .orderBy(sql`lower(during)`)
    .orderBy('booking.id')
    .execute()
  const rows = rowsIn(await htmlOf('/office/appointments?from=2020-01-01'))
  expect(rows).toEqual(ahead.slice(0, 50).map(({ id }) => id))
  const [first] = ahead
  const found = rowsIn(
    await htmlOf(`/office/appointments?from=2020-01-01&shop=${encodeURIComponent(first?.name ?? '')}`),
  )
  expect(found).toContain(first?.id)
  expect(ahead.filter(({ id }) => found.includes(id)).every(({ name }) => name === first?.name)).toBe(true)
  expect(await htmlOf(`/office/shops?q=${encodeURIComponent(first?.name ?? '')}`)).toContain('/office/shops/SW-')
  expect(rowsIn(await htmlOf('/office/shops?state=open')).length).toBeGreaterThan(0)
})
