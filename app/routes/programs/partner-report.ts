import { csvPages, csvResponse } from '#app/server/csv.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { requireSignedIn } from '#app/server/sign-in.server.ts'
import { paths } from '#content/paths.ts'
import { findOwnWidget, readWidgetMonths, type WidgetMonth } from '#domain/customers/programs/programs.server.ts'
import type { Route } from './+types/partner-report.ts'

/** A partner's own months as a file, with a row for each of its pages; 404 for everyone else. */
export async function loader({ context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const signedIn = await requireSignedIn(context, paths.partnerProgram())
  const widget = await findOwnWidget(app, signedIn)
  if (!widget) throw new Response(null, { status: 404 })
  const months = await readWidgetMonths(app, widget.id, { bySource: true })
  const dollars = (cents: number) => (cents / 100).toFixed(2)
  const row = ({ month, source, visits, orders, tireCents, ...cents }: WidgetMonth) => [
    month,
    widget.id,
    source,
    visits,
    orders,
    dollars(tireCents),
    dollars(cents.pendingCents),
    dollars(cents.bookedCents),
    dollars(cents.reversedCents),
  ]
  return csvResponse(
    'widget-report',
    [
      'Month',
      'Widget',
      'Page',
      'Visits',
      'Orders',
      'Tires sold (USD)',
      'Commission pending (USD)',
      'Commission booked (USD)',
      'Commission reversed (USD)',
    ],
    csvPages(() => Promise.resolve({ items: months, next: null }), row),
  )
}
