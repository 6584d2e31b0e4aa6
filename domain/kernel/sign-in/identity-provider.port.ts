/**
 * Apps use the HTTP API, the MCP server, the shopping agent API, or the admin API. A token is valid for one of them.
 */
export type AppDoor = 'api' | 'mcp' | 'ucp' | 'admin'

/**
 * A sign-in provider, which can be any OpenID Connect provider. The store never sees a password, and the browser never
 * sees a token.
 */
export interface IdentityProvider {
  /** The provider's issuer, within which subjects are unique. */
  readonly issuer: string
  /** Returns the URL at the provider for signing in or registering. */
  begin(request: SignInRequest): Promise<IdentityAnswer<string, 'unavailable'>>
  /**
   * Exchanges the provider's redirect for tokens. `query` is the landing URL's query string. Refuses with `declined` if
   * the visitor or provider canceled, and `not-ours` if the response does not match the request or its signature is
   * invalid.
   */
  complete(
    query: URLSearchParams,
    request: Pick<SignInRequest, 'state' | 'nonce' | 'codeVerifier' | 'maxAgeSeconds'>,
  ): Promise<IdentityAnswer<Completed, 'declined' | 'not-ours' | 'unavailable'>>
  /** Returns the provider's current data about the person. `unauthorized` is its 401. */
  readPerson(accessToken: string, subject: string): Promise<IdentityAnswer<Person, 'unauthorized' | 'unavailable'>>
  /**
   * Reads an access token that an app sends to one of this store's doors. Refuses `not-accepted` for one the provider
   * did not issue for this door, or an expired one. Needs no call to the provider once its keys are known.
   */
  readAccessToken(token: string, door: AppDoor): Promise<IdentityAnswer<AppToken, 'not-accepted' | 'unavailable'>>
  /** Renews tokens. Refuses `ended` when the provider no longer accepts the old ones. */
  refresh(refreshToken: string): Promise<IdentityAnswer<Tokens, 'ended' | 'unavailable'>>
  /** Revokes tokens at the provider. Failures are ignored, because tokens expire. */
  forget(tokens: Tokens): Promise<void>
  /** Returns the URL that ends the provider's session and returns to `returnUrl`; undefined if unsupported. */
  signOutUrl(idToken: string, returnUrl: string): Promise<string | undefined>
  /** One Tap sign-in; null if the provider doesn't support it. */
  readonly oneTap: OneTap | null
  /** Returns the provider's page for a person's profile or sign-in; null if unsupported. */
  profilePage(kind: ProfilePage, returnUrl: string): string | null
}

export type OneTap = {
  /**
   * The page to embed in a frame, which passes a credential (a signed statement of who clicked) to the store's page.
   */
  readonly frameUrl: string
  /**
   * Exchanges a credential for a one-time code, valid for a minute. Refuses `declined` for an invalid signature,
   * another store, or an expired credential.
   */
  exchange(credential: string): Promise<IdentityAnswer<string, 'declined' | 'unavailable'>>
}

/** `security` is for passkeys and second factors. */
export type ProfilePage = 'edit-profile' | 'change-password' | 'security'

export type SignInRequest = {
  action: 'login' | 'register'
  /** 32 random characters that the answer must repeat. */
  state: string
  nonce: string
  codeVerifier: string
  /** A random number for the provider's statistics, not linked to anyone. */
  sessionId: string
  anonymousId: string
  /** From `OneTap.exchange`; the provider then requires no further input. */
  oneTapCode?: string | undefined
  /** The maximum age of the person's authentication. With it, the provider reports the authentication time. */
  maxAgeSeconds?: number | undefined
  /** They show it again, however long ago it was. */
  mustReauthenticate?: boolean | undefined
  /** The person signs in to work for a shop, the specification's isDealer. */
  isDealer?: boolean | undefined
}

/**
 * A completed sign-in. `authenticatedAt` is the authentication time, and `usedSecondFactor` whether there was a second
 * factor. Both are null if the provider doesn't report them.
 */
export type Completed = {
  person: Person
  tokens: Tokens
  authenticatedAt: Temporal.Instant | null
  usedSecondFactor: boolean | null
}

/** A person as known to their provider. */
export type Person = {
  subject: string
  email: string | null
  /** Whether the provider verified this email. */
  isEmailVerified: boolean
  /** True if the provider sends an email without saying whether it is verified, which it then never does. */
  isVerificationUnstated?: true
  name: string | null
}

/** Whom an app acts for, which app it is, and the scopes the person granted. */
export type AppToken = { subject: string; clientId: string; clientName: string | null; scopes: readonly string[] }

export type Tokens = {
  access: string
  /** Null if the provider does not renew tokens. */
  refresh: string | null
  /** Identifies the person when signing out at the provider. */
  id: string | null
}

export type IdentityAnswer<Value, Reason extends string> =
  | { ok: true; value: Value }
  | { ok: false; reason: Reason; cause?: unknown }
