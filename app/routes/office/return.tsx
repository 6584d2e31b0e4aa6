import { REFUND_WITHIN_HOURS } from '#platform/business-constants.ts'
import { decide, doneNews, found, groupRefusals, press, step } from '#app/office/decision.server.ts'
import { DetailPage } from '#app/office/detail.tsx'
import { isFresh, requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Facts, Panel, PanelBody, Tag, Timeline, Timer } from '#app/ui/office/office-parts.tsx'
import { officeReturnView } from '#app/views/office-return.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { returnMessages } from '#content/messages/returns.ts'
import { officePaths } from '#content/office-paths.ts'
import { inspectTire, receiveTires, refundReturn } from '#domain/ordering/returns/returns.server.ts'
import { inspectionForm, refundReturnForm } from '#domain/ordering/returns/returns.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import { Inspections } from './return-inspection.tsx'
import { Photos, RefundPanel, RulesPanel } from './return-panels.tsx'
import type { Route } from './+types/return.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Return M-${params.id}`, officePaths.officeReturns())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = orderIdOf(params.id)
  const { shop, session } = await requireStaff(context, 'returns.read', officePaths.officeReturn(id))
  return { view: found(await officeReturnView(shop, id, session.roles)), news: doneNews(url, news) }
}

const news = {
  opened: 'Return opened. We email the customer a label for each tire.',
  received: `Received. Refund these tires within ${countOf(REFUND_WITHIN_HOURS, 'hour')}.`,
  inspected: 'Inspection saved.',
  refunded: 'Refund issued. We emailed the customer.',
}

/** `receive`, `inspect`, and `refund`. Each use case checks its own permission. */
export const action = (args: Route.ActionArgs) => {
  const id = orderIdOf(args.params.id)
  return decide(
    args,
    {
      noun: 'return',
      permission: 'returns.read',
      path: (done) => officePaths.officeReturn(id, done),
      file: 'photo',
    },
    ({ shop, by, staff, fields, file }) => ({
      receive: press(() => {
        const tireNos = [...fields.keys()].flatMap((name) => {
          const no = /^tire-(\d{1,3})$/.exec(name)?.[1]
          return no === undefined ? [] : [Number(no)]
        })
        return receiveTires(shop, by, { id, tireNos })
      }, 'received'),
      inspect: step(
        inspectionForm,
        async (found) => {
          const photo = file && { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
          return inspectTire(shop, by, { id, photo, ...found })
        },
        'inspected',
      ),
      refund: step(
        refundReturnForm,
        async (asked) =>
          groupRefusals(
            await refundReturn(shop, by, { id, ...asked, isFresh: isFresh(staff) }),
            [
              'not-allowed',
              'return-not-found',
              'amount-changed',
              'more-than-charged',
              'awaits-approval',
              'over-your-limit',
              'not-fresh',
              'nothing-accepted',
              'reorder-not-found',
            ],
            'not-now',
          ),
        'refunded',
      ),
    }),
    {
      'return-not-found': { text: 'Return not found.', status: 404 },
      'tire-not-found': 'Select the tires that arrived.',
      'nothing-to-receive': 'These tires were canceled.',
      'not-received': 'This tire hasn’t arrived yet.',
      'inspected-already': 'This tire was already inspected.',
      'no-reason': 'Enter the reason. The customer receives it word for word.',
      'no-photo': 'Add our own photo of what you found.',
      photo: ({ why }) => returnMessages.photo[why],
      'amount-changed': ({ refundCents }) =>
        `The refund is now ${formatCents(refundCents)}. Check the amount, then refund.`,
      'more-than-charged': ({ leftCents }) =>
        `Only ${formatCents(leftCents)} of the charge is left to refund. Refund the rest on the order.`,
      'awaits-approval': 'Another team member must approve this refund first, on the order’s page.',
      'not-fresh': 'Sign in again to continue. This refund exceeds the approval threshold.',
      'nothing-accepted': 'No accepted tire is waiting for a refund.',
      'reorder-not-found': 'This customer has no active order with that number. Enter another, or charge the fee.',
      'not-now': 'The order doesn’t allow this refund now. Check its refunds.',
    },
  )
}

export default function OfficeReturn({ loaderData: { view, news: done }, actionData: reply }: Route.ComponentProps) {
  return (
    <DetailPage
      title={`Return ${view.number}`}
      crumbs={[{ label: 'Returns', path: officePaths.officeReturns() }]}
      tags={<Tag tone="signal">{view.state}</Tag>}
      end={view.timer ? <Timer tone={view.timer.isLate ? 'stop' : 'signal'}>Refund: {view.timer.text}</Timer> : null}
      news={done}
      reply={reply}
      forms={<RefundPanel view={view} />}
      body={
        <>
          <Photos photos={view.photos} />
          <RulesPanel rules={view.rules} />
          <Inspections view={view} reply={reply} />
        </>
      }
      side={
        <Panel id="history" title="What happened" note={`newest first, ${view.zone}`}>
          <PanelBody>
            <Timeline days={view.days} />
          </PanelBody>
        </Panel>
      }
    >
      <Facts
        facts={[
          { label: 'Customer', value: view.customer.name, meta: view.customer.phone },
          {
            label: 'Order',
            value: view.order,
            meta: `Wants ${view.wants === 'exchange' ? 'an exchange' : 'a refund'}`,
          },
          { label: 'Reason given', value: view.reason, meta: `Requested ${view.requested}` },
          { label: 'Received', value: view.received, meta: view.note },
        ]}
      />
    </DetailPage>
  )
}
