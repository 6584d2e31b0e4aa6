import { requireStaff } from '#app/server/office.server.ts'
import { DataTable } from '#app/ui/office/data-table.tsx'
import { officeHead, OfficePage } from '#app/ui/office/office-page.tsx'
import { Facts, Panel } from '#app/ui/office/office-parts.tsx'
import { officePaths } from '#content/office-paths.ts'
import { findCompany } from '#domain/customers/companies/companies.server.ts'
import { readStatement } from '#domain/payments/invoices/invoices.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { dateText, monthText } from '#platform/day-text.ts'
import { isId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Route } from './+types/statement.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  officeHead(matches, loaderData ? `Statement of ${loaderData.name}` : 'Statement', officePaths.officeCompanies())

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { app } = await requireStaff(context, 'companies.read', officePaths.officeStatement(params.id))
  const company = isId(params.id) ? await findCompany(app, params.id) : undefined
  if (!company) throw new Response(null, { status: 404 })
  const now = storeDay(app.clock.now()).toPlainYearMonth()
  const month = readMonth(url.searchParams.get('month'), now)
  const { beforeCents, lines, afterCents } = await readStatement(app, company.id, month)
  const isLast = Temporal.PlainYearMonth.compare(month, now) >= 0
  return {
    id: company.id,
    name: company.name,
    month: monthText(month),
    before: formatCents(beforeCents),
    after: formatCents(afterCents),
    lines: lines.map(({ day, orderId, cents, owedCents, what }, index) => ({
      id: String(index),
      day: dateText(day),
      what:
        what.kind === 'invoice'
          ? `Invoice ${orderNumber(orderId)}, due ${dateText(what.dueOn)}`
          : `Payment ${what.reference} for ${orderNumber(orderId)}`,
      amount: formatCents(cents),
      owed: formatCents(owedCents),
    })),
    previous: officePaths.officeStatement(company.id, month.subtract({ months: 1 }).toString()),
    next: isLast ? null : officePaths.officeStatement(company.id, month.add({ months: 1 }).toString()),
  }
}

/** The month in the address; this one for anything else. */
function readMonth(text: string | null, now: Temporal.PlainYearMonth): Temporal.PlainYearMonth {
  return text !== null && /^20\d\d-(0[1-9]|1[0-2])$/.test(text) ? Temporal.PlainYearMonth.from(text) : now
}

export default function StatementPage({ loaderData }: Route.ComponentProps) {
  const { id, name, month, before, after, lines, previous, next } = loaderData
  return (
    <OfficePage
      title={`Statement, ${month}`}
      crumbs={[
        { label: 'Companies', path: officePaths.officeCompanies() },
        { label: name, path: officePaths.officeCompany(id) },
      ]}
      end={
        <>
          <a className="btn quiet" href={previous} rel="prev">
            Previous month
          </a>
          {next ? (
            <a className="btn quiet" href={next} rel="next">
              Next month
            </a>
          ) : null}
        </>
      }
    >
      <Facts
        facts={[
          { label: 'Company', value: name },
          { label: 'Owed before', value: before },
          { label: 'Owed at the end', value: after },
        ]}
      />
      <Panel id="lines" title="Invoices and payments" note="By the store’s calendar, Eastern time">
        {lines.length === 0 ? (
          <p className="office-panel-body">No activity this month.</p>
        ) : (
          <DataTable
            caption="Invoices and payments"
            columns={[
              { key: 'day', label: 'Day' },
              { key: 'what', label: 'What', isRowHeader: true },
              { key: 'amount', label: 'Amount', isAmount: true },
              { key: 'owed', label: 'Owed', isAmount: true },
            ]}
            rows={lines.map(({ id: row, ...cells }) => ({ id: row, cells }))}
          />
        )}
      </Panel>
    </OfficePage>
  )
}
