/**
 * Who makes a call. Programs of other houses carry the key of their cart as a bearer token and never a cookie; the page's own script carries the
 * browser's cookies and cannot read them.
 */
import { readVisitor, type Visitor } from '#app/http/visitor.ts'
import type { SignedIn } from '#domain/accounts/accounts.ts'
import { findSession } from '#domain/accounts/accounts.server.ts'
import { isId } from '#platform/ids.ts'
import type { Shop } from '#shop'

export type Caller = {
  /** What the browser keeps; nothing of it where the caller carries a token. */
  readonly visitor: Visitor
  /** The key of the cart: the token, else the cookie. Nobody has said yet that there is such a cart. */
  readonly cartId: string | undefined
  /** Whether the page's own script calls: then the answer may set the browser's cookies. */
  readonly isBrowser: boolean
  /** The token is no key of a cart. */
  readonly isTokenBroken: boolean
  readonly address: string
  /** Asked of the database at most once, and not at all without a session. */
  signedIn(): Promise<SignedIn | undefined>
}

export function readCaller(shop: Shop, headers: Headers, address: string): Caller {
  const { config } = shop
  const token = /^Bearer +(?<token>\S+)$/i.exec(headers.get('authorization') ?? '')?.groups?.['token']
  // A token is all a caller needs: cookies that came along with it belong to somebody else's tab.
  const visitor = readVisitor(token === undefined ? headers.get('cookie') : null, config.session.secret, address, config.web.origin.startsWith('https:'))
  const isKey = token !== undefined && isId(token)
  let reading: Promise<SignedIn | undefined> | undefined
  return {
    visitor,
    cartId: token === undefined ? visitor.cartId : isKey ? token : undefined,
    isBrowser: token === undefined && (headers.get('origin') === config.web.origin || headers.get('sec-fetch-site') === 'same-origin'),
    isTokenBroken: headers.has('authorization') && !isKey,
    address,
    signedIn: () => (reading ??= visitor.session === undefined ? Promise.resolve(undefined) : findSession(shop, visitor.session)),
  }
}

/** Who calls an operation for accounts was admitted as somebody. */
export async function signedInOf(caller: Caller): Promise<SignedIn> {
  const found = await caller.signedIn()
  if (!found) throw new Error('An operation for accounts was called by nobody.')
  return found
}

export async function accountOf(caller: Caller): Promise<string> {
  return (await signedInOf(caller)).accountId
}
