/** Google Merchant Center over the Merchant API v1: https://developers.google.com/merchant/api */
import { z } from 'zod'
import {
  issueSeverities,
  type IssuePage,
  type IssueSeverity,
  type ListingIssue,
  type MerchantAnswer,
  type MerchantCenter,
} from '#domain/catalog/google-listings/merchant-center.port.ts'
import type { Clock } from '#platform/clock.ts'
import { createGoogleClient, type GoogleAnswer, type ServiceAccount } from './google-client.ts'
import { contentLanguage, feedLabel, productInputOf } from './product-input.ts'

export type GoogleMerchantConfig = {
  /** https://merchantapi.googleapis.com, or a server that speaks its protocol. */
  apiOrigin: string
  /** The number of the account at Merchant Center, and of its API data source. */
  accountId: string
  dataSourceId: string
  key: ServiceAccount
  clock: Clock
}

const scope = 'https://www.googleapis.com/auth/content'
/** The API's maximum. */
const pageSize = 1_000
const mostIssues = 20

const errorForm = z.object({ error: z.object({ message: z.string().default(''), status: z.string().default('') }) })

const issueForm = z.object({
  code: z.string().default(''),
  severity: z.string().default(''),
  attribute: z.string().default(''),
  description: z.string().default(''),
  detail: z.string().default(''),
  documentation: z.string().default(''),
})
const productForm = z.object({
  offerId: z.string(),
  dataSource: z.string().default(''),
  productStatus: z.object({ itemLevelIssues: z.array(issueForm).default([]) }).optional(),
})
const pageForm = z.object({ products: z.array(productForm).default([]), nextPageToken: z.string().default('') })

export function createGoogleMerchant(config: GoogleMerchantConfig): MerchantCenter {
  const { apiOrigin, accountId, dataSourceId, key, clock } = config
  const client = createGoogleClient({ apiOrigin, scope, account: key, clock })
  const account = `/products/v1/accounts/${accountId}`
  const dataSource = `accounts/${accountId}/dataSources/${dataSourceId}`
  const inSource = new URLSearchParams({ dataSource }).toString()

  async function call<Value>(
    send: () => Promise<GoogleAnswer>,
    read: (answer: GoogleAnswer) => Value | undefined,
  ): Promise<MerchantAnswer<Value>> {
    try {
      const answer = await send()
      const value = read(answer)
      return value === undefined ? failureOf(answer, clock.now()) : { ok: true, value }
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause)
      return { ok: false, reason: 'unavailable', message, retrySeconds: retrySeconds.unavailable }
    }
  }

  return {
    put: (listing) =>
      call(
        () => client.send('POST', `${account}/productInputs:insert?${inSource}`, productInputOf(listing)),
        ({ status }) => (status === 200 ? null : undefined),
      ),
    remove: (itemId) =>
      call(
        () => client.send('DELETE', `${account}/productInputs/${nameOf(itemId)}?${inSource}`),
        ({ status }) => (status === 200 || status === 404 ? null : undefined),
      ),
    readIssues: (page) => {
      const query = new URLSearchParams({ pageSize: String(pageSize), ...(page !== null && { pageToken: page }) })
      return call(
        () => client.send('GET', `${account}/products?${query.toString()}`),
        ({ status, body }) => (status === 200 ? issuesOf(body, dataSource) : undefined),
      )
    },
  }
}

/** The name of a product, encoded as Google recommends. */
function nameOf(itemId: number): string {
  return Buffer.from(`${contentLanguage}~${feedLabel}~${itemId}`).toString('base64url')
}

const retrySeconds = { unavailable: 60, denied: 300, dailyLimit: 3_600 }
const longestRetrySeconds = 24 * 3_600

function failureOf({ status, body, retryAfter }: GoogleAnswer, now: Temporal.Instant): MerchantAnswer<never> {
  const { data } = errorForm.safeParse(body)
  const message = data?.error.message || `Google answered ${status}.`
  if (status === 400) return { ok: false, reason: 'refused', message }
  const seconds =
    status === 429 && message.includes('daily_limit')
      ? retrySeconds.dailyLimit
      : status === 429 || status >= 500
        ? retrySeconds.unavailable
        : retrySeconds.denied
  return { ok: false, reason: 'unavailable', message, retrySeconds: secondsOf(retryAfter, now) ?? seconds }
}

/** Retry-After has seconds or a date (RFC 9110, section 10.2.3). */
function secondsOf(retryAfter: string | null, now: Temporal.Instant): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = /^\d{1,6}$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - now.epochMilliseconds) / 1_000)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), longestRetrySeconds) : undefined
}

/** The listings of our data source that have problems. */
function issuesOf(body: unknown, dataSource: string): IssuePage {
  const { products, nextPageToken } = pageForm.parse(body)
  const listings = products.flatMap(({ offerId, dataSource: from, productStatus }) => {
    const issues = distinct(productStatus?.itemLevelIssues ?? [])
    if (from !== dataSource || !/^[1-9]\d{0,8}$/.test(offerId) || issues.length === 0) return []
    return [{ itemId: Number(offerId), issues }]
  })
  return { listings, next: nextPageToken || null }
}

const severities: Readonly<Record<string, IssueSeverity>> = {
  DISAPPROVED: 'disapproved',
  DEMOTED: 'limited',
}

/** Google reports a problem once per channel. Returns each once, the most severe first. */
function distinct(found: readonly z.output<typeof issueForm>[]): ListingIssue[] {
  const issues = found
    .map(({ severity, ...issue }) => ({ ...issue, severity: severities[severity] ?? ('notice' as const) }))
    .toSorted((a, b) => issueSeverities.indexOf(a.severity) - issueSeverities.indexOf(b.severity))
  const first = new Map(issues.toReversed().map((issue) => [`${issue.code} ${issue.attribute}`, issue]))
  return issues
    .filter((issue) => first.get(`${issue.code} ${issue.attribute}`) === issue)
    .slice(0, mostIssues)
    .map(({ severity, code, description, detail, documentation }) => ({
      severity,
      text: (description || code).slice(0, 300),
      detail: detail.slice(0, 1_000) || null,
      help: documentation.startsWith('https://') ? documentation.slice(0, 500) : null,
    }))
}
