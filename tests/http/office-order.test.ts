/**
 * Tests each role's view and actions on the office's order page, refunds from the form to the payment, and notes.
 *
 * Over 400 lines: the tests share a store and its orders.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions, staffRoles, type Permission, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { newId } from '#platform/ids.ts'
import { eventually } from '#tests/support/eventually.ts'
import { verify } from '#tests/support/invariants.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
/** Charged demo orders without refunds. */
let small: number
let other: number
let large: number

beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
  const charged = await store.database.db
    .selectFrom('payment')
    .innerJoin('sales_order', 'sales_order.id', 'payment.order_id')
    .select(['sales_order.id', 'captured_cents as cents'])
    .where('payment.state', '=', 'captured')
    .where('sales_order.state', '=', 'confirmed')
    .where('refunded_cents', '=', 0)
    .where('sales_order.tax_cents', '>', 0)
    // Which customers and states the sample orders have depends on the day they were made.
    .where(sql<boolean>`breakdown->'tax'->>'basis' = 'state-base'`)
    .where(sql<boolean>`breakdown->'lines'->0->>'quantity' = '4'`)
    .orderBy('captured_cents')
    .execute()
  const [first, second] = charged.filter(({ cents }) => cents > 20_000)
  small = first?.id ?? 0
  other = second?.id ?? 0
  large = charged.at(-1)?.id ?? 0
  if (other === large) throw new Error('The demo data has fewer than three such orders.')
  // Its provider does not know the charge, so that its refunds stay on their way.
  await setChargeRef(other, 'pi_unknown')
  if ((charged.at(-1)?.cents ?? 0) < 80_000) throw new Error('No order of the demo data is over the limit.')
})
afterAll(() => store[Symbol.asyncDispose]())

const setChargeRef = (id: number, ref: string) =>
  store.database.db.updateTable('payment').set({ provider_ref: ref }).where('order_id', '=', id).execute()

const at = (id: number, rest = '') => `${store.origin}/office/orders/${id}${rest}`
const page = async (role: BuiltInRole, id: number, rest = '') => (await staff[role].ask(at(id, rest))).text()
const permits = (permission: Permission, role: BuiltInRole) =>
  (permissions[permission].roles as readonly BuiltInRole[]).includes(role)

const why = { reason: 'late', bearer: 'carrier', note: '' }
const refund = (role: BuiltInRole, id: number, fields: Record<string, string>) =>
  staff[role].ask(at(id), { form: { intent: 'refund', key: newId(), ...why, ...fields } })

const refundsOf = (id: number) =>
  store.database.db
    .selectFrom('order_refund')
    .select(['id', 'state', 'amount_cents as cents', 'created_by as by', 'decided_by as second'])
    .where('order_id', '=', id)
    .orderBy('created_at')
    .execute()

test('each role sees what its permissions show', async () => {
  const customer = await store.database.db
    .selectFrom('sales_order')
    .select(['email', 'last_name as lastName'])
    .where('id', '=', small)
    .executeTakeFirstOrThrow()
  for (const role of staffRoles) {
    const answer = await staff[role].ask(at(small))
    expect(answer.status, role).toBe(permits('orders.read', role) ? 200 : 403)
    const html = await answer.text()
    if (answer.status !== 200) continue
    expect(html.includes(customer.email), role).toBe(permits('customers.read', role))
    expect(html.includes('Ledger of this order'), role).toBe(permits('ledger.read', role))
    expect(/Tires cost \$[\d,.]+, margin /.test(html), role).toBe(permits('reports.read', role))
    expect(html.includes('?act=refund#refund'), role).toBe(permits('refunds.make', role))
  }
  expect((await createVisitor().ask(at(small))).status).toBe(303)
  for (const path of ['1', '999999999', 'x', '1e9', '99999999999999999999'])
    expect((await staff.owner.ask(`${store.origin}/office/orders/${path}`)).status, path).toBe(404)
})

