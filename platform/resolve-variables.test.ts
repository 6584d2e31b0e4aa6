import { expect, test } from 'vitest'
import { ownSecrets } from '#tests/support/own-secrets.ts'
import { readConfig } from './config.ts'

const DATABASE_URL = 'postgres://localhost/none'
const STORE_ADDRESS = '12 Real Street, Chicago, IL 60601'

function resolveOf(env: Record<string, string>) {
  const read = readConfig({ DATABASE_URL, ...env })
  return read.ok ? read.value.resolve : read.faults.map(({ name }) => name)
}

test('the demo has net terms in its sandbox, and other stores need their own access', () => {
  expect(resolveOf({ SANDBOX_PORT: '4701' })).toMatchObject({ apiUrl: 'http://localhost:4701/resolve/api' })
  const real = { DEMO: '0', STORE_ADDRESS, ...ownSecrets }
  expect(resolveOf(real)).toBeNull()
  const access = {
    RESOLVE_MERCHANT_ID: 'sidewall',
    RESOLVE_SECRET_KEY: 'a-secret-key',
    RESOLVE_WEBHOOK_SECRET: 'a-webhook-secret',
  }
  expect(resolveOf({ ...real, ...access })).toMatchObject({ apiUrl: 'https://app.resolvepay.com/api' })
  const sandbox = { RESOLVE_API_URL: 'https://app-sandbox.resolvepay.com/api/' }
  expect(resolveOf({ ...real, ...access, ...sandbox })).toMatchObject({
    apiUrl: 'https://app-sandbox.resolvepay.com/api',
  })
  expect(resolveOf({ ...real, RESOLVE_SECRET_KEY: 'a-secret-key' })).toEqual([
    'RESOLVE_MERCHANT_ID',
    'RESOLVE_WEBHOOK_SECRET',
  ])
})
