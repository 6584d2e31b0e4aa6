import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { ListFoot } from '#app/ui/office/list-parts.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Panel, Tag } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { listShopPay } from '#domain/payouts/payouts.server.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Route } from './+types/shop-pay-list.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Shop pay', officePaths.officeShopPays())

const perPage = 50

/** Every shop in order of its code; `after` is the code before the page. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { shop } = await requireStaff(context, 'pay.read', officePaths.officeShopPays() + url.search)
  const after = /^[A-Za-z0-9-]{1,40}$/.exec(url.searchParams.get('after') ?? '')?.[0] ?? null
  const { shops, next } = await listShopPay(shop.db, { after, limit: perPage })
  const { year } = storeDay(shop.clock.now())
  return {
    rows: shops.map(({ code, name, balance, account }) => ({
      code,
      name,
      owed: formatCents(balance.owedCents),
      sent: formatCents(balance.sentCents),
      account: account?.state ?? ('none' as const),
      toDo: balance.openDisputes + balance.proposals,
    })),
    next: next && officePaths.officeShopPays({ after: next }),
    year: { name: String(year), path: officePaths.officeShopPayYear({ year }) },
    yearBefore: { name: String(year - 1), path: officePaths.officeShopPayYear({ year: year - 1 }) },
  }
}

const accounts = {
  none: { tone: 'plain', words: 'No account' },
  started: { tone: 'signal', words: 'Not complete' },
  ready: { tone: 'go', words: 'Ready' },
  restricted: { tone: 'stop', words: 'Restricted' },
} as const

export default function ShopPayList({ loaderData: { rows, next, year, yearBefore } }: Route.ComponentProps) {
  return (
    <OfficePage
      title="Shop pay"
      end={
        <>
          <a className="btn" href={officePaths.officePayMatrix()}>
            Pay matrix
          </a>
          <a className="btn" href={yearBefore.path}>
            1099 totals {yearBefore.name}
          </a>
          <a className="btn" href={year.path}>
            1099 totals {year.name}
          </a>
        </>
      }
    >
      <Panel id="shops" title="Shops" note="by code">
        <DataTable
          caption="Shops with what they are owed"
          columns={[
            { key: 'code', label: 'Shop', isRowHeader: true },
            { key: 'name', label: 'Name' },
            { key: 'account', label: 'Bank account' },
            { key: 'toDo', label: 'To answer' },
            { key: 'sent', label: 'Sent', isAmount: true },
            { key: 'owed', label: 'Owed', isAmount: true },
          ]}
          rows={rows.map(({ code, name, account, toDo, sent, owed }) => ({
            id: code,
            cells: {
              code: <a href={officePaths.officeShopPay(code)}>{code}</a>,
              name,
              account: <Tag tone={accounts[account].tone}>{accounts[account].words}</Tag>,
              toDo: toDo === 0 ? '' : <Tag tone="signal">{toDo}</Tag>,
              sent,
              owed,
            },
          }))}
        />
      </Panel>
      <ListFoot label="Pages of shops" older={next} file={null} />
    </OfficePage>
  )
}
