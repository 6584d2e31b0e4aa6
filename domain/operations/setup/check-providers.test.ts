import { expect, test } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { ownSecrets } from '#tests/support/own-secrets.ts'
import { checkProvidersOf } from './setup.server.ts'

const live = {
  DATABASE_URL: 'postgres://s:s@localhost:5432/s',
  PUBLIC_ORIGIN: 'https://store.example',
  DEMO: '0',
  ...ownSecrets,
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  CARRIER: 'easypost',
  EASYPOST_API_KEY: 'EZAK1',
  SMTP_URL: 'smtp://store:first@mail.example',
  MAIL_FROM: 'help@store.example',
  OIDC_ISSUER: 'https://id.store.example',
  OIDC_CLIENT_ID: 'store',
  OIDC_CLIENT_SECRET: '0123456789abcdef0123456789abcdef',
}

function providers(changed: Readonly<Record<string, string>> = {}) {
  const config = readConfig({ ...live, ...changed })
  return checkProvidersOf(config.ok ? config.value : expect.unreachable(JSON.stringify(config)))
}

test('live keys are not in test mode', () => {
  expect(providers()).toMatchObject({ payments: { isTest: false }, carrier: { isTest: false } })
})

test.for([
  ['payments', { STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }],
  ['payments', { PAYMENTS: 'sandbox' }],
  ['carrier', { EASYPOST_API_KEY: 'EZTK1' }],
  ['carrier', { CARRIER: 'sandbox' }],
] as const)('%s with %j is another account, in test mode', ([kind, changed]) => {
  expect(providers(changed)[kind].isTest).toBe(true)
  expect(providers(changed)[kind].id).not.toBe(providers()[kind].id)
})

test.for([{ SMTP_URL: 'smtp://store:first@other.example' }, { MAIL_FROM: 'help@other.example' }])(
  'email with %j is another account',
  (changed) => {
    expect(providers(changed).email.id).not.toBe(providers().email.id)
  },
)

test('a new password of the mail server is the same account', () => {
  expect(providers({ SMTP_URL: 'smtp://store:second@mail.example' }).email.id).toBe(providers().email.id)
})
