/** The lists of what comes from work orders, as files. */
import { orderNumber } from '#domain/orders/orders.ts'
import { shopReportKinds, shopReportNumber, shopReportStates } from '#domain/work-orders/work-orders.ts'
import { listShopReports, listTireRegistrations } from '#domain/work-orders/work-orders.server.ts'
import { inPages, time, timed, type OfficeFile } from './office-file.server.ts'

export const jobFiles: Readonly<Record<'shop-reports' | 'tire-registrations', OfficeFile>> = {
  'shop-reports': {
    header: [
      'Report',
      'State',
      'Shop',
      'Order',
      'What',
      'Pieces',
      'Note',
      'Answer',
      timed('Reported'),
      timed('Closed'),
    ],
    batches: (shop, query) => {
      const state = shopReportStates.find((one) => one === query.get('state')) ?? 'open'
      return inPages<number>(async (before) => {
        const { reports, next } = await listShopReports(shop, { state, before })
        return {
          rows: reports.map((report) => [
            shopReportNumber(report.id),
            report.state,
            report.shop,
            orderNumber(report.orderId),
            shopReportKinds[report.kind],
            report.pieces,
            report.note,
            report.answer,
            time(report.reportedAt),
            time(report.closedAt),
          ]),
          next,
        }
      })
    },
  },
  'tire-registrations': {
    header: [
      'TIN',
      'Brand',
      'Line',
      'Size',
      'Buyer',
      'City',
      'US state',
      'Shop',
      'Order',
      'Export',
      timed('Installed'),
    ],
    batches: (shop, query) => {
      const asked = { isWaiting: query.get('show') !== 'all', brand: query.get('maker') || null }
      return inPages<number>(async (before) => {
        const { registrations, next } = await listTireRegistrations(shop, { ...asked, before })
        return {
          rows: registrations.map((tire) => [
            tire.tin,
            tire.brand,
            tire.line,
            tire.size,
            tire.buyerName,
            tire.city,
            tire.state,
            tire.shop,
            orderNumber(tire.orderId),
            tire.exportNo,
            time(tire.installedAt),
          ]),
          next,
        }
      })
    },
  },
}
