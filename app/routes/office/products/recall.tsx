import { recallActions } from '#app/office/actions/recalls.server.ts'
import { decideActions, doneNews, found, shownRows } from '#app/office/decision.server.ts'
import { FactsPanel } from '#app/office/decision.tsx'
import { DetailPage } from '#app/office/detail.tsx'
import { button, FormPanel } from '#app/office/form.tsx'
import { TablePanel } from '#app/office/table.tsx'
import { requireStaff } from '#app/server/office.server.ts'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { Facts, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { staffCan } from '#domain/kernel/staff/staff.ts'
import {
  parseCampaign,
  positionName,
  rangeText,
  recallAnswers,
  recallStateWords,
  tinText,
} from '#domain/installer-portal/work-orders/work-orders.ts'
import { readRecall, type RecallPage } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import { rangeFields } from './recall-fields.ts'
import type { Route } from './+types/recall.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Recall ${loaderData.campaign}` : 'Recall', officePaths.officeRecalls())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app, session } = await requireStaff(context, 'recalls.read', officePaths.officeRecall(params.campaign))
  const campaign = campaignOf(params.campaign)
  const show = url.searchParams.get('show') === 'bounced' ? 'bounced' : 'all'
  const after = url.searchParams.get('after') ?? ''
  const page = found(
    await readRecall(app, { campaign, show, after: /^[1-9]\d{0,11}$/.test(after) ? Number(after) : 0 }),
  )
  return {
    campaign,
    show,
    ...viewOf(page),
    next: page.next === null ? null : officePaths.officeRecall(campaign, { show, after: page.next }),
    mayManage: staffCan(session.roles, 'recalls.manage'),
    news: doneNews(url, news),
  }
}

function viewOf({ recall, ranges, counts, tires }: RecallPage) {
  const when = (at: Temporal.Instant) => timeText(at, storeZone)
  const { openedAt, closedAt } = recall
  return {
    state: recall.state,
    rows: shownRows([
      ['Manufacturer', recall.maker],
      ['Model', recall.line ?? 'Every model within the ranges'],
      ['Sizes', recall.sizes.join(', ') || 'Every size within the ranges'],
      ['Defect', recall.defect],
      ['Remedy', recall.remedy],
      ['Imported', `${when(recall.draftedAt)} by ${recall.draftedBy}`],
      ['Published', openedAt && when(openedAt)],
      ['Closed', closedAt && when(closedAt)],
    ]),
    ranges: ranges.map(rangeText),
    counts,
    tires: tires.map((tire) => ({
      id: String(tire.id),
      isBack: tire.state === 'bounced',
      order: { number: orderNumber(tire.orderId), path: officePaths.officeOrder(tire.orderId) },
      cells: {
        tin: tinText(tire.tin),
        tire: `${positionName(tire.position)}: ${tire.tire}`,
        buyer: tire.buyer,
        told: tire.toldAt ? when(tire.toldAt) : 'Not notified yet',
        answer: tire.answer ? recallAnswers[tire.answer] : '',
      },
    })),
  }
}

function campaignOf(typed: string): string {
  return found(parseCampaign(typed))
}

export const action = (args: Route.ActionArgs) => {
  const campaign = campaignOf(args.params.campaign)
  return decideActions(
    args,
    {
      id: campaign,
      path: (done) => officePaths.officeRecall(campaign, { done }),
      file: 'file',
      fileFor: 'ranges',
      done: {
        open: 'opened',
        close: 'closed',
        discard: officePaths.officeRecalls('discarded'),
        extend: 'extended',
      },
    },
    recallActions,
  )
}

const news = {
  drafted: 'Imported as a draft. Customers aren’t notified until you publish it.',
  opened: 'Published. We are emailing the customers, and shops can’t install these tires.',
  extended: 'Extended. We are emailing the customers of these tires.',
  closed: 'Closed. No more customers are notified.',
}

export default function RecallOfficePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { campaign, state, rows, ranges, counts, mayManage } = loaderData
  const count = (each: number) => each.toLocaleString('en-US')
  return (
    <DetailPage
      title={campaign}
      crumbs={[{ label: 'Recalls', path: officePaths.officeRecalls() }]}
      tags={<Tag tone={state === 'open' ? 'stop' : 'plain'}>{recallStateWords[state]}</Tag>}
      news={loaderData.news}
      reply={reply}
      body={<Tires data={loaderData} />}
      side={
        <>
          <FactsPanel id="campaign" title="Recall" rows={rows} />
          <Panel id="ranges-so-far" title="TIN ranges" note={ranges.length >= 200 ? 'The first 200' : undefined}>
            <PanelBody>
              <ul className="plain tabular">
                {ranges.map((range) => (
                  <li key={range}>{range}</li>
                ))}
              </ul>
            </PanelBody>
          </Panel>
          {mayManage && state === 'draft' ? (
            <FormPanel
              id="acts"
              title="Publish"
              lead="We email each customer once, and text those who opted in."
              isOpen
              reply={reply}
              buttons={[
                button('open', `Publish and notify ${countOf(counts.orders, 'customer')}`, 'primary'),
                button('discard', 'Discard draft'),
              ]}
            />
          ) : null}
          {mayManage && state === 'open' ? (
            <>
              <FormPanel
                id="acts"
                title="Extend"
                reply={reply}
                fields={rangeFields}
                buttons={[button('extend', 'Add these ranges')]}
              />
              <FormPanel
                id="close"
                title="Close"
                reply={reply}
                buttons={[button('close', 'Close the recall', 'stop')]}
              />
            </>
          ) : null}
        </>
      }
    >
      <Facts
        facts={[
          { label: 'Registered tires', value: count(counts.tires) },
          { label: 'Customers', value: count(counts.orders) },
          { label: 'Notified', value: count(counts.told) },
          { label: 'Email bounced', value: count(counts.bounced) },
          { label: 'Answered', value: count(counts.answered) },
        ]}
      />
    </DetailPage>
  )
}

function Tires({
  data: { campaign, show, tires, next },
}: {
  data: Pick<Route.ComponentProps['loaderData'], 'campaign' | 'show' | 'tires' | 'next'>
}) {
  const tabs = { all: 'All', bounced: 'Email bounced' } as const
  return (
    <>
      <ListTabs
        label="Tires"
        tabs={(['all', 'bounced'] as const).map((each) => ({
          label: tabs[each],
          path: officePaths.officeRecall(campaign, each === 'all' ? {} : { show: each }),
          isOn: show === each,
        }))}
      />
      <TablePanel
        id="tires"
        title={show === 'all' ? 'Registered tires' : 'Call or write to these customers'}
        caption="Registered tires in this recall"
        empty="No tires."
        columns={{ tin: 'TIN', tire: 'Tire', buyer: 'Customer', order: 'Order', told: 'Notified', answer: 'Answer' }}
        rows={tires.map(({ id, isBack, order, cells }) => ({
          id,
          cells: {
            ...cells,
            order: <a href={order.path}>{order.number}</a>,
            told: isBack ? <Tag tone="stop">Bounced</Tag> : cells.told,
          },
        }))}
      />
      <ListFoot label="Tires pagination" older={next} file={null} />
    </>
  )
}
