/** What the store asks of a provider that knows who serves or has served. */
export interface Eligibility {
  /** Identifies the provider, so that subjects of another are not mistaken for its own. */
  readonly issuer: string
  /** The page at the provider where the owner of an account shows who they are; answers come to the store's callback. */
  begin(request: EligibilityRequest): Promise<EligibilityAnswer<string, 'unavailable'>>
  /** Exchanges the answer in the callback's `query` for what the provider knows. */
  finish(
    query: URLSearchParams,
    request: EligibilityRequest,
    now: Temporal.Instant,
  ): Promise<EligibilityAnswer<Eligible, 'declined' | 'not-verified' | 'not-ours' | 'unavailable'>>
}

/** What an answer is checked against; `account` binds it to who asked. */
export type EligibilityRequest = { account: string; state: string; nonce: string; codeVerifier: string }

/** Someone the provider has verified: their group, as it names it, and who they are there. */
export type Eligible = { group: string; verifiedAt: Temporal.Instant; subject: string }

export type EligibilityAnswer<Value, Reason extends string> =
  | { ok: true; value: Value }
  | { ok: false; reason: Reason; cause?: unknown }
