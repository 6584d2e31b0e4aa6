import { requireStaff } from '#app/server/office.server.ts'
import { pdfAnswer } from '#app/server/pdf-answer.ts'
import { paymentEvidenceSheet } from '#app/views/office-payment-pages.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/payment-pages-file.ts'

/** The evidence about payment pages, for an assessor. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { app } = await requireStaff(context, 'payment-pages.read', officePaths.officePaymentPagesFile())
  return pdfAnswer(await app.evidencePdf(await paymentEvidenceSheet(app)), 'Payment_Pages')
}
