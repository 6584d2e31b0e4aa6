import { z } from 'zod'
import { checkForm, formRefusal, readForm, refuseForm } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary, TextAreaField } from '#app/ui/field.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, KeyValues, Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { staffCan } from '#domain/staff/staff.ts'
import {
  parseShopReportNumber,
  shopReportKinds,
  shopReportNumber,
  shopReportStateWords,
} from '#domain/work-orders/work-orders.ts'
import { answerShopReport, closeShopReport, findShopReport } from '#domain/work-orders/work-orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/shop-report.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Shop report ${loaderData.number}` : 'Shop report', officePaths.officeShopReports())

/** In characters. */
const longestAnswer = 1_000

const answerForm = z.object({
  answer: z
    .string('Write an answer.')
    .trim()
    .min(1, 'Write an answer.')
    .max(longestAnswer, `Please keep this under ${countOf(longestAnswer, 'character')}.`),
})

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const path = officePaths.officeShopReport(params.number)
  const { shop, session } = await requireStaff(context, 'shop-reports.read', path)
  const found = await findShopReport(shop, idOf(params.number))
  if (!found) throw new Response(null, { status: 404 })
  const when = (at: Temporal.Instant) => timeText(at, storeZone)
  const rows: [string, string][] = [
    ['Reported', `${when(found.reportedAt)}${found.reportedBy ? ` by ${found.reportedBy}` : ''}`],
    ['Shop', found.shop],
    ['Pieces', `${found.pieces} ${shopReportKinds[found.kind].toLowerCase()}`],
  ]
  if (found.lineNo !== null) rows.push(['Line of the order', String(found.lineNo)])
  if (found.note !== null) rows.push(['Note', found.note])
  if (found.answer !== null && found.answeredAt) rows.push([`Answered ${when(found.answeredAt)}`, found.answer])
  if (found.closedAt) rows.push(['Closed', `${when(found.closedAt)} by ${found.closedBy ?? ''}`])
  return {
    number: shopReportNumber(found.id),
    state: found.state,
    rows,
    answer: found.answer,
    order: { number: orderNumber(found.orderId), path: officePaths.officeOrder(found.orderId) },
    photo: found.hasPhoto ? officePaths.officeShopReportPhoto(shopReportNumber(found.id)) : null,
    mayAct: found.state === 'open' && staffCan(session.roles, 'shop-reports.answer'),
    news: news[url.searchParams.get('done') ?? ''] ?? null,
  }
}

function idOf(number: string): number {
  const id = parseShopReportNumber(number)
  if (id === undefined) throw new Response(null, { status: 404 })
  return id
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const path = officePaths.officeShopReport(params.number)
  const { shop, actor } = await requireStaff(context, 'shop-reports.answer', path)
  const id = idOf(params.number)
  const fields = await readForm(request)
  const settle = (done: Awaited<ReturnType<typeof closeShopReport>>, word: string) =>
    done.ok
      ? seeOther(officePaths.officeShopReport(params.number, word))
      : refuseForm(formRefusal(fields, refusals[done.reason].words), refusals[done.reason].status)
  switch (fields.get('intent')) {
    case 'answer': {
      const checked = checkForm(answerForm, fields)
      if (!checked.ok) return refuseForm(checked.reply)
      return settle(await answerShopReport(shop, actor, { id, answer: checked.value.answer }), 'answered')
    }
    case 'close':
      return settle(await closeShopReport(shop, actor, { id }), 'closed')
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

const refusals = {
  'not-allowed': { words: 'Your role changed in the meantime. Nothing was changed.', status: 403 },
  'report-not-found': { words: 'There is no such report.', status: 404 },
  'closed-already': { words: 'This report was closed in the meantime. Nothing was changed.', status: 409 },
} as const

const news: Readonly<Record<string, string>> = {
  answered: 'Answered. The shop reads it on its work order.',
  closed: 'Closed.',
}

export default function ShopReportPage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { number, state, rows, answer, order, photo, mayAct, news: done } = loaderData
  return (
    <OfficePage
      title={number}
      crumbs={[{ label: 'Shop reports', path: officePaths.officeShopReports() }]}
      tags={<Tag tone={state === 'open' ? 'signal' : 'plain'}>{shopReportStateWords[state]}</Tag>}
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      <Columns
        body={
          <Panel id="report" title="Report">
            <PanelBody>
              <KeyValues rows={rows} />
              <p>
                <a href={order.path}>Order {order.number}</a>
              </p>
              <p>{photo ? <a href={photo}>Download the photo</a> : 'No photo.'}</p>
            </PanelBody>
          </Panel>
        }
        first={
          mayAct ? (
            <Panel id="answer" title="Answer" isOpen>
              <PanelBody>
                <ErrorSummary reply={reply} labels={{ answer: 'Answer' }} />
                <form method="post" className="stack" noValidate>
                  <TextAreaField
                    name="answer"
                    label="Answer, read by the shop word for word"
                    reply={reply}
                    value={answer}
                    rows={4}
                    maxLength={longestAnswer}
                  />
                  <p>
                    <button className="btn primary" name="intent" value="answer">
                      Answer
                    </button>
                  </p>
                </form>
                <form method="post">
                  <button className="btn" name="intent" value="close">
                    Close report
                  </button>
                </form>
              </PanelBody>
            </Panel>
          ) : undefined
        }
      />
    </OfficePage>
  )
}
