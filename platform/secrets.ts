/**
 * Rotatable secrets. A setting contains several, separated by commas. The first creates signatures, codes, and sealed
 * text. All are accepted. See docs/runbooks/secrets.md.
 */

/** One or several secrets. The first signs, and all verify. */
export type Secrets = string | readonly [string, ...string[]]

/** The secret that signatures, codes and sealed text are made with. */
export function makingSecret(secrets: Secrets): string {
  return typeof secrets === 'string' ? secrets : secrets[0]
}

/** All secrets that are accepted, the one things are made with first. */
export function acceptedSecrets(secrets: Secrets): readonly [string, ...string[]] {
  return typeof secrets === 'string' ? [secrets] : secrets
}

/** Returns whether one of the secrets passes. Tries all of them, so that the timing doesn't reveal which one passed. */
export function someSecret(secrets: Secrets, passes: (secret: string) => boolean): boolean {
  return acceptedSecrets(secrets)
    .map((secret) => passes(secret))
    .includes(true)
}