test('tires that a supplier sends show the supplier, its warehouse, and the purchase order', async () => {
  const sourced = await store.database.db
    .selectFrom('purchase_order as po')
    .innerJoin('supplier', 'supplier.id', 'po.supplier_id')
    .innerJoin('warehouse', 'warehouse.id', 'po.warehouse_id')
    .innerJoin('purchase_order_line as line', 'line.purchase_order_id', 'po.id')
    .select(['po.id', 'po.order_id as orderId', 'supplier.name as supplier', 'warehouse.name as warehouse'])
    .where('po.state', '=', 'accepted')
    .orderBy('po.id')
    .executeTakeFirstOrThrow()
  for (const role of staffRoles.filter((each) => permits('orders.read', each))) {
    const html = (await page(role, sourced.orderId)).replaceAll('<!-- -->', '')
    expect(html, role).toContain(` from ${sourced.supplier}, ${sourced.warehouse}`)
    expect(html, role).toContain(`From ${sourced.supplier}, ${sourced.warehouse}`)
    expect(html.includes(`stock/purchase-orders/${sourced.id}"`), role).toBe(permits('suppliers.read', role))
  }
})

test('each role can refund or not as listed, whatever the page showed', async () => {
  for (const role of staffRoles) {
    const answer = await refund(role, small, { amount: '1.00', agreed: '100' })
    expect(answer.status, role).toBe(permits('refunds.make', role) ? 303 : 403)
    const noted = await staff[role].ask(at(small), { form: { intent: 'note', key: newId(), body: `Called, ${role}` } })
    expect(noted.status, role).toBe(permits('orders.note', role) ? 303 : 403)
  }
  const made = await refundsOf(small)
  expect(made.map(({ by }) => by)).toEqual(
    staffRoles.filter((role) => permits('refunds.make', role)).map((role) => `${role}@example.com`),
  )
  const html = await page('manager', small, '?all=yes')
  for (const words of ['Called, warehouse', 'Refunded an order, $1.00, by support@example.com'])
    expect(html).toContain(words)
})

test('a refund is previewed with its ledger entry, agreed to, and made once however often it is pressed', async () => {
  const html = await page('support', other, '?act=refund')
  const key = /name="key" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const typed = { key, ...why, 'units-1': '1', note: 'Keeps <b>three</b>' }
  const preview = await staff.support.ask(at(other), { form: { intent: 'preview', ...typed } })
  const shown = await preview.text()
  expect(preview.status).toBe(200)
  for (const words of ['Ledger entry', 'Estimated sales tax, ', 'In balance', 'Keeps &lt;b&gt;three&lt;/b&gt;'])
    expect(shown).toContain(words)
  expect(await refundsOf(other)).toEqual([])
  const agreed = /name="agreed" value="(\d+)"/.exec(shown)?.[1] ?? ''
  const moved = await staff.support.ask(at(other), { form: { intent: 'refund', ...typed, agreed: '1' } })
  expect(moved.status).toBe(422)
  expect(await moved.text()).toContain('The refund now comes to')
  const presses = await Promise.all(
    Array.from({ length: 20 }, () => staff.support.ask(at(other), { form: { intent: 'refund', ...typed, agreed } })),
  )
  expect(new Set(presses.map(({ status, headers }) => `${status} ${headers.get('location')}`))).toEqual(
    new Set([`303 /office/orders/${other}?done=refunded`]),
  )
  expect(await refundsOf(other)).toMatchObject([{ cents: Number(agreed), state: 'approved' }])
  expect(await page('support', other, '?done=refunded')).toContain('1 of 4 refunded')
})

test('an invalid refund is rejected at its field with the input retained', async () => {
  const refused = async (fields: Record<string, string>) => {
    const answer = await staff.manager.ask(at(other), { form: { intent: 'preview', key: newId(), ...why, ...fields } })
    return [answer.status, await answer.text()] as const
  }
  const [status, html] = await refused({ 'units-1': '4', note: 'typed' })
  expect(status).toBe(422)
  expect(html).toContain('Only 3 of this line')
  expect(html).toContain('typed')
  for (const [fields, words] of [
    [{}, 'Choose a quantity'],
    [{ amount: 'many' }, 'Enter an amount like'],
    [{ amount: '999999' }, 'can still be refunded'],
    [{ 'units-1': '1', amount: '1.00' }, 'Say why the refund is lower'],
    [{ 'units-99': '1' }, 'is not on this order'],
    [{ 'units-1': '1', bearer: 'maker' }, 'The manufacturer pays only for documented defects'],
    [{ 'units-1': '1', reason: 'none' }, 'Choose a reason'],
    [{ 'units-1': '1', reason: 'other' }, 'Say what the reason is'],
    [{ 'units-1': '1'.repeat(400), amount: '9'.repeat(3_000) }, 'Enter an amount like'],
    [{ 'units-1': '1'.repeat(400) }, 'Choose how many'],
  ] as const) {
    const [got, text] = await refused(fields)
    expect(got, JSON.stringify(fields)).toBe(422)
    expect(text, JSON.stringify(fields)).toContain(words)
  }
  for (const form of [
    { intent: 'none' },
    { intent: 'approve', refund: 'x' },
    { intent: 'retry', refund: '' },
    { intent: 'note', key: 'x', body: 'y' },
  ])
    expect((await staff.manager.ask(at(other), { form })).status, JSON.stringify(form)).toBe(400)
  const empty = await staff.manager.ask(at(other), { form: { intent: 'note', key: newId(), body: ' ' } })
  expect(empty.status).toBe(422)
  expect(await empty.text()).toContain('Write a note')
  for (const intent of ['approve', 'decline', 'retry'])
    expect((await staff.manager.ask(at(other), { form: { intent, refund: newId() } })).status).toBe(404)
})

