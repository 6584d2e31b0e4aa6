/** The warning about staff who sign in without a second factor. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

/** Signs in with a choice of the sandbox's provider. */
async function signInWith(email: string, factor: string) {
  const visitor = createVisitor()
  await signInToOffice(store.origin, visitor, { email, factor })
  return visitor
}

/** Signs in again, and returns the notices of the staff page and the setup's staff step. */
async function pages(email: string, factor: string) {
  const visitor = await signInWith(email, factor)
  const [staff = '', setup = ''] = await Promise.all(
    ['staff', 'setup'].map(async (path) =>
      (await (await visitor.ask(`${store.origin}/office/${path}`)).text()).replaceAll('<!-- -->', ''),
    ),
  )
  const notice = (title: string) => staff.split('<div class="office-notice').find((part) => part.includes(title)) ?? ''
  return {
    without: [...notice('last signed in without a second factor').matchAll(/<li>([^<]+)</g)].map(([, text]) => text),
    unknown: /Second factor unknown for ([^<]+)</.exec(staff)?.[1] ?? null,
    step: /<li id="staff"[^]*?<\/li>/.exec(setup)?.[0] ?? '',
    visitor,
  }
}

test('staff without a second factor are listed, owners first, until they sign in with one', async () => {
  // Closed, so that the setup is shown.
  const first = await signInWith('owner@example.com', 'code')
  await first.ask(`${store.origin}/office/settings`, { form: { intent: 'close' } })

  await signInWith('manager@example.com', 'password')
  const owner = await pages('owner@example.com', 'password')
  expect(owner.without).toEqual(['owner@example.com, Owner', 'manager@example.com, Manager'])
  expect(owner.step).toContain('2 people, 1 owner among them, last signed in without a second factor.')

  const later = await pages('owner@example.com', 'code')
  expect(later.without).toEqual(['manager@example.com, Manager'])
  expect(later.step).toContain('1 person last signed in without a second factor.')
  const file = await (await later.visitor.ask(`${store.origin}/office/export/staff`)).text()
  expect(file).toMatch(/^.*Second factor.*$/m)
  expect(file.split('\n').find((line) => line.includes('manager@'))).toContain('Not used')
})

test('a provider that doesn’t report second factors makes them unknown', async () => {
  const before = await pages('manager@example.com', 'code')
  const people = Number(before.unknown?.split(' ')[0] ?? 0)
  const after = await pages('manager@example.com', 'unreported')
  expect(Number(after.unknown?.split(' ')[0])).toBe(people + 1)
  expect(after.without).not.toContain('manager@example.com, Manager')
})
