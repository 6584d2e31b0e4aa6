/** Messages in the office over HTTP: threads, files, templates; and email preferences without signing in. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailPreferencesUrl } from '#domain/messaging/messages/mail-preferences.server.ts'
import { allStoppable } from '#domain/messaging/messages/messages.ts'
import { readConfig } from '#platform/config.ts'
import { eventually } from '#tests/support/eventually.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
const support = createVisitor()
const warehouse = createVisitor()
const manager = createVisitor()
beforeAll(async () => {
  // Each message comes from a separate network.
  store = await startStore({ env: { PROXY_HOPS: '1' } })
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  await signInToOffice(store.origin, warehouse, { email: 'warehouse@example.com' })
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

let networks = 0

/** Sends a message from the contact page and returns its id. */
async function send(email: string, text: string, file?: Blob): Promise<number> {
  const form = new FormData()
  const fields = {
    firstName: 'Kim',
    lastName: 'Diaz',
    email,
    phone: '(312) 555-0142',
    orderNumber: '',
    subject: 'Something else',
    message: text,
  }
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file) form.append('attachment', file, 'label.pdf')
  const visitor = createVisitor()
  const headers = { 'x-forwarded-for': `198.51.100.${(networks += 1)}` }
  expect((await visitor.ask(`${store.origin}/contact`, { form, headers })).status).toBe(303)
  const { id } = await store.database.db
    .selectFrom('support_request')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return id
}

const page = async (visitor: typeof support, path: string) => (await visitor.ask(`${store.origin}${path}`)).text()

test('an answer reaches its sender by email, with an address that leads back into the thread', async () => {
  const id = await send('kim@example.com', 'Which <b>size</b> fits?')
  const html = await page(support, `/office/messages/${id}`)
  expect(html).toContain('Which &lt;b&gt;size&lt;/b&gt; fits?')
  const once = /name="once" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const answer = { intent: 'answer', body: 'Hello Kim,\n\nthe one on the door label.', once }
  for (let times = 0; times < 3; times += 1) {
    const answered = await support.ask(`${store.origin}/office/messages/${id}`, { form: answer })
    expect(answered.status).toBe(303)
    expect(answered.headers.get('location')).toBe(`/office/messages/${id}?done=answered`)
  }
  const mail = await newestMail(store, 'kim@example.com', 'Re: ')
  expect(mail.text).toContain('Hello Kim,\n\nthe one on the door label.')
  expect(mail.headers['reply-to']).toMatch(new RegExp(`^reply\\+r${id}-[0-9a-f]{20}@reply\\.sidewall\\.example$`))
  const after = await page(support, `/office/messages/${id}?done=answered`)
  // The page's script has it once more.
  const shown = after.replaceAll(/<script[\s\S]*?<\/script>/g, '')
  expect(shown.match(/the one on the door label/g)).toHaveLength(1)
  expect(after).toContain('support@example.com')
})

test('a rejected form retains its text with the reason at its field', async () => {
  const empty = await support.ask(`${store.origin}/office/messages/1`, {
    form: { intent: 'answer', body: ' ', once: 'form-0001' },
  })
  expect(empty.status).toBe(422)
  expect(await empty.text()).toContain('Please write the text.')
  await support.ask(`${store.origin}/office/messages/2`, { form: { intent: 'close' } })
  const late = await support.ask(`${store.origin}/office/messages/2`, {
    form: { intent: 'answer', body: 'Too late <i>', once: 'form-0002' },
  })
  const html = await late.text()
  expect(late.status).toBe(409)
  expect(html).toContain('Reopen it to answer.')
  expect(html).toContain('Too late &lt;i&gt;')
  expect((await support.ask(`${store.origin}/office/messages/2`, { form: { intent: 'reopen' } })).status).toBe(303)
})

