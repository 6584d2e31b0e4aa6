/** Tests that staff can add a customer, change contact details, give store credit, and send a first message. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { officePaths } from '#content/office-paths.ts'
import { staffCan, staffRoles, type BuiltInRole, type Permission } from '#domain/kernel/staff/staff.ts'
import { newId } from '#platform/ids.ts'
import { eventually } from '#tests/support/eventually.ts'
import { newestMail } from '#tests/support/mailbox.ts'
import { placeHomeOrder } from '#tests/support/order-by-api.ts'
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

const ask = (role: BuiltInRole, path: string) => staff[role].ask(`${store.origin}${path}`)
const post = (role: BuiltInRole, path: string, form: Record<string, string>) =>
  staff[role].ask(`${store.origin}${path}`, { form })

/** Returns the page without its scripts, which repeat the content. */
async function read(role: BuiltInRole, path: string): Promise<string> {
  const answer = await ask(role, path)
  expect(answer.status, path).toBe(200)
  return (await answer.text()).replaceAll(/<script[\s\S]*?<\/script>/g, '')
}

const ada = { intent: 'add', name: 'Ada Lane', email: 'ada.lane@example.org', phone: '(312) 555-0142' }

/** Adds a customer through the page, and returns their id. */
async function add(contact: Partial<typeof ada> = {}): Promise<string> {
  const added = await post('support', officePaths.officeNewCustomer(), { ...ada, ...contact, isOther: '1' })
  const id = /^\/office\/customers\/([0-9a-f-]{36})\?done=added$/.exec(added.headers.get('location') ?? '')?.[1]
  if (id === undefined) throw new Error(`The customer was not added: ${added.status}`)
  return id
}

async function expectOpenTo(permission: Permission, path: string): Promise<void> {
  for (const role of staffRoles)
    expect((await ask(role, path)).status, `${role} ${path}`).toBe(staffCan([role], permission) ? 200 : 403)
}

test('a customer is added once the customers with the same phone were seen', async () => {
  await expectOpenTo('customers.edit', officePaths.officeNewCustomer())
  expect(await read('support', officePaths.officeCustomers())).toContain(`href="${officePaths.officeNewCustomer()}"`)
  expect(await read('finance', officePaths.officeCustomers())).not.toContain(officePaths.officeNewCustomer())
  const wrong = await post('support', officePaths.officeNewCustomer(), { ...ada, email: 'ada', name: '<i>Ada</i>' })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  expect(again).toContain('value="&lt;i&gt;Ada&lt;/i&gt;"')
  expect(again).toContain('Please enter a valid email')
  const id = await add()
  expect(await read('support', officePaths.officeCustomer(id, 'added'))).toContain('Customer added.')
  const known = await post('support', officePaths.officeNewCustomer(), { ...ada, name: 'A. Lane' })
  expect(known.status).toBe(409)
  const shown = await known.text()
  expect(shown).toContain('A customer has this email.')
  expect(shown).toContain(`href="${officePaths.officeCustomer(id)}"`)
  const second = { ...ada, email: 'ada.second@example.org' }
  const alike = await post('support', officePaths.officeNewCustomer(), second)
  expect(alike.status).toBe(409)
  const page = await alike.text()
  expect(page).toContain('This phone number is known')
  expect(page).toContain(`href="${officePaths.officeCustomer(id)}"`)
  expect(page).toContain('value="ada.second@example.org"')
  const other = await add(second)
  expect(await read('manager', officePaths.officeCustomer(other))).toContain(
    'Probably the same person: ada.lane@example.org',
  )
})

test('a changed contact is on the page with what it was, and two tabs don’t overwrite each other', async () => {
  const id = await add({ email: 'bo@example.org', phone: '(312) 555-0151' })
  const path = officePaths.officeCustomerContact(id)
  await expectOpenTo('customers.edit', path)
  expect(await read('support', officePaths.officeCustomer(id))).toContain(`href="${path}"`)
  expect(await read('finance', officePaths.officeCustomer(id))).not.toContain(path)
  const form = { intent: 'change', name: 'Bo Lane', email: 'bo.lane@example.org', phone: '312.555.0152', version: '1' }
  const taken = await post('support', path, { ...form, email: ada.email })
  expect(taken.status).toBe(409)
  expect(await taken.text()).toContain('Another customer has this email.')
  const saved = await post('support', path, form)
  expect(saved.headers.get('location')).toBe(officePaths.officeCustomer(id, 'contact'))
  const changes = await read('support', path)
  expect(changes).toContain('Phone (312) 555-0151 → (312) 555-0152')
  expect(changes).toContain('Email bo@example.org → bo.lane@example.org')
  const late = await post('sales', path, { ...form, name: 'Bob Lane' })
  expect(late.status).toBe(409)
  const conflict = await late.text()
  expect(conflict).toContain('value="Bob Lane"')
  expect(conflict).toContain('Saved now: Bo Lane')
  for (const wrong of ['', '-1', 'x', '1e9', '99999999999'])
    expect((await post('support', path, { ...form, version: wrong })).status, wrong).toBe(409)
  const log = await read('manager', '/office/audit')
  expect(log).toContain(`customer ${id}`)
  expect(log).not.toContain('bo.lane@example.org')
})

