/** The security headers of every response. The reasons are in docs/decisions/004-content-security-policy.md. */
import type { MiddlewareHandler } from 'hono'
import type { Config } from '#platform/config.ts'

/** Where browsers report what the policy of a payment page blocked. */
export const cspReportsPath = '/csp-reports'

/** The policy allows a document's inline scripts by hash or by nonce. Null for a document without scripts. */
export type ScriptSources = readonly string[] | null

/**
 * The payment provider's parts on a page. `pay` includes its fields, wallets, and windows. `fields` includes only card
 * fields. `wallets` includes the device's wallet buttons, which lead to the payment page.
 */
export type PaymentPart = 'pay' | 'fields' | 'wallets'

/**
 * Returns the security headers of a document or of a response in its place. `isFramed` allows frames on other sites,
 * `hasMap` allows a map of shops, `hasFiles` allows uploaded images, and `payment` is the payment provider's part.
 */
export function securityHeaders(
  config: Config,
  scripts: ScriptSources,
  {
    isFramed = false,
    hasMap = false,
    hasFiles = false,
    payment = null,
    postsTo = null,
  }: {
    isFramed?: boolean
    hasMap?: boolean
    hasFiles?: boolean
    payment?: PaymentPart | null
    /** An address elsewhere that a form of the page is posted to. */
    postsTo?: string | null
  } = {},
): Record<string, string> {
  return {
    ...headersOfAll(config),
    ...(payment === null ? {} : { 'reporting-endpoints': `csp="${cspReportsPath}"` }),
    'content-security-policy': contentPolicy(config, scripts, {
      isFramed,
      streets: hasMap && config.map ? config.map.origins : [],
      storage: hasFiles ? originOf(config.files.s3?.publicEndpoint ?? undefined) : [],
      payment,
      postsTo,
    }),
    'permissions-policy': permissionsOf(config, payment),
    'cross-origin-opener-policy': payment === 'pay' ? 'same-origin-allow-popups' : 'same-origin',
  }
}

/**
 * Returns whether partners can show the page in a frame. Cookies aren't sent there, so framed pages can't act for a
 * signed-in account.
 */
export function mayBeFramed(path: string): boolean {
  return path.startsWith('/widget/')
}

/** Pages with a map of shops, which reads the operator's style (`MAP_STYLE_URL`). */
export function mayHaveMap(path: string): boolean {
  return /^\/(?:tire-shops|checkout\/shipping)(?:[/.]|$)/.test(path)
}

/**
 * The office shows images of returns, which a storage service can serve directly
 * (docs/decisions/029-uploaded-files.md).
 */
export function mayHaveFiles(path: string): boolean {
  return /^\/office(?:[/.]|$)/.test(path)
}

/**
 * Returns the payment provider's part on a page. The payment pages, and the cart and tire pages with wallet buttons,
 * need a full page load.
 */
export function paymentPartOf(path: string): PaymentPart | null {
  if (/^\/checkout\/payments(?:[/.]|$)/.test(path)) return 'pay'
  if (path.startsWith('/order-change/')) return 'fields'
  return path === '/cart' || /^\/brands\/[^/]+\/[^/]+(?:\/p(?:\/\d+)?)?$/.test(path) ? 'wallets' : null
}

