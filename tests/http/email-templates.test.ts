/** Email templates over HTTP: the list, the preview with samples and with an order, tests, and the email sent after a change. */
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
const support = createVisitor()
const manager = createVisitor()
beforeAll(async () => {
  store = await startStore()
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const address = (kind = '') => `${store.origin}/office/email-templates${kind && `/${kind}`}`
const page = async (visitor: typeof support, url: string) => (await visitor.ask(url)).text()

test('every kind of email is listed, and shown with both of its parts', async () => {
  const first = await page(manager, address())
  const next = /href="([^"]*after=[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&')
  const list = first + (next ? await page(manager, new URL(next, store.origin).href) : '')
  const kinds = (await readdir('content/mail')).map((name) => name.replace('.md', ''))
  const listed = [...list.matchAll(/href="\/office\/email-templates\/([\w-]+)"/g)].map(([, kind]) => kind)
  expect(new Set(listed)).toEqual(new Set(kinds))
  for (const kind of kinds) {
    const answer = await support.ask(address(kind))
    const html = await answer.text()
    expect(answer.status, kind).toBe(200)
    expect(html, kind).toContain('sandbox=""')
    expect(html, kind).toContain('Plain text')
    expect(html, kind).not.toContain('name="subject"')
  }
  for (const odd of ['constructor', 'order-received%2f', 'x'.repeat(300)])
    expect((await support.ask(address(odd))).status, odd).toBe(404)
})

const form = (change: Record<string, string> = {}) => ({
  version: '0',
  subject: 'We got it',
  body: '# Thanks for writing\r\n\r\nWe answer {{about}} within {{answerWithin}}. Your number: {{requestNumber}}.\r\n\r\n{{phone}}, {{supportHours}}',
  order: '',
  ...change,
})

test('a change is previewed, sent as a test, saved, and in the next email at once', async () => {
  const url = address('support-received')
  const wrong = await manager.ask(url, { form: form({ intent: 'save', body: 'Hello {{firstName}} <i>' }) })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  expect(again).toContain('{{firstName}} isn’t a variable of this email. Use {{about}}, ')
  expect(again).toContain('Hello {{firstName}} &lt;i&gt;')
  const preview = await manager.ask(url, { form: form({ intent: 'preview' }) })
  expect(preview.status).toBe(200)
  const shown = await preview.text()
  expect(shown).toContain('Thanks for writing')
  expect(shown).toContain('Your number: R-12.')
  expect(shown).toContain('value="We got it"')
  expect((await manager.ask(url, { form: form({ intent: 'test' }) })).status).toBe(200)
  expect((await newestMail(store, 'manager@example.com', '[Test] ')).text).toContain('Your number: R-12.')

  const saved = await manager.ask(url, { form: form({ intent: 'save' }) })
  expect(saved.headers.get('location')).toBe('/office/email-templates/support-received?done=saved')
  const contact = {
    firstName: 'Kim',
    lastName: 'Diaz',
    email: 'kim@example.com',
    phone: '(312) 555-0142',
    orderNumber: '',
    subject: 'Something else',
    message: 'Which size fits?',
  }
  const body = new FormData()
  for (const [name, value] of Object.entries(contact)) body.append(name, value)
  expect((await createVisitor().ask(`${store.origin}/contact`, { form: body })).status).toBe(303)
  expect((await newestMail(store, 'kim@example.com', 'We got it')).text).toContain('Thanks for writing')
  const late = await manager.ask(url, { form: form({ intent: 'save', subject: 'Late tab' }) })
  expect(late.status).toBe(409)
  expect(await late.text()).toContain('Saved now: We got it')
  expect(await page(manager, `${address()}?edited=yes`)).toContain('manager@example.com')
  const reset = await manager.ask(url, { form: { intent: 'reset', version: '1' } })
  expect(reset.headers.get('location')).toContain('done=reset')
})

test('a preview with an order has its values, and no code of it', async () => {
  const order = /S-\d+/.exec(await page(manager, `${store.origin}/office/orders`))?.[0] ?? expect.unreachable()
  const shown = await page(manager, `${address('order-delivered')}?order=${order}`)
  expect(shown).not.toContain('That order has no email of this kind.')
  // In the subject, in the text and in the HTML part.
  expect(shown.split(order).length).toBeGreaterThan(4)
  expect(await page(manager, `${address('order-delayed')}?order=${order}`)).toContain('has no email of this kind.')
  const unknown = await page(manager, `${address('order-delivered')}?order=S-1`)
  expect(unknown).toContain('That order has no email of this kind.')
  const refusal = await manager.ask(address('order-delivered'), {
    form: { ...form({ intent: 'preview', order: 'S-1' }), body: 'x' },
  })
  expect(refusal.status).toBe(422)
})
