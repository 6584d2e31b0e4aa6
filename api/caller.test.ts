import { expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import type { Application } from '#application'
import { readCaller } from './caller.ts'

const origin = 'https://store.test'
// The rest of the application isn't used until the test reads the signed-in account.
const app = {
  config: {
    session: { secret: 'a secret of at least some length' },
    web: { origin, isSecure: origin.startsWith('https:') },
  },
} as Application

const [mine, theirs] = [newId(), newId()]
const cookies = `__Host-sw_cart=${theirs}; sw_cart=${theirs}; sw_zip=60614; __Host-sw_session=someone; sw_session=someone`
const read = (headers: Record<string, string>) =>
  readCaller(app, new Headers({ cookie: cookies, ...headers }), '203.0.113.7')

test('ignores cookies if a token is sent', async () => {
  const browser = read({ origin })
  expect(browser).toMatchObject({
    cartId: theirs,
    isBrowser: true,
    isTokenBroken: false,
    visitor: { zip: '60614', session: 'someone', isKnown: true },
  })

  for (const authorization of [`Bearer ${mine}`, `bearer  ${mine}`]) {
    const program = read({ origin, authorization })
    expect(program).toMatchObject({ cartId: mine, isBrowser: false, isTokenBroken: false })
    expect(program.visitor).toMatchObject({
      cartId: undefined,
      zip: undefined,
      session: undefined,
      orderIds: [],
      isKnown: false,
    })
    expect(await program.signedIn()).toBeUndefined()
  }
})

test('an invalid token opens neither a cart nor anything the cookies would', () => {
  const broken = read({ origin, authorization: 'Bearer nonsense' })
  expect(broken).toMatchObject({
    cartId: undefined,
    isBrowser: false,
    isTokenBroken: true,
    visitor: { session: undefined },
  })
  expect(read({ origin, authorization: 'Basic dTpw' })).toMatchObject({ isTokenBroken: true })
})
