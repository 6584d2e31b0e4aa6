import { data } from 'react-router'
import { csvResponse, inOneBatch } from '#app/server/csv.server.ts'
import { requireShop } from '#app/server/portal.server.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { readStatement, statementSheet } from '#domain/installer-portal/payouts/payouts.server.ts'
import { readWeek } from '#domain/installer-portal/payouts/payouts.ts'
import type { Route } from './+types/pay-week-file.ts'

/** The statement of a week as `statement.csv` or `statement.pdf`. */
export async function loader({
  context,
  params: { shopCode, week: asked, file },
}: Route.LoaderArgs): Promise<Response> {
  const path = portalPaths.payWeek(shopCode, asked)
  const { app, place } = await requireShop(context, 'pay.read', { shopCode, path })
  const week = readWeek(asked)
  if (!week || (file !== 'statement.csv' && file !== 'statement.pdf')) throw data(null, { status: 404 })
  const sheet = statementSheet(await readStatement(app.db, place.shopId, week), {
    shop: { name: place.shopName, code: place.code, timeZone: place.timeZone },
    store: app.config.store.name,
    sample: app.config.demo,
  })
  if (file === 'statement.csv') {
    const sums = sheet.sums.map(({ name, amount }) => ['', name, '', '', '', '', amount])
    const rows = [...sheet.rows.map((row) => [...row]), ...sums]
    return csvResponse(`statement-${asked}`, header, inOneBatch(rows))
  }
  return new Response(new Uint8Array(await app.statementPdf(sheet)), {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="statement-${asked}.pdf"`,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
    },
  })
}

const header = ['Day', 'What', 'Order', 'Customer or reason', 'Tires', 'Rate', 'Pay']