test('the name and email of an account are not edited here, and unknown customers have no page', async () => {
  const found = await read('support', officePaths.officeCustomers({ q: 'sam@example.com' }))
  const id = /href="\/office\/customers\/([0-9a-f-]{36})"/.exec(found)?.[1] ?? ''
  const path = officePaths.officeCustomerContact(id)
  const page = await read('support', path)
  expect(page).toContain('From their account')
  expect(page).not.toContain('name="email"')
  const version = /name="version" value="(\d+)"/.exec(page)?.[1] ?? ''
  const forged = { intent: 'change', name: 'Sam Other', email: 'thief@example.org', phone: '', version }
  const refused = await post('support', path, forged)
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain('Only its owner can change the name and email.')
  for (const unknown of ['x', '00000000-0000-4000-8000-000000000000'])
    expect((await ask('support', officePaths.officeCustomerContact(unknown))).status).toBe(404)
})

/** The id of the demo customer with an account and this email. */
async function accountCustomer(email: string): Promise<string> {
  const found = await read('support', officePaths.officeCustomers({ q: email }))
  const id = /href="\/office\/customers\/([0-9a-f-]{36})"/.exec(found)?.[1]
  if (id === undefined) throw new Error(`No customer has the email ${email}.`)
  return id
}

test('staff add a vehicle to the garage of an account once, and customers without an account have none', async () => {
  const id = await accountCustomer('sam@example.com')
  const path = officePaths.officeCustomerVehicle(id)
  await expectOpenTo('customers.edit', path)
  expect(await read('support', officePaths.officeCustomer(id))).toContain(`href="${path}"`)
  expect(await read('finance', officePaths.officeCustomer(id))).not.toContain(`href="${path}"`)
  const unknown = await post('support', path, { intent: 'add', vehicle: 'A sailing boat' })
  expect(unknown.status).toBe(422)
  const again = await unknown.text()
  expect(again).toContain('value="A sailing boat"')
  expect(again).toContain('We don’t know this vehicle.')
  const presses = await Promise.all(
    Array.from({ length: 5 }, () => post('support', path, { intent: 'add', vehicle: '2019 Honda CR-V EX' })),
  )
  expect(presses.filter(({ status }) => status === 303).length).toBe(1)
  expect(presses.filter(({ status }) => status === 422).length).toBe(4)
  const page = await read('support', officePaths.officeCustomer(id, 'vehicle'))
  expect(page).toContain('Vehicle added.')
  expect(page.match(/2019 Honda CR-V/g)).toHaveLength(1)
  expect((await post('finance', path, { intent: 'add', vehicle: '2019 Honda CR-V EX' })).status).toBe(403)
  const guest = await add({ email: 'garage-guest@example.org', phone: '(312) 555-0177' })
  const without = await post('support', officePaths.officeCustomerVehicle(guest), {
    intent: 'add',
    vehicle: '2019 Honda CR-V EX',
  })
  expect(without.status).toBe(409)
  expect(await read('support', officePaths.officeCustomerVehicle(guest))).toContain('This customer has no account')
})

test('the conversation shows one kind of message on request', async () => {
  const id = await add({ email: 'kinds@example.org', phone: '(312) 555-0178' })
  const sent = { intent: 'write', as: 'email', about: '', message: 'Your tires are here.', once: newId() }
  expect((await post('support', officePaths.officeCustomer(id), sent)).status).toBe(303)
  const shown = async (kind?: 'email' | 'text' | 'note') =>
    read('support', officePaths.officeCustomer(id, undefined, kind))
  const all = await shown()
  expect(all).toContain('Your tires are here.')
  for (const kind of ['email', 'text', 'note'] as const)
    expect(all).toContain(`href="${officePaths.officeCustomer(id, undefined, kind)}#conversation"`)
  expect(await shown('email')).toContain('Your tires are here.')
  const texts = await shown('text')
  expect(texts).not.toContain('Your tires are here.')
  expect(texts).toContain('No messages of this kind.')
  expect(texts).toMatch(/aria-current="true"[^>]*>Texts|>Texts</)
  expect(await read('support', `${officePaths.officeCustomer(id)}?messages=fax`)).toContain('Your tires are here.')
})