test('over the limit, support is rejected, finance requests, and a manager approves after signing in again', async () => {
  const asked = { amount: '760.00', agreed: '76000' }
  const sent = await refund('support', large, asked)
  expect(sent.status).toBe(403)
  expect(await sent.text()).toContain('Your approval threshold per order is $750.00')
  const [id] = (staff.finance.cookie('sw_office')?.value ?? '').split('.')
  const stale = { authenticated_at: Temporal.Now.instant().subtract({ minutes: 11 }) }
  await store.database.db
    .updateTable('office_session')
    .set(stale)
    .where('id', '=', id ?? '')
    .execute()
  const late = await refund('finance', large, asked)
  const html = await late.text()
  expect(late.status).toBe(422)
  expect(html).toContain('sign in again with the link below')
  expect(html).toContain('act%3Drefund%26typed')
  await signInToOffice(store.origin, staff.finance, { email: 'finance@example.com', again: true })
  expect((await refund('finance', large, asked)).headers.get('location')).toBe(`/office/orders/${large}?done=drafted`)
  const [draft] = await refundsOf(large)
  expect(draft).toMatchObject({ state: 'draft', by: 'finance@example.com', second: null })
  const decide = (role: BuiltInRole, intent: string) =>
    staff[role].ask(at(large), { form: { intent, refund: draft?.id ?? '' } })
  expect((await decide('finance', 'approve')).status).toBe(403)
  expect((await decide('support', 'approve')).status).toBe(403)
  expect(await page('manager', large)).toContain('needs approval from another team member')
  expect((await decide('manager', 'approve')).headers.get('location')).toBe(`/office/orders/${large}?done=approved`)
  expect((await decide('owner', 'decline')).status).toBe(409)
  expect(await refundsOf(large)).toMatchObject([{ state: 'approved', second: 'manager@example.com' }])
})

test('a refund on its way is sent again by those who refund, and shown in what happened', async () => {
  const [made] = await refundsOf(other)
  const again = (role: BuiltInRole) => staff[role].ask(at(other), { form: { intent: 'retry', refund: made?.id ?? '' } })
  expect((await again('warehouse')).status).toBe(403)
  expect((await again('finance')).headers.get('location')).toBe(`/office/orders/${other}?done=retried`)
  const html = await page('finance', other, '?show=staff')
  expect(html).toContain('Sent a refused refund again')
  expect(html).not.toContain('captured, by the store')
})

test('a demo order’s refund reaches its provider, and its email follows', async () => {
  const issued = await eventually('refund with its email', async () => {
    const { rows } = await sql<{ open: number; cents: number; emails: number; refunds: number }>`
      select (select count(*) from charge_refund refund where refund.payment_id = payment.id and refund.state <> 'done')::int as open,
        refunded_cents as cents, (select count(*) from message where kind = 'order-refunded' and order_id = ${small})::int as emails,
        (select count(*) from order_refund where order_id = ${small} and state = 'approved')::int as refunds
      from payment where order_id = ${small}`.execute(store.database.db)
    const [charge] = rows
    return charge && charge.open === 0 && charge.emails === charge.refunds ? charge : undefined
  })
  expect(issued.cents).toBeGreaterThan(0)
  expect(issued.refunds).toBeGreaterThan(0)
  const { provider_ref: ref } = await store.database.db
    .selectFrom('payment')
    .select('provider_ref')
    .where('order_id', '=', small)
    .executeTakeFirstOrThrow()
  expect(ref).toMatch(/^pi_sample_captured_\d+_\d+$/)
})

