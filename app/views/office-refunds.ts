/** What the list of refunds is asked for. Anything else counts as not asked. */
import { officePaths } from '#content/office-paths.ts'
import {
  listedReasons,
  refundBearers,
  refundTabs,
  type ListedReason,
  type RefundBearer,
  type RefundTab,
} from '#domain/refunds/refunds.ts'
import type { RefundQuery } from '#domain/refunds/refunds.server.ts'
import { instantsOf, readDay } from './office-times.ts'

export type RefundsAsked = {
  tab: RefundTab
  reason: ListedReason | ''
  bearer: RefundBearer | ''
  from: string
  to: string
}

export function readRefundsAsked(query: URLSearchParams): RefundsAsked {
  const of = <Word extends string>(words: Readonly<Record<Word, string>>, name: string): Word | '' =>
    (Object.keys(words) as Word[]).find((word) => word === query.get(name)) ?? ''
  return {
    tab: refundTabs.find((tab) => tab === query.get('state')) ?? 'all',
    reason: of(listedReasons, 'reason'),
    bearer: of(refundBearers, 'bearer'),
    from: readDay(query.get('from') ?? ''),
    to: readDay(query.get('to') ?? ''),
  }
}

/** The query of an address. Days are those of the store's zone; `to` is included. */
export function refundQueryOf({ tab, reason, bearer, from, to }: RefundsAsked): RefundQuery {
  return { tab, reason: reason || null, bearer: bearer || null, ...instantsOf({ from, to }) }
}

/** The address of the list with these filters; `after` is the refund before the page. */
export function refundsAddress({ tab, reason, bearer, from, to }: RefundsAsked, after?: string): string {
  return officePaths.officeRefunds({
    state: tab === 'all' ? undefined : tab,
    reason: reason || undefined,
    bearer: bearer || undefined,
    from: from || undefined,
    to: to || undefined,
    after,
  })
}

/** A place in the list as an address has it: "2026-11-20T15:00:00Z_0193…". */
export function placeText({ at, id }: { at: Temporal.Instant; id: string }): string {
  return `${at.toString()}_${id}`
}

/** Reads `placeText`; null for anything else. */
export function readPlace(text: string | null): { at: Temporal.Instant; id: string } | null {
  const [, at = '', id = ''] =
    /^(20\d\d-\d\d-\d\dT[\d:.]{8,18}Z)_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/.exec(text ?? '') ?? []
  try {
    return { at: Temporal.Instant.from(at), id }
  } catch {
    return null
  }
}
