import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, Timer } from '#app/ui/office/office-parts.tsx'
import { timerTo } from '#app/views/office-times.ts'
import { officePaths } from '#content/office-paths.ts'
import { listDisputes, listOpenDisputes } from '#domain/disputes/disputes.server.ts'
import {
  disputeKinds,
  disputeNumber,
  disputeStates,
  disputeStateWords,
  reasonWords,
} from '#domain/disputes/disputes.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/disputes.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Disputes', officePaths.officeDisputes())

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop } = await requireStaff(context, 'disputes.read', officePaths.officeDisputes() + url.search)
  const state = disputeStates.find((each) => each === url.searchParams.get('state')) ?? 'needs-response'
  const before = url.searchParams.get('before') ?? ''
  const { disputes, next } =
    state === 'needs-response'
      ? { disputes: await listOpenDisputes(shop, 100), next: null }
      : await listDisputes(shop, { state, before: /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null })
  const now = shop.clock.now()
  return {
    state,
    rows: disputes.map(({ id, kind, reason, orderId, amountCents, openedAt, dueAt }) => ({
      number: disputeNumber(id),
      kind: disputeKinds[kind],
      reason: reasonWords(reason),
      order: orderId === null ? 'Membership' : orderNumber(orderId),
      opened: timeText(openedAt, storeZone),
      amount: formatCents(amountCents),
      timer: state === 'needs-response' && dueAt ? timerTo(dueAt, now) : null,
    })),
    next: next === null ? null : officePaths.officeDisputes({ state, before: next }),
  }
}

export default function Disputes({ loaderData: { state, rows, next } }: Route.ComponentProps) {
  return (
    <OfficePage title="Disputes">
      <ListTabs
        label="Disputes by state"
        tabs={disputeStates.map((each) => ({
          label: disputeStateWords[each],
          path: officePaths.officeDisputes({ state: each === 'needs-response' ? undefined : each }),
          isOn: each === state,
        }))}
      />
      <Panel id="disputes" title={disputeStateWords[state]}>
        {rows.length === 0 ? (
          <p className="office-panel-body">No disputes here.</p>
        ) : (
          <DataTable
            caption="Disputes of charges"
            columns={[
              { key: 'number', label: 'Dispute', isRowHeader: true },
              { key: 'kind', label: 'Kind' },
              { key: 'reason', label: 'Reason' },
              { key: 'order', label: 'Order' },
              { key: 'opened', label: 'Opened' },
              { key: 'amount', label: 'Amount', isAmount: true },
              { key: 'timer', label: 'Time left' },
            ]}
            rows={rows.map(({ number, timer, ...row }) => ({
              id: number,
              cells: {
                ...row,
                number: <a href={officePaths.officeDispute(number)}>{number}</a>,
                timer: timer ? <Timer tone={timer.tone}>{timer.words}</Timer> : null,
              },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of disputes" older={next} file={null} />
    </OfficePage>
  )
}
