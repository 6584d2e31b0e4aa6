import { expect, test } from 'vitest'
import { offersOneTap, shortName } from './accounts.ts'

test.for([
  [{ name: 'Dana Ruiz', email: 'dana@example.com' }, 'Dana'],
  [{ name: '  Dana  Ruiz', email: null }, 'Dana'],
  [{ name: '', email: 'dana@example.com' }, 'dana'],
  [{ name: null, email: null }, 'Account'],
  [{ name: 'Wolfeschlegelsteinhausenbergerdorff', email: null }, 'Wolfeschlegelsteinha…'],
] as const)('%o is called %s', ([account, name]) => {
  expect(shortName(account)).toBe(name)
})

test.for<[string, Parameters<typeof offersOneTap>[0], boolean]>([
  ['a guest', { isSignedIn: false, variant: null, cookies: 'sw_zip=60614; other_one_tap=1' }, true],
  ['who is signed in', { isSignedIn: true, variant: null, cookies: '' }, false],
  ['who said no', { isSignedIn: false, variant: null, cookies: 'sw_zip=60614; one_tap=no' }, false],
  ['an employee', { isSignedIn: false, variant: 'employee', cookies: '' }, false],
  ['a special order', { isSignedIn: false, variant: 'special-order', cookies: '' }, false],
])('one tap and %s', ([, asked, isOffered]) => {
  expect(offersOneTap(asked)).toBe(isOffered)
})
