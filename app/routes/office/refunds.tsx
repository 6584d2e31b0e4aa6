import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { DateRange } from '#app/ui/office/date-range.tsx'
import { FilterChoice, ListFilters, ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, Tag, type Tone } from '#app/ui/office/office-parts.tsx'
import { placeText, readPlace, readRefundsAsked, refundQueryOf, refundsAddress } from '#app/views/office-refunds.ts'
import { readViewTabs } from '#app/views/office-views.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import {
  listedReasons,
  refundBearers,
  refundMoneyNames,
  refundTabNames,
  refundTabs,
  type RefundMoney,
} from '#domain/refunds/refunds.ts'
import { listRefunds } from '#domain/refunds/refunds.server.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/refunds.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Refunds', officePaths.officeRefunds())

const perPage = 50

export async function loader({ context, url }: Route.LoaderArgs) {
  const staff = await requireStaff(context, 'refunds.read', officePaths.officeRefunds() + url.search)
  const asked = readRefundsAsked(url.searchParams)
  const [{ refunds, next }, views] = await Promise.all([
    listRefunds(staff.shop, refundQueryOf(asked), { after: readPlace(url.searchParams.get('after')), limit: perPage }),
    readViewTabs(staff, 'refunds', url.searchParams),
  ])
  const none = { ...asked, reason: '', bearer: '', from: '', to: '' } as const
  return {
    asked,
    views,
    tabs: refundTabs.map((tab) => ({
      label: refundTabNames[tab],
      path: refundsAddress({ ...asked, tab }),
      isOn: tab === asked.tab,
    })),
    clear: asked.reason || asked.bearer || asked.from || asked.to ? refundsAddress(none) : null,
    next: next && refundsAddress(asked, placeText(next)),
    rows: refunds.map((refund) => ({
      ...refund,
      at: timeText(refund.at, storeZone),
      reason: listedReasons[refund.reason],
      bearer: refundBearers[refund.bearer],
      amount: formatCents(refund.amountCents),
    })),
  }
}

const tones: Readonly<Record<RefundMoney, Tone>> = {
  draft: 'signal',
  declined: 'plain',
  promised: 'plain',
  refused: 'stop',
  done: 'go',
  credited: 'go',
}

const columns = [
  { key: 'at', label: 'When, Eastern Time', isRowHeader: true },
  { key: 'order', label: 'Order' },
  { key: 'customer', label: 'Customer' },
  { key: 'reason', label: 'Reason' },
  { key: 'bearer', label: 'Borne by' },
  { key: 'by', label: 'Made by' },
  { key: 'money', label: 'State' },
  { key: 'amount', label: 'Amount', isAmount: true },
]

export default function Refunds({ loaderData }: Route.ComponentProps) {
  const { asked, tabs, views, clear, rows, next } = loaderData
  return (
    <OfficePage title="Refunds">
      <ListTabs label="Refunds by state" tabs={tabs} views={views} />
      <ListFilters label="Filter refunds" action={officePaths.officeRefunds()} clear={clear}>
        {asked.tab === 'all' ? null : <input type="hidden" name="state" value={asked.tab} />}
        <FilterChoice
          name="reason"
          label="Reason"
          value={asked.reason}
          options={[['', 'Any'], ...Object.entries(listedReasons)]}
        />
        <FilterChoice
          name="bearer"
          label="Borne by"
          value={asked.bearer}
          options={[['', 'Anyone'], ...Object.entries(refundBearers)]}
        />
        <DateRange label="When" from={asked.from} to={asked.to} />
      </ListFilters>
      {rows.length === 0 ? <p className="office-none">No refunds here.</p> : <RefundTable rows={rows} />}
      <ListFoot label="Pages of refunds" older={next} file={views.file} />
    </OfficePage>
  )
}

function RefundTable({ rows }: Pick<Route.ComponentProps['loaderData'], 'rows'>) {
  return (
    <Panel id="refunds" title="Refunds" note="newest first">
      <DataTable
        caption="Refunds"
        columns={columns}
        rows={rows.map(({ id, at, orderId, customer, company, reason, bearer, by, money, said, amount }) => ({
          id,
          cells: {
            at,
            order: <a href={officePaths.officeOrder(orderId)}>{orderNumber(orderId)}</a>,
            customer: (
              <>
                {company ?? customer}
                {company === null ? null : <small>{customer}</small>}
              </>
            ),
            reason,
            bearer,
            by: by ?? 'The store',
            money: (
              <>
                <Tag tone={tones[money]}>{refundMoneyNames[money]}</Tag>
                {said === null ? null : <small>{said}</small>}
              </>
            ),
            amount,
          },
        }))}
      />
    </Panel>
  )
}
