/**
 * Scripts and headers of payment pages, with approvals, hourly checks of responses, and browser reports (PCI DSS
 * 4.0.1, requirements 6.4.3 and 11.6.1).
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { BuiltScript, PaymentPageReader } from './page-reader.port.ts'
import { comparePage, type Finding, type OtherScript } from './payment-pages.ts'
import {
  countChecksByMonth,
  countReport,
  deleteApproval,
  deleteReports,
  insertCheck,
  recordFindings,
  selectApprovals,
  selectChecks,
  selectFindings,
  selectFindingsSince,
  selectOpenedWith,
  selectReports,
  upsertApproval,
  type CspReport,
  type MonthOfChecks,
  type PageCheck,
  type ScriptApproval,
  type StoredFinding,
} from './payment-pages.sql.server.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { keyParts } from '#domain/messaging/messages/messages.ts'
import { listStaffEmails, recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { Log } from '#platform/log.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay, storeZone } from '#platform/store-zone.ts'

export type { CspReport, PageCheck, StoredFinding } from './payment-pages.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** Assessors request evidence for the last twelve months. Covers every day of `evidenceMonths` and the current month. */
const keptDays = 400
const evidenceMonths = 12
/** How many findings the evidence lists. */
const maxEvidenceFindings = 1_000

/** A page to check, with its URL, cookies, and required headers. `opens` means that it must answer 200. */
export type PageToCheck = {
  path: string
  headers: Readonly<Record<string, string>>
  cookies: string | null
  opens: boolean
}

/**
 * Compares payment pages, and every script of the inventory, with the approved state, and records differences. Logs
 * new findings as errors, and emails them to the owners once. Returns all current findings.
 */
export async function checkPaymentPages(
  { db, clock, log }: Deps & { log: Log },
  {
    reader,
    origin,
    pages,
    skipped,
    others,
  }: {
    reader: PaymentPageReader
    /** Where the store is. */
    origin: string
    pages: readonly PageToCheck[]
    /** Why the card page isn't among the pages; null if it is. */
    skipped: string | null
    /** The scripts of others that the configuration puts on these pages. */
    others: readonly OtherScript[]
  },
): Promise<Finding[]> {
  const inventory = (await reader.inventory()) ?? []
  const approvals = new Set((await selectApprovals(db)).map(({ address }) => address))
  const approved = {
    origin,
    scripts: new Map(inventory.map((script) => [script.address, script])),
    others: approvals,
  }
  const found: Finding[] = others
    .filter(({ address }) => !approvals.has(address))
    .map(({ address }) => ({
      kind: 'script',
      page: 'every payment page',
      subject: address,
      detail: 'No owner has approved this script yet.',
    }))
  // One after the other, so that a check never weighs on the store.
  for (const { path, headers, cookies, opens } of pages) {
    const page = await reader.page(path, cookies)
    if (page.ok) found.push(...comparePage(path, page.value, { ...approved, headers, opens }))
    else found.push({ kind: 'unreachable', page: path, subject: 'page', detail: 'The page did not answer.' })
  }
  for (const script of inventory) found.push(...(await checkScript(reader, script)))
  const at = clock.now()
  const opened = await db.transaction().execute(async (tx) => {
    const opened = await recordFindings(tx, found, at)
    const counts = { pages: pages.length, scripts: inventory.length + others.length, findings: found.length }
    await insertCheck(
      tx,
      { at, ...counts, skipped: skipped?.slice(0, 300) ?? null },
      at.subtract({ hours: keptDays * 24 }),
    )
    await deleteReports(tx, at.subtract({ hours: keptDays * 24 }))
    await emailOwners(tx, opened, at)
    return opened
  })
  for (const finding of opened) log.error({ finding }, 'payment page differs from what is approved')
  return found
}

