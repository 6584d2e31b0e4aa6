import { expect, test } from 'vitest'
import { readConfig, type Config } from '#platform/config.ts'
import { ownSecrets } from '#tests/support/own-secrets.ts'
import { mayBeFramed, mayHaveFiles, mayHaveMap, paymentPartOf, securityHeaders } from './security.ts'

function configOf(env: Record<string, string> = {}): Config {
  const read = readConfig({ DATABASE_URL: 'postgres://localhost/x', ...env })
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  return read.value
}

/** The sources of one directive. */
function sourcesOf(headers: Record<string, string>, name: string): string[] {
  const policy = headers['content-security-policy'] ?? ''
  const found = policy.split('; ').filter((rule) => rule.startsWith(`${name} `))
  expect(found).toHaveLength(1)
  return (found[0] ?? '').split(' ').slice(1)
}

const realPayments = { PAYMENTS: 'stripe', ...ownSecrets }

test('a document without script doesn’t allow scripts', () => {
  expect(sourcesOf(securityHeaders(configOf(), null), 'script-src')).toEqual(["'none'"])
})

test('only scripts from the store itself, or those it sent inline, are allowed', () => {
  expect(sourcesOf(securityHeaders(configOf(), ["'nonce-x'"]), 'script-src')).toEqual(["'self'", "'nonce-x'"])
})

