import { expect, test } from 'vitest'
import { readConfig } from '#platform/config.ts'

const DATABASE_URL = 'postgres://localhost/sidewall'

test('nothing but a database is needed for the demo', () => {
  const read = readConfig({ DATABASE_URL, PORT: '' })
  expect(read).toMatchObject({ ok: true, value: { demo: true, web: { port: 4000 }, payments: { kind: 'sandbox' } } })
})

test('a demo is not offered to search engines unless somebody says so; a store is', () => {
  const isListed = (env: Record<string, string>) => {
    const read = readConfig({ DATABASE_URL, ...env })
    return read.ok && read.value.search.isListed
  }
  expect([isListed({}), isListed({ DEMO: '0', STORE_ADDRESS }), isListed({ INDEX: '1' }), isListed({ DEMO: '0', INDEX: '0', STORE_ADDRESS })]).toEqual([
    false,
    true,
    true,
    false,
  ])
})

const STORE_ADDRESS = '7 Harbor Road, Duluth, MN 55802'

test('a store that is no demo says where post reaches it, which its mails must', () => {
  const read = readConfig({ DATABASE_URL, DEMO: '0' })
  expect(read.ok ? [] : read.faults.map((fault) => fault.name)).toContain('STORE_ADDRESS')
})

test('every fault is named at once, and no value is repeated', () => {
  const read = readConfig({ PORT: 'secret', SANDBOX_PORT: '70000', DEMO: 'yes' })
  expect(read).toEqual({
    ok: false,
    faults: [
      { name: 'PORT', problem: 'must be a whole number from 1 to 65535' },
      { name: 'SANDBOX_PORT', problem: 'must be a whole number from 1 to 65535' },
      { name: 'DATABASE_URL', problem: 'must be given' },
      { name: 'DEMO', problem: 'must be 0 or 1' },
    ],
  })
})

test('a sign-in provider is given whole or not at all', () => {
  const identityOf = (env: Record<string, string>) => {
    const read = readConfig({ DATABASE_URL, ...env })
    return read.ok ? read.value.identity : read.faults.map((fault) => fault.name)
  }
  const own = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'store', OIDC_CLIENT_SECRET: 'secret' }
  expect(identityOf({ SANDBOX_PORT: '4701' })).toMatchObject({ issuer: 'http://localhost:4701/identity', clientId: 'sidewall' })
  expect(identityOf(own)).toMatchObject({ issuer: 'https://id.example', clientId: 'store', editProfileUrl: null })
  expect(identityOf({ OIDC_ISSUER: 'https://id.example' })).toEqual(['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])
  expect(identityOf({ PAYMENTS: 'stripe', ...Object.fromEntries(ownSecrets.map((name) => [name, 'a secret of our own'])) })).toBeNull()
})

const ownSecrets = ['SESSION_SECRET', 'STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET', 'CARRIER_CALLBACK_SECRET']

test('real payments refuse the secrets that are printed in this repository', () => {
  const read = readConfig({ DATABASE_URL, PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' })
  expect(read.ok ? [] : read.faults.map((fault) => fault.name)).toEqual(['SESSION_SECRET', 'STRIPE_WEBHOOK_SECRET', 'CARRIER_CALLBACK_SECRET'])
})
