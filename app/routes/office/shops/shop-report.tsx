import { shopReportActions } from '#app/office/actions/shop-reports.server.ts'
import { decideActions, doneNews, found, shownRows } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Tag } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import {
  longestShopReportAnswer,
  parseShopReportNumber,
  shopReportKinds,
  shopReportNumber,
  shopReportStateWords,
} from '#domain/installer-portal/work-orders/work-orders.ts'
import { findShopReport } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/shop-report.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Shop report ${loaderData.number}` : 'Shop report', officePaths.officeShopReports())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeShopReport(params.number)
  const { app, session } = await requireStaff(context, 'shop-reports.read', path)
  const report = found(await findShopReport(app, found(parseShopReportNumber(params.number))))
  const { id, state, orderId, lineNo, answeredAt, closedAt, reportedBy } = report
  const when = (at: Temporal.Instant) => timeText(at, storeZone)
  return {
    number: shopReportNumber(id),
    state,
    rows: shownRows([
      ['Reported', `${when(report.reportedAt)}${reportedBy ? ` by ${reportedBy}` : ''}`],
      ['Shop', report.shop],
      ['Units', `${report.pieces} ${shopReportKinds[report.kind].toLowerCase()}`],
      ['Line item', lineNo === null ? null : String(lineNo)],
      ['Note', report.note],
      [`Answered ${answeredAt ? when(answeredAt) : ''}`, answeredAt && report.answer],
      ['Closed', closedAt && `${when(closedAt)} by ${report.closedBy ?? ''}`],
    ]),
    answer: report.answer,
    order: { number: orderNumber(orderId), path: officePaths.officeOrder(orderId) },
    photo: report.hasPhoto ? officePaths.officeShopReportPhoto(shopReportNumber(id)) : null,
    mayAct: state === 'open' && staffCan(session.roles, 'shop-reports.answer'),
    news: doneNews(url, news),
  }
}

export const action = (args: Route.ActionArgs) =>
  decideActions(
    args,
    {
      id: args.params.number,
      path: (done) => officePaths.officeShopReport(args.params.number, done),
      done: { answer: 'answered', close: 'closed' },
    },
    shopReportActions,
  )

const news = { answered: 'Answered. The shop sees it on its work order.', closed: 'Closed.' }

export default function ShopReportPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { number, state, rows, answer, order, photo, mayAct } = loaderData
  return (
    <DetailPage
      title={number}
      crumbs={[{ label: 'Shop reports', path: officePaths.officeShopReports() }]}
      tags={<Tag tone={state === 'open' ? 'signal' : 'plain'}>{shopReportStateWords[state]}</Tag>}
      news={loaderData.news}
      reply={reply}
      body={
        <FactsPanel id="report" title="Report" rows={rows}>
          <p>
            <a href={order.path}>Order {order.number}</a>
          </p>
          <p>{photo ? <a href={photo}>Download the photo</a> : 'No photo.'}</p>
        </FactsPanel>
      }
      forms={
        mayAct ? (
          <>
            <FormPanel
              id="answer"
              title="Answer"
              isOpen
              reply={reply}
              fields={{
                answer: {
                  label: 'Answer, shown to the shop word for word',
                  kind: 'area',
                  value: answer,
                  max: longestShopReportAnswer,
                },
              }}
              buttons={[button('answer', 'Answer', 'primary')]}
            />
            <FormPanel id="close" title="Close" reply={reply} buttons={[button('close', 'Close report')]} />
          </>
        ) : undefined
      }
    />
  )
}
