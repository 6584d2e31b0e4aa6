import { formRefusal, readFormWithFile, refuseForm, type FormReply } from '#app/forms/form.ts'
import { requireStaff } from '#app/server/office.server.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Columns, Facts, KeyValues, Notice, Panel, PanelBody, Tag } from '#app/ui/office/office-parts.tsx'
import { RecallRanges } from '#app/ui/office/recall-ranges.tsx'
import { technicalMessages } from '#content/messages/technical.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { staffCan } from '#domain/staff/staff.ts'
import {
  parseCampaign,
  positionName,
  rangeText,
  recallAnswers,
  recallStateWords,
  tinText,
} from '#domain/work-orders/work-orders.ts'
import {
  closeRecall,
  discardRecall,
  extendRecall,
  openRecall,
  readRecall,
  type RecallPage,
} from '#domain/work-orders/work-orders.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { countOf } from '#platform/count-text.ts'
import { rangesOf } from './recall-fields.server.ts'
import type { Route } from './+types/recall.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Recall ${loaderData.campaign}` : 'Recall', officePaths.officeRecalls())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'recalls.read', officePaths.officeRecall(params.campaign))
  const campaign = campaignOf(params.campaign)
  const show = url.searchParams.get('show') === 'bounced' ? 'bounced' : 'all'
  const after = url.searchParams.get('after') ?? ''
  const page = await readRecall(shop, { campaign, show, after: /^[1-9]\d{0,11}$/.test(after) ? Number(after) : 0 })
  if (!page) throw new Response(null, { status: 404 })
  return {
    campaign,
    show,
    ...viewOf(page),
    next: page.next === null ? null : officePaths.officeRecall(campaign, { show, after: page.next }),
    mayManage: staffCan(session.roles, 'recalls.manage'),
    news: news[url.searchParams.get('done') ?? ''] ?? null,
  }
}

function viewOf({ recall, ranges, counts, tires }: RecallPage) {
  const when = (at: Temporal.Instant) => timeText(at, storeZone)
  const rows: [string, string][] = [
    ['Maker', recall.maker],
    ['Line', recall.line ?? 'Every line within the ranges'],
    ['Sizes', recall.sizes.join(', ') || 'Every size within the ranges'],
    ['What is wrong', recall.defect],
    ['What to do', recall.remedy],
    ['Imported', `${when(recall.draftedAt)} by ${recall.draftedBy}`],
  ]
  if (recall.openedAt) rows.push(['Opened', when(recall.openedAt)])
  if (recall.closedAt) rows.push(['Closed', when(recall.closedAt)])
  return {
    state: recall.state,
    rows,
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
        told: tire.toldAt ? when(tire.toldAt) : 'Not told yet',
        answer: tire.answer ? recallAnswers[tire.answer] : '',
      },
    })),
  }
}

function campaignOf(typed: string): string {
  const campaign = parseCampaign(typed)
  if (campaign === undefined) throw new Response(null, { status: 404 })
  return campaign
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { shop, actor } = await requireStaff(context, 'recalls.manage', officePaths.officeRecall(params.campaign))
  const campaign = campaignOf(params.campaign)
  const { fields, file } = await readFormWithFile(request, 'file')
  const settle = (done: Awaited<ReturnType<typeof openRecall>>, path: string) =>
    done.ok
      ? seeOther(path)
      : refuseForm(formRefusal(fields, refusals[done.reason].words), refusals[done.reason].status)
  const here = (done: string) => officePaths.officeRecall(campaign, { done })
  switch (fields.get('intent')) {
    case 'open':
      return settle(await openRecall(shop, actor, campaign), here('opened'))
    case 'close':
      return settle(await closeRecall(shop, actor, campaign), here('closed'))
    case 'discard':
      return settle(await discardRecall(shop, actor, campaign), officePaths.officeRecalls('discarded'))
    case 'extend': {
      const ranges = await rangesOf(fields, file)
      if (!ranges.ok)
        return refuseForm(formRefusal(fields, 'Fix 1 field:', { [file ? 'file' : 'ranges']: ranges.faults.join(' ') }))
      return settle(await extendRecall(shop, actor, { campaign, ranges: ranges.value }), here('extended'))
    }
    default:
      return refuseForm(formRefusal(fields, technicalMessages.tryAgain), 400)
  }
}

const refusals = {
  'not-allowed': { words: 'Your role changed in the meantime. Nothing was changed.', status: 403 },
  'recall-not-found': { words: 'There is no such campaign.', status: 404 },
  'other-state': { words: 'This campaign changed in the meantime. Nothing was changed.', status: 409 },
} as const

