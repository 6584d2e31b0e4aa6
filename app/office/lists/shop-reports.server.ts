/** The list of reports by shops about pieces that arrived wrong, newest first. */
import { shopReportRecord } from '#app/office/records/shops.server.ts'
import { defineList, idPlace, placeOfId, stateOf, statesView, time } from '#app/office/define-list.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { listShopReports } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import {
  shopReportKinds,
  shopReportNumber,
  shopReportStates,
  shopReportStateWords,
} from '#domain/installer-portal/work-orders/work-orders.ts'

export const shopReports = defineList({
  name: 'shop-reports',
  title: 'Shop reports',
  path: officePaths.officeShopReports(),
  permission: 'shop-reports.read',
  caption: 'Shop reports, newest first',
  nouns: ['report', 'reports'],
  view: statesView(shopReportStates, shopReportStateWords),
  columns: [
    { key: 'number', label: 'Report', isFixed: true },
    { key: 'state', label: 'State', isFileOnly: true },
    { key: 'shop', label: 'Shop', isFixed: true },
    { key: 'order', label: 'Order' },
    { key: 'what', label: 'Problem' },
    { key: 'pieces', label: 'Units', kind: 'count' },
    { key: 'note', label: 'Note', isOff: true },
    { key: 'answer', label: 'Answer', isOff: true },
    { key: 'reported', label: 'Reported', kind: 'time' },
    { key: 'closed', label: 'Closed', kind: 'time', isOff: true },
  ],
  record: shopReportRecord,
  read: async ({ app }, query) => {
    const { reports, next } = await listShopReports(app, {
      state: stateOf(shopReportStates, query),
      before: idPlace(query.after ?? query.before),
    })
    return {
      rows: reports.map((report) => ({
        id: shopReportNumber(report.id),
        label: shopReportNumber(report.id),
        path: officePaths.officeShopReport(shopReportNumber(report.id)),
        cells: {
          number: shopReportNumber(report.id),
          state: report.state,
          shop: report.shop,
          order: { text: orderNumber(report.orderId), path: officePaths.officeOrder(report.orderId) },
          what: {
            text: shopReportKinds[report.kind],
            note: [report.hasPhoto ? 'with a photo' : '', report.answer === null ? '' : 'answered']
              .filter(Boolean)
              .join(', '),
          },
          pieces: report.pieces,
          note: report.note,
          answer: report.answer,
          reported: time(report.reportedAt),
          closed: time(report.closedAt),
        },
      })),
      next: placeOfId(next),
    }
  },
})
