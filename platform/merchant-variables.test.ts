import { expect, test } from 'vitest'
import { ownSecrets } from '#tests/support/own-secrets.ts'
import { readConfig } from './config.ts'

const DATABASE_URL = 'postgres://localhost/none'
const STORE_ADDRESS = '12 Real Street, Chicago, IL 60601'

function merchantOf(env: Record<string, string>) {
  const read = readConfig({ DATABASE_URL, ...env })
  return read.ok ? read.value.merchant : read.faults.map(({ name }) => name)
}

const keyFile = {
  type: 'service_account',
  client_email: 'store@project.iam.gserviceaccount.com',
  private_key_id: 'a1',
  private_key: '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n',
  token_uri: 'https://oauth2.googleapis.com/token',
}

test('the demo has an account in its sandbox, and other stores need their own', () => {
  expect(merchantOf({ SANDBOX_PORT: '4701' })).toMatchObject({
    apiOrigin: 'http://localhost:4701',
    key: { tokenUrl: 'http://localhost:4701/google/token' },
  })
  const real = { DEMO: '0', STORE_ADDRESS, ...ownSecrets }
  expect(merchantOf(real)).toBeNull()
  const account = { GOOGLE_MERCHANT_ACCOUNT: '123', GOOGLE_MERCHANT_DATA_SOURCE: '456' }
  expect(merchantOf({ ...real, ...account, GOOGLE_MERCHANT_KEY: JSON.stringify(keyFile) })).toEqual({
    accountId: '123',
    dataSourceId: '456',
    apiOrigin: 'https://merchantapi.googleapis.com',
    dailyCalls: 50_000,
    key: {
      clientEmail: keyFile.client_email,
      privateKeyId: keyFile.private_key_id,
      privateKey: keyFile.private_key,
      tokenUrl: keyFile.token_uri,
    },
  })
  expect(merchantOf({ ...real, ...account })).toEqual(['GOOGLE_MERCHANT_KEY'])
  for (const wrong of ['not JSON', '{}', JSON.stringify({ ...keyFile, private_key: 'x' })])
    expect(merchantOf({ ...real, ...account, GOOGLE_MERCHANT_KEY: wrong }), wrong).toEqual(['GOOGLE_MERCHANT_KEY'])
  expect(merchantOf({ GOOGLE_MERCHANT_DAILY_CALLS: '-1' })).toEqual(['GOOGLE_MERCHANT_DAILY_CALLS'])
  expect(merchantOf({ ...account, GOOGLE_MERCHANT_ACCOUNT: 'accounts/1' })).toContain('GOOGLE_MERCHANT_ACCOUNT')
})
