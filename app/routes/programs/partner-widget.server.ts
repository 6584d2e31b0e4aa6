/** What a partner's account shows of its widget. */
import { widgetScript } from '#app/server/widget-script.server.ts'
import { serverPaths } from '#content/server-paths.ts'
import { percentText, rateOn, ratesAfter } from '#domain/customers/programs/programs.ts'
import {
  findOwnWidget,
  keepScript,
  listRates,
  readWidgetMonths,
  type WidgetOwner,
} from '#domain/customers/programs/programs.server.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Application } from '#application'

export async function readPartnerWidget(app: Application, signedIn: WidgetOwner) {
  const widget = await findOwnWidget(app, signedIn)
  if (!widget) return null
  const { origin } = app.config.web
  const [months, known] = await Promise.all([
    readWidgetMonths(app, widget.id),
    listRates(app, [widget.id]),
    keepScript(app, widgetScript),
  ])
  const rates = known.get(widget.id) ?? []
  const today = storeDay(app.clock.now()).toString()
  return {
    id: widget.id,
    name: widget.name,
    origins: widget.origins.join('\n'),
    percent: percentText(rateOn(rates, today)?.commissionBp ?? 0),
    laterRates: ratesAfter(rates, today).map(
      ({ fromDay, commissionBp }) => `${percentText(commissionBp)} for orders from ${dateText(fromDay)}`,
    ),
    link: `${origin}/?channel=widget&widgetId=${widget.id}`,
    report: serverPaths.partnerReport(),
    webhooks: serverPaths.accountWebhooks(),
    snippet: [
      `<sidewall-tires key="${widget.id}" shop="SW-00001" start="size" accent="#0e5a4f">`,
      `  <a href="${origin}/?channel=widget&amp;widgetId=${widget.id}">Find tires</a>`,
      '</sidewall-tires>',
      `<script src="${origin}${serverPaths.widgetScriptOf(widgetScript.hash)}" integrity="${widgetScript.integrity}" crossorigin="anonymous" defer></script>`,
    ].join('\n'),
    short: `<script src="${origin}${serverPaths.widgetScript()}" defer></script>`,
    months: months.map(({ month, visits, orders, tireCents, pendingCents, bookedCents, reversedCents }) => ({
      month,
      cells: [
        String(visits),
        String(orders),
        formatCents(tireCents),
        formatCents(pendingCents),
        formatCents(bookedCents),
        formatCents(reversedCents),
      ],
    })),
  }
}
