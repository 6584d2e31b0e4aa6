/** What a partner's account shows of its widget. */
import { widgetScript } from '#app/server/widget-script.server.ts'
import { serverPaths } from '#content/server-paths.ts'
import { findOwnWidget, keepScript, readWidgetMonths } from '#domain/programs/programs.server.ts'
import { formatCents } from '#platform/money.ts'
import type { Shop } from '#shop'

export async function readPartnerWidget(shop: Shop, signedIn: { email: string | null; isEmailVerified: boolean }) {
  const widget = await findOwnWidget(shop, signedIn)
  if (!widget) return null
  const { origin } = shop.config.web
  const [months] = await Promise.all([readWidgetMonths(shop, widget.id), keepScript(shop, widgetScript)])
  return {
    id: widget.id,
    name: widget.name,
    origins: widget.origins.join('\n'),
    percent: String(widget.commissionBp / 100),
    report: serverPaths.partnerReport(),
    webhooks: serverPaths.accountWebhooks(),
    snippet: [
      `<sidewall-tires key="${widget.id}" shop="SW-00001" start="size" accent="#0e5a4f">`,
      `  <a href="${origin}/?channel=widget&amp;widgetId=${widget.id}">Find tires</a>`,
      '</sidewall-tires>',
      `<script src="${origin}${serverPaths.widgetScriptOf(widgetScript.hash)}" integrity="${widgetScript.integrity}" crossorigin="anonymous" defer></script>`,
    ].join('\n'),
    short: `<script src="${origin}${serverPaths.widgetScript()}" defer></script>`,
    months: months.map(({ month, visits, orders, tireCents, commissionCents, earnedCents }) => ({
      month,
      cells: [
        String(visits),
        String(orders),
        formatCents(tireCents),
        formatCents(commissionCents),
        formatCents(earnedCents),
      ],
    })),
  }
}
