import { canUse } from '#app/office/page-parts.ts'
import { shopPayActions, shopPayRefusals } from '#app/office/actions/shop-pay.server.ts'
import { actionSteps, decide, doneNews, found, fresh, press, step } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { PanelBody } from '#app/ui/office/office-parts.tsx'
import { statementLine } from '#app/views/portal-pay.server.ts'
import { concessionMessages } from '#content/messages/concessions.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import {
  decideAdjustment,
  findPayee,
  readPayOverview,
  readStatement,
  reversePay,
  selectAccount,
  selectDisputes,
  selectProposals,
  selectTransfers,
  sendPayNow,
} from '#domain/installer-portal/payouts/payouts.server.ts'
import { decideForm, readWeek, reverseForm } from '#domain/installer-portal/payouts/payouts.ts'
import { weekSpanText } from '#platform/day-text.ts'
import { newId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { AdjustPanel, DisputePanel, ProposalPanel, TransferPanel } from './shop-pay-panels.tsx'
import type { Route } from './+types/shop-pay.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Pay of ${params.shopCode}`, officePaths.officeShopPay(params.shopCode ?? ''))

const news = {
  adjusted: 'Saved. Above the approval threshold, another team member must approve it.',
  decided: 'Decision saved.',
  answered: 'Answered. The shop sees it in its portal.',
  reversed: 'Transfer reversed.',
  sent: 'Transfer sent.',
}

export async function loader({ context, params: { shopCode }, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'pay.read', officePaths.officeShopPay(shopCode))
  const payee = found(await findPayee(app.db, shopCode))
  const { shopId, timeZone } = payee
  const { db } = app
  const overview = await readPayOverview(app, payee)
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
  const now = app.clock.now()
  const mayApprove = canUse(session.roles, 'pay-approval')
  return {
    name: `${payee.name}, ${payee.code}`,
    news: doneNews(url, news),
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
      words: weeks.map((week) => `${weekSpanText(week)}, ${week.year}`).join(' and '),
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
      photo: each.hasPhoto ? officePaths.officePayDisputePhoto(shopCode, each.id) : null,
      answer: each.answer,
    })),
    mayApprove,
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

export const action = (args: Route.ActionArgs) => {
  const { shopCode } = args.params
  return decide(
    args,
    { noun: 'shop', permission: 'pay.adjust', path: (done) => officePaths.officeShopPay(shopCode, done) },
    async (posted) => {
      const { app, by } = posted
      const { shopId } = found(await findPayee(app.db, shopCode))
      return {
        ...(await actionSteps(
          shopPayActions,
          { id: shopCode, done: { adjust: 'adjusted', answer: 'answered' } },
          posted,
        )),
        decide: fresh(
          step(
            decideForm,
            ({ adjustment: id, decision }) =>
              decideAdjustment(app, by, { shopId, id, isApproved: decision === 'approve' }),
            'decided',
          ),
        ),
        send: fresh(press(() => sendPayNow(app, by, shopId), 'sent')),
        reverse: fresh(
          step(
            reverseForm,
            ({ transfer: transferId, back: amountCents, submission }) =>
              reversePay(app, by, { shopId, transferId, amountCents, submission }),
            'reversed',
          ),
        ),
      }
    },
    {
      ...shopPayRefusals,
      'not-fresh': { text: concessionMessages['not-fresh'], status: 403 },
      'own-proposal': 'Another team member must approve what you proposed.',
      'decided-already': 'This was already decided.',
      'too-much': 'The provider can’t reverse that much.',
      'nothing-due': 'There’s no balance due, a transfer is in progress, or the bank account isn’t ready.',
      refused: 'The provider refused again. Its message is under Transfers.',
      unavailable: {
        text: 'The payout provider isn’t responding. Submit again. It’s processed only once.',
        status: 503,
      },
    },
  )
}

export default function ShopPayPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { name, values, rows, weeks, mayApprove } = loaderData
  return (
    <OfficePage
      title={`Pay of ${name}`}
      crumbs={[{ label: 'Shop pay', path: officePaths.officeShopPays() }]}
      news={loaderData.news}
      reply={reply}
    >
      <FactsPanel id="balance" title="Balance" rows={values} />
      <DisputePanel {...loaderData} reply={reply} />
      {mayApprove ? <ProposalPanel {...loaderData} /> : null}
      <TablePanel
        id="jobs"
        title="Jobs and adjustments"
        note={weeks.words}
        empty="No activity in these weeks."
        columns={{ name: 'Item', day: 'Day', words: 'For', rate: 'Rate', state: 'State', cents: 'Pay' }}
        amounts={['cents']}
        rows={rows}
      >
        <PanelBody>
          <ListFoot label="Weeks" newer={weeks.newer} older={weeks.older} file={null} />
        </PanelBody>
      </TablePanel>
      <AdjustPanel {...loaderData} reply={reply} />
      <TransferPanel {...loaderData} mayReverse={mayApprove} reply={reply} />
    </OfficePage>
  )
}
