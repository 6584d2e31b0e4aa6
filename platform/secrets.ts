/**
 * Secrets that are replaced while the store runs: a setting holds several, with commas between them. The first makes
 * signatures, codes and sealed text; each of them is accepted. See docs/runbooks/secrets.md.
 */

/** One secret, or several: the first is used for what is made, each for what comes back. */
export type Secrets = string | readonly [string, ...string[]]

/** The secret that signatures, codes and sealed text are made with. */
export function makingSecret(secrets: Secrets): string {
  return typeof secrets === 'string' ? secrets : secrets[0]
}

/** All secrets that are accepted, the one things are made with first. */
export function acceptedSecrets(secrets: Secrets): readonly [string, ...string[]] {
  return typeof secrets === 'string' ? [secrets] : secrets
}

/**
 * Whether one of the secrets passes. All are tried whichever passes, so that the time it takes does not tell which one
 * did.
 */
export function someSecret(secrets: Secrets, passes: (secret: string) => boolean): boolean {
  return acceptedSecrets(secrets)
    .map((secret) => passes(secret))
    .includes(true)
}
