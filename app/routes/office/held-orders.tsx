import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot, ListTabs } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Notice, Panel, Timer } from '#app/ui/office/office-parts.tsx'
import { timerTo } from '#app/views/office-times.ts'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { isOpen, listHeldOrders, listScreenings, type Screening } from '#domain/fraud/fraud.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { staffCan } from '#domain/staff/staff.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Route } from './+types/held-orders.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  officeHead(matches, 'Held orders', officePaths.officeHeldOrders())

const tabs = { waiting: 'To decide', review: 'All held', confirm: 'Customer asked', refuse: 'Refused online' } as const
type Tab = keyof typeof tabs

export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop, session } = await requireStaff(context, 'held-orders.read', officePaths.officeHeldOrders() + url.search)
  const tab = (Object.keys(tabs) as Tab[]).find((each) => each === url.searchParams.get('state')) ?? 'waiting'
  const { screenings, next } =
    tab === 'waiting'
      ? { screenings: await listHeldOrders(shop, 100), next: null }
      : await listScreenings(shop, { outcome: tab, before: readTime(url.searchParams.get('before')) })
  const now = shop.clock.now()
  const seesCustomer = customerFieldsFor(session.roles).isShown
  return {
    tab,
    mayEdit: staffCan(session.roles, 'fraud-rules.manage'),
    done: doneNews(url.searchParams.get('done')),
    rows: screenings.map((screening) => ({
      id: screening.id,
      orderId: screening.orderId,
      number: screening.orderId === null ? null : orderNumber(screening.orderId),
      at: timeText(screening.at, storeZone),
      email: seesCustomer ? screening.email : null,
      total: formatCents(screening.totalCents),
      reasons: screening.reasons.map(({ words }) => words),
      timer: isOpen(screening) && screening.dueAt ? timerTo(screening.dueAt, now) : null,
      decision: decisionWords(screening),
    })),
    next: next === null ? null : officePaths.officeHeldOrders({ state: tab, before: next.toString() }),
  }
}

function readTime(text: string | null): Temporal.Instant | null {
  try {
    return text === null || text.length > 40 ? null : Temporal.Instant.from(text)
  } catch {
    return null
  }
}

function decisionWords({ decision, decidedBy }: Screening): string | null {
  if (decision === null) return null
  const by = decidedBy === 'store' ? 'because nobody decided' : `by ${decidedBy}`
  return `${decision === 'accepted' ? 'Accepted' : 'Canceled'} ${by}`
}

const news = {
  accepted: 'Accepted. The order goes on as one that was just placed.',
  canceled: 'Canceled. The charge is released, and the customer was emailed.',
} as const

function doneNews(asked: string | null): string | null {
  return asked === 'accepted' || asked === 'canceled' ? news[asked] : null
}

export default function HeldOrders({ loaderData }: Route.ComponentProps) {
  const { tab, rows, next, mayEdit, done } = loaderData
  return (
    <OfficePage title="Held orders">
      {done ? <Notice tone="go" title={done} isNews /> : null}
      <ListTabs
        label="Orders by what the rules said"
        tabs={(Object.keys(tabs) as Tab[]).map((each) => ({
          label: tabs[each],
          path: officePaths.officeHeldOrders({ state: each === 'waiting' ? undefined : each }),
          isOn: each === tab,
        }))}
      />
      <Panel
        id="held"
        title={tabs[tab]}
        note={tab === 'waiting' ? 'Nothing is charged or shipped before you decide' : undefined}
        end={mayEdit ? <a href={officePaths.officeFraudRules()}>Fraud rules</a> : undefined}
      >
        {rows.length === 0 ? (
          <p className="office-panel-body">No orders here.</p>
        ) : (
          <DataTable
            caption="Orders that the fraud rules did not just let pass"
            columns={[
              { key: 'order', label: 'Order', isRowHeader: true },
              { key: 'at', label: 'Placed' },
              { key: 'email', label: 'Email' },
              { key: 'why', label: 'Why' },
              { key: 'total', label: 'Total', isAmount: true },
              { key: 'state', label: 'State' },
            ]}
            rows={rows.map(({ id, orderId, number, timer, decision, reasons, ...row }) => ({
              id,
              cells: {
                ...row,
                order: orderId === null ? 'None' : <a href={officePaths.officeHeldOrder(orderId)}>{number}</a>,
                why: (
                  <ul className="plain-list">
                    {reasons.map((words) => (
                      <li key={words}>{words}</li>
                    ))}
                  </ul>
                ),
                state: timer ? <Timer tone={timer.tone}>{timer.words}</Timer> : decision,
              },
            }))}
          />
        )}
      </Panel>
      <ListFoot label="Pages of held orders" older={next} file={null} />
    </OfficePage>
  )
}
