/** Tests read and write access, incoming replies, and undelivered messages of an order's conversation in the office. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissions, staffRoles, type Permission, type BuiltInRole } from '#domain/kernel/staff/staff.ts'
import { newId } from '#platform/ids.ts'
import { eventually } from '#tests/support/eventually.ts'
import { newestMail } from '#tests/support/mailbox.ts'
import { placeHomeOrder } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const staff = {} as Record<BuiltInRole, Visitor>
const shopper = createVisitor()
const email = 'dana.talks@example.com'
/** The phone of the order. */
const phone = '+13125550142'
let orderId = 0

beforeAll(async () => {
  store = await startStore()
  for (const role of staffRoles) {
    staff[role] = createVisitor()
    await signInToOffice(store.origin, staff[role], { email: `${role}@example.com` })
  }
  orderId = await placeHomeOrder(store, shopper, { email })
}, 120_000)
afterAll(() => store[Symbol.asyncDispose]())

const permits = (permission: Permission, role: BuiltInRole) =>
  (permissions[permission].roles as readonly BuiltInRole[]).includes(role)
const at = (rest = '') => `${store.origin}/office/orders/${orderId}${rest}`
/** Returns the page without its scripts, which repeat the content. */
const page = async (role: BuiltInRole, rest = '') =>
  (await (await staff[role].ask(at(rest))).text()).replaceAll(/<script[\s\S]*?<\/script>/g, '')
const write = (role: BuiltInRole, as: 'email' | 'text' | 'note', message: string, once = newId()) =>
  staff[role].ask(at(), { form: { intent: 'write', as, message, once } })
const type = (body: string) =>
  fetch(`${store.sandboxOrigin}/texts`, {
    method: 'POST',
    body: new URLSearchParams({ from: phone, body }),
    redirect: 'manual',
  })
const textsTo = async (to: string) => {
  const answer = await fetch(`${store.sandboxOrigin}/texts/texts.json`)
  const { texts } = (await answer.json()) as { texts: { direction: string; to: string; body: string }[] }
  return texts.filter((text) => text.direction === 'outbound-api' && text.to === to).map(({ body }) => body)
}

test('roles that see customers read the conversation, and those that answer messages write in it', async () => {
  for (const role of staffRoles.filter((each) => permits('orders.read', each))) {
    const html = await page(role)
    expect(html.includes('id="conversation"'), role).toBe(permits('customers.read', role))
    expect(html.includes('id="customer"'), role).toBe(permits('customers.read', role))
    expect(html.includes('name="message"'), role).toBe(permits('requests.answer', role))
  }
})

test('staff write first by email, once however often it is pressed, and the reply comes into the thread', async () => {
  const once = newId()
  const presses = await Promise.all(
    Array.from({ length: 20 }, () => write('support', 'email', 'Does <b>Friday</b> suit you?', once)),
  )
  expect(new Set(presses.map(({ status, headers }) => `${status} ${headers.get('location')}`))).toEqual(
    new Set([`303 /office/orders/${orderId}?done=emailed`]),
  )
  const mail = await newestMail(store, email, `Your order S-${orderId}`)
  expect(mail.text).toContain('Does <b>Friday</b> suit you?')
  expect(mail.headers['reply-to']).toMatch(/^reply\+r\d+-[0-9a-f]{20}@/)
  const html = await page('support')
  expect(html.match(/Does &lt;b&gt;Friday&lt;\/b&gt; suit you\?/g)).toHaveLength(1)
  const threads = await store.database.db
    .selectFrom('support_request')
    .select(['id', 'waiting_since as since', 'email'])
    .where('order_number', '=', `S-${orderId}`)
    .execute()
  expect(threads).toMatchObject([{ since: null, email }])
  // In the messages, the thread starts with the staff's message.
  const message = await staff.support.ask(`${store.origin}/office/messages/${threads[0]?.id}`)
  expect((await message.text()).match(/<article aria-label="([^,"]+)/)?.[1]).toBe('Emailed')
})

test('customers without consent can’t be texted, and the page shows why', async () => {
  expect(await page('support')).toContain('The customer did not ask for text messages about this order.')
  const refused = await write('support', 'text', 'Hello')
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('did not ask for text messages')
  expect(await textsTo(phone)).toEqual([])
})

