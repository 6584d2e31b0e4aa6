import { createHook } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { openStore } from '../store.ts'
import { openPeople } from './people.ts'

/** Returns the number of passwords hashed while `work` runs. Counting is more reliable than timing. */
async function hashesOf(work: () => Promise<unknown>): Promise<number> {
  let hashes = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'SCRYPTREQUEST') hashes += 1
    },
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return hashes
}

test('an unknown email takes as much work as a wrong password, and as a right one', async () => {
  const people = openPeople(openStore(':memory:'), () => Temporal.Instant.from('2026-11-20T15:00:00Z'), {
    hasDemoPeople: true,
  })
  await people.add({
    email: 'dana@example.com',
    name: 'Dana Ruiz',
    isEmailVerified: true,
    password: 'a right password',
  })
  await people.add({ email: 'tap@example.com', name: 'By one tap', isEmailVerified: true, password: null })
  for (const email of ['dana@example.com', 'nobody@example.com', 'tap@example.com'])
    expect(
      await hashesOf(async () => expect(await people.check(email, 'a wrong password')).toBeUndefined()),
      email,
    ).toBe(1)
  expect(
    await hashesOf(async () => expect(await people.check('Dana@Example.com', 'a right password')).toBeDefined()),
  ).toBe(1)
})
