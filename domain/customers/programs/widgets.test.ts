import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { affiliateForm } from './partner-form.ts'
import { commissionOf, mostOrigins, originOfSite, originsOf, widgetIdOf } from './widgets.ts'

test.for([
  ['https://www.example.com', 'https://www.example.com'],
  ['www.Example.com/tires?x=1', 'https://www.example.com'],
  ['https://example.com:8443/', 'https://example.com:8443'],
  ['http://example.com', undefined],
  ['https://localhost', undefined],
  ['https://user@example.com', undefined],
  ['javascript:alert(1)', undefined],
  ['', undefined],
] as const)('%s is the origin %s', ([typed, origin]) => {
  expect(originOfSite(typed)).toBe(origin)
})

test('sites are read one from each line, once each, and up to a number', () => {
  expect(originsOf('https://a.example\n\n a.example/x \nhttps://b.example')).toEqual({
    origins: ['https://a.example', 'https://b.example'],
  })
  expect(originsOf('https://a.example\nno site')).toEqual({ wrong: 'no site' })
  expect(originsOf('')).toEqual({ wrong: null })
  expect(originsOf(Array.from({ length: mostOrigins + 1 }, (_, at) => `a${at}.example`).join('\n'))).toEqual({
    wrong: null,
  })
})

test('commission is rounded down and never negative', () => {
  expect(commissionOf(86_757, 300)).toBe(2602)
  expect(commissionOf(33, 300)).toBe(0)
  expect(commissionOf(-500, 300)).toBe(0)
})

test('a key is exactly one', () => {
  expect(widgetIdOf('wk_LakeshoreCyclingDemo')).toBe('wk_LakeshoreCyclingDemo')
  expect(widgetIdOf('wk_short')).toBeUndefined()
  expect(widgetIdOf(`wk_${'a'.repeat(21)}`)).toBeUndefined()
})

test('the widget’s script has at most 30 kB, compressed, and takes no markup from data', () => {
  const script = readFileSync('widget/element.js', 'utf8')
  expect(gzipSync(script).length).toBeLessThanOrEqual(30_000)
  expect(script).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|document\.cookie|localStorage/)
})

test.each([
  ['no address', { channel: 'my channel' }],
  ['http', { channel: 'http://towing.example' }],
  ['nobody reads it', { people: '0' }],
  ['no name', { business: ' ' }],
])('an affiliate’s form is refused: %s', (_, wrong) => {
  const typed = {
    business: 'Towing',
    channel: 'towing.example',
    name: 'Ana',
    email: 'ana@example.com',
    phone: '3125550100',
    people: '1',
  }
  expect(affiliateForm.safeParse(typed).success).toBe(true)
  expect(affiliateForm.safeParse({ ...typed, ...wrong }).success).toBe(false)
})
