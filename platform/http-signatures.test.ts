import { expect, test } from 'vitest'
import { signingKeyFrom, signRequest, verifyRequest } from './http-signatures.ts'

const key = signingKeyFrom('a secret', 'webhooks')
const at = Temporal.Instant.from('2026-11-22T15:00:00Z')
const request = {
  method: 'POST',
  url: new URL('https://agent.example/hooks?store=1'),
  headers: {
    'ucp-agent': 'profile="https://tires.example/.well-known/ucp"',
    'content-type': 'application/json',
    'webhook-id': 'one',
    'webhook-timestamp': '1',
  },
  body: Buffer.from('{"id":1}'),
}
const signed = { ...request, headers: { ...request.headers, ...signRequest(key, request, at) } }

test('a signed request verifies by the published key, and the key is the same in every process', () => {
  expect(verifyRequest([{ kty: 'OKP', kid: 'other' }, key.jwk], signed, at)).toEqual({
    ok: true,
    value: { keyId: key.jwk.kid },
  })
  expect(signingKeyFrom('a secret', 'webhooks').jwk).toEqual(key.jwk)
  expect(signingKeyFrom('another secret', 'webhooks').jwk.kid).not.toBe(key.jwk.kid)
  expect(Object.keys(key.jwk)).not.toContain('d')
})

test('every part that is signed is held', () => {
  const reasonOf = (changed: Partial<typeof signed>) => {
    const verified = verifyRequest([key.jwk], { ...signed, ...changed }, at)
    return verified.ok ? 'verified' : verified.reason
  }
  const withHeader = (name: string, value: string | undefined) =>
    reasonOf({ headers: { ...signed.headers, [name]: value } })
  expect(reasonOf({})).toBe('verified')
  expect(reasonOf({ method: 'PUT' })).toBe('signature_invalid')
  expect(reasonOf({ url: new URL('https://agent.example/hooks?store=2') })).toBe('signature_invalid')
  expect(reasonOf({ url: new URL('https://elsewhere.example/hooks?store=1') })).toBe('signature_invalid')
  expect(reasonOf({ body: Buffer.from('{"id":2}') })).toBe('digest_mismatch')
  expect(withHeader('ucp-agent', 'profile="https://other.example/ucp"')).toBe('signature_invalid')
  expect(withHeader('webhook-id', 'two')).toBe('signature_invalid')
  expect(withHeader('idempotency-key', 'not covered')).toBe('signature_invalid')
  expect(withHeader('signature', undefined)).toBe('signature_missing')
  expect(withHeader('signature-input', 'sig1=("@method");keyid="x"')).toBe('signature_invalid')
  expect(verifyRequest([], signed, at)).toMatchObject({ reason: 'key_not_found' })
  expect(verifyRequest([{ ...key.jwk, crv: 'P-384' }], signed, at)).toMatchObject({ reason: 'algorithm_unsupported' })
  const stranger = signingKeyFrom('another secret', 'webhooks')
  expect(verifyRequest([{ ...stranger.jwk, kid: key.jwk.kid }], signed, at)).toMatchObject({
    reason: 'signature_invalid',
  })
})

test('a signature must be recent according to its creation time', () => {
  const verifiedAt = (now: Temporal.Instant) => verifyRequest([key.jwk], signed, now).ok
  for (const [seconds, isGood] of [
    [0, true],
    [300, true],
    [-300, true],
    [301, false],
    [-301, false],
    [86_400, false],
  ] as const)
    expect(verifiedAt(at.add({ seconds })), `${seconds}`).toEqual(isGood)
  const { 'signature-input': input = '' } = signRequest(key, request, at)
  const saying = (parameters: string) =>
    verifyRequest(
      [key.jwk],
      { ...signed, headers: { ...signed.headers, 'signature-input': input.replace(';keyid', `${parameters};keyid`) } },
      at,
    )
  // The parameters are signed, too.
  expect(saying(';expires=9999999999')).toMatchObject({ reason: 'signature_invalid' })
})
