/** Email templates that staff edit, with refusals, concurrent edits, and the emails sent afterward. */
import { beforeAll, afterAll, expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { createTestDatabase, smallDataMadeAt, type TestDatabase } from '#tests/support/database.ts'
import { emailTemplateForm } from './email-template-form.ts'
import {
  findEmailTemplate,
  listEmailTemplates,
  previewTemplate,
  resetEmailTemplate,
  saveEmailTemplate,
} from './email-templates.server.ts'
import { newId } from '#platform/ids.ts'
import type { Mail } from './mail.port.ts'
import { queueMessage, sendMessage } from './messages.server.ts'
import { messageKinds } from './messages.ts'
import { checkTemplate } from './template-rules.server.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ from: 'empty' })
})
afterAll(() => database[Symbol.asyncDispose]())

const clock = { now: () => smallDataMadeAt }
const config = {
  web: { port: 1, origin: 'https://store.test', isSecure: true, proxyHops: 0 },
  store: { name: 'Sidewall', phone: '(800) 555-0142', email: 'help@store.test', address: '1 Elm St' },
  session: { secret: ['a-secret-of-at-least-32-characters-x'] },
} as unknown as Parameters<typeof sendMessage>[0]['config']
const deps = () => ({ db: database.db, clock })
const values = {
  orderNumber: 'S-1',
  minutes: '10',
  code: '482913',
  store: 'Sidewall',
}

/** Queues and sends an order code and returns the email. */
async function sent(key: string): Promise<Mail> {
  const mails: Mail[] = []
  await queueMessage(database.db, { kind: 'order-code', key, to: 'a@example.com', orderId: null, at: clock.now() })
  const { id } = await database.db.selectFrom('message').select('id').where('key', '=', key).executeTakeFirstOrThrow()
  const mailer = { send: async (mail: Mail) => (mails.push(mail), { ok: true as const, value: undefined }) }
  await sendMessage({ ...deps(), mailer, config }, id, async () => ({ values, attachments: [] }))
  return mails[0] ?? expect.unreachable()
}

const draft = {
  version: 0,
  subject: 'Code for {{orderNumber}}',
  body: '# Hi <b>\n\n{{code}} is yours, says {{store}}.',
}

test('the next email uses a saved template, until it is reset; a stale form is rejected', async () => {
  expect((await sent('one')).subject).not.toContain('Code for')
  expect((await saveEmailTemplate(deps(), desk, 'order-code', draft)).ok).toBe(true)
  const mail = await sent('two')
  expect(mail.subject).toBe('Code for S-1')
  expect(mail.text).toBe('Hi <b>\n\n482913 is yours, says Sidewall.')
  expect(mail.html).toContain('<h1>Hi &lt;b&gt;</h1>')
  expect(mail.html).not.toContain('<b>')
  expect(await saveEmailTemplate(deps(), desk, 'order-code', draft)).toMatchObject({ reason: 'changed-meanwhile' })
  expect(await resetEmailTemplate(deps(), desk, 'order-code', { version: 9 })).toMatchObject({
    reason: 'changed-meanwhile',
  })
  expect((await resetEmailTemplate(deps(), desk, 'order-code', { version: 1 })).ok).toBe(true)
  expect((await sent('three')).subject).not.toContain('Code for')
  // A form that was opened before the template was reset.
  expect(await saveEmailTemplate(deps(), desk, 'order-code', { ...draft, version: 1 })).toMatchObject({
    reason: 'changed-meanwhile',
  })
  const acts = await database.db.selectFrom('audit_entry').select(['act', 'after']).orderBy('id').execute()
  expect(acts).toMatchObject([
    { act: 'email-template.saved', after: { subject: draft.subject, body: draft.body } },
    { act: 'email-template.reset', after: null },
  ])
})

test('support staff can’t change a template', async () => {
  const stranger = { via: 'office', name: 'support@example.com', sessionId: newId(), networkKey: 'n' } as const
  expect(await saveEmailTemplate(deps(), stranger, 'order-code', draft)).toMatchObject({ reason: 'not-allowed' })
})

