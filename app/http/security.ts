import type { Config } from '#platform/config.ts'

/**
 * Headers every answer carries. Scripts come from this origin or are let in by `sources`, hashes or a nonce; frames and form targets also from the payment provider,
 * because its fields and its hosted page live there.
 */
export function securityHeaders(config: Config, sources: readonly string[]): Record<string, string> {
  const payments = config.payments.kind === 'sandbox' ? config.sandbox.origin : 'https://js.stripe.com https://hooks.stripe.com https://checkout.stripe.com'
  // Signing out leads on to the provider, which a policy for forms counts as their target.
  const identity = config.identity && !payments.includes(new URL(config.identity.issuer).origin) ? ` ${new URL(config.identity.issuer).origin}` : ''
  const oneTap =
    config.identity?.oneTap && !payments.includes(new URL(config.identity.oneTap.frameUrl).origin) ? ` ${new URL(config.identity.oneTap.frameUrl).origin}` : ''
  const paymentScripts = config.payments.kind === 'sandbox' ? '' : ' https://js.stripe.com'
  const policy = [
    "default-src 'self'",
    `script-src 'self'${paymentScripts}${sources.length > 0 ? ` ${sources.join(' ')}` : ''}`,
    "style-src 'self'",
    // Widths of bars and the position on the dashed line are data, set on the element.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${config.payments.kind === 'sandbox' ? '' : ' https://api.stripe.com'}`,
    `frame-src ${payments}${oneTap}`,
    "worker-src 'self' blob:",
    `form-action 'self' ${payments}${identity}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; ')
  return {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(self), geolocation=(self), microphone=(), payment=(self)',
    'cross-origin-opener-policy': 'same-origin',
    ...(config.web.origin.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}
