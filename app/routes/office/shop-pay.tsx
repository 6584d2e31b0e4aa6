import { data } from 'react-router'
import { readForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { KeyValues, Notice, Panel, PanelBody } from '#app/ui/office/office-parts.tsx'
import { statementLine } from '#app/views/portal-pay.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import {
  findPayee,
  readPayOverview,
  readStatement,
  selectAccount,
  selectDisputes,
  selectProposals,
  selectTransfers,
} from '#domain/payouts/payouts.server.ts'
import { readWeek, weekText } from '#domain/payouts/payouts.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { actOnPay } from './shop-pay-acts.server.ts'
import { AdjustPanel, DisputePanel, ProposalPanel, TransferPanel } from './shop-pay-panels.tsx'
import type { Route } from './+types/shop-pay.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Pay of ${params.shopCode}`, officePaths.officeShopPay(params.shopCode ?? ''))

const news: Readonly<Record<string, string>> = {
  adjusted: 'Saved. Above the limit of one person it waits for somebody else.',
  decided: 'Decided.',
  answered: 'Answered. The shop reads it in its portal.',
  reversed: 'Taken back.',
  sent: 'Sent.',
}

export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const { shop } = await requireStaff(context, 'pay.read', officePaths.officeShopPay(shopCode))
  const payee = await findPayee(shop.db, shopCode)
  if (!payee) throw data(null, { status: 404 })
  const { shopId, timeZone } = payee
  const { db } = shop
  const overview = await readPayOverview(shop, payee)
  const asked = readWeek(url.searchParams.get('week') ?? '') ?? overview.thisWeek
  const last = Temporal.PlainDate.compare(asked, overview.thisWeek) > 0 ? overview.thisWeek : asked
  const weeks = [last, last.subtract({ days: 7 })]
  const weekPath = (week: Temporal.PlainDate) =>
    officePaths.officeShopPay(shopCode, undefined, week.equals(overview.thisWeek) ? {} : { week: week.toString() })
  const statements = await Promise.all(weeks.map((week) => readStatement(db, shopId, week)))
  const [account, disputes, proposals, transfers] = await Promise.all([
    selectAccount(db, { shopId }),
    selectDisputes(db, shopId),
    selectProposals(db, shopId),
    selectTransfers(db, shopId),
  ])
  const lines = statements.flatMap((statement) => statement.lines)
  const now = shop.clock.now()
  return {
    name: `${payee.name}, ${payee.code}`,
    news: news[url.searchParams.get('done') ?? ''] ?? null,
    submissions: { adjust: newId(), answer: newId(), reverse: newId() },
    values: [
      ['Owed', formatCents(overview.owedCents)],
      ['Sent', formatCents(overview.sentCents)],
      [
        'Bank account',
        account ? `${account.state}${account.bankLast4 ? `, ending in ${account.bankLast4}` : ''}` : 'None yet',
      ],
    ] as [string, string][],
    weeks: {
      words: weeks.map((week) => `${weekText(week)}, ${week.year}`).join(' and '),
      older: weekPath(last.subtract({ days: 14 })),
      newer: last.equals(overview.thisWeek) ? null : weekPath(last.add({ days: 14 })),
    },
    jobs: lines.flatMap(({ id, kind, orderId, words }) =>
      (kind === 'finished' || kind === 'no-show') && orderId !== null
        ? [{ id, words: `${orderNumber(orderId)}, ${words}` }]
        : [],
    ),
    rows: lines
      .map((line) => statementLine(line, { timeZone, now, disputePath: null }))
      .map(({ id, day, name, words, tires, rate, state, cents }) => ({
        id,
        cells: { day, name, words: [words, ...tires].join(', '), rate, state, cents: formatCents(cents) },
      })),
    disputes: disputes.map((each) => ({
      id: each.id,
      about: `${each.orderId === null ? 'Adjustment' : orderNumber(each.orderId)}, ${formatCents(each.amountCents)}`,
      at: timeText(each.openedAt, storeZone),
      state: each.state,
      words: each.words,
      answer: each.answer,
    })),
    proposals: proposals.map(({ id, kind, amountCents, reason, madeBy }) => ({
      id,
      words: `${kind === 'chargeback' ? 'Chargeback' : 'Adjustment'} of ${formatCents(amountCents)} by ${madeBy}: ${reason}`,
    })),
    transfers: transfers.map(({ id, state, amountCents, intendedAt, refusal }) => ({
      id,
      state,
      refusal,
      words: `${formatCents(amountCents)}, ${timeText(intendedAt, storeZone)}`,
    })),
  }
}

export async function action({ request, context, params: { shopCode } }: Route.ActionArgs) {
  const staff = await requireStaff(context, 'pay.adjust', officePaths.officeShopPay(shopCode))
  const fields = await readForm(request)
  const payee = await findPayee(staff.shop.db, shopCode)
  if (!payee) throw data(null, { status: 404 })
  return actOnPay(staff, payee, fields)
}

const labels = {
  amount: 'Amount',
  kind: 'What',
  reason: 'Reason',
  answer: 'Answer',
  granted: 'Pay',
  back: 'Take back',
  transfer: 'Transfer',
}

export default function ShopPayPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { name, news: done, values, rows, weeks } = loaderData
  return (
    <OfficePage title={`Pay of ${name}`} crumbs={[{ label: 'Shop pay', path: officePaths.officeShopPays() }]}>
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      <ErrorSummary reply={reply} labels={labels} />
      <Panel id="balance" title="Balance">
        <PanelBody>
          <KeyValues rows={values} />
        </PanelBody>
      </Panel>
      <DisputePanel {...loaderData} reply={reply} />
      <ProposalPanel {...loaderData} />
      <Panel id="jobs" title="Jobs and adjustments" note={weeks.words}>
        {rows.length === 0 ? (
          <p className="office-panel-body">Nothing in these weeks.</p>
        ) : (
          <DataTable
            caption="Jobs and adjustments"
            columns={[
              { key: 'name', label: 'What', isRowHeader: true },
              { key: 'day', label: 'Day' },
              { key: 'words', label: 'For' },
              { key: 'rate', label: 'Rate' },
              { key: 'state', label: 'State' },
              { key: 'cents', label: 'Pay', isAmount: true },
            ]}
            rows={rows}
          />
        )}
        <PanelBody>
          <ListFoot label="Weeks" newer={weeks.newer} older={weeks.older} file={null} />
        </PanelBody>
      </Panel>
      <AdjustPanel {...loaderData} reply={reply} />
      <TransferPanel {...loaderData} reply={reply} />
    </OfficePage>
  )
}
