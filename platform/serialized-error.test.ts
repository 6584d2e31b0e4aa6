import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { serializeError, withoutSecrets } from './serialized-error.ts'

test('a database error shows its constraint, not the row', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "account_by_verified_email"'), {
    code: '23505',
    constraint: 'account_by_verified_email',
    table: 'account',
    detail: 'Key (email)=(dana@example.com) already exists.',
    where: 'COPY account, line 1: "dana@example.com"',
    parameters: ['dana@example.com'],
  })
  const told = serializeError(error)
  expect(told).toMatchObject({
    type: 'Error',
    code: '23505',
    constraint: 'account_by_verified_email',
    table: 'account',
  })
  expect(JSON.stringify(told)).not.toContain('dana')
})

test('a provider error shows neither request nor response, however deeply nested', () => {
  const deep = Object.assign(new Error('No such payment_intent: pi_1_secret_2'), {
    raw: { client_secret: 'pi_1_secret_2' },
    headers: { authorization: 'x' },
  })
  const told = serializeError(new Error('The provider cannot be asked.', { cause: deep }))
  expect(told.cause).toMatchObject({ message: 'No such payment_intent: [secret]' })
  expect(JSON.stringify(told)).not.toMatch(/pi_1|authorization/)
})

test.for<[string, string]>([
  ['550 <dana.ruiz+tires@mail.example.com>: user unknown', '550 <[email]>: user unknown'],
  [
    'connect failed: postgresql://sidewall:hunter2@127.0.0.1:5432/sidewall',
    'connect failed: postgresql://[password]@127.0.0.1:5432/sidewall',
  ],
  ['card 4242 4242 4242 4242 was refused', 'card [number] was refused'],
  ['Invalid API Key provided: sk_live_abc123', 'Invalid API Key provided: [secret]'],
  ['bad token eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln', 'bad token [token]'],
  [
    'order 104001 of 2026-11-20 has no shipment at app/server/web.ts:120:15',
    'order 104001 of 2026-11-20 has no shipment at app/server/web.ts:120:15',
  ],
])('%s', ([text, left]) => {
  expect(withoutSecrets(text)).toBe(left)
})

test('any thrown value is serialized', () => {
  expect(serializeError('broken for dana@example.com')).toMatchObject({ type: 'string', message: 'broken for [email]' })
  expect(serializeError(undefined)).toMatchObject({ message: 'undefined' })
})

test('the log serializes errors this way, and redacts values by property name', () => {
  const lines: string[] = []
  const log = createLog('info', 'test', { write: (line: string) => void lines.push(line) })
  log.error(
    {
      err: Object.assign(new Error('no'), { detail: 'Key (email)=(dana@example.com)' }),
      shopper: { email: 'dana@example.com', phone: '3125550142' },
    },
    'failed',
  )
  expect(lines.join()).not.toMatch(/dana|312555/)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: { message: 'no' }, shopper: { email: '[hidden]' } })
})