/** Queues an email about the new findings of a check to everyone who can approve scripts. */
async function emailOwners(tx: Tx, opened: readonly { id: number }[], at: Temporal.Instant): Promise<void> {
  if (opened.length === 0) return
  const id = Math.min(...opened.map((finding) => finding.id))
  for (const to of await listStaffEmails(tx, 'payment-pages.approve', at)) {
    const key = `payment-page-differs:${id}:${to}`
    await queueMessage(tx, { kind: 'payment-page-differs', key, to, orderId: null, at })
  }
}

/** How many findings an email lists. */
const mostInEmail = 20

/** Returns up to `mostInEmail` findings for an email's key. */
export function readNoticedFindings({ db }: Pick<Deps, 'db'>, key: string): Promise<Finding[]> {
  const [id = ''] = keyParts(key)
  return selectOpenedWith(db, Number(id), mostInEmail)
}

async function checkScript(reader: PaymentPageReader, { address, integrity }: BuiltScript): Promise<Finding[]> {
  const read = await reader.script(address)
  const about = { page: 'every payment page', subject: address }
  if (!read.ok) return [{ kind: 'unreachable', ...about, detail: 'The script did not answer.' }]
  return read.value.integrity === integrity
    ? []
    : [{ kind: 'content', ...about, detail: `Expected ${integrity}, received ${read.value.integrity}.` }]
}

export const approvalForm = z.object({
  address: z.string('Choose a script.').min(1, 'Choose a script.').max(300, 'Choose a script.'),
  purpose: z
    .string('Say why the page needs this script.')
    .trim()
    .min(10, 'Say why the page needs this script in at least 10 characters.')
    .max(300, 'Please keep this under 300 characters.'),
})

/**
 * Approves a script of another company for payment pages. Refuses `unknown-script` for one that no page should have.
 */
export async function approveScript(
  { db, clock }: Deps,
  by: Actor,
  { address, purpose, others }: z.output<typeof approvalForm> & { others: readonly OtherScript[] },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'unknown-script'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'payment-pages.approve', at)
    if (!permitted.ok) return permitted
    if (!others.some((other) => other.address === address)) return refused('unknown-script')
    await upsertApproval(tx, { address, purpose, by: by.name, at })
    await recordAct(tx, { by, act: 'payment-script.approved', subject: address.slice(0, 254), after: { purpose }, at })
    return ok(null)
  })
}

export const withdrawalForm = approvalForm.pick({ address: true })

/** Withdraws an approval. The next check reports the script. Refuses `gone` for one that was not approved. */
export async function withdrawScript(
  { db, clock }: Deps,
  by: Actor,
  address: string,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'gone'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'payment-pages.approve', at)
    if (!permitted.ok) return permitted
    if (!(await deleteApproval(tx, address))) return refused('gone')
    await recordAct(tx, { by, act: 'payment-script.withdrawn', subject: address.slice(0, 254), at })
    return ok(null)
  })
}

/** The evidence for an assessor. */
export type PaymentPageEvidence = {
  inventory: readonly BuiltScript[] | null
  approvals: ScriptApproval[]
  findings: StoredFinding[]
  checks: PageCheck[]
  reports: CspReport[]
}

/** Reads the inventory, the approvals, and the newest checks, findings and reports. */
export async function readPaymentEvidence(
  { db }: Pick<Deps, 'db'>,
  reader: Pick<PaymentPageReader, 'inventory'>,
): Promise<PaymentPageEvidence> {
  const [inventory, approvals, findings, checks, reports] = await Promise.all([
    reader.inventory(),
    selectApprovals(db),
    selectFindings(db, { isOpen: null, limit: 100 }),
    selectChecks(db, 24),
    selectReports(db, 100),
  ])
  return { inventory, approvals, findings, checks, reports }
}

/**
 * Reads the checks of the current month and the twelve before it, newest first and including months without a check,
 * and their findings. `unlisted` is how many more findings there are.
 */
