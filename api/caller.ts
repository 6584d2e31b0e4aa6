/**
 * Who makes a call. Programs of other houses carry bearer tokens and never a cookie: the key of their cart, an access
 * token of the sign-in provider for the account they act for, or both. The page's own script carries the browser's
 * cookies and cannot read them.
 */
import { readVisitor, type Visitor } from '#http/visitor.ts'
import { headerNames } from '#api/client/request.ts'
import type { SignedIn } from '#domain/accounts/accounts.ts'
import { findApp, findSession } from '#domain/accounts/accounts.server.ts'
import { isId } from '#platform/ids.ts'
import type { Shop } from '#shop'

export type Caller = {
  /** What the browser keeps; nothing of it where the caller carries a token. */
  readonly visitor: Visitor
  /** An access token, as long as nobody has read it. */
  readonly accessToken: string | undefined
  /** The key of the cart: the token, else the cookie. Nobody has said yet that there is such a cart. */
  readonly cartId: string | undefined
  /** Whether the page's own script calls: then the answer may set the browser's cookies. */
  readonly isBrowser: boolean
  /** What stands in the place of a token is none. */
  readonly isTokenBroken: boolean
  readonly address: string
  /** Asked of the database at most once, and not at all without a session. */
  signedIn(): Promise<SignedIn | undefined>
  /** What became of the access token; undefined where there is none. Asked at most once. */
  app(): Promise<Awaited<ReturnType<typeof findApp>> | undefined>
}

/**
 * Only what is signed by somebody looks like this; the longest are those of providers that put a person's groups into
 * it.
 */
const accessTokenForm = /^[\w-]{1,4000}\.[\w-]{1,8000}\.[\w-]{1,2000}$/

export function readCaller(shop: Shop, headers: Headers, address: string): Caller {
  const { config } = shop
  const first = bearerOf(headers.get(headerNames.authorization))
  // Who sends both puts the second one here; what else others put here is not for this store.
  const tokens = [first, bearerOf(headers.get(headerNames.xAuthorization))].filter((token) => token !== undefined)
  const cartKey = tokens.find(isId)
  const accessToken = tokens.find((token) => accessTokenForm.test(token))
  const isProgram = first !== undefined || cartKey !== undefined || accessToken !== undefined
  // A token is all a caller needs: cookies that came along with it belong to somebody else's tab.
  const visitor = readVisitor(
    isProgram ? null : headers.get('cookie'),
    config.session.secret,
    address,
    config.web.isSecure,
  )
  let reading: Promise<SignedIn | undefined> | undefined
  let admitting: ReturnType<typeof findApp> | undefined
  const app = async () => (accessToken === undefined ? undefined : (admitting ??= findApp(shop, accessToken)))
  return {
    visitor,
    accessToken,
    cartId: isProgram ? cartKey : visitor.cartId,
    isBrowser:
      !isProgram && (headers.get('origin') === config.web.origin || headers.get('sec-fetch-site') === 'same-origin'),
    isTokenBroken:
      headers.has(headerNames.authorization) && (first === undefined || (first !== cartKey && first !== accessToken)),
    address,
    signedIn: () =>
      (reading ??=
        accessToken === undefined
          ? signedInByCookie()
          : app().then((found) => (found?.ok ? found.value.signedIn : undefined))),
    app,
  }

  async function signedInByCookie(): Promise<SignedIn | undefined> {
    return visitor.session === undefined ? undefined : findSession(shop, visitor.session)
  }
}

function bearerOf(header: string | null): string | undefined {
  return /^Bearer +(?<token>\S+)$/i.exec(header ?? '')?.groups?.['token']
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
