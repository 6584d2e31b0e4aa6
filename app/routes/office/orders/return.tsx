import { REFUND_WITHIN_HOURS } from '#platform/business-constants.ts'
import { returnActions } from '#app/office/actions/returns.server.ts'
import { decideActions, doneNews, found } from '#app/office/decision.server.ts'
import { DetailPage } from '#app/office/detail.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { PhotosPanel } from '#app/ui/office/photos-panel.tsx'
import { Facts, Notice, Panel, PanelBody, Tag, Timeline } from '#app/ui/office/office-parts.tsx'
import { officeReturnView } from '#app/views/office/return.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { countOf } from '#platform/count-text.ts'
import { Inspections } from './return-inspection.tsx'
import { RefundPanel, RulesPanel } from './return-panels.tsx'
import type { Route } from './+types/return.ts'

export const meta: Route.MetaFunction = ({ matches, params }) =>
  officeHead(matches, `Return M-${params.id}`, officePaths.officeReturns())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const id = orderIdOf(params.id)
  const { app, session, actor } = await requireStaff(context, 'returns.read', officePaths.officeReturn(id))
  return {
    view: found(await officeReturnView(app, id, { roles: session.roles, name: actor.name })),
    news: doneNews(url, news),
  }
}

const news = {
  opened: 'Return opened. We email the customer a label for each tire.',
  received: `Received. Refund these tires within ${countOf(REFUND_WITHIN_HOURS, 'hour')}.`,
  inspected: 'Inspection saved.',
  accepted: 'Tires accepted. You can refund them now.',
  refunded: 'Refund issued. We emailed the customer.',
  held: 'Refund held for a second look.',
  released: 'Hold ended. You can refund the tires now.',
}

/** Each use case checks its own permission. */
export const action = (args: Route.ActionArgs) => {
  const id = orderIdOf(args.params.id)
  return decideActions(
    args,
    {
      id: args.params.id,
      path: (done) => officePaths.officeReturn(id, done),
      file: 'photo',
      done: {
        receive: 'received',
        inspect: 'inspected',
        accept: 'accepted',
        refund: 'refunded',
        hold: 'held',
        release: 'released',
      },
    },
    returnActions,
  )
}

export default function OfficeReturn({ loaderData: { view, news: done }, actionData: reply }: Route.ComponentProps) {
  return (
    <DetailPage
      title={`Return ${view.number}`}
      crumbs={[{ label: 'Returns', path: officePaths.officeReturns() }]}
      tags={
        <>
          <Tag tone="signal">{view.state}</Tag>
          {view.hold ? <Tag tone="stop">Held</Tag> : null}
        </>
      }
      timer={view.timer && { text: `Refund: ${view.timer.text}`, tone: view.timer.isLate ? 'stop' : 'signal' }}
      end={
        view.orderPath ? (
          <a className="btn quiet small" href={view.orderPath}>
            Order {view.order}
          </a>
        ) : null
      }
      news={done}
      reply={reply}
      forms={<RefundPanel view={view} reply={reply} />}
      body={
        <>
          <PhotosPanel photos={view.photos} />
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
            label: 'Sent back',
            value: view.sent,
            meta: `${view.order}, wants ${view.wants === 'exchange' ? 'an exchange' : 'a refund'}`,
          },
          { label: 'Reason given', value: view.reason, meta: `Requested ${view.requested}` },
          { label: 'Received', value: view.received, meta: view.note },
          {
            label: 'Refund now',
            value:
              view.acceptedTires.length === 0 ? 'None yet' : view.refunds.find(({ fee }) => fee === view.fee)?.total,
            meta: `${view.acceptedTires.length} of ${view.tires.length} accepted`,
          },
        ]}
      />
      {view.clock ? (
        <Notice tone={view.clock.isLate ? 'stop' : 'signal'} title={view.clock.title}>
          <progress className="return-clock" max={view.clock.max} value={view.clock.used} aria-label="Hours used" />
          <p>The clock starts when a tire is received. Each tire has a separate clock.</p>
        </Notice>
      ) : null}
      {view.hold ? (
        <Notice tone="signal" title="Held for a second look">
          <p>{view.hold.reason}</p>
          <p className="small">{view.hold.by}. The refund period continues.</p>
        </Notice>
      ) : null}
    </DetailPage>
  )
}