export async function readEvidenceYear({
  db,
  clock,
}: Deps): Promise<{ months: MonthOfChecks[]; findings: StoredFinding[]; unlisted: number }> {
  const thisMonth = storeDay(clock.now()).toPlainYearMonth()
  const first = thisMonth.subtract({ months: evidenceMonths })
  const since = first.toPlainDate({ day: 1 }).toZonedDateTime(storeZone).toInstant()
  const [counted, { findings, total }] = await Promise.all([
    countChecksByMonth(db, since),
    selectFindingsSince(db, { since, limit: maxEvidenceFindings }),
  ])
  const months = Array.from({ length: evidenceMonths + 1 }, (_, back) => {
    const month = thisMonth.subtract({ months: back }).toString()
    return counted.find((one) => one.month === month) ?? { month, checks: 0, failed: 0, findings: 0 }
  })
  return { months, findings, unlisted: total - findings.length }
}

/** The open findings, newest first. */
export function listOpenFindings({ db }: Pick<Deps, 'db'>, limit: number): Promise<StoredFinding[]> {
  return selectFindings(db, { isOpen: true, limit })
}

const oldReport = z.object({
  'csp-report': z.object({
    'document-uri': z.string().optional(),
    'effective-directive': z.string().optional(),
    'violated-directive': z.string().optional(),
    'blocked-uri': z.string().optional(),
    'script-sample': z.string().optional(),
  }),
})
const newReports = z
  .array(
    z.object({
      type: z.string(),
      body: z
        .object({
          documentURL: z.string().optional(),
          effectiveDirective: z.string().optional(),
          blockedURL: z.string().optional(),
          sample: z.string().nullish(),
        })
        .optional(),
    }),
  )
  .max(20)

/** In bytes; a browser sends less than one. */
export const longestReport = 16_384

/**
 * Counts what a browser reports as blocked by the policy of a page of the store; reports about other sites, and text
 * that is no report, are ignored. `body` has at most `longestReport` bytes.
 */
export async function receiveCspReports({ db, clock }: Deps, origin: string, body: string): Promise<void> {
  for (const { page, directive, blocked, sample } of readReports(body)) {
    const url = URL.parse(page)
    if (url?.origin !== origin || !/^[a-z-]{1,60}$/.test(directive)) continue
    const report = {
      page: pathOnly(url.pathname),
      directive,
      blocked: sourceOf(blocked),
      sample: sample
        .toWellFormed()
        .replaceAll(/[\p{Cc}]/gu, ' ')
        .slice(0, 40),
    }
    const key = createHash('sha256').update([report.page, report.directive, report.blocked].join('\n')).digest('hex')
    await countReport(db, { key, ...report }, clock.now())
  }
}

type Reported = { page: string; directive: string; blocked: string; sample: string }

function readReports(body: string): Reported[] {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return []
  }
  const old = oldReport.safeParse(json)
  if (old.success) {
    const report = old.data['csp-report']
    const directive = report['effective-directive'] ?? report['violated-directive']?.split(' ')[0] ?? ''
    return [
      {
        page: report['document-uri'] ?? '',
        directive,
        blocked: report['blocked-uri'] ?? '',
        sample: report['script-sample'] ?? '',
      },
    ]
  }
  const reports = newReports.safeParse(json)
  if (!reports.success) return []
  return reports.data
    .filter(({ type, body: report }) => type === 'csp-violation' && report)
    .map(({ body: report }) => ({
      page: report?.documentURL ?? '',
      directive: report?.effectiveDirective ?? '',
      blocked: report?.blockedURL ?? '',
      sample: report?.sample ?? '',
    }))
}

/** Without numbers and keys, which would make every visit a separate report. */
function pathOnly(pathname: string): string {
  return pathname
    .slice(0, 200)
    .replaceAll(/\/[\w.~%-]{24,}/g, '/…')
    .replaceAll(/\d{3,}/g, '…')
    .slice(0, 200)
}

/** The origin of the blocked resource, or its keyword, such as "inline". */
function sourceOf(blocked: string): string {
  const url = URL.parse(blocked.slice(0, 2_000))
  if (url && url.origin !== 'null') return url.origin.slice(0, 200)
  return url ? url.protocol.slice(0, 200) : blocked.replaceAll(/[^\w-]/g, '').slice(0, 40) || 'unknown'
}