test('managers set an account type with its documents, and the customer page shows it', async () => {
  const id = await accountCustomer('sam@example.com')
  const path = officePaths.officeCustomerType(id)
  await expectOpenTo('account-types.set', path)
  expect(await read('support', officePaths.officeCustomer(id))).not.toContain(path)
  const page = await read('manager', path)
  const form = { intent: 'change', type: 'EPP', until: '', reason: 'Badge seen.', version: fieldOf(page, 'version') }
  const yesterday = await post('manager', path, { ...form, until: '2020-01-01', reason: '' })
  expect(yesterday.status).toBe(422)
  const faults = await yesterday.text()
  expect(faults).toContain('Choose a day from tomorrow on')
  expect(faults).toContain('Enter a reason.')
  const files = new FormData()
  files.set('intent', 'add')
  files.set('file', new File(['%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'], 'badge.pdf'))
  const added = await staff.manager.ask(`${store.origin}${path}`, { form: files })
  expect(added.headers.get('location')).toBe(officePaths.officeCustomerType(id, 'added'))
  const withDocument = await read('manager', path)
  const file =
    new RegExp(`href="(${path.replace('account-type', 'documents')}/[^"]+)"[^>]*>badge.pdf`).exec(withDocument)?.[1] ??
    ''
  expect((await ask('support', file)).status).toBe(403)
  const opened = await ask('manager', file)
  expect(opened.headers.get('content-disposition')).toContain('badge.pdf')
  expect(opened.headers.get('content-type')).toBe('application/pdf')
  const saved = await post('manager', path, form)
  expect(saved.headers.get('location')).toBe(officePaths.officeCustomerType(id, 'set'))
  expect((await post('owner', path, form)).status).toBe(409)
  expect(await read('support', officePaths.officeCustomer(id))).toContain('<b>Employee</b>')
})