test('with consent, staff text the customer, and the reply waits for an answer', async () => {
  await shopper.ask(`${store.origin}/checkout/order-confirmation?order=${orderId}`, { form: { intent: 'texts' } })
  await eventually('the question', async () => ((await textsTo(phone)).length > 0 ? true : undefined))
  await type('YES')
  await eventually('the consent', async () => ((await page('support')).includes('texts on') ? true : undefined))
  expect((await write('sales', 'text', 'We can install on Friday. Reply YES.')).status).toBe(303)
  const row = () =>
    store.database.db.selectFrom('text_message').select('state').where('kind', '=', 'staff').executeTakeFirstOrThrow()
  expect(['queued', 'sending', 'sent', 'delivered']).toContain((await row()).state)
  await type('Friday works, thanks')
  const html = await eventually('the reply', async () => {
    const found = await page('support')
    return found.includes('Friday works, thanks') ? found : undefined
  })
  // The customer's own words come before anything else.
  expect(html).toMatch(/class="btn primary"[^>]*>Reply to customer</)
  expect(await (await staff.support.ask(`${store.origin}/office/messages`)).text()).toContain('Dana')
  await write('support', 'email', 'Booked.')
  expect(await page('support')).not.toContain('Reply to customer')
})

test('a note stays with staff and is never sent', async () => {
  expect((await write('manager', 'note', 'Called, keeps Friday.')).headers.get('location')).toBe(
    `/office/orders/${orderId}?done=noted`,
  )
  const html = await page('finance')
  expect(html).toContain('Called, keeps Friday.')
  expect(await page('warehouse', '?all=yes')).not.toContain('keeps Friday')
})

test('each role can write or not as listed', async () => {
  for (const role of staffRoles) {
    const isReader = permits('orders.read', role)
    const emailed = await write(role, 'email', `From ${role}`)
    expect(emailed.status, role).toBe(isReader && permits('requests.answer', role) ? 303 : 403)
    const noted = await write(role, 'note', `Noted by ${role}`)
    expect(noted.status, role).toBe(isReader && permits('orders.note', role) ? 303 : 403)
  }
})

test('an unsendable message retains the input with the reason at its field', async () => {
  for (const [form, words] of [
    [{ as: 'email', message: ' ' }, 'Please write a message.'],
    [{ as: 'fax', message: 'typed' }, 'Choose how to send it.'],
    [{ as: 'text', message: 'x'.repeat(1_601) }, 'Please keep a text message under'],
    [{ as: 'note', message: 'x'.repeat(2_001) }, 'Please keep a note under'],
  ] as const) {
    const answer = await staff.support.ask(at(), { form: { intent: 'write', once: newId(), ...form } })
    expect(answer.status, words).toBe(422)
    expect(await answer.text()).toContain(words)
  }
  const stale = await staff.support.ask(at(), { form: { intent: 'write', as: 'email', message: 'typed', once: 'x' } })
  expect(stale.status).toBe(422)
})

test('an email and a text message that did not arrive say so, and are sent again once', async () => {
  const { db } = store.database
  const mail = await db
    .selectFrom('message')
    .select('id')
    .where('kind', '=', 'order-message')
    .where('order_id', '=', orderId)
    .where('state', '=', 'sent')
    .orderBy('created_at')
    .executeTakeFirstOrThrow()
  await db.updateTable('message').set({ state: 'bounced' }).where('id', '=', mail.id).execute()
  const text = await db.selectFrom('text_message').select('id').where('kind', '=', 'staff').executeTakeFirstOrThrow()
  await db.updateTable('text_message').set({ state: 'failed' }).where('id', '=', text.id).execute()
  const html = await page('support')
  expect(html).toContain('Not delivered. The email bounced.')
  expect(html).toContain('Not delivered. The phone didn’t receive it.')
  expect(html.match(/>Send again</g)).toHaveLength(2)
  // Finance reads it, and may not send it.
  expect(await page('finance')).not.toContain('>Send again<')
  const once = newId()
  const again = () => staff.support.ask(at(), { form: { intent: 'text-again', text: text.id, once } })
  const presses = await Promise.all(Array.from({ length: 20 }, again))
  expect(new Set(presses.map(({ status }) => status))).toEqual(new Set([303]))
  expect((await db.selectFrom('text_message').select('id').where('kind', '=', 'staff').execute()).length).toBe(2)
  const form = { message: mail.id, once: newId() }
  expect((await staff.support.ask(at('/resend'), { form })).status).toBe(303)
})
