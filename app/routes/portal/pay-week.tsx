import { data } from 'react-router'
import { requireShop } from '#app/server/portal.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { PayBooks, PayStatementTable } from '#app/ui/portal/pay-statement.tsx'
import { portalHead } from '#app/ui/portal/portal-page.tsx'
import { statementLine } from '#app/views/portal-pay.server.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { readWeek } from '#domain/installer-portal/payouts/payouts.ts'
import { readStatement } from '#domain/installer-portal/payouts/payouts.server.ts'
import { weekSpanText } from '#platform/day-text.ts'
import type { Route } from './+types/pay-week.ts'

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  portalHead(matches, loaderData ? `Statement, ${loaderData.title}` : 'Statement', portalPaths.portal())

/** The statement of the week of the address; an address that is no week does not exist. */
export async function loader({ context, params: { shopCode, week: asked } }: Route.LoaderArgs) {
  const path = portalPaths.payWeek(shopCode, asked)
  const { app, place } = await requireShop(context, 'pay.read', { shopCode, path })
  const week = readWeek(asked)
  if (!week) throw data(null, { status: 404 })
  const { lines, totals, carriedCents } = await readStatement(app.db, place.shopId, week)
  const disputePath = (about: string) => `${portalPaths.pay(shopCode, { about, week: asked })}#dispute`
  return {
    title: weekSpanText(week),
    lines: lines.map((line) => statementLine(line, { timeZone: place.timeZone, now: app.clock.now(), disputePath })),
    totals,
    carriedCents,
    all: portalPaths.pay(shopCode),
    csv: portalPaths.payWeekFile(shopCode, asked, 'csv'),
    pdf: portalPaths.payWeekFile(shopCode, asked, 'pdf'),
  }
}

export default function PayWeek({ loaderData }: Route.ComponentProps) {
  const { title, lines, totals, carriedCents, all, csv, pdf } = loaderData
  return (
    <div className="wrap portal">
      <p className="portal-back">
        <a href={all}>
          <Icon name="left" size="s" /> Payouts
        </a>
      </p>
      <div className="portal-title">
        <h1>Statement, {title}</h1>
        <nav aria-label="Files">
          <a className="btn" href={csv}>
            CSV
          </a>
          <a className="btn" href={pdf}>
            PDF
          </a>
        </nav>
      </div>
      <PayBooks lines={lines} totals={totals} carriedCents={carriedCents} />
      <section className="pay-panel" aria-label="Statement">
        <PayStatementTable lines={lines} totals={totals} carriedCents={carriedCents} />
      </section>
    </div>
  )
}
