import { expect, test } from 'vitest'
import { isSealedByFirst, seal, unseal } from '#platform/sealing.ts'

const secret = 'a secret of sixteen characters or more'

test('sealed text opens again, and is never the same ciphertext twice', () => {
  const sealed = seal(secret, 'tokens', 'für Dana')
  expect(unseal(secret, 'tokens', sealed)).toBe('für Dana')
  expect(seal(secret, 'tokens', 'für Dana').equals(sealed)).toBe(false)
  expect(sealed.toString('latin1')).not.toContain('Dana')
})

test('another secret, another purpose or a changed byte fails to open', () => {
  const sealed = seal(secret, 'tokens', 'text')
  expect(unseal('another secret of many characters', 'tokens', sealed)).toBeUndefined()
  expect(unseal(secret, 'mail', sealed)).toBeUndefined()
  for (let place = 0; place < sealed.length; place += 1) {
    const changed = Buffer.from(sealed)
    changed[place]! ^= 1
    expect(unseal(secret, 'tokens', changed)).toBeUndefined()
  }
  expect(unseal(secret, 'tokens', sealed.subarray(0, 20))).toBeUndefined()
})

test('each secret opens its text and reports whether it is the first', () => {
  const both = [secret, 'the secret before, of many characters'] as const
  const before = seal(both[1], 'tokens', 'text')
  expect(unseal(both, 'tokens', before)).toBe('text')
  expect(isSealedByFirst(both, 'tokens', before)).toBe(false)
  expect(isSealedByFirst(both, 'tokens', seal(both, 'tokens', 'text'))).toBe(true)
  expect(unseal(secret, 'tokens', before)).toBeUndefined()
})