test('Home lists a refund that the provider has not accepted', async () => {
  const home = async () => (await staff.finance.ask(`${store.origin}/office`)).text()
  expect(await home()).not.toContain('not accepted by the payment provider yet')
  await sql`insert into charge_refund (id, payment_id, amount_cents, key, promised_at)
    select ${newId()}::uuid, id, 1234, 'guarantee:999999', now() - interval '11 minutes' from payment where order_id = ${other}`.execute(
    store.database.db,
  )
  const html = await home()
  expect(html).toContain('Refunds to send')
  expect(html).toContain(`$12.34 of S-${other}, not accepted by the payment provider yet`)
  await store.database.db.deleteFrom('charge_refund').where('key', '=', 'guarantee:999999').execute()
})

test('the email about a refund can be read by those who see customers', async () => {
  const html = await page('support', small)
  // The newest is the last of the conversation.
  const path = html.match(new RegExp(`/office/orders/${small}/emails/[0-9a-f-]{36}`, 'g'))?.at(-1) ?? ''
  const read = await (await staff.support.ask(`${store.origin}${path}`)).text()
  // Both parts of the email contain it. The HTML frame runs no scripts and loads no content.
  for (const words of [
    'We refunded',
    // The provider names the card with the refund, maybe after the email.
    'to your ',
    'As sent',
    'sandbox=""',
    'default-src &#x27;none&#x27;',
  ])
    expect(read).toContain(words)
  expect(read).not.toMatch(/key=(?!…|%E2%80%A6)/)
  expect((await staff.warehouse.ask(`${store.origin}${path}`)).status).toBe(403)
  expect((await staff.support.ask(`${store.origin}${path.replace(String(small), String(other))}`)).status).toBe(404)
  expect(await page('warehouse', small)).not.toContain('/emails/')
})

test('an email of the order is sent again from its page, once however often it is pressed', async () => {
  const html = await page('support', small)
  const mails = new RegExp(`/office/orders/${small}/emails/[0-9a-f-]{36}`, 'g')
  const paths = new Set(html.match(mails))
  const pages = await Promise.all([...paths].map(async (path) => (await staff.support.ask(store.origin + path)).text()))
  const shown = pages.find((each) => each.includes('Send again')) ?? ''
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(shown)?.[1] ?? ''
  const form = { message: hidden('message'), once: hidden('once') }
  const action = /<form[^>]*action="([^"]+\/resend)"/.exec(shown)?.[1] ?? ''
  const presses = await Promise.all(
    Array.from({ length: 20 }, () => staff.support.ask(`${store.origin}${action}`, { form })),
  )
  expect(new Set(presses.map(({ status }) => status))).toEqual(new Set([303]))
  const after = await page('support', small)
  expect(new Set(after.match(mails)).size).toBe(paths.size + 1)
})

