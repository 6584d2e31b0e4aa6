import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { ownSecrets } from '#tests/support/own-secrets.ts'

const DATABASE_URL = 'postgres://localhost/sidewall'

test('the demo requires only a database', () => {
  const read = readConfig({ DATABASE_URL, PORT: '' })
  expect(read).toMatchObject({ ok: true, value: { demo: true, web: { port: 4000 }, payments: { kind: 'sandbox' } } })
})

test('a demo is not indexed by default; a real store is', () => {
  const isListed = (env: Record<string, string>) => {
    const read = readConfig({ DATABASE_URL, ...env })
    return read.ok && read.value.search.isListed
  }
  const own = { DEMO: '0', STORE_ADDRESS, ...ownSecrets }
  expect(isListed({})).toBe(false)
  expect(isListed(own)).toBe(true)
  expect(isListed({ INDEX: '1' })).toBe(true)
  expect(isListed({ ...own, INDEX: '0' })).toBe(false)
})

const STORE_ADDRESS = '7 Harbor Road, Duluth, MN 55802'

test('a store that is not a demo starts without its details, which the checklist asks for', () => {
  const read = readConfig({ DATABASE_URL, DEMO: '0', ...ownSecrets })
  expect(read.ok ? [] : read.faults.map((fault) => fault.name)).toEqual([])
})

test('reports all errors together, without values', () => {
  const read = readConfig({ PORT: 'secret', SANDBOX_PORT: '70000', DEMO: 'yes' })
  expect(read).toEqual({
    ok: false,
    faults: [
      { name: 'DATABASE_URL', problem: 'must be given' },
      { name: 'PORT', problem: 'must be a whole number from 1 to 65535' },
      { name: 'DEMO', problem: 'must be 0 or 1' },
      { name: 'SANDBOX_PORT', problem: 'must be a whole number from 1 to 65535' },
    ],
  })
})

test('a sign-in provider must be configured completely or not at all', () => {
  const identityOf = (env: Record<string, string>) => {
    const read = readConfig({ DATABASE_URL, ...env })
    return read.ok ? read.value.identity : read.faults.map((fault) => fault.name)
  }
  const own = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'store', OIDC_CLIENT_SECRET: 'secret' }
  expect(identityOf({ SANDBOX_PORT: '4701' })).toMatchObject({
    issuer: 'http://localhost:4701/identity',
    clientId: 'sidewall',
  })
  expect(identityOf(own)).toMatchObject({ issuer: 'https://id.example', clientId: 'store', editProfileUrl: null })
  expect(identityOf({ OIDC_ISSUER: 'https://id.example' })).toEqual(['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])
  expect(identityOf({ PAYMENTS: 'stripe', ...ownSecrets })).toBeNull()
  // The sandbox's people and passwords are public.
  expect(identityOf({ DEMO: '0', STORE_ADDRESS, ...ownSecrets })).toBeNull()
})

const names = [
  'SESSION_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'EASYPOST_API_KEY',
  'CARRIER_CALLBACK_SECRET',
]
const faultsOf = (env: Record<string, string>) => {
  const read = readConfig({ DATABASE_URL, ...env })
  return read.ok ? [] : read.faults.map((fault) => fault.name)
}

test('real payments refuse the secrets published in this repository', () => {
  const env = { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }
  expect(faultsOf(env)).toEqual([
    'SESSION_SECRET',
    'STRIPE_WEBHOOK_SECRET',
    'EASYPOST_API_KEY',
    'CARRIER_CALLBACK_SECRET',
  ])
})

test.for([
  { DEMO: '0', STORE_ADDRESS },
  { PUBLIC_ORIGIN: 'https://store.example' },
  { PUBLIC_ORIGIN: 'http://192.168.1.20:4000' },
  { PUBLIC_ORIGIN: 'http://localhost.store.example' },
])('so does a store that is publicly reachable or not a demo: %j', (env) => {
  expect(faultsOf(env)).toEqual(names)
  expect(faultsOf({ ...env, ...ownSecrets })).toEqual([])
})

test.for(['http://localhost:4000', 'http://shop.localhost', 'http://127.0.0.1:4000', 'http://[::1]:4000'])(
  'a local demo uses the demo secrets: %s',
  (origin) => {
    expect(faultsOf({ PUBLIC_ORIGIN: origin })).toEqual([])
  },
)

test('a custom secret must be 32 random bytes, as hex or base64, even in a demo', () => {
  const bytes = randomBytes(32)
  for (const good of [
    bytes.toString('hex'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    randomBytes(48).toString('base64'),
  ]) {
    for (const name of ['SESSION_SECRET', 'CARRIER_CALLBACK_SECRET']) expect(faultsOf({ [name]: good })).toEqual([])
  }
  const bad = {
    short: randomBytes(31).toString('hex'),
    'one letter': 'a'.repeat(64),
    'sixteen letters': 'a'.repeat(16),
    'few letters': '0123456789abcdef'.repeat(4),
    words: 'correct horse battery staple, and some more words',
    'repeated words': 'password'.repeat(8),
  }
  for (const text of Object.values(bad)) {
    for (const name of ['SESSION_SECRET', 'CARRIER_CALLBACK_SECRET'])
      expect({ text, faults: faultsOf({ [name]: text }) }).toEqual({ text, faults: [name] })
  }
})
