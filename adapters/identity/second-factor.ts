/** Second factors in ID tokens. */

/** The factor of each authentication method that RFC 8176 registers for the claim `amr`. */
const factorOf: ReadonlyMap<unknown, 'knowledge' | 'possession' | 'inherence'> = new Map([
  ...(['kba', 'pin', 'pwd'] as const).map((method) => [method, 'knowledge'] as const),
  ...(['hwk', 'otp', 'pop', 'sc', 'sms', 'swk', 'tel'] as const).map((method) => [method, 'possession'] as const),
  ...(['face', 'fpt', 'iris', 'retina', 'vbm'] as const).map((method) => [method, 'inherence'] as const),
])

/** Published `acr` values with a second factor. `phr` and `phrh` are phishing-resistant (OpenID Connect EAP). */
const strongContexts: readonly string[] = [
  'phr',
  'phrh',
  'https://refeds.org/profile/mfa',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
]

/** Published `acr` values of sign-ins with one factor. */
const weakContexts: readonly string[] = ['https://refeds.org/profile/sfa']

/**
 * Returns whether an ID token's `amr` (RFC 8176) or `acr` reports a second factor, meaning `mfa` or methods of two
 * factors, such as a password and a code. `contexts` are the provider's `acr` values with a second factor; with them,
 * every other `acr` is without one. Returns null if the claims are missing or unknown.
 */
export function usedSecondFactor(
  { amr, acr }: Readonly<Record<string, unknown>>,
  contexts: readonly string[],
): boolean | null {
  const methods: unknown[] = Array.isArray(amr) ? amr.slice(0, 50) : []
  const factors = new Set(methods.flatMap((method) => factorOf.get(method) ?? []))
  const context = typeof acr === 'string' && acr !== '' ? acr : null
  const isStrong = context !== null && (contexts.includes(context) || strongContexts.includes(context))
  if (methods.includes('mfa') || factors.size > 1 || isStrong) return true
  const isWeak = context !== null && (contexts.length > 0 || weakContexts.includes(context))
  return factors.size > 0 || isWeak ? false : null
}
