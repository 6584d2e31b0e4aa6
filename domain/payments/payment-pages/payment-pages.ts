/**
 * What a browser may receive on pages with card fields or wallets, and the comparison of what it does receive with
 * that. Safe in the browser.
 */
import type { BuiltScript, ReceivedPage } from './page-reader.port.ts'

/** What the office calls a page with card fields or wallets, by its address. */
export function pageName(path: string): string {
  if (path.startsWith('/checkout/payments')) return 'Payment'
  if (path.startsWith('/order-change')) return 'Payment of an order change'
  return path === '/cart' ? 'Cart' : 'Tire'
}

export type FindingKind = 'script' | 'content' | 'header' | 'unreachable'

export const findingLabels: Readonly<Record<FindingKind, string>> = {
  script: 'Script that isn’t approved',
  content: 'Script that changed',
  header: 'Header that is missing or weaker',
  unreachable: 'Page that couldn’t be checked',
}

/** A difference from the approved state. */
export type Finding = { kind: FindingKind; page: string; subject: string; detail: string }

/**
 * The inline scripts of the store's documents. Each is allowed by a hash or nonce of its response; this is what they
 * are.
 */
export const inlineScripts: readonly { name: string; purpose: string; pattern: RegExp }[] = [
  {
    name: 'Page data',
    purpose: 'Passes the page’s data to its script, so that it isn’t requested twice',
    pattern: /^window\.__reactRouterContext\b/,
  },
  {
    name: 'Page modules',
    purpose: 'Loads the modules of the page from this store',
    pattern: /^;?\s{0,9}(?:import "\/assets\/|import \* as route|window\.__reactRouterManifest\b|import\("\/assets\/)/,
  },
  {
    name: 'Deferred loading',
    purpose: 'Loads the modules after the first paint, or on first use',
    pattern: /text\/late/,
  },
  {
    name: 'Next pages',
    purpose: 'Lets the browser request lists and tires before a click',
    pattern: /^\{"prerender":\[\{"where":\{[^;<>]{1,2000}\}\]\}$/,
  },
  {
    name: 'Scroll position',
    purpose: 'Restores the scroll position after going back',
    pattern: /^\(\(storageKey|^\(\(.{1,40}\) ?=> ?\{[\s\S]{0,80}history\.state/,
  },
]

const longest = { subject: 300, detail: 500 }

function finding(kind: FindingKind, page: string, subject: string, detail: string): Finding {
  return { kind, page, subject: subject.slice(0, longest.subject), detail: detail.slice(0, longest.detail) }
}

/** The approved scripts of the store and third parties, and the page's headers. */
export type Approved = {
  /** Where the store is. */
  origin: string
  scripts: ReadonlyMap<string, BuiltScript>
  /** Addresses of others' scripts. */
  others: ReadonlySet<string>
  headers: Readonly<Record<string, string>>
  /** Whether the page must answer 200. */
  opens: boolean
}

/** The most of a document that is compared, in characters. */
export const longestDocument = 2_000_000
const mostFindings = 50

/** Compares a page with its approved state. Returns at most 50 findings. */
export function comparePage(path: string, { status, headers, html }: ReceivedPage, approved: Approved): Finding[] {
  const unopened =
    approved.opens && status !== 200 ? [finding('unreachable', path, 'page', `The page answered ${status}.`)] : []
  const found = [
    ...unopened,
    ...compareHeaders(path, headers, approved.headers),
    ...compareScripts(path, html, approved),
  ]
  return found.slice(0, mostFindings)
}

function compareScripts(path: string, html: string, { origin, scripts, others }: Approved): Finding[] {
  if (html.length > longestDocument)
    return [finding('unreachable', path, 'document', 'The page is larger than this check reads.')]
  const unknown = (address: string) =>
    address.startsWith('/') ? !scripts.has(address) : address.startsWith('data:') || !others.has(address)
  return scriptsIn(html).flatMap((script) => {
    if ('address' in script) {
      const address = script.address.startsWith(`${origin}/`) ? script.address.slice(origin.length) : script.address
      return unknown(address)
        ? [finding('script', path, address, 'The page loads this script, and it is not in the approved set.')]
        : []
    }
    const text = script.text.trim()
    if (text === '' || inlineScripts.some(({ pattern }) => pattern.test(text))) return []
    return [finding('script', path, `inline: ${text.slice(0, 80)}`, 'The page has this script in its text.')]
  })
}

/** Scripts and preloaded modules of a document, by URL or text, without data blocks. */
function scriptsIn(html: string): ({ address: string } | { text: string })[] {
  const found: ({ address: string } | { text: string })[] = []
  const lower = html.toLowerCase()
  let at = 0
  while ((at = lower.indexOf('<script', at)) !== -1) {
    const endOfTag = lower.indexOf('>', at)
    if (endOfTag === -1) break
    const attributes = html.slice(at + 7, endOfTag)
    const close = lower.indexOf('</script', endOfTag)
    const end = close === -1 ? html.length : close
    const address = attributeOf(attributes, 'src')
    if (address !== null) found.push({ address })
    else if (!/\btype\s*=\s*["']?application\/(?:ld\+)?json/i.test(attributes))
      found.push({ text: html.slice(endOfTag + 1, end) })
    at = end
  }
  at = 0
  while ((at = lower.indexOf('<link', at)) !== -1) {
    const end = lower.indexOf('>', at)
    if (end === -1) break
    const attributes = html.slice(at + 5, end)
    const rel = attributeOf(attributes, 'rel')
    const address = attributeOf(attributes, 'href')
    if (address !== null && (rel === 'modulepreload' || rel === 'late')) found.push({ address })
    at = end
  }
  return found
}

/** The value of an attribute of a tag of at most 2,000 characters. */
function attributeOf(attributes: string, name: string): string | null {
  const text = attributes.slice(0, 2_000)
  const pattern = /(?:^|[\s"'/])([a-z-]{1,20})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
  for (const [, found = '', ...values] of text.matchAll(pattern))
    if (found.toLowerCase() === name) return values.find((value) => value !== undefined) ?? ''
  return null
}

function compareHeaders(
  path: string,
  got: Readonly<Record<string, string>>,
  expected: Readonly<Record<string, string>>,
): Finding[] {
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const value = got[name]
    if (value === undefined) return [finding('header', path, name, 'The header is missing.')]
    if (name === 'content-security-policy') return comparePolicies(path, value, wanted)
    return value === wanted ? [] : [finding('header', path, name, `Expected “${wanted}”, received “${value}”.`)]
  })
}

/** A policy is weaker if a rule is missing or allows more; hashes and nonces differ with each document. */
function comparePolicies(path: string, got: string, wanted: string): Finding[] {
  if (got.length > 10_000) return [finding('header', path, 'content-security-policy', 'The policy is too long.')]
  const received = rulesOf(got)
  return [...rulesOf(wanted)].flatMap(([name, allowed]) => {
    const sources = received.get(name)
    const subject = `content-security-policy ${name}`
    if (sources === undefined) return [finding('header', path, subject, 'The rule is missing.')]
    const more = [...sources].filter((source) => !allowed.has(source) && !isOfDocument(source) && source !== "'none'")
    return more.length > 0 ? [finding('header', path, subject, `It also allows ${more.join(', ')}.`)] : []
  })
}

function isOfDocument(source: string): boolean {
  return /^'(?:nonce|sha256|sha384|sha512)-/.test(source)
}

function rulesOf(policy: string): Map<string, Set<string>> {
  const rules = new Map<string, Set<string>>()
  for (const rule of policy.split(';')) {
    const [name = '', ...sources] = rule.trim().split(/\s+/)
    // Browsers use the first of rules with the same name.
    if (name !== '' && !rules.has(name.toLowerCase())) rules.set(name.toLowerCase(), new Set(sources))
  }
  return rules
}

/** A script of another company that the store's configuration puts on payment pages. */
export type OtherScript = { address: string; by: string; suggestion: string }

/** Which self-assessment questionnaire fits, and why. */
export const questionnaire = {
  name: 'SAQ A',
  why: [
    'Customers enter card numbers in your payment provider’s frames or pages. They never reach this store, its server, or its database.',
    'SAQ A-EP is for stores with a page that collects card data and sends it to the provider, or a script that controls how it is collected. This store does neither.',
    'SAQ A also asks you to confirm that your pages can’t be attacked by scripts. The Payment pages report is that evidence. It lists every script with its purpose and approval (requirement 6.4.3), and the results of an hourly check of scripts and headers (requirement 11.6.1).',
  ],
  sources: [
    {
      label: 'PCI DSS 4.0.1, requirements 6.4.3 and 11.6.1, and the questionnaires',
      url: 'https://www.pcisecuritystandards.org/document_library/',
    },
    {
      label: 'FAQ 1588: How an e-commerce merchant meets the SAQ A criteria for scripts',
      url: 'https://www.pcisecuritystandards.org/faqs/1588/',
    },
  ],
} as const
