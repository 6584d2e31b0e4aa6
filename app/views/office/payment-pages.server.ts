/** The evidence about payment pages as the office shows it and as its PDF. */
import type { EvidenceSheet } from '#domain/aftercare/disputes/disputes.server.ts'
import { findingLabels, inlineScripts, questionnaire } from '#domain/payments/payment-pages/payment-pages.ts'
import {
  readEvidenceYear,
  readPaymentEvidence,
  type StoredFinding,
} from '#domain/payments/payment-pages/payment-pages.server.ts'
import { otherScripts } from '#app/server/payment-pages.ts'
import { countOf, countOrNone } from '#platform/count-text.ts'
import { monthText } from '#platform/day-text.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'

const at = (time: Temporal.Instant) => timeText(time, storeZone)

/** Reads scripts, approvals, checks, findings and reports. */
export async function readPaymentPages(app: Application) {
  const { inventory, approvals, findings, checks, reports } = await readPaymentEvidence(app, app.paymentPages)
  const approved = new Map(approvals.map((approval) => [approval.address, approval]))
  return {
    isBuilt: inventory !== null,
    scripts: (inventory ?? []).map(({ address, integrity, bytes, purpose, pages }) => ({
      address,
      integrity,
      size: countOf(Math.ceil(bytes / 1024), 'kB', 'kB'),
      purpose,
      pages: pages.join(', '),
    })),
    others: otherScripts(app.config).map(({ address, by, suggestion }) => {
      const approval = approved.get(address)
      return {
        address,
        by,
        purpose: approval?.purpose ?? suggestion,
        approval: approval ? `${approval.by}, ${at(approval.at)}` : null,
      }
    }),
    inline: inlineScripts.map(({ name, purpose }) => ({ name, purpose })),
    skipped: checks[0]?.skipped ?? null,
    checks: checks.map(({ at: time, pages, scripts, findings: found, skipped }) => ({
      time: at(time),
      what: `${countOf(pages, 'page')}, ${countOf(scripts, 'script')}${skipped === null ? '' : `, without the card page (${skipped.replace(/\.$/, '')})`}`,
      found: found === 0 ? 'No differences' : countOf(found, 'difference'),
    })),
    findings: findings.map(findingView),
    reports: reports.map(({ page, directive, blocked, sample, reports: count, lastAt }, index) => ({
      id: String(index),
      page,
      directive,
      blocked: sample === '' ? blocked : `${blocked}: ${sample}`,
      count: String(count),
      last: at(lastAt),
    })),
  }
}

function findingView({ id, kind, page, subject, detail, firstAt, resolvedAt }: StoredFinding) {
  return {
    id: String(id),
    kind: findingLabels[kind],
    page,
    subject,
    detail,
    first: at(firstAt),
    resolved: resolvedAt && at(resolvedAt),
  }
}

type EvidenceYear = Awaited<ReturnType<typeof readEvidenceYear>>

function monthRows(months: EvidenceYear['months']): [string, string][] {
  return [
    ...months.map(({ month, checks, failed, findings }): [string, string] => [
      monthText(Temporal.PlainYearMonth.from(month)),
      `${countOrNone(checks, 'check')}, ${countOf(failed, 'failed check')}, ${countOf(findings, 'new difference')}`,
    ]),
    ['Failed checks', 'A page or script did not answer, or the card page could not be opened.'],
  ]
}

function findingRows(findings: EvidenceYear['findings'], unlisted: number): [string, string][] {
  const listed = findings
    .map(findingView)
    .map(({ first, kind, page, subject, detail, resolved }): [string, string] => [
      first,
      `${kind}: ${subject} on ${page}. ${detail} ${resolved ? `Resolved ${resolved}.` : 'Open.'}`,
    ])
  return unlisted > 0 ? [...listed, ['', `${countOf(unlisted, 'older difference')} not listed.`]] : listed
}

/** The same on paper, for an assessor, with the last twelve months of checks and findings. */
export async function paymentEvidenceSheet(app: Application): Promise<EvidenceSheet> {
  const [view, { months, findings, unlisted }] = await Promise.all([readPaymentPages(app), readEvidenceYear(app)])
  const none = (text: string): [string, string][] => [['', text]]
  const rows = (found: [string, string][], otherwise: string) => (found.length > 0 ? found : none(otherwise))
  return {
    title: `Payment pages, ${at(app.clock.now())}`,
    store: app.config.store.name,
    signature: null,
    parts: [
      {
        title: `Self-assessment questionnaire: ${questionnaire.name}`,
        rows: [
          ...questionnaire.why.map((why, index): [string, string] => [String(index + 1), why]),
          ...questionnaire.sources.map(({ label, url }): [string, string] => ['Source', `${label}: ${url}`]),
        ],
      },
      {
        title: 'Scripts of the store, approved with the release (6.4.3)',
        rows: rows(
          view.scripts.map(({ address, integrity, purpose, pages }) => [
            address,
            `${purpose}. On: ${pages}. Integrity: ${integrity}`,
          ]),
          'This process runs without a build.',
        ),
      },
      {
        title: 'Inline scripts, allowed by a hash or nonce of each response',
        rows: view.inline.map(({ name, purpose }): [string, string] => [name, purpose]),
      },
      {
        title: 'Scripts of others (6.4.3)',
        rows: rows(
          view.others.map(({ address, by, purpose, approval }) => [
            address,
            `${by}. ${purpose} ${approval ? `Approved by ${approval}.` : 'Not approved.'}`,
          ]),
          'None.',
        ),
      },
      { title: 'Checks by month (11.6.1)', rows: monthRows(months) },
      {
        title: 'Last checks of scripts and headers, hourly (11.6.1)',
        rows: rows(
          view.checks.map(({ time, what, found }) => [time, `${what}: ${found.toLowerCase()}`]),
          'No check has run yet.',
        ),
      },
      {
        title: 'Differences that were found in these months',
        rows: rows(findingRows(findings, unlisted), 'None.'),
      },
      {
        title: 'Browser reports about the Content Security Policy',
        rows: rows(
          view.reports.map(({ last, page, directive, blocked, count }) => [
            last,
            `${page}: ${blocked}, by ${directive}. Reported ${countOf(Number(count), 'time')}.`,
          ]),
          'None.',
        ),
      },
    ],
  }
}
