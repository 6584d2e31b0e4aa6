import { defineActions, formAction, plainAction, type ActionCall } from '#app/office/define-actions.server.ts'
import { parseShopReportNumber, shopReportAnswerForm } from '#domain/installer-portal/work-orders/work-orders.ts'
import { answerShopReport, closeShopReport } from '#domain/installer-portal/work-orders/work-orders.server.ts'

/** The report in an address; 0, which no report has, for other text. */
const reportId = ({ id }: ActionCall) => parseShopReportNumber(id) ?? 0

export const shopReportActions = defineActions({
  resource: 'shop-reports',
  noun: 'report',
  permission: 'shop-reports.answer',
  actions: {
    answer: formAction(
      {
        summary: 'Answer a shop report',
        description: 'The shop sees it on its work order.',
        form: shopReportAnswerForm,
      },
      (call, { answer }) => answerShopReport(call.app, call.by, { id: reportId(call), answer }),
    ),
    close: plainAction({ summary: 'Close a shop report' }, (call) =>
      closeShopReport(call.app, call.by, { id: reportId(call) }),
    ),
  },
  refusals: {
    'report-not-found': { text: 'Report not found.', status: 404 },
    'closed-already': 'Another team member already closed this report.',
  },
})
