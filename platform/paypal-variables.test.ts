import { expect, test } from 'vitest'
import { ownSecrets } from '#tests/support/own-secrets.ts'
import { readConfig } from './config.ts'

const DATABASE_URL = 'postgres://localhost/none'
const STORE_ADDRESS = '12 Real Street, Chicago, IL 60601'

function paypalOf(env: Record<string, string>) {
  const read = readConfig({ DATABASE_URL, ...env })
  return read.ok ? read.value.paypal : read.faults.map(({ name }) => name)
}

test('the demo pays in its PayPal sandbox, and other stores need their own access', () => {
  expect(paypalOf({ SANDBOX_PORT: '4701' })).toMatchObject({
    apiOrigin: 'http://localhost:4701/paypal',
    hasVenmo: true,
    pageOrigins: ['http://localhost:4701'],
  })
  const real = { DEMO: '0', STORE_ADDRESS, ...ownSecrets }
  expect(paypalOf(real)).toBeNull()
  const access = {
    PAYPAL_CLIENT_ID: 'client-id',
    PAYPAL_CLIENT_SECRET: 'client-secret',
    PAYPAL_WEBHOOK_ID: '8PT597110X',
  }
  expect(paypalOf({ ...real, ...access })).toMatchObject({ apiOrigin: 'https://api-m.paypal.com', hasVenmo: false })
  expect(paypalOf({ ...real, ...access, PAYPAL_VENMO: '1' })).toMatchObject({ hasVenmo: true })
  expect(paypalOf({ ...real, PAYPAL_CLIENT_ID: 'client-id' })).toEqual(['PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID'])
})
