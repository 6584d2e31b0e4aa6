import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { messageKinds, stopKindOf } from './messages.ts'
import { previewMessage } from './preview.server.ts'
import { renderMessage } from './render.server.ts'
import { placeholdersOf } from '#platform/placeholders.ts'

test('a value is text, so Markdown and HTML in a name are escaped', async () => {
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
  const files = await readdir(new URL('../../../content/mail/', import.meta.url))
  expect(files.toSorted()).toEqual(messageKinds.map((kind) => `${kind}.md`).toSorted())
})

test.for(messageKinds)('the template of %s exists and has a subject', async (kind) => {
  const source = await readFile(new URL(`../../../content/mail/${kind}.md`, import.meta.url), 'utf8')
  const names = placeholdersOf(source)
  const mail = await renderMessage(kind, Object.fromEntries(names.map((name) => [name, name])))
  expect(mail.subject.length).toBeGreaterThan(5)
})

test.for(messageKinds)('in the text of %s every URL ends its line, and no Markdown is left', async (kind) => {
  const source = await readFile(new URL(`../../../content/mail/${kind}.md`, import.meta.url), 'utf8')
  const names = placeholdersOf(source)
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

test.for(messageKinds)('every number in %s has its noun in the singular when it is one', async (kind) => {
  const names = placeholdersOf(await readFile(new URL(`../../../content/mail/${kind}.md`, import.meta.url), 'utf8'))
  const { text } = await renderMessage(kind, Object.fromEntries(names.map((name) => [name, '1'])))
  expect(text).not.toMatch(/\b1 (?:business )?(?:days|hours|minutes|months|miles|tires|orders|times)\b/)
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
  for (const [, host] of mail.html.matchAll(/(?:src|href)="(https?:\/\/[^/"]+)/g))
    expect(host).toBe('https://store.test')
  expect(mail.html).not.toMatch(/\{\{|undefined/)
  // Every time of day names its zone; times to choose from share one.
  const isShared = /Times are in [A-Z]{2,4}\b/.test(mail.text)
  const text = isShared ? mail.text.replaceAll(/\w{3}, \w{3} \d+, \d+:\d\d [AP]M\b/g, '') : mail.text
  expect(text).not.toMatch(/\d [AP]M(?! [A-Z]{2,4}\b)/)
})

/** Tags without an end tag. */
const voidTags = new Set(['meta', 'img', 'br', 'hr', 'input', 'link'])

/**
 * Returns errors in an email's HTML, such as wrong nesting, and missing workarounds for Outlook for Windows, which
 * renders with Word.
 */
function mailFaults(html: string): string[] {
  const faults: string[] = []
  const open: string[] = []
  for (const [, end, name = '', attributes = ''] of html
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .matchAll(/<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*\/?>/g)) {
    const names = [...attributes.matchAll(/([a-z-]+)=/g)].map(([, attribute = '']) => attribute)
    if (new Set(names).size < names.length) faults.push(`<${name}> repeats an attribute`)
    if (end) {
      if (open.at(-1) !== name) faults.push(`</${name}> closes <${open.at(-1) ?? 'nothing'}>`)
      open.pop()
    } else if (!voidTags.has(name)) open.push(name)
    if (name === 'div' || name === 'style' || name === 'script' || name === 'form') faults.push(`<${name}>`)
    if (!end && name === 'table' && !/ width="\d+%?"/.test(attributes)) faults.push('<table> without a width')
    if (!end && name === 'img' && !(names.includes('alt') && names.includes('height')))
      faults.push('<img> without alt or height')
    if (/max-width/.test(attributes) && name !== 'table') faults.push(`max-width on <${name}>`)
    if (/display:\s*(?:flex|grid)|position:|float:/.test(attributes)) faults.push(`layout by style on <${name}>`)
  }
  if (open.length > 0) faults.push(`never closed: ${open.join(' ')}`)
  if (
    html
      .replaceAll(/<!--[\s\S]*?-->/g, '')
      .replaceAll(/<[^<>]*>/g, '')
      .match(/[<>]/)
  )
    faults.push('a stray < or >')
  for (const meta of ['color-scheme', 'supported-color-schemes', 'viewport'])
    if (!html.includes(`<meta name="${meta}"`)) faults.push(`no ${meta}`)
  if (!/<!--\[if mso\]><table [^>]*width="560"/.test(html)) faults.push('no table of a fixed width for Outlook')
  return faults
}

test.for(messageKinds)('the HTML of %s is well formed and keeps its width in Outlook', async (kind) => {
  const mail = await previewMessage(
    {
      web: { port: 1, origin: 'https://store.test', isSecure: true, proxyHops: 0 },
      store: { name: 'Sidewall', phone: '(800) 555-0142', email: 'help@store.test', address: '1 Elm St' },
    },
    kind,
  )
  expect(mailFaults(mail.html)).toEqual([])
})

test('the head of a branded store is well formed, too', async () => {
  const brand = {
    name: 'Halsted <Tire>',
    logoUrl: 'https://store.test/logo?a=1&b=2',
    color: '#123456',
    textColor: '#fff',
    poweredBy: 'Sidewall',
  }
  const readTemplate = async () => '---\nsubject: "Hello"\n---\n\n# Hello\n'
  const { html } = await renderMessage('order-shipped', {}, { brand, readTemplate })
  expect(mailFaults(html)).toEqual([])
  expect(mailFaults('<html><body><div style="max-width:560px"><table><tr><td>x</table></body></html>')).toEqual(
    expect.arrayContaining(['<div>', 'max-width on <div>', '<table> without a width', '</table> closes <td>']),
  )
})

/** The mails about an order, a quote or a return that name the tires before anything else. */
const kindsWithTires = messageKinds.filter((kind) =>
  /^(?:order-(?:received|unconfirmed|confirmed|shipped|delivered|canceled|delayed|refunded|lines-canceled)|quote|return-(?:labels|received|refunded|refused)|pickup-ready)$/.test(
    kind,
  ),
)

test.for(kindsWithTires)('%s starts with picture, brand, model, size and quantity of the tires', async (kind) => {
  const mail = await previewMessage(
    {
      web: { port: 1, origin: 'https://store.test', isSecure: true, proxyHops: 0 },
      store: { name: 'Sidewall', phone: '(800) 555-0142', email: 'help@store.test', address: '1 Elm St' },
    },
    kind,
    { picturedItem: 1 },
  )
  expect(mail.text.split('\n').filter(Boolean)[1]).toBe('4 × Kestrel Alltide AS2 225/65R17 102H')
  expect(mail.html).toMatch(/<\/h1>\s*<table[^>]*><tr><td[^>]*><img src="[^"]*\/pictures\/mail\/1\.png"/)
  expect(mail.html).toContain('Quantity: 4')
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