test('a file is a download for those who may read messages, and for no one else', async () => {
  const id = await send(
    'pdf@example.com',
    'See the file.',
    new Blob(['%PDF-1.7\n%%EOF\n'], { type: 'application/pdf' }),
  )
  const path = `${store.origin}/office/messages/${id}/file`
  const file = await support.ask(path)
  expect(file.status).toBe(200)
  expect(file.headers.get('content-type')).toBe('application/pdf')
  expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''label.pdf")
  expect(file.headers.get('x-content-type-options')).toBe('nosniff')
  expect((await warehouse.ask(path)).status).toBe(403)
  expect((await createVisitor().ask(path)).status).toBe(303)
  for (const wrong of [
    '/office/messages/99999/file',
    '/office/messages/x/file',
    `/office/messages/${id}/file?reply=1&place=1`,
  ])
    expect((await support.ask(`${store.origin}${wrong}`)).status).toBe(404)
})

test.for(['answer', 'note', 'assign', 'close', 'reopen'])('a role without the permission cannot %s', async (intent) => {
  const form = { intent, body: 'x', once: 'form-0003', to: 'warehouse@example.com' }
  expect((await warehouse.ask(`${store.origin}/office/messages/1`, { form })).status).toBe(403)
  expect((await createVisitor().ask(`${store.origin}/office/messages/1`, { form })).status).toBe(303)
})

test('templates are edited by managers and used by support', async () => {
  const form = { intent: 'save', id: '', name: 'Thanks', body: 'Thank you for writing.' }
  const templates = `${store.origin}/office/messages/templates`
  expect((await support.ask(templates, { form })).status).toBe(403)
  expect((await manager.ask(templates, { form })).status).toBe(303)
  const taken = await manager.ask(templates, { form })
  expect(taken.status).toBe(409)
  expect(await taken.text()).toContain('Another template has this name.')
  const html = await page(support, '/office/messages/1')
  const option = /<option value="(\d+)">Thanks<\/option>/.exec(html)?.[1]
  expect(await page(support, `/office/messages/1?template=${option}`)).toContain('Thank you for writing.</textarea>')
})

test('assigning takes staff who can answer; the list filters by them', async () => {
  const path = `${store.origin}/office/messages/1`
  expect((await support.ask(path, { form: { intent: 'assign', to: 'warehouse@example.com' } })).status).toBe(409)
  expect((await support.ask(path, { form: { intent: 'assign', to: 'support@example.com' } })).status).toBe(303)
  expect(await page(support, '/office/messages?mine=yes')).toContain('>R-1<')
  expect(await page(manager, '/office/messages?mine=yes')).not.toContain('>R-1<')
  for (const odd of ['?after=x', '?after=1~2026-99', '?show=x&kind=%27', '?after=999999999999999'])
    expect((await support.ask(`${store.origin}/office/messages${odd}`)).status).toBe(200)
})

test('email preferences open without sign-in, have no effect until saved, and store the selection', async () => {
  const config = readConfig({ DATABASE_URL: 'postgres://localhost/none', PUBLIC_ORIGIN: store.origin })
  if (!config.ok) throw new Error('no configuration')
  const address = mailPreferencesUrl(config.value, 'ann@example.com')
  const guest = createVisitor()
  const shown = await (await guest.ask(address)).text()
  expect(shown).toContain('ann@example.com')
  expect(shown.match(/checked=""/g)).toHaveLength(4)
  const stops = () =>
    store.database.db
      .selectFrom('mail_stop')
      .select('kind')
      .where('email', '=', 'ann@example.com')
      .orderBy('kind')
      .execute()
  expect(await stops()).toEqual([])
  const saved = await guest.ask(address, { form: { intent: 'save', 'rotation-due': '1', 'referral-invite': '1' } })
  expect(saved.status).toBe(200)
  expect(await saved.text()).toContain('Saved.')
  expect((await stops()).map(({ kind }) => kind)).toEqual(['membership-ending', 'review-invitation'])
  await guest.ask(address, { form: { intent: 'stop-all' } })
  expect(await stops()).toHaveLength(4)
  for (const query of [
    '',
    '?of=',
    '?of=AAAA',
    `?of=${'A'.repeat(4_000)}`,
    `?of=${address.split('of=')[1]?.slice(1)}`,
  ]) {
    expect((await guest.ask(`${store.origin}/email-preferences${query}`)).status).toBe(404)
    const posted = await guest.ask(`${store.origin}/email-preferences${query}`, { form: { intent: 'stop-all' } })
    expect(posted.status).toBe(404)
  }
})