/** Adds the required headers to responses that are not documents, and to any that lack them. */
export function guardAnswers(config: Config): MiddlewareHandler {
  const page = securityHeaders(config, null)
  // A worker uses its own script's policy, so this adds no policy to worker scripts, and the document's restrictions
  // apply.
  const asset = headersOfAll(config)
  const other = {
    ...asset,
    'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  }
  return async (c, next) => {
    await next()
    const { headers } = c.res
    const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
    const wanted = isPage ? page : c.req.path.startsWith('/assets/') ? asset : other
    for (const [name, value] of Object.entries(wanted)) if (!headers.has(name)) headers.set(name, value)
    // Feeds, emails and partners show our pictures.
    if (headers.get('content-type')?.startsWith('image/')) headers.set('cross-origin-resource-policy', 'cross-origin')
  }
}

function headersOfAll(config: Config): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(config.web.isSecure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

/**
 * Returns the browser features that the store's pages use, and payments in the provider's frames if there are wallets.
 */
function permissionsOf({ payments, sandbox }: Config, part: PaymentPart | null): string {
  const payers = payments.kind === 'stripe' ? ['https://js.stripe.com', 'https://pay.google.com'] : [sandbox.origin]
  const mayAskToPay = part === 'pay' || part === 'wallets' ? ['self', ...payers.map((origin) => `"${origin}"`)] : []
  return [
    ...['camera', 'geolocation'].map((name) => `${name}=(self)`),
    `payment=(${mayAskToPay.join(' ')})`,
    ...[
      'accelerometer',
      'browsing-topics',
      'display-capture',
      'gyroscope',
      'hid',
      'magnetometer',
      'microphone',
      'midi',
      'serial',
      'usb',
    ].map((name) => `${name}=()`),
  ].join(', ')
}

/** Stripe's guide names both; the second has the parts that its script loads. */
const stripeScripts = ['https://js.stripe.com', 'https://*.js.stripe.com']

/** Returns the payment provider's script origins. The sandbox has no script for card fields. */
function payerScripts({ payments, sandbox }: Config, part: PaymentPart | null): readonly string[] {
  if (part === null) return []
  if (payments.kind === 'stripe') return stripeScripts
  return part === 'fields' ? [] : [sandbox.origin]
}

function orNone(sources: readonly string[]): readonly string[] {
  return sources.length > 0 ? sources : ["'none'"]
}

function originOf(url: string | undefined): string[] {
  return url === undefined ? [] : [new URL(url).origin]
}

/** Returns the origins of payment pages other than Stripe's. */
function payingPages({ paypal, financing }: Config): string[] {
  return [...originOf(financing?.apiOrigin), ...(paypal?.pageOrigins ?? [])]
}

/** Payment pages report what their policy blocked. */
function reportRules(payment: PaymentPart | null): Record<string, readonly string[]> {
  return payment === null ? {} : { 'report-uri': [cspReportsPath], 'report-to': ['csp'] }
}

function contentPolicy(
  config: Config,
  scripts: ScriptSources,
  allowed: {
    isFramed: boolean
    streets: readonly string[]
    storage: readonly string[]
    payment: PaymentPart | null
    postsTo: string | null
  },
): string {
  const { payments, sandbox, identity, analytics } = config
  const isStripe = payments.kind === 'stripe'
  const payers = isStripe
    ? ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com', 'https://checkout.stripe.com']
    : [sandbox.origin]
  const tag = analytics?.origins ?? []
  const rules: Record<string, readonly string[]> = {
    'default-src': ["'self'"],
    'script-src':
      scripts === null ? ["'none'"] : ["'self'", ...payerScripts(config, allowed.payment), ...tag, ...scripts],
    'style-src': ["'self'"],
    // Widths of bars and positions on the dashed line are data, set on the element.
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', ...tag, ...allowed.streets, ...allowed.storage],
    'font-src': ["'self'"],
    'connect-src': [
      "'self'",
      ...(isStripe && allowed.payment !== null ? ['https://api.stripe.com'] : []),
      ...tag,
      ...allowed.streets,
    ],
    'frame-src': orNone([...(allowed.payment === null ? [] : payers), ...originOf(identity?.oneTap?.frameUrl)]),
    'worker-src': ["'self'", 'blob:'],
    // Signing in and out redirects to the provider, which a policy counts as the form's target; so does entering the bank
    // details of a shop.
    'form-action': [
      "'self'",
      ...payers,
      ...(isStripe ? ['https://connect.stripe.com'] : []),
      ...payingPages(config),
      ...originOf(identity?.issuer),
      ...originOf(allowed.postsTo ?? undefined),
    ],
    'frame-ancestors': [allowed.isFramed ? '*' : "'none'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    ...reportRules(allowed.payment),
  }
  return Object.entries(rules)
    .map(([name, sources]) => [name, ...new Set(sources)].join(' '))
    .join('; ')
}