test('previous and next follow the view that opened the order', async () => {
  const newest = await store.database.db
    .selectFrom('sales_order')
    .select('id')
    .where('fulfillment', '=', 'home')
    .orderBy('placed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(3)
    .execute()
  const [first, second, third] = newest.map(({ id }) => id)
  const linkOf = (html: string, rel: string) =>
    new RegExp(`href="([^"]*)" rel="${rel}"`).exec(html)?.[1]?.replaceAll('&amp;', '&')
  const view = 'view=fulfillment%3Dhome'
  const html = await page('sales', second ?? 0, `?${view}`)
  expect(linkOf(html, 'prev')).toBe(`/office/orders/${first}?${view}`)
  expect(linkOf(html, 'next')).toBe(`/office/orders/${third}?${view}`)
  // The first order of a view has no previous link.
  expect(linkOf(await page('sales', first ?? 0, `?${view}`), 'prev')).toBeUndefined()
  // An invalid view shows all orders, and a long one is cheap.
  for (const bad of ['view=state%3Dnone', `view=${'x'.repeat(3_000)}`])
    expect((await staff.sales.ask(at(second ?? 0, `?${bad}`))).status).toBe(200)
})

test('the menu omits actions outside a role, and shows why others are unavailable', async () => {
  const over = await store.database.db
    .selectFrom('sales_order')
    .select('id')
    .where('state', '=', 'canceled')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const html = await page('manager', over.id)
  expect(html).toMatch(
    /<summary>(?:<svg[^]{0,400}?<\/svg>)?<span>Cancel order<\/span>.{0,80}Why\?<\/span><\/summary><p>This order is canceled\./,
  )
  for (const role of staffRoles.filter((each) => permits('orders.read', each))) {
    const shown = await page(role, over.id)
    expect(shown.includes('Cancel order'), role).toBe(permits('orders.cancel', role))
    // Exactly one next step.
    expect(shown.match(/<a class="btn primary"/g), role).toHaveLength(1)
  }
})

test('the timeline shows six entries of a kind, and the rest on request', async () => {
  const entries = (html: string) => html.match(/<li class="tone-/g)?.length ?? 0
  const html = await page('manager', small)
  expect(entries(html)).toBe(6)
  const more = Number(/Show (\d+) more/.exec(html.replaceAll('<!-- -->', ''))?.[1])
  expect(more).toBeGreaterThan(0)
  const whole = await page('manager', small, '?all=yes')
  expect(entries(whole)).toBe(6 + more)
  expect(whole).not.toContain('more</a>')
  expect(await page('manager', small, '?show=money')).not.toContain('added a note')
})

test('an unsent reply is saved per person and order, and deleted once it is sent', async () => {
  const save = (role: BuiltInRole, message: string, id = other) =>
    staff[role].ask(at(id), { form: { intent: 'draft', message } })
  const typed = async (role: BuiltInRole, id = other) =>
    /<textarea[^>]*id="message"[^>]*>([^<]*)</.exec(await page(role, id))?.[1]?.trim()
  expect((await save('support', 'Hello Owen, ')).status).toBe(303)
  expect((await save('support', 'Hello Owen, your tires')).status).toBe(303)
  expect(await typed('support')).toBe('Hello Owen, your tires')
  // Neither colleagues nor the person's other orders have it.
  expect(await typed('manager')).toBe('')
  expect(await typed('support', small)).toBe('')
  for (const role of staffRoles.filter((each) => permits('orders.read', each) && !permits('requests.answer', each)))
    expect((await save(role, 'x')).status, role).toBe(403)
  expect((await save('support', 'x', 999_999_999)).status).toBe(404)
  const sent = { intent: 'write', as: 'email', message: 'Hello Owen, your tires left.', once: newId() }
  expect((await staff.support.ask(at(other), { form: sent })).status).toBe(303)
  expect(await typed('support')).toBe('')
  await save('support', 'Again')
  await save('support', ' ')
  const { db } = store.database
  expect(await db.selectFrom('order_reply_draft').select('staff').where('order_id', '=', other).execute()).toEqual([])
})

test('packers see a package’s address while it is to be packed, but no other customer data', async () => {
  const { db } = store.database
  const order = await db
    .selectFrom('sales_order')
    .innerJoin('shipment', 'shipment.order_id', 'sales_order.id')
    .select(['sales_order.id', 'ship_to_street as street', 'shipment.id as parcel', 'shipment.state', 'email', 'phone'])
    .where('fulfillment', '=', 'home')
    .where('released_at', 'is not', null)
    .where('shipment.state', '=', 'delivered')
    .orderBy('sales_order.id', 'desc')
    .executeTakeFirstOrThrow()
  expect(await page('warehouse', order.id)).not.toContain(order.street)
  expect(await page('support', order.id)).toContain(order.street)
  const packed = await db
    .selectFrom('sales_order')
    .innerJoin('shipment', 'shipment.order_id', 'sales_order.id')
    .select(['sales_order.id', 'ship_to_street as street', 'email'])
    .where('fulfillment', '=', 'home')
    .where('released_at', 'is not', null)
    .where('shipment.state', 'in', ['processed', 'pending-pickup'])
    .executeTakeFirst()
  if (!packed) throw new Error('The demo data has no parcel to pack.')
  const html = await page('warehouse', packed.id)
  expect(html).toContain(packed.street)
  expect(html).not.toContain(packed.email)
})

test('the final state is consistent', async () => {
  const found = await verify(store.database.db, Temporal.Now.instant())
  expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
})
