/**
 * Whether the domain that emails come from is set up for it: SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489),
 * which Google, Yahoo and Outlook ask of senders.
 */
import type { DnsTexts } from './dns-texts.port.ts'

/** Where mail providers put their keys, as far as it is always the same name. */
const usualSelectors = [
  'default',
  'dkim',
  'email',
  'google',
  'k1',
  'k2',
  'k3',
  'mail',
  'mailo',
  'mg',
  'mta',
  'mx',
  'pic',
  'pm',
  'resend',
  's1',
  's2',
  'selector1',
  'selector2',
  'smtp',
]

/** The check's result. `words` has one part for each of the three. */
export type EmailDomain = { passed: boolean; words: string }

/** The domain of an address such as `Name <help@example.com>`; null for one without. */
export function domainOf(from: string): string | null {
  const domain = /@([a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?)>?\s*$/i.exec(from.slice(-400))?.[1]?.toLowerCase()
  return domain?.includes('.') ? domain : null
}

/** Looks the three up, at most 23 names. */
export async function checkDomain(dns: DnsTexts, domain: string): Promise<EmailDomain> {
  const parent = domain.split('.').slice(-2).join('.')
  const [spf, ofDomain, ofParent, ...keys] = await Promise.all([
    dns.texts(domain),
    dns.texts(`_dmarc.${domain}`),
    parent === domain ? { ok: true as const, value: [] } : dns.texts(`_dmarc.${parent}`),
    ...usualSelectors.map((selector) => dns.texts(`${selector}._domainkey.${domain}`)),
  ])
  if (!spf.ok || !ofDomain.ok || !ofParent.ok)
    return { passed: false, words: `the domain name system did not answer about ${domain}. Try again.` }
  const dmarc = policyOf(ofDomain.value) ?? policyOf(ofParent.value)
  const selector = usualSelectors.find((_, index) => {
    const found = keys[index]
    return found?.ok === true && found.value.some(isKey)
  })
  const parts = [
    spfFault(spf.value),
    selector === undefined ? 'DKIM: no key under the usual names. Ask your mail provider for its record' : null,
    dmarc === null ? 'DMARC: no policy. Add one at _dmarc, such as v=DMARC1; p=none' : null,
  ].filter((fault) => fault !== null)
  return parts.length === 0
    ? { passed: true, words: `${domain}: SPF, DKIM (${selector}) and DMARC (${dmarc}) are set up` }
    : { passed: false, words: `${domain}. ${parts.join('. ')}.` }
}

function spfFault(texts: readonly string[]): string | null {
  const records = texts.filter((text) => /^v=spf1(?: |$)/i.test(text))
  const [record] = records
  if (record === undefined) return 'SPF: no record. Add the one of your mail provider'
  if (records.length > 1) return 'SPF: more than one record. Join them into one'
  return /(?:^| )\+?all(?: |$)/i.test(record.slice(0, 2_000))
    ? 'SPF: the record allows every server. End it with ~all or -all'
    : null
}

/** "none", "quarantine" or "reject" */
function policyOf(texts: readonly string[]): string | null {
  const record = texts.find((text) => /^v=DMARC1(?:;|$| )/i.test(text))
  return (
    /;\s{0,9}p\s{0,9}=\s{0,9}(none|quarantine|reject)\b/i.exec(record?.slice(0, 2_000) ?? '')?.[1]?.toLowerCase() ??
    null
  )
}

/** A key that wasn't revoked. An empty one isn't used for signing. */
function isKey(text: string): boolean {
  return /(?:^|;)\s{0,9}p\s{0,9}=\s{0,9}[\w+/]/.test(text.slice(0, 4_000))
}