test('with real payments, their provider is also allowed where is paid', () => {
  const headers = securityHeaders(configOf(realPayments), [], { payment: 'pay' })
  expect(sourcesOf(headers, 'script-src')).toEqual(["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com'])
  expect(sourcesOf(headers, 'connect-src')).toEqual(["'self'", 'https://api.stripe.com'])
  expect(sourcesOf(headers, 'frame-src')).toEqual([
    'https://js.stripe.com',
    'https://*.js.stripe.com',
    'https://hooks.stripe.com',
    'https://checkout.stripe.com',
  ])
})

test('forms may lead to the sign-in provider, and frames may show its One Tap', () => {
  const identity = { OIDC_ISSUER: 'https://id.example/realm', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'x' }
  const oneTap = {
    OIDC_ONE_TAP_VERIFY_URL: 'https://id.example/verify',
    OIDC_ONE_TAP_FRAME_URL: 'https://frames.id.example/tap',
  }
  const headers = securityHeaders(configOf({ ...realPayments, ...identity, ...oneTap }), [])
  expect(sourcesOf(headers, 'form-action').at(-1)).toBe('https://id.example')
  expect(sourcesOf(headers, 'frame-src').at(-1)).toBe('https://frames.id.example')
})

test('HSTS is sent only by a store that has TLS', () => {
  expect(
    securityHeaders(configOf({ PUBLIC_ORIGIN: 'https://store.example', ...ownSecrets }), null)[
      'strict-transport-security'
    ],
  ).toBe('max-age=31536000; includeSubDomains')
  expect(securityHeaders(configOf(), null)).not.toHaveProperty('strict-transport-security')
})

test.for([
  ['/', false],
  ['/account', false],
  ['/widget', false],
  ['/widgets/search', false],
  ['/checkout/payments/card', false],
  ['/widget/search', true],
] as const)('%s may be shown in a frame: %s', ([path, isFramed]) => {
  expect(mayBeFramed(path)).toBe(isFramed)
  const sources = sourcesOf(securityHeaders(configOf(), null, { isFramed: mayBeFramed(path) }), 'frame-ancestors')
  expect(sources).toEqual([isFramed ? '*' : "'none'"])
})

test.for([
  ['/tire-shops', true],
  ['/tire-shops/chicago-il', true],
  ['/checkout/shipping', true],
  ['/checkout/payments', false],
  ['/tire-shopsx', false],
  ['/', false],
] as const)('the origins of the operator’s map are allowed where a map is: %s, %s', ([path, hasMap]) => {
  const config = configOf({
    MAP_STYLE_URL: 'https://maps.example/style.json?key=1',
    MAP_ORIGINS: 'https://tiles.example',
  })
  const headers = securityHeaders(config, [], { hasMap: mayHaveMap(path) })
  const streets = hasMap ? ['https://maps.example', 'https://tiles.example'] : []
  expect(sourcesOf(headers, 'connect-src')).toEqual(["'self'", ...streets])
  expect(sourcesOf(headers, 'img-src')).toEqual(["'self'", 'data:', 'blob:', ...streets])
  expect(sourcesOf(headers, 'script-src')).toEqual(["'self'"])
})

test.for([
  ['/office', true],
  ['/office/returns/104001', true],
  ['/office.data', true],
  ['/officex', false],
  ['/portal/work', false],
  ['/', false],
] as const)('pictures come from the storage itself where staff look at them: %s, %s', ([path, hasFiles]) => {
  const config = configOf({ FILES_S3_BUCKET: 'files', FILES_S3_PUBLIC_ENDPOINT: 'https://files.example:9000/s3' })
  const headers = securityHeaders(config, [], { hasFiles: mayHaveFiles(path) })
  const storage = hasFiles ? ['https://files.example:9000'] : []
  expect(sourcesOf(headers, 'img-src')).toEqual(["'self'", 'data:', 'blob:', ...storage])
  expect(sourcesOf(headers, 'connect-src')).toEqual(["'self'"])
  expect(sourcesOf(securityHeaders(configOf(), [], { hasFiles }), 'img-src')).toEqual(["'self'", 'data:', 'blob:'])
})

test.for([
  ['/checkout/payments', 'pay'],
  ['/checkout/payments/apple-pay', 'pay'],
  ['/checkout/payments/card.data', 'pay'],
  ['/order-change/abc', 'fields'],
  ['/cart', 'wallets'],
  ['/brands/kestrel/aero-touring', 'wallets'],
  ['/brands/kestrel/aero-touring/p', 'wallets'],
  ['/brands/kestrel/aero-touring/p/12', 'wallets'],
  ['/brands/kestrel/aero-touring/reviews', null],
  ['/brands/kestrel', null],
  ['/cart/coupons', null],
  ['/checkout/payments-of-others', null],
  ['/checkout/order-summary', null],
  ['/checkout/shipping', null],
  ['/account', null],
  ['/office', null],
  ['/', null],
] as const)('what the payment provider may do on %s: %s', ([path, part]) => {
  expect(paymentPartOf(path)).toBe(part)
  const [real, played] = [realPayments, {}].map((env) =>
    securityHeaders(configOf(env), [], { payment: paymentPartOf(path) }),
  )
  if (!real || !played) throw new Error('There are two.')
  expect(real['cross-origin-opener-policy']).toBe(part === 'pay' ? 'same-origin-allow-popups' : 'same-origin')

  const asking = (headers: Record<string, string>) => /payment=\([^)]*\)/.exec(headers['permissions-policy'] ?? '')?.[0]
  const mayAsk = part === 'pay' || part === 'wallets'
  expect(asking(real)).toBe(mayAsk ? 'payment=(self "https://js.stripe.com" "https://pay.google.com")' : 'payment=()')
  expect(asking(played)).toBe(mayAsk ? 'payment=(self "http://localhost:4001")' : 'payment=()')

  const scripts = part === null ? [] : ['https://js.stripe.com', 'https://*.js.stripe.com']
  expect(sourcesOf(real, 'script-src')).toEqual(["'self'", ...scripts])
  expect(sourcesOf(played, 'script-src')).toEqual(["'self'", ...(mayAsk ? ['http://localhost:4001'] : [])])
  expect(sourcesOf(real, 'frame-src')).toEqual(
    part === null ? ["'none'"] : [...scripts, 'https://hooks.stripe.com', 'https://checkout.stripe.com'],
  )
})
