/** Setup checks. `opening` is the final check before the store opens. */
export type SetupCheckKind = 'payments' | 'email' | 'email-domain' | 'carrier' | 'opening'

/** The newest try of its kind; `passed` is null while the page of a test charge is open. */
export type SetupCheck = { passed: boolean | null; words: string; at: Temporal.Instant }

/** A check as the steps read it. It is outdated if the provider account has changed since. */
export type ReadCheck = SetupCheck & { isOutdated: boolean }