const news: Readonly<Record<string, string>> = {
  drafted: 'Imported as a draft. Nobody is told before you open it.',
  opened: 'Open. The buyers are being emailed, and no shop fits these tires.',
  extended: 'Extended. The buyers of these tires are being emailed.',
  closed: 'Closed. Nobody more is told.',
}

export default function RecallOfficePage({ loaderData, actionData: reply }: Route.ComponentProps) {
  const { campaign, state, rows, counts, news: done, mayManage } = loaderData
  const count = (each: number) => each.toLocaleString('en-US')
  return (
    <OfficePage
      title={campaign}
      crumbs={[{ label: 'Recalls', path: officePaths.officeRecalls() }]}
      tags={<Tag tone={state === 'open' ? 'stop' : 'plain'}>{recallStateWords[state]}</Tag>}
    >
      {done && !reply ? <Notice tone="go" title={done} isNews /> : null}
      <ErrorSummary reply={reply} labels={{ ranges: 'TIN ranges', file: 'CSV file' }} />
      <Facts
        facts={[
          { label: 'Registered tires', value: count(counts.tires) },
          { label: 'Buyers', value: count(counts.orders) },
          { label: 'Told', value: count(counts.told) },
          { label: 'Email came back', value: count(counts.bounced) },
          { label: 'Answered', value: count(counts.answered) },
        ]}
      />
      <Columns
        body={<Tires data={loaderData} />}
        last={
          <>
            <Panel id="campaign" title="Campaign">
              <PanelBody>
                <KeyValues rows={rows} />
              </PanelBody>
            </Panel>
            <Ranges ranges={loaderData.ranges} />
            {mayManage ? <RecallActs state={state} buyers={counts.orders} reply={reply} /> : null}
          </>
        }
      />
    </OfficePage>
  )
}

type Data = Route.ComponentProps['loaderData']

function Tires({ data: { campaign, show, tires, next } }: { data: Data }) {
  return (
    <>
      <ListTabs
        label="Tires"
        tabs={[
          { label: 'All', path: officePaths.officeRecall(campaign), isOn: show === 'all' },
          {
            label: 'Email came back',
            path: officePaths.officeRecall(campaign, { show: 'bounced' }),
            isOn: show === 'bounced',
          },
        ]}
      />
      <Panel id="tires" title={show === 'all' ? 'Registered tires' : 'To call or write to'}>
        {tires.length === 0 ? (
          <p className="office-panel-body">No tires here.</p>
        ) : (
          <DataTable
            caption="Registered tires of this recall"
            columns={[
              { key: 'tin', label: 'TIN', isRowHeader: true },
              { key: 'tire', label: 'Tire' },
              { key: 'buyer', label: 'Buyer' },
              { key: 'order', label: 'Order' },
              { key: 'told', label: 'Told' },
              { key: 'answer', label: 'Answer' },
            ]}
            rows={tires.map(({ id, isBack, order, cells }) => ({
              id,
              cells: {
                ...cells,
                order: <a href={order.path}>{order.number}</a>,
                told: isBack ? <Tag tone="stop">Came back</Tag> : cells.told,
              },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of tires" older={next} file={null} />
    </>
  )
}

function Ranges({ ranges }: { ranges: readonly string[] }) {
  return (
    <Panel id="ranges-so-far" title="TIN ranges" note={ranges.length >= 200 ? 'The first 200' : undefined}>
      <PanelBody>
        <ul className="plain tabular">
          {ranges.map((range) => (
            <li key={range}>{range}</li>
          ))}
        </ul>
      </PanelBody>
    </Panel>
  )
}

function RecallActs({ state, buyers, reply }: { state: Data['state']; buyers: number; reply: FormReply | undefined }) {
  switch (state) {
    case 'draft':
      return (
        <Panel id="acts" title="Open it" note="Buyers are emailed once; those who asked for texts get one, too." isOpen>
          <PanelBody>
            <form method="post" className="stack">
              <button className="btn primary" name="intent" value="open">
                Open and tell {countOf(buyers, 'buyer')}
              </button>
              <button className="btn" name="intent" value="discard">
                Discard the draft
              </button>
            </form>
          </PanelBody>
        </Panel>
      )
    case 'open':
      return (
        <Panel id="acts" title="Extend or close">
          <PanelBody>
            <div className="stack">
              <form method="post" encType="multipart/form-data" className="stack" noValidate>
                <input type="hidden" name="intent" value="extend" />
                <RecallRanges reply={reply?.values['intent'] === 'extend' ? reply : undefined} />
                <button className="btn">Add these ranges</button>
              </form>
              <form method="post" className="stack">
                <button className="btn stop" name="intent" value="close">
                  Close the recall
                </button>
              </form>
            </div>
          </PanelBody>
        </Panel>
      )
    case 'closed':
      return null
  }
}
