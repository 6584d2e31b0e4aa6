/**
 * Tests the preview, run, and undo of the office's bulk actions. Over HTTP and without JavaScript. Over 400 lines: the
 * actions share one store.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { officeListDefinitions } from '#app/office/lists.server.ts'
import { contactSubjects } from '#domain/messaging/support/support.ts'
import { staffCan, staffRoles, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { eventually } from '#tests/support/eventually.ts'
import { newestMail } from '#tests/support/mailbox.ts'
import { placeHomeOrder } from '#tests/support/order-by-api.ts'
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

const db = () => store.database.db
const at = (path: string) => `${store.origin}${path}`
const hiddenOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )

/** Reads a preview and sends its form as a browser would. */
async function perform(who: BuiltInRole, act: string, query: string, given?: string) {
  const path = at(`/office/bulk/${act}?${query}`)
  const preview = await (await staff[who].ask(path)).text()
  const form = { ...hiddenOf(preview), intent: 'do', ...(given !== undefined && { given }) }
  const answer = await staff[who].ask(path, { form })
  return { preview, form, status: answer.status, html: await answer.text() }
}

/** Presses Undo on a page of results. */
async function undo(who: BuiltInRole, act: string, html: string): Promise<string> {
  const form = { ...hiddenOf(html), intent: 'undo' }
  return (await staff[who].ask(at(`/office/bulk/${act}`), { form })).text()
}

test('every action requires its permission, and an empty selection has no preview', async () => {
  const acts = officeListDefinitions.flatMap(({ bulk }) => Object.entries(bulk?.acts ?? {}))
  expect(acts.length).toBeGreaterThan(8)
  for (const [name, { permission, file }] of acts)
    for (const role of staffRoles) {
      const expected = staffCan([role], permission) ? 200 : 403
      const asked = await staff[role].ask(at(`/office/bulk/${name}`))
      const posted = await staff[role].ask(at(`/office/bulk/${name}`), { form: { intent: 'undo' } })
      expect(asked.status, `${name} ${role}`).toBe(expected)
      expect(posted.status, `${name} ${role}`).toBe(expected === 200 && file ? 400 : expected)
      if (expected === 200) expect(await asked.text()).toContain('No rows selected')
    }
  expect((await staff.owner.ask(at('/office/bulk/constructor'))).status).toBe(404)
})

