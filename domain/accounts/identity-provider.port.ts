/**
 * What the store asks of whoever knows people's passwords: any OpenID Connect provider. The store never sees a
 * password, and the browser never sees a token.
 */
export interface IdentityProvider {
  /** The name under which the provider's people are kept: its subjects are its own. */
  readonly issuer: string
  /** The address at the provider where somebody signs in or registers. */
  begin(request: SignInRequest): Promise<IdentityAnswer<string, 'unavailable'>>
  /**
   * Exchanges what the provider sent the browser back with. `query` is that of the landing. Refuses `declined` when the
   * visitor went back or the provider said no, and `not-ours` when the answer does not belong to the request or is not
   * rightly signed.
   */
  complete(
    query: URLSearchParams,
    request: Pick<SignInRequest, 'state' | 'nonce' | 'codeVerifier'>,
  ): Promise<IdentityAnswer<{ person: Person; tokens: Tokens }, 'declined' | 'not-ours' | 'unavailable'>>
  /** What the provider says of the person now. `unauthorized` is its 401. */
  readPerson(accessToken: string, subject: string): Promise<IdentityAnswer<Person, 'unauthorized' | 'unavailable'>>
  /**
   * What an access token says that an app sends to the API of this store. Refuses `not-accepted` for one that the
   * provider did not make for this API, or that is too old. No call to the provider is needed once its keys are known.
   */
  readAccessToken(token: string): Promise<IdentityAnswer<AppToken, 'not-accepted' | 'unavailable'>>
  /** New tokens for old ones. Refuses `ended` when the provider takes the old ones no more. */
  refresh(refreshToken: string): Promise<IdentityAnswer<Tokens, 'ended' | 'unavailable'>>
  /** Tells the provider that tokens are no longer used. Nothing comes of a failure: they run out. */
  forget(tokens: Tokens): Promise<void>
  /**
   * The address at the provider where its own session ends, which leads back to `returnUrl`; undefined where it has
   * none.
   */
  signOutUrl(idToken: string, returnUrl: string): Promise<string | undefined>
  /** Signing in with one tap; null where the provider has none. */
  readonly oneTap: OneTap | null
  /** Pages of the provider where people change what it knows of them; null where it has none. */
  profilePage(kind: ProfilePage, returnUrl: string): string | null
}

export type OneTap = {
  /** The page to be framed, which hands the store's page a credential: a signed word on who pressed. */
  readonly frameUrl: string
  /**
   * A one-time code, worth a minute, for a credential. Refuses `declined` for one that is not rightly signed, not for
   * this store, or too old.
   */
  exchange(credential: string): Promise<IdentityAnswer<string, 'declined' | 'unavailable'>>
}

export type ProfilePage = 'edit-profile' | 'change-password'

export type SignInRequest = {
  action: 'login' | 'register'
  /** 32 random characters: the answer must carry them. */
  state: string
  nonce: string
  codeVerifier: string
  /** Numbers for the provider's statistics, which say nothing about anybody. */
  sessionId: string
  anonymousId: string
  /** From `OneTap.exchange`: the provider asks no more. */
  oneTapCode?: string | undefined
}

/** Somebody as their provider knows them. */
export type Person = { subject: string; email: string | null; isEmailVerified: boolean; name: string | null }

/** Who an app acts for, which app it is, and what the person allowed it. */
export type AppToken = { subject: string; clientId: string; clientName: string | null; scopes: readonly string[] }

export type Tokens = {
  access: string
  /** Null where the provider renews nothing. */
  refresh: string | null
  /** Names the person when they sign out at the provider. */
  id: string | null
}

export type IdentityAnswer<Value, Reason extends string> =
  | { ok: true; value: Value }
  | { ok: false; reason: Reason; cause?: unknown }
