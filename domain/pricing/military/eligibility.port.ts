/** A provider that verifies military service. */
export interface Eligibility {
  /** Identifies the provider, so that subjects of another are not mistaken for its own. */
  readonly issuer: string
  /** Returns the provider's page where the account's owner is verified; results go to the store's callback. */
  begin(request: EligibilityRequest): Promise<EligibilityAnswer<string, 'unavailable'>>
  /** Exchanges the response in the callback's `query` for the verification result. */
  finish(
    query: URLSearchParams,
    request: EligibilityRequest,
    now: Temporal.Instant,
  ): Promise<EligibilityAnswer<Eligible, 'declined' | 'not-verified' | 'not-ours' | 'unavailable'>>
}

/** What an answer is checked against; `account` binds it to who asked. */
export type EligibilityRequest = { account: string; state: string; nonce: string; codeVerifier: string }

/** A person the provider has verified, with its name of their group and their identifier there. */
export type Eligible = { group: string; verifiedAt: Temporal.Instant; subject: string }

export type EligibilityAnswer<Value, Reason extends string> =
  | { ok: true; value: Value }
  | { ok: false; reason: Reason; cause?: unknown }
