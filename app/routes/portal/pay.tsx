import { checkForm, formRefusal, readFormWithFile, refuseForm } from '#app/forms/form.ts'
import { uploadOf } from '#app/forms/public-form.ts'
import { visitorContext } from '#app/server/context.ts'
import { requireShop } from '#app/server/portal.server.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { PayStatementTable } from '#app/ui/portal/pay-statement.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import {
  aboutOf,
  aheadView,
  bankPayoutText,
  disputedView,
  nextPayoutView,
  ratesView,
  recordedFacts,
  statementLine,
} from '#app/views/portal-pay.server.ts'
import { disputeMessages } from '#content/messages/payouts.ts'
import { workOrderMessages } from '#content/messages/work-orders.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { disputeForm, disputeStates, readWeek } from '#domain/installer-portal/payouts/payouts.ts'
import {
  listJobsAhead,
  openDispute,
  readPayOverview,
  readShopRates,
  readShopYear,
  readStatement,
  selectAccount,
  selectDisputes,
} from '#domain/installer-portal/payouts/payouts.server.ts'
import { readJob } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { weekSpanText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { timeText } from '#platform/time-text.ts'
import { BankPanel, DisputeForm, JobsAhead, NextPayout, PastDisputes, PayoutRates, PayYear } from './pay-panels.tsx'
import type { Route } from './+types/pay.ts'

export const meta: Route.MetaFunction = ({ matches }) => portalHead(matches, 'Payouts', portalPaths.portal())

const shownWeeks = 12

export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const path = portalPaths.pay(shopCode)
  const { app, place } = await requireShop(context, 'pay.read', { shopCode, path })
  const { shopId, timeZone } = place
  const now = app.clock.now()
  const overview = await readPayOverview(app, place)
  const { thisWeek, next, bank } = overview
  const [statement, disputes, account, ahead, rates, year] = [
    await readStatement(app.db, shopId, thisWeek),
    await selectDisputes(app.db, shopId),
    await selectAccount(app.db, { shopId }),
    await listJobsAhead(app, place),
    await readShopRates(app, place),
    await readShopYear(app, place),
  ]
  const asked = url.searchParams.get('about')
  const week = readWeek(url.searchParams.get('week') ?? '')
  const from = week && !week.equals(thisWeek) ? await readStatement(app.db, shopId, week) : statement
  const about = from.lines.find((line) => aboutOf(line) === asked)
  const job = about?.bookingId ? await readJob(app, { shopId, bookingId: about.bookingId }) : undefined
  const disputePath = (of: string) => `${portalPaths.pay(shopCode, { about: of })}#dispute`
  return {
    shopCode,
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    week: weekSpanText(thisWeek),
    owed: formatCents(overview.owedCents),
    isNegative: overview.owedCents < 0,
    next: next && nextPayoutView(next, { now, timeZone }),
    year: {
      year: year.year,
      jobs: year.jobs,
      jobsText: formatCents(year.jobsCents),
      adjustments: formatCents(year.adjustmentsCents),
      sent: formatCents(year.sentCents),
    },
    totals: statement.totals,
    carriedCents: statement.carriedCents,
    ahead: aheadView(ahead, { timeZone, shopCode }),
    rates: ratesView(rates),
    lines: statement.lines.map((line) => statementLine(line, { timeZone, now, disputePath })),
    about: about && disputedView(about, { timeZone, now, facts: job ? recordedFacts(job) : [] }),
    weeks: overview.weeks.slice(0, shownWeeks).map(({ week: monday, cents }) => ({
      monday,
      words: weekSpanText(Temporal.PlainDate.from(monday)),
      cents: formatCents(cents),
    })),
    disputes: disputes.map((each) => ({
      id: each.id,
      about: `${each.orderId === null ? 'Adjustment' : orderNumber(each.orderId)}, ${formatCents(each.amountCents)}`,
      state: disputeStates[each.state],
      words: each.words,
      hasPhoto: each.hasPhoto,
      answer: each.answer,
    })),
    account: account && { state: account.state, last4: account.bankLast4 },
    bank: bank.map((payout) => ({
      ref: payout.ref,
      words: bankPayoutText(payout, now.toZonedDateTimeISO(timeZone).toPlainDate()),
      isFailed: payout.state === 'failed',
    })),
  }
}