test.for([
  ['{{code}} {{order.number}}', '“{{order.number}}” isn’t a variable of this email. Use {{code}}, '],
  ['{{code}} {{firstName}}', '{{firstName}} isn’t a variable of this email. Use {{code}}, '],
  ['{{code}} {{constructor}}', '{{constructor}} isn’t a variable'],
  ['{{code}} {{#each x}}', 'isn’t a variable'],
  ['No code', 'Recipients need {{code}}. Put it back.'],
  ['{{code}} [x](javascript:alert(1))', 'A link can’t lead to “javascript:alert(1)”.'],
  ['{{code}} [x][a]\n\n[a]: data:text/html,x', 'A link can’t lead to'],
  ['{{code}} [x](https://evil.test/{{code}})', 'A link can’t lead to'],
  ['{{code}} ![x](https://evil.test/pixel)', 'Pictures aren’t supported'],
] as const)('refuses %j at the text', async ([body, message]) => {
  const saved = await saveEmailTemplate(deps(), desk, 'order-code', { version: 2, subject: 'Hello', body })
  expect(saved).toMatchObject({ reason: 'template-wrong', detail: { body: expect.stringContaining(message) } })
})

test('a table stands alone in the text, and never in the subject', async () => {
  const { released } = await findEmailTemplate(deps(), 'order-confirmed')
  const check = (change: object) => checkTemplate('order-confirmed', released, { ...released, ...change })
  expect(check({})).toEqual({})
  expect(check({ subject: 'Order {{rows}}' }).subject).toContain('Use it in the text only.')
  expect(check({ body: released.body.replace('{{rows}}', 'Total: {{rows}}') }).body).toContain('on a separate line')
  expect(check({ body: released.body.replace('{{claim}}', '') }).body).toBe('Recipients need {{claim}}. Put it back.')
})

test.for(messageKinds)(
  'the released template of %s passes the rules of edited ones, and renders the same',
  async (kind) => {
    const { released: template, variables } = await findEmailTemplate(deps(), kind)
    expect(checkTemplate(kind, template, template)).toEqual({})
    const text = variables.filter(({ isBlock }) => !isBlock).map(({ name }) => `{{${name}}}`)
    const every = { ...template, body: `${template.body}\n\n${text.join(' ')}` }
    const mail = await previewTemplate({ config }, kind, {
      template: every,
      trial: { values: null, picturedItem: null },
    })
    expect(mail.ok && mail.value.html).not.toMatch(/\{\{|undefined/)
  },
)

test('hostile values and text stay text, quickly', async () => {
  const hostile = '<script>alert(1)</script>](javascript:x) {{code}} "onload=x'
  const mail = await previewTemplate({ config }, 'order-code', {
    template: {
      subject: '{{orderNumber}}',
      body: '{{code}} <img src=x onerror=y> [a](https://x.test "{{store}}") {{orderNumber}}',
    },
    trial: { values: { ...values, orderNumber: `${hostile}\r\nBcc: x@evil.test`, store: hostile }, picturedItem: null },
  })
  const { subject, html } = mail.ok ? mail.value : expect.unreachable()
  expect(subject).not.toMatch(/[\r\n]/)
  expect(html).not.toMatch(/<script|<img|href="javascript|" onload/i)
  expect(html).toContain('&lt;img src=x')
  const began = performance.now()
  for (const part of [
    '*a **b ',
    '[',
    '[a](',
    '`',
    '![',
    '| a ',
    '> ',
    '- ',
    '_*',
    '{{',
    '<a ',
    '\\',
    'http://a.',
    '~~',
    '[a]: b\n',
  ])
    checkTemplate(
      'order-code',
      { subject: 'x', body: '{{code}}' },
      { subject: 'x', body: `{{code}}\n\n${part.repeat(10_000 / part.length)}` },
    )
  expect(performance.now() - began).toBeLessThan(10_000)
})

test('the form has a limit for every field', () => {
  const parse = (change: object) => emailTemplateForm.safeParse({ ...draft, ...change })
  expect(parse({ subject: 'a\r\nb c' }).data?.subject).toBe('a b c')
  for (const change of [{ subject: 'x'.repeat(151) }, { subject: ' ' }, { body: 'x'.repeat(10_001) }, { body: '\n' }])
    expect(parse(change).success, JSON.stringify(change).slice(0, 40)).toBe(false)
})

test('every kind is listed with its subject', async () => {
  expect((await listEmailTemplates(deps())).map(({ kind }) => kind)).toEqual(messageKinds)
})