const fieldOf = (page: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''

test('store credit is given once, emailed and in the history, and taken back', async () => {
  const id = await accountCustomer('sam@example.com')
  const path = officePaths.officeCustomerCredit(id)
  await expectOpenTo('credit.give', path)
  const form = {
    intent: 'give',
    amount: '25.00',
    order: '',
    reason: 'Late <b>parcel</b>',
    once: fieldOf(await read('support', path), 'once'),
  }
  for (const [wrong, words] of [
    [{ amount: '0' }, 'Enter an amount up to'],
    [{ amount: '99999999' }, 'Enter an amount up to'],
    [{ reason: ' ' }, 'Enter a reason for your team.'],
    [{ order: 'S-1' }, 'Choose an order of this customer.'],
    [{ order: 'x'.repeat(4_000) }, 'Choose an order of this customer.'],
  ] as const) {
    const refused = await post('support', path, { ...form, ...wrong })
    expect(refused.status, words).toBe(422)
    expect(await refused.text(), words).toContain(words)
  }
  const presses = await Promise.all(Array.from({ length: 20 }, () => post('support', path, form)))
  expect(new Set(presses.map(({ headers }) => headers.get('location')))).toEqual(
    new Set([officePaths.officeCustomerCredit(id, 'given')]),
  )
  const mail = await newestMail(store, 'sam@example.com', 'store credit')
  expect(mail.subject).toBe('You have $25.00 in store credit')
  expect(mail.text).not.toContain('parcel')
  const profile = await read('finance', officePaths.officeCustomer(id))
  expect(profile.match(/Late &lt;b&gt;parcel&lt;\/b&gt;/g)).toHaveLength(1)
  expect(profile).toMatch(/by support@example\.com/)
  expect(await read('support', officePaths.officeCustomers({ view: 'credit' }))).toContain('Credit $25.00')
  const taken = { intent: 'take-back', grant: form.once, reason: 'Given twice' }
  expect((await post('support', path, taken)).headers.get('location')).toBe(
    officePaths.officeCustomerCredit(id, 'taken-back'),
  )
  expect((await post('support', path, taken)).status).toBe(409)
  expect(await read('support', officePaths.officeCustomer(id))).toContain('Given twice')
})

test('credit above the limit requires a second approval from Home', async () => {
  const id = await accountCustomer('sam@example.com')
  const path = officePaths.officeCustomerCredit(id)
  const once = fieldOf(await read('support', path), 'once')
  const form = { intent: 'give', amount: '900', order: '', reason: 'Damaged rims', once }
  expect((await post('support', path, form)).headers.get('location')).toBe(
    officePaths.officeCustomerCredit(id, 'requested'),
  )
  expect(await read('support', officePaths.officeCustomer(id))).toContain('1 request waiting for approval')
  expect((await post('support', path, { intent: 'approve', grant: once })).status).toBe(403)
  expect(await read('support', path)).not.toContain('value="approve"')
  const queue = await read('manager', '/office/queues/credit-approvals')
  expect(queue).toContain('$900.00, requested by support@example.com')
  expect((await post('manager', path, { intent: 'approve', grant: once })).headers.get('location')).toBe(
    officePaths.officeCustomerCredit(id, 'approved'),
  )
  expect((await post('owner', path, { intent: 'decline', grant: once })).status).toBe(409)
  expect((await newestMail(store, 'sam@example.com', '$900.00')).text).toContain('$900.00')
  await post('manager', path, { intent: 'take-back', grant: once, reason: 'A test' })
  // Guests have no credit, and the page explains why.
  const guest = await add({ email: 'guest@example.org', phone: '' })
  expect(await read('support', officePaths.officeCustomerCredit(guest))).toContain('This customer has no account')
  const refused = await post('support', officePaths.officeCustomerCredit(guest), { ...form, once: newId() })
  expect(refused.status).toBe(409)
})

test('staff write first about no order, and the reply by email comes into the same thread', async () => {
  const email = 'cora@example.org'
  const id = await add({ name: 'Cora Lane', email, phone: '' })
  const path = officePaths.officeCustomer(id)
  expect(await read('finance', path)).not.toContain('name="message"')
  const page = await read('support', path)
  const form = {
    intent: 'write',
    as: 'email',
    about: '',
    message: 'Does <b>Friday</b> suit you?',
    once: fieldOf(page, 'once'),
  }
  for (const [wrong, words] of [
    [{ as: 'text' }, 'Choose the order this text message is about'],
    [{ as: 'fax' }, 'Choose how to send it.'],
    [{ message: ' ' }, 'Please write a message.'],
    [{ about: 'S-104001' }, 'Choose an order of this customer.'],
    [{ once: 'x' }, 'Reload the page'],
  ] as const) {
    const refused = await post('support', path, { ...form, ...wrong })
    expect(refused.status, words).toBe(422)
    expect(await refused.text(), words).toContain(words)
  }
  const presses = await Promise.all(
    Array.from({ length: 20 }, () => post('support', path, { ...form, once: form.once || newId() })),
  )
  expect(new Set(presses.map(({ headers }) => headers.get('location')))).toEqual(
    new Set([officePaths.officeCustomer(id, 'emailed')]),
  )
  const mail = await newestMail(store, email, 'A message from')
  expect(mail.text).toContain('Does <b>Friday</b> suit you?')
  expect(mail.headers['reply-to']).toMatch(/^reply\+r\d+-[0-9a-f]{20}@/)
  const found = (await (await fetch(`${store.sandboxOrigin}/mailbox.json?to=${email}`)).json()) as {
    messages: { id: string }[]
  }
  await fetch(`${store.sandboxOrigin}/mailbox/${found.messages[0]?.id}/answer`, {
    method: 'POST',
    body: new URLSearchParams({ text: 'Friday is fine.' }),
  })
  const answered = await eventually('the reply', async () => {
    const html = await read('support', path)
    return html.includes('Friday is fine.') ? html : undefined
  })
  expect(answered.match(/Does &lt;b&gt;Friday&lt;\/b&gt; suit you\?/g)).toHaveLength(1)
  expect((await post('sales', path, { ...form, message: 'See you then.', once: newId() })).status).toBe(303)
  const threads = await store.database.db
    .selectFrom('support_request')
    .select(['id', 'waiting_since as since', 'order_number as order'])
    .where('email', '=', email)
    .execute()
  expect(threads).toMatchObject([{ since: null, order: null }])
})

test('a message on the profile about an order is in the thread of that order', async () => {
  const email = 'dora@example.org'
  const orderId = await placeHomeOrder(store, createVisitor(), { email })
  const id = await accountCustomer(email)
  const path = officePaths.officeCustomer(id)
  const page = await read('support', path)
  expect(page).toContain(`<option value="S-${orderId}"`)
  const form = { intent: 'write', as: 'email', about: `S-${orderId}`, message: 'Your shop moved.', once: newId() }
  const text = await post('support', path, { ...form, as: 'text' })
  expect(text.status).toBe(422)
  expect(await text.text()).toContain('did not ask for text messages')
  expect((await post('support', path, form)).headers.get('location')).toBe(officePaths.officeCustomer(id, 'emailed'))
  expect((await newestMail(store, email, `Your order S-${orderId}`)).text).toContain('Your shop moved.')
  expect(await read('support', officePaths.officeOrder(orderId))).toContain('Your shop moved.')
})