const news: Readonly<Record<string, string>> = {
  disputed: 'Dispute sent. Our team will answer it here.',
  bank: 'Back from the payout provider. It can take a minute until the account is ready.',
  'bank-away': 'The payout provider isn’t responding. Try again.',
}

const refusals = {
  'not-allowed': { words: 'You no longer have permission to do this.', status: 403 },
  'not-found': { words: 'Choose what it is about from the list below.', status: 422 },
  'disputed-already': { words: disputeMessages.disputed, status: 409 },
  'too-many-photos': workOrderMessages.refusals['too-many-photos'],
} as const

/** Takes a dispute. */
export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const path = portalPaths.pay(shopCode)
  const { app, actor, place } = await requireShop(context, 'pay.dispute', { shopCode, path })
  const { fields, file } = await readFormWithFile(request, 'photo')
  const checked = checkForm(disputeForm, fields)
  if (!checked.ok) return refuseForm(checked.reply)
  if (file && file.size > maxAttachmentBytes) return refusePhoto(fields, workOrderMessages.photo['too-large'])
  const photo = await uploadOf(file)
  const { networkKey } = context.get(visitorContext)
  const opened = await openDispute(app, actor, { ...checked.value, photo }, { networkKey, signal: request.signal })
  if (opened.ok) return seeOther(portalPaths.pay(shopCode, { done: 'disputed' }))
  if (opened.reason === 'photo') return refusePhoto(fields, workOrderMessages.photo[opened.detail.why])
  if (opened.reason === 'too-late') {
    const until = timeText(opened.detail.until, place.timeZone)
    return refuseForm(formRefusal(fields, disputeMessages.tooLate(until)), 409)
  }
  const { words, status } = refusals[opened.reason]
  return refuseForm(formRefusal(fields, words), status)
}

/** Refuses a photo. The shop chooses the file again, and the text stays. */
function refusePhoto(fields: URLSearchParams, words: string) {
  return refuseForm(formRefusal(fields, words, { photo: words }))
}

export default function Pay({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { shopCode, news: done, week, lines, totals, carriedCents, weeks, disputes } = loaderData
  return (
    <div className="wrap portal">
      {done && !reply ? (
        <p className="portal-news" role="status">
          <Icon name="check-circle" size="s" /> {done}
        </p>
      ) : null}
      <div className="portal-title">
        <h1>Payouts</h1>
      </div>
      <ErrorSummary reply={reply} labels={{ about: 'What it is about', words: 'Problem', photo: 'Photo' }} />
      <div className="pay-page">
        <div className="pay-main">
          <NextPayout {...loaderData} />
          <DisputeForm about={loaderData.about} reply={reply} />
          <JobsAhead ahead={loaderData.ahead} />
          <section className="pay-panel" aria-labelledby="week">
            <h2 id="week">This week, {week}</h2>
            <PayStatementTable lines={lines} totals={totals} carriedCents={carriedCents} />
          </section>
          <PayoutRates rates={loaderData.rates} />
        </div>
        <div className="pay-side">
          <PayYear year={loaderData.year} />
          <BankPanel {...loaderData} />
          <section className="pay-panel" aria-labelledby="weeks">
            <h2 id="weeks">Statements</h2>
            {weeks.length === 0 ? <p className="muted">Your first statement comes with your first job.</p> : null}
            <ul className="pay-weeks tabular">
              {weeks.map(({ monday, words, cents }) => (
                <li key={monday}>
                  <a href={portalPaths.payWeek(shopCode, monday)}>
                    <b>{words}</b>
                    <span>{cents}</span>
                  </a>
                  {(['csv', 'pdf'] as const).map((as) => (
                    <a
                      key={as}
                      href={portalPaths.payWeekFile(shopCode, monday, as)}
                      aria-label={`${as.toUpperCase()}, ${words}`}
                    >
                      {as.toUpperCase()}
                    </a>
                  ))}
                </li>
              ))}
            </ul>
          </section>
          <PastDisputes disputes={disputes} />
        </div>
      </div>
    </div>
  )
}
