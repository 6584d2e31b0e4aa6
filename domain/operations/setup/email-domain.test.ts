import { expect, test } from 'vitest'
import { checkDomain, domainOf } from './email-domain.ts'

const good = {
  'mail.example.com': ['google-site-verification=x', 'v=spf1 include:mailgun.org ~all'],
  'k1._domainkey.mail.example.com': ['k=rsa; p=MIGfMA0'],
  '_dmarc.example.com': ['v=DMARC1; p=none; rua=mailto:x@example.com'],
}
const check = (change: Record<string, string[]> = {}) => {
  const records: Record<string, string[]> = { ...good, ...change }
  const texts = async (name: string) => ({ ok: true as const, value: records[name] ?? [] })
  return checkDomain({ texts }, 'mail.example.com')
}

test('a domain with SPF, DKIM and DMARC passes; DMARC may be that of the parent domain', async () => {
  expect(await check()).toEqual({
    passed: true,
    words: 'mail.example.com: SPF, DKIM (k1) and DMARC (none) are set up',
  })
  const own = await check({ '_dmarc.mail.example.com': ['v=DMARC1;p=reject'] })
  expect(own.words).toContain('DMARC (reject)')
})

test.for<[string, Record<string, string[]>, string]>([
  ['no SPF', { 'mail.example.com': [] }, 'SPF: no record.'],
  ['two SPF records', { 'mail.example.com': ['v=spf1 -all', 'v=spf1 ~all'] }, 'SPF: more than one record.'],
  ['SPF for everyone', { 'mail.example.com': ['v=spf1 +all'] }, 'SPF: the record allows every server.'],
  ['no key', { 'k1._domainkey.mail.example.com': [] }, 'DKIM: no key under the usual names.'],
  ['a revoked key', { 'k1._domainkey.mail.example.com': ['v=DKIM1; p='] }, 'DKIM: no key'],
  ['no DMARC', { '_dmarc.example.com': ['v=DMARC1'] }, 'DMARC: no policy.'],
])('a domain with %s fails', async ([, change, words]) => {
  const found = await check(change)
  expect(found.passed).toBe(false)
  expect(found.words).toContain(words)
  expect(found.words.length).toBeLessThanOrEqual(300)
})

test('a resolver that does not answer is no finding about the domain', async () => {
  const texts = async () => ({ ok: false as const, reason: 'unavailable' as const })
  expect((await checkDomain({ texts }, 'example.com')).words).toContain('did not answer about example.com')
})

test('the domain of a sender', () => {
  expect(domainOf('Sidewall <help@Mail.Example.com>')).toBe('mail.example.com')
  expect(domainOf('help@example.com')).toBe('example.com')
  for (const odd of ['', 'help', 'a@localhost', '<@>', '@'.repeat(5_000)]) expect(domainOf(odd)).toBeNull()
})