test('eligible orders are confirmed, and others show why they were skipped', async () => {
  const orders = await db().selectFrom('sales_order').select(['id', 'state']).orderBy('id').execute()
  const waiting = orders.find(({ state }) => state === 'needs-confirmation')?.id ?? 0
  const canceled = orders.find(({ state }) => state === 'canceled')?.id ?? 0
  const query = `order=S-${waiting}&order=S-${canceled}&order=S-999999999&order=x&order=S-${waiting}`
  const stateOf = async (id: number) =>
    (await db().selectFrom('sales_order').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
  const preview = await (await staff.support.ask(at(`/office/bulk/confirm-orders?${query}`))).text()
  expect(preview).toContain('1 of 2 can be done. Review before you apply.')
  expect(preview).toContain('Skipped')
  expect(await stateOf(waiting)).toBe('needs-confirmation')
  // Without a reason, the form is shown again without changes.
  const refused = await perform('support', 'confirm-orders', query, ' ')
  expect(refused.status).toBe(422)
  expect(await stateOf(waiting)).toBe('needs-confirmation')
  expect(refused.html).toContain('Enter a reason for the audit log.')
  const done = await perform('support', 'confirm-orders', query, 'All called.')
  expect(done.html).toContain('1 of 1 done')
  expect(await stateOf(waiting)).toBe('confirmed')
  expect(await stateOf(canceled)).toBe('canceled')
  // Sent again, the row that can't be done is still selected in the view that it came from.
  const late = await staff.support.ask(at(`/office/bulk/confirm-orders?${query}&back=q%3DS-${waiting}`), {
    form: done.form,
  })
  const html = await late.text()
  expect(html).toContain('0 of 1 done')
  expect(html).toContain('The rows that weren’t done are still selected.')
  const back = /href="(\/office\/orders\?[^"]*selected[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(back).toBe(`/office/orders?q=S-${waiting}&selected=S-${waiting}`)
  expect(await (await staff.support.ask(at(back))).text()).toMatch(
    new RegExp(`<input[^>]*name="order"[^>]*checked[^>]*value="S-${waiting}"|value="S-${waiting}"[^>]*checked`),
  )
  // A confirmation emails the customer and can't be undone.
  expect(done.html).not.toContain('value="undo"')
  const log = await db().selectFrom('audit_entry').select('reason').where('act', '=', 'order.confirmed').execute()
  expect(log).toEqual([{ reason: 'All called.' }])
})

test('a note goes to each order once however often it is sent, and comes off again', async () => {
  const orders = await db().selectFrom('sales_order').select('id').orderBy('id', 'desc').limit(3).execute()
  const query = orders.map(({ id }) => `order=S-${id}`).join('&')
  const notes = async () =>
    (await db().selectFrom('order_note').select('id').where('body', '=', 'Recall of the batch.').execute()).length
  const done = await perform('warehouse', 'note-orders', query, 'Recall of the batch.')
  expect(done.html).toContain('3 of 3 done')
  expect(await notes()).toBe(3)
  await staff.warehouse.ask(at('/office/bulk/note-orders'), { form: done.form })
  expect(await notes()).toBe(3)
  // A colleague cannot take it back.
  expect(await undo('support', 'note-orders', done.html)).toContain('0 of 3 undone')
  expect(await notes()).toBe(3)
  expect(await undo('warehouse', 'note-orders', done.html)).toContain('3 of 3 undone')
  expect(await notes()).toBe(0)
  expect(await undo('warehouse', 'note-orders', done.html)).toContain('0 of 3 undone')
  const removed = await db()
    .selectFrom('audit_entry')
    .select('before')
    .where('act', '=', 'order.note-removed')
    .execute()
  expect(removed).toEqual(Array.from({ length: 3 }, () => ({ before: { note: 'Recall of the batch.' } })))
})

test('messages are assigned, reassigned to their previous owner, closed, and reopened', async () => {
  for (const name of ['Ann', 'Ben'])
    await createVisitor().ask(at('/contact'), {
      form: { name, email: `${name}-${newId()}@example.com`, subject: contactSubjects[0], message: `${name} asks.` },
    })
  const messages = await db().selectFrom('support_request').select('id').orderBy('id', 'desc').limit(2).execute()
  expect(messages).toHaveLength(2)
  const ids = messages.map(({ id }) => id)
  const query = ids.map((id) => `message=${id}`).join('&')
  const rows = () =>
    db().selectFrom('support_request').select(['assigned_to', 'state']).where('id', 'in', ids).orderBy('id').execute()
  await perform('support', 'assign-messages', `message=${Math.min(...ids)}`, 'sales@example.com')
  const before = await rows()
  const assigned = await perform('support', 'assign-messages', query, 'manager@example.com')
  expect((await rows()).map(({ assigned_to: to }) => to)).toEqual(['manager@example.com', 'manager@example.com'])
  expect(await undo('support', 'assign-messages', assigned.html)).toContain('2 of 2 undone')
  expect(await rows()).toEqual(before)
  expect((await perform('support', 'assign-messages', query, 'eve@example.com')).status).toBe(422)

  const closed = await perform('support', 'close-messages', query)
  expect((await rows()).map(({ state }) => state)).toEqual(['closed', 'closed'])
  expect((await perform('support', 'close-messages', query)).preview).toContain('0 of 2 can be done')
  expect(await undo('support', 'close-messages', closed.html)).toContain('2 of 2 undone')
  expect((await rows()).map(({ state }) => state)).toEqual(['open', 'open'])
})

test('orders are assigned with their messages, reassigned to the previous teammate, and unassigned', async () => {
  const [first, second] = [
    await placeHomeOrder(store, createVisitor(), { email: 'first-assigned@example.com' }),
    await placeHomeOrder(store, createVisitor(), { email: 'second-assigned@example.com' }),
  ]
  const query = `order=S-${first}&order=S-${second}`
  const assignees = async () => {
    const rows = await db()
      .selectFrom('support_request')
      .select(['order_number', 'assigned_to', 'waiting_since'])
      .where('order_number', 'in', [`S-${first}`, `S-${second}`])
      .where('state', '=', 'open')
      .orderBy('order_number')
      .execute()
    return rows.map(({ order_number: order, assigned_to: to, waiting_since: since }) => `${order} ${to} ${since}`)
  }
  expect((await perform('support', 'assign-orders', query, 'eve@example.com')).status).toBe(422)
  await perform('support', 'assign-orders', `order=S-${first}`, 'sales@example.com')
  const assigned = await perform('support', 'assign-orders', query, 'manager@example.com')
  expect(assigned.html).toContain('2 of 2 done')
  expect(await assignees()).toEqual([`S-${first} manager@example.com null`, `S-${second} manager@example.com null`])
  await staff.support.ask(at('/office/bulk/assign-orders'), { form: assigned.form })
  const list = await staff.support.ask(at(`/office/orders?q=S-${second}&columns=assigned`))
  expect(await list.text()).toContain('manager@example.com')
  expect(await undo('support', 'assign-orders', assigned.html)).toContain('2 of 2 undone')
  // A thread without messages ends with its assignment.
  expect(await assignees()).toEqual([`S-${first} sales@example.com null`])
  await perform('support', 'assign-orders', query, 'nobody')
  expect(await assignees()).toEqual([])
  const log = await db().selectFrom('audit_entry').select('id').where('act', '=', 'requests.assigned').execute()
  await perform('support', 'assign-orders', query, 'nobody')
  const later = await db().selectFrom('audit_entry').select('id').where('act', '=', 'requests.assigned').execute()
  expect(later).toHaveLength(log.length)
})

/** Changes every supplier to one that staff order from, and returns a purchase order in each state. */
async function placeOrdersByHand() {
  const suppliers = await db().selectFrom('supplier').select(['id', 'code', 'name', 'version']).execute()
  for (const { id, code, name, version } of suppliers) {
    const terms = { leadDays: '2', paymentDays: '30', networkId: '' }
    const form = { intent: 'change', code, name, ...terms, version: String(version) }
    expect((await staff.manager.ask(at(`/office/suppliers/${id}`), { form })).status).toBe(303)
  }
  const purchases = await db()
    .selectFrom('purchase_order')
    .select(['id', 'order_id as orderId', 'state'])
    .orderBy('id')
    .execute()
  const inState = (wanted: string) => purchases.find(({ state }) => state === wanted)
  return { rejected: inState('rejected'), released: inState('released'), accepted: inState('accepted') }
}

test('orders are bought from their suppliers, and others show why they were skipped', async () => {
  const wired = await db()
    .selectFrom('purchase_order')
    .select('order_id')
    .where('state', '=', 'released')
    .executeTakeFirstOrThrow()
  const waiting = await staff.warehouse.ask(at(`/office/bulk/buy-orders?order=S-${wired.order_id}`))
  expect(await waiting.text()).toContain('Its supplier receives it electronically.')
  const { rejected, released, accepted } = await placeOrdersByHand()
  const orders = [rejected, released, accepted].map((each) => `order=S-${each?.orderId}`)
  const preview = await (await staff.warehouse.ask(at(`/office/bulk/buy-orders?${orders.join('&')}`))).text()
  expect(preview).toContain('2 of 3 can be done')
  expect(preview).toContain('Its supplier accepted it.')
  expect(preview).toContain(`PO-${rejected?.id} is sent to `)
  expect(preview).toContain(`PO-${released?.id} is recorded as accepted by `)
  const answers = async () => {
    const log = await db()
      .selectFrom('audit_entry')
      .select(['act', 'subject'])
      .where('act', 'in', ['supplier.asked-again', 'supplier.accepted'])
      .orderBy('id')
      .execute()
    return log.map(({ act, subject }) => `${act} ${subject}`)
  }
  // Without the number, only the rejected order is sent again.
  const first = await perform('warehouse', 'buy-orders', orders.slice(0, 2).join('&'), '')
  expect(first.html).toContain('1 of 2 done')
  expect(first.html).toContain('Enter the supplier’s order number.')
  expect(await answers()).toEqual([`supplier.asked-again PO-${rejected?.id}`])
  // A preview of other purchase orders doesn't count.
  const form = { ...hiddenOf(preview), intent: 'do', given: 'SO-77' }
  const stale = await (await staff.warehouse.ask(at('/office/bulk/buy-orders'), { form })).text()
  expect(stale).toContain('1 of 2 done')
  expect(stale).toContain('Its purchase orders changed after you opened this page.')
  const again = await (await staff.warehouse.ask(at('/office/bulk/buy-orders'), { form })).text()
  expect(again).toContain('0 of 2 done')
  expect(await answers()).toEqual([`supplier.asked-again PO-${rejected?.id}`, `supplier.accepted PO-${released?.id}`])
  const { supplier_reference: reference } = await db()
    .selectFrom('purchase_order')
    .select('supplier_reference')
    .where('id', '=', released?.id ?? 0)
    .executeTakeFirstOrThrow()
  expect(reference).toBe('SO-77')
})

test('reviews are published, taken back, and refused for a rule', async () => {
  const waiting = await db().selectFrom('review').select('id').where('state', '=', 'waiting').orderBy('id').execute()
  const ids = waiting.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(0)
  const query = ids.map((id) => `review=${id}`).join('&')
  const states = async () =>
    new Set(
      (await db().selectFrom('review').select('state').where('id', 'in', ids).execute()).map(({ state }) => state),
    )
  const published = await perform('catalog', 'publish-reviews', query)
  expect([...(await states())]).toEqual(['published'])
  expect(await undo('catalog', 'publish-reviews', published.html)).toContain(`${ids.length} of ${ids.length} undone`)
  expect([...(await states())]).toEqual(['waiting'])
  expect((await perform('catalog', 'refuse-reviews', query, 'too-critical')).status).toBe(422)
  const refused = await perform('catalog', 'refuse-reviews', query, 'advertising')
  expect(refused.html).not.toContain('value="undo"')
  expect([...(await states())]).toEqual(['refused'])
  expect((await perform('catalog', 'publish-reviews', query)).preview).toContain('It is refused.')
})

/** Saves a template on its page and returns its id. */
async function addTemplate(name: string, body: string): Promise<string> {
  const saved = await staff.manager.ask(at('/office/messages/templates'), { form: { intent: 'save', name, body } })
  expect(saved.status).toBe(303)
  const { id } = await db()
    .selectFrom('support_template')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return String(id)
}

test('customers are emailed from a template, and texted only with consent, once each', async () => {
  const shopper = createVisitor()
  const [asked, silent] = [
    await placeHomeOrder(store, shopper, { email: 'agreed@example.com' }),
    await placeHomeOrder(store, createVisitor(), { email: 'silent@example.com' }),
  ]
  const query = `order=S-${asked}&order=S-${silent}`
  const written = async () =>
    (
      await db()
        .selectFrom('audit_entry')
        .select(['act', 'subject'])
        .where('act', 'in', ['order.emailed', 'order.texted'])
        .orderBy('id')
        .execute()
    ).map(({ act, subject }) => `${act} ${subject}`)
  const template = await addTemplate(
    'Bulk delay',
    'Hello {{firstName}}, order {{orderNumber}} is delayed by a day. You paid {{orderTotal}}.',
  )
  expect((await perform('support', 'email-orders', query, '999999')).status).toBe(422)
  const emailed = await perform('support', 'email-orders', query, template)
  expect(emailed.html).toContain('2 of 2 done')
  const mail = await newestMail(store, 'silent@example.com', `Your order S-${silent}`)
  const { total_cents: total } = await db()
    .selectFrom('sales_order')
    .select('total_cents')
    .where('id', '=', silent)
    .executeTakeFirstOrThrow()
  expect(mail.text).toContain(`order S-${silent} is delayed by a day. You paid ${formatCents(total)}.`)
  // Submitting the form again doesn't send a second email.
  const again = await staff.support.ask(at('/office/bulk/email-orders'), { form: emailed.form })
  expect(await again.text()).toContain('2 of 2 done')
  expect(await written()).toEqual([`order.emailed S-${asked}`, `order.emailed S-${silent}`])

  expect((await perform('support', 'text-orders', query, template)).preview).toContain('0 of 2 can be done')
  await shopper.ask(at(`/checkout/order-confirmation?order=${asked}`), { form: { intent: 'texts' } })
  const preview = await eventually('the consent', async () => {
    const body = new URLSearchParams({ from: '+13125550142', body: 'YES' })
    await fetch(`${store.sandboxOrigin}/texts`, { method: 'POST', body, redirect: 'manual' })
    const html = await (await staff.support.ask(at(`/office/bulk/text-orders?${query}`))).text()
    return html.includes('1 of 2 can be done') ? html : undefined
  })
  expect(preview).toContain('The customer did not ask for text messages about this order.')
  // A row that its form never offered is refused all the same.
  const form = { ...hiddenOf(preview), [`row-${silent}`]: newId(), intent: 'do', given: template }
  const texted = await (await staff.support.ask(at('/office/bulk/text-orders'), { form })).text()
  expect(texted).toContain('1 of 2 done')
  expect((await written()).filter((line) => line.startsWith('order.texted'))).toEqual([`order.texted S-${asked}`])
  const blank = await addTemplate('Bulk visit', 'Come to {{shopName}}.')
  expect((await perform('support', 'email-orders', `order=S-${silent}`, blank)).html).toContain('{{shopName}}')
})

test('held orders are accepted together, and already decided ones are reported', async () => {
  const words = { kind: 'dealer-names', words: 'quarry', outcome: 'review' }
  const rule = { intent: 'add', ...words, isOn: '1', homesOnly: '1', version: '0' }
  expect((await staff.owner.ask(at('/office/fraud-rules'), { form: rule })).status).toBe(303)
  const contact = { email: 'quarry@example.com', company: 'Quarry Nine' }
  const [first, second] = [
    await placeHomeOrder(store, createVisitor(), contact),
    await placeHomeOrder(store, createVisitor(), contact),
  ]
  const query = `order=S-${first}&order=S-${second}`
  expect(await (await staff.owner.ask(at('/office/held-orders'))).text()).toContain('/office/bulk/accept-held-orders')
  const preview = await (await staff.owner.ask(at(`/office/bulk/accept-held-orders?${query}`))).text()
  expect(preview).toContain('2 of 2 can be done')
  await staff.owner.ask(at(`/office/held-orders/${second}`), { form: { intent: 'cancel' } })
  const form = { ...hiddenOf(preview), intent: 'do', given: '' }
  const html = await (await staff.owner.ask(at('/office/bulk/accept-held-orders'), { form })).text()
  expect(html).toContain('1 of 2 done')
  expect(html).toContain('This order is no longer on hold')
  expect((await perform('owner', 'accept-held-orders', query, '')).preview).toContain('0 of 2 can be done')
})

test('returns are refunded by the amounts of the preview, once', async () => {
  const page = at('/office/returns/1001')
  const inspect = { intent: 'inspect', finding: '10/32 in', dot: 'sdwl 3126', isDotMatch: '1', outcome: 'restock' }
  expect((await staff.support.ask(page, { form: { ...inspect, tire: '1' } })).status).toBe(303)
  const query = 'return=1001&return=999999'
  const preview = await (await staff.support.ask(at(`/office/bulk/refund-returns?${query}`))).text()
  expect(preview).toContain('1 of 1 can be done')
  expect(preview).toMatch(/Refunds \$\d+\.\d\d for 1 tire\. Fee: /)
  const form = { ...hiddenOf(preview), intent: 'do' }
  const refunds = async () => (await db().selectFrom('return_refund').select('refund_cents').execute()).length
  const before = await refunds()
  const other = await staff.support.ask(at('/office/bulk/refund-returns'), { form: { ...form, 'agreed-1001': '1' } })
  expect(await other.text()).toContain('The refund is now $')
  const presses = await Promise.all(
    Array.from({ length: 5 }, async () =>
      (await staff.support.ask(at('/office/bulk/refund-returns'), { form })).text(),
    ),
  )
  expect(presses.filter((html) => html.includes('1 of 1 done'))).toHaveLength(1)
  expect(await refunds()).toBe(before + 1)
})

test('every row of a view is selected together, up to a hundred rows', async () => {
  const orders = await db().selectFrom('sales_order').select(['id', 'fulfillment']).execute()
  const wanted = Math.min(100, orders.filter(({ fulfillment }) => fulfillment === 'home').length)
  const query = 'all=1&back=fulfillment%3Dhome'
  const preview = async (path: string) => (await staff.owner.ask(at(path))).text()
  const html = (await preview(`/office/bulk/note-orders?${query}&order=S-1`)).replaceAll('<!-- -->', '')
  expect(html).toContain(`${wanted} of ${wanted} can be done.`)
  expect(await preview('/office/orders')).toMatch(/Select (?:all \d+|the first 100)/)
  const file = await (await staff.owner.ask(at(`/office/export/orders?${query}&order=S-1`))).text()
  expect(file.trim().split('\n').length).toBeGreaterThan(wanted)
  expect((await staff.owner.ask(at(`/office/bulk/note-orders?all=1&back=${'%FF'.repeat(50)}`))).status).toBe(200)
})

test('bulk actions are limited to a hundred rows', async () => {
  const rows = Array.from({ length: 150 }, (_, at) => [`row-${at + 1}`, newId()] as const)
  const form = { ...Object.fromEntries(rows), intent: 'do', given: 'Too many.' }
  expect((await staff.owner.ask(at('/office/bulk/note-orders'), { form })).status).toBe(200)
  const query = Array.from({ length: 5_000 }, (_, at) => `order=S-${at + 1}`).join('&')
  expect([200, 414, 431]).toContain((await staff.owner.ask(at(`/office/bulk/note-orders?${query}`))).status)
})

test.for([
  'intent=undo&undo-0=1',
  'intent=undo&undo-0=999999999999 00000000-0000-4000-8000-000000000000 ',
  'intent=do&row-1=x&row-999=00000000-0000-4000-8000-000000000000&given=a',
  'intent=nothing',
  '',
])('no posted form causes an error: %s', async (body) => {
  const answer = await staff.owner.ask(at('/office/bulk/note-orders'), {
    form: Object.fromEntries(new URLSearchParams(body)),
  })
  expect([200, 400]).toContain(answer.status)
})
