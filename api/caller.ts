/**
 * Identifies the caller of a request. Third-party programs send a cart key, an account's access token, or both as
 * bearer tokens, and never cookies. The store's own script sends the browser's cookies, which it can't read.
 */
import { readVisitor, type Visitor } from '#http/visitor.ts'
import { headerNames } from '#api/client/request.ts'
import type { AppDoor } from '#domain/customers/accounts/accounts.server.ts'
import type { SignedIn } from '#domain/customers/accounts/accounts.ts'
import { findApp, findSession } from '#domain/customers/accounts/accounts.server.ts'
import { isId } from '#platform/ids.ts'
import type { Application } from '#application'

export type Caller = {
  /** The browser's data; empty if the caller sends a token. */
  readonly visitor: Visitor
  /** An access token, not yet verified. */
  readonly accessToken: string | undefined
  /** The cart's key, from the token or else the cookie. The cart may not exist. */
  readonly cartId: string | undefined
  /** The unverified secret that a military exchange's program sent. */
  readonly exchangeKey: string | undefined
  /** The exchange's customer that its program calls for, as sent. */
  readonly exchangeCustomer: string | undefined
  /** Whether the store's own script is calling. Only then can the response set cookies. */
  readonly isBrowser: boolean
  /** Whether the token sent is malformed. */
  readonly isTokenBroken: boolean
  readonly address: string
  /** Reads the session from the database at most once, and not at all without one. */
  signedIn(): Promise<SignedIn | undefined>
  /** Verifies the access token at most once. Undefined without a token. */
  app(): Promise<Awaited<ReturnType<typeof findApp>> | undefined>
}

/** Only signed tokens have this form; the longest come from providers that include a person's groups. */
const accessTokenForm = /^[\w-]{1,4000}\.[\w-]{1,8000}\.[\w-]{1,2000}$/

/** As staff issue it; see `issuePurchasingSecret`. */
const exchangeKeyForm = /^[\w-]{43}$/

/** `door`: where the call came in, for which its token must have been issued. */
export function readCaller(app: Application, headers: Headers, address: string, door: AppDoor = 'api'): Caller {
  const { config } = app
  const first = bearerOf(headers.get(headerNames.authorization))
  // A caller who sends both puts the second one here; any other content is not meant for this store.
  const tokens = [first, bearerOf(headers.get(headerNames.xAuthorization))].filter((token) => token !== undefined)
  const cartKey = tokens.find(isId)
  const accessToken = tokens.find((token) => accessTokenForm.test(token))
  const exchangeKey = door === 'api' ? tokens.find((token) => exchangeKeyForm.test(token)) : undefined
  const isProgram = first !== undefined || [cartKey, accessToken, exchangeKey].some((token) => token !== undefined)
  // Requests with a token ignore cookies.
  const visitor = readVisitor(
    isProgram ? null : headers.get('cookie'),
    config.session.secret,
    address,
    config.web.isSecure,
  )
  let reading: Promise<SignedIn | undefined> | undefined
  let admitting: ReturnType<typeof findApp> | undefined
  const readApp = async () => (accessToken === undefined ? undefined : (admitting ??= findApp(app, accessToken, door)))
  return {
    visitor,
    accessToken,
    exchangeKey,
    exchangeCustomer: headers.get(headerNames.militaryExchangeCustomerId)?.trim() || undefined,
    cartId: isProgram ? cartKey : visitor.cartId,
    isBrowser:
      !isProgram && (headers.get('origin') === config.web.origin || headers.get('sec-fetch-site') === 'same-origin'),
    isTokenBroken:
      headers.has(headerNames.authorization) &&
      (first === undefined || ![cartKey, accessToken, exchangeKey].includes(first)),
    address,
    signedIn: () =>
      (reading ??=
        accessToken === undefined
          ? signedInByCookie()
          : readApp().then((found) => (found?.ok ? found.value.signedIn : undefined))),
    app: readApp,
  }

  async function signedInByCookie(): Promise<SignedIn | undefined> {
    return visitor.session === undefined ? undefined : findSession(app, visitor.session)
  }
}

function bearerOf(header: string | null): string | undefined {
  return /^Bearer +(?<token>\S+)$/i.exec(header ?? '')?.groups?.['token']
}

/** Returns the signed-in account of an operation that requires one. Throws if there isn't one. */
export async function signedInOf(caller: Caller): Promise<SignedIn> {
  const found = await caller.signedIn()
  if (!found) throw new Error('An account operation was called without an account.')
  return found
}

export async function accountOf(caller: Caller): Promise<string> {
  return (await signedInOf(caller)).accountId
}
