/** Report emails. Staff subscribe to a report, and get its figures and a link each week or month. */
import { officePaths } from '#content/office-paths.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import { findStaff, recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { isId, newTimedId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { PersonKey } from '#platform/work-sessions.ts'
import { readReports } from './read-reports.server.ts'
import { isReportName, monthOf, reportEntries, type Cell, type Column, type ReportName } from './reports.ts'
import { lastDue, type Every } from './schedule.ts'
import {
  deleteSubscription,
  selectAll,
  selectOfPerson,
  selectSubscription,
  upsertSubscription,
  type Subscription,
} from './subscriptions.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** An email delayed for longer than this is no longer sent. */
const maxLateHours = 48

/** Lists a person's subscriptions to a report. */
export function listSubscriptions(
  { db }: Pick<Deps, 'db'>,
  person: PersonKey,
  report: ReportName,
): Promise<Subscription[]> {
  return selectOfPerson(db, person, report)
}

/** Subscribes a person to a report, or changes the hour of their subscription. Refuses `not-allowed`. */
export async function subscribeToReport(
  { db, clock }: Deps,
  by: Actor,
  { issuer, subject, report, every, hour }: PersonKey & { report: ReportName; every: Every; hour: number },
): Promise<Outcome<null, Refused<'not-allowed'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'reports.read', at)
    if (!permitted.ok) return permitted
    await upsertSubscription(tx, { id: newTimedId(), issuer, subject, report, every, hour, subscribedAt: at })
    await recordAct(tx, { by, act: 'report.subscribed', subject: report, after: { every, hour }, at })
    return ok(null)
  })
}

/** Ends a person's own subscription. Refuses with `not-allowed`, or `gone` if the subscription doesn't exist. */
export async function unsubscribeFromReport(
  { db, clock }: Deps,
  by: Actor,
  { issuer, subject, id }: PersonKey & { id: string },
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'gone'>>> {
  if (!isId(id)) return refused('gone')
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'reports.read', at)
    if (!permitted.ok) return permitted
    const deleted = await deleteSubscription(tx, { issuer, subject }, id)
    if (!deleted) return refused('gone')
    const { report, every } = deleted
    await recordAct(tx, { by, act: 'report.unsubscribed', subject: report, before: { every }, at })
    return ok(null)
  })
}

/** Queues due report emails, once each, with a key made of the subscription and the days. Returns how many are due. */
export async function emailDueReports({ db, clock }: Deps): Promise<number> {
  const now = clock.now()
  let due = 0
  for (const subscription of await selectAll(db)) {
    const { at, period } = lastDue(subscription, now)
    const isLate = now.since(at).total('hours') > maxLateHours
    if (isLate || Temporal.Instant.compare(subscription.subscribedAt, at) > 0) continue
    const to = await readerOf({ db, clock }, subscription)
    if (to === undefined) continue
    due += 1
    await queueMessage(db, {
      kind: 'report',
      key: `report:${subscription.id}:${period.from.toString()}:${period.to.toString()}`,
      to,
      orderId: null,
      at: now,
    })
  }
  return due
}

/** The email of a person who may read reports now; undefined for others. */
async function readerOf({ db, clock }: Deps, person: PersonKey): Promise<string | undefined> {
  const staff = await findStaff({ db, clock }, person)
  return staff && staffCan(staff.roles, 'reports.read') ? staff.email : undefined
}

/**
 * Returns the values of such an email, with the figures as they are when it is sent. Null if its subscription has
 * ended, or its reader lost the permission.
 */
export async function reportMessageValues(
  { db, clock, config }: Deps & { config: Pick<Config, 'web'> },
  { key }: { key: string },
): Promise<MessageValues | null> {
  const [id = '', from = '', to = ''] = keyParts(key)
  const subscription = await selectSubscription(db, id)
  if (!subscription || !isReportName(subscription.report)) return null
  if ((await readerOf({ db, clock }, subscription)) === undefined) return null
  const period = { from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) }
  const filter = { state: null, shopId: null, accountType: null }
  const name = subscription.report
  const { reports } = await readReports({ db }, { period, comparison: 'month', filter, names: [name] })
  const { title, columns, total } = reports[name]
  const month = monthOf(period)
  const query = month ? { month: month.toString() } : { from, to }
  const url = config.web.origin + officePaths.officeReport(name, { ...query, compare: 'month' })
  return {
    reportName: reportEntries[name].label,
    reportDays: month
      ? period.from.toLocaleString('en-US', { month: 'long', year: 'numeric' })
      : `${dayOf(period.from)} to ${dayOf(period.to)}`,
    reportTitle: title,
    figures: columns.flatMap((column, at) =>
      at === 0 || column.kind === 'text' ? [] : [{ left: column.label, right: cellText(total[at] ?? null, column) }],
    ),
    reportUrl: url,
    settingsUrl: `${config.web.origin}${officePaths.officeReport(name)}#email`,
  }
}

function dayOf(day: Temporal.PlainDate): string {
  return day.toLocaleString('en-US', { dateStyle: 'medium' })
}

function cellText(cell: Cell, { kind }: Column): string {
  if (typeof cell !== 'number') return cell ?? 'None'
  switch (kind) {
    case 'cents':
      return formatCents(cell)
    case 'ppm':
      return `${(cell / 10_000).toFixed(1)}%`
    case 'stars':
      return (cell / 100).toFixed(2)
    default:
      return cell.toLocaleString('en-US')
  }
}