test('the account page leads to the preferences of its verified email', async () => {
  const dana = createVisitor()
  await signInAt(store.origin, dana)
  expect(await (await dana.ask(`${store.origin}/account`)).text()).toContain('href="/email-preferences"')
  expect(await (await dana.ask(`${store.origin}/email-preferences`)).text()).toContain('dana@example.com')
})

test('the confirmation of a message answers into the thread, too', async () => {
  await send('lou@example.com', 'Hello?')
  const mail = await newestMail(store, 'lou@example.com', 'We have your message')
  expect(mail.headers['reply-to']).toContain('@reply.sidewall.example')
  expect(() => linkIn(mail, '/stop-mails')).toThrow()
})

test('an answer written in the mailbox comes back into the thread', async () => {
  const id = await send('ray@example.com', 'Do you open on Sunday?')
  await newestMail(store, 'ray@example.com', 'We have your message')
  const found = (await (await fetch(`${store.sandboxOrigin}/mailbox.json?to=ray@example.com`)).json()) as {
    messages: { id: string }[]
  }
  const text = new URLSearchParams({ text: 'I mean the one on <i>Halsted</i>.' })
  await fetch(`${store.sandboxOrigin}/mailbox/${found.messages[0]?.id}/answer`, { method: 'POST', body: text })
  const html = await eventually('the answer', async () => {
    const shown = await page(support, `/office/messages/${id}`)
    return shown.includes('I mean the one on') ? shown : undefined
  })
  expect(html).toContain('&lt;i&gt;Halsted&lt;/i&gt;')
  expect(html).toContain('ray@example.com')
})

test('a bounced address is in the staff queue and can be resent', async () => {
  await send('gone+1@example.com', 'Hello?')
  const html = await eventually('the bounce', async () => {
    const shown = await page(support, '/office/messages/bounces')
    return shown.includes('gone+1@example.com') ? shown : undefined
  })
  expect(html).toContain('5.1.1')
  expect(await page(support, '/office')).toContain('Bounced emails')
  const id = /name="id" value="(\d+)"/.exec(html)?.[1] ?? ''
  const clear = (visitor: typeof support) =>
    visitor.ask(`${store.origin}/office/messages/bounces`, { form: { intent: 'clear', id } })
  expect(id).not.toBe('')
  expect((await clear(warehouse)).status).toBe(403)
  expect((await clear(support)).status).toBe(303)
  expect((await clear(support)).status).toBe(409)
  expect(await page(support, '/office/messages/bounces')).not.toContain('gone+1@example.com')
})

test('a complaint stops everything that can be stopped', async () => {
  await send('complains+1@example.com', 'Hello?')
  const stops = () =>
    store.database.db.selectFrom('mail_stop').select('kind').where('email', '=', 'complains+1@example.com').execute()
  await eventually('the complaint', async () => ((await stops()).length === allStoppable.length ? true : undefined))
})

test.for([
  ['/webhooks/mail', 'application/json', '{"signature":{},"event-data":{}}', 406],
  ['/webhooks/mail-in', 'application/x-www-form-urlencoded', 'recipient=reply%2Br1-0', 406],
  ['/webhooks/mail-in', 'multipart/form-data; boundary=x', 'x', 406],
  ['/webhooks/mail-in', 'text/plain', 'x', 406],
  ['/webhooks/texts', 'application/x-www-form-urlencoded', 'From=%2B13125550142&Body=STOP&MessageSid=SM1', 403],
  ['/webhooks/texts', 'application/json', '\0', 403],
  ['/webhooks/texts/status', 'application/x-www-form-urlencoded', 'MessageSid=SM1&MessageStatus=failed', 403],
  ['/webhooks/mail-in', 'application/x-www-form-urlencoded', 'x'.repeat(9_000_000), 413],
] as const)('%s refuses %s that nobody signed', async ([path, type, body, status]) => {
  const headers = { 'content-type': type, 'x-twilio-signature': 'AAAA' }
  expect((await fetch(`${store.origin}${path}`, { method: 'POST', headers, body })).status).toBe(status)
})
