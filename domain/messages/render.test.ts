import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { messageKinds, stopKindOf } from './messages.ts'
import { previewMessage } from './preview.server.ts'
import { renderMessage } from './render.server.ts'

test('a value is text: Markdown and HTML in a name are escaped', async () => {
  const template = async () =>
    '---\nsubject: "Order {{orderNumber}}"\n---\n\n# Thank you, {{firstName}}.\n\n{{rows}}\n\n[See it]({{trackUrl}})\n'
  const mail = await renderMessage(
    'order-received',
    {
      orderNumber: 'S-1',
      firstName: '<img src=x>[a](b) https://evil.test www.evil.test a@evil.test',
      rows: [{ left: 'Total|', right: '$1.00', strong: true }],
      trackUrl: 'https://store.test/t?a=1',
    },
    { readTemplate: template },
  )
  expect(mail.subject).toBe('Order S-1')
  expect(mail.html).not.toContain('<img')
  expect(mail.html).not.toContain('href="b"')
  expect(mail.html).not.toMatch(/href="[^"]*evil/)
  expect(mail.html).toContain('<strong>$1.00</strong>')
  expect(mail.html).toContain('href="https://store.test/t?a=1"')
  expect(mail.text).toContain('Total|: $1.00')
  expect(mail.text).toContain('See it: https://store.test/t?a=1')
})

test('escapes control characters and direction marks in values, and line breaks in the subject', async () => {
  const template = async () =>
    '---\nsubject: "{{kind}}: {{subject}}"\n---\n\n# {{subject}}\n\n{{rows}}\n\n{{message}}\n'
  const hostile = 'a\u202eb\x1b[31mc\x9bd'
  const mail = await renderMessage(
    'support-request',
    {
      kind: 'Message',
      subject: `${hostile}\nBcc: x`,
      message: `first\nsecond ${hostile}`,
      rows: [{ left: hostile, right: hostile }],
    },
    { readTemplate: template },
  )
  const shown = 'a\\u{202e}b\\u{1b}[31mc\\u{9b}d'
  expect(mail.subject).toBe(`Message: ${shown} Bcc: x`)
  expect(mail.text).toContain(`${shown}: ${shown}`)
  expect(mail.text).toContain(`first\nsecond ${shown}`)
  for (const part of [mail.text, mail.html]) expect(part).not.toMatch(/[\x1b\x9b\u202e]/)
})

test('detects a missing value', async () => {
  await expect(
    renderMessage('order-shipped', {}, { readTemplate: async () => '---\nsubject: "x"\n---\n\n{{carrier}}\n' }),
  ).rejects.toThrow('carrier')
})

test('every template has its kind, and every kind its template', async () => {
  const files = await readdir(new URL('../../content/mail/', import.meta.url))
  expect(files.toSorted()).toEqual(messageKinds.map((kind) => `${kind}.md`).toSorted())
})

test.for(messageKinds)('the template of %s exists and has a subject', async (kind) => {
  const source = await readFile(new URL(`../../content/mail/${kind}.md`, import.meta.url), 'utf8')
  const names = [...source.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '')
  const mail = await renderMessage(kind, Object.fromEntries(names.map((name) => [name, name])))
  expect(mail.subject.length).toBeGreaterThan(5)
})

test.for(messageKinds)('in the text of %s every URL ends its line, and no Markdown is left', async (kind) => {
  const source = await readFile(new URL(`../../content/mail/${kind}.md`, import.meta.url), 'utf8')
  const names = [...source.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '')
  const values = Object.fromEntries(
    names.map((name) => [name, name.endsWith('Url') ? `https://store.test/${name}` : name]),
  )
  const footer = {
    stopUrl: 'https://store.test/stop',
    stops: 'them',
    preferencesUrl: 'https://store.test/preferences',
    store: { name: 'Sidewall', address: '1 Elm St' },
  }
  const { text } = await renderMessage(kind, values, { footer: stopKindOf(kind) ? footer : null })
  for (const [, after] of text.matchAll(/https:\S+(.*)/g)) expect(after).toBe('')
  expect(text).not.toMatch(/https:\S*[:.,;)]$/m)
  expect(text).not.toMatch(/\]\(|\*\*|^#/m)
  expect(text.includes('Sidewall, 1 Elm St\n\nStop them: https://store.test/stop')).toBe(stopKindOf(kind) !== null)
})

test.for(messageKinds)('%s can be previewed with sample values', async (kind) => {
  const mail = await previewMessage(
    {
      web: { port: 1, origin: 'https://store.test', isSecure: true, proxyHops: 0 },
      store: { name: 'Sidewall', phone: '(800) 555-0142', email: 'help@store.test', address: '1 Elm St' },
    },
    kind,
  )
  expect(mail.text).not.toContain('{{')
  expect(mail.html).not.toMatch(/\{\{|undefined/)
  // Every time of day names its zone; times to choose from share one.
  const isShared = /Times are in [A-Z]{2,4}\b/.test(mail.text)
  const text = isShared ? mail.text.replaceAll(/\w{3}, \w{3} \d+, \d+:\d\d [AP]M\b/g, '') : mail.text
  expect(text).not.toMatch(/\d [AP]M(?! [A-Z]{2,4}\b)/)
})

test('lines of an answer stay lines, and what looks like Markdown in them stays text', async () => {
  const template = async () => '---\nsubject: "Re"\n---\n\n{{answer}}\n'
  const mail = await renderMessage(
    'support-answer',
    { answer: { lines: ['# Hello *Dana*,', '', '<b>[x](https://evil.test)</b>'] } },
    { readTemplate: template },
  )
  expect(mail.text).toBe('# Hello *Dana*,\n\n<b>[x](https://evil.test)</b>')
  expect(mail.html).toContain('<br>')
  expect(mail.html).not.toMatch(/<h1|<em|<b>|href="https:\/\/evil/)
})
