import { openFile } from '#app/office/open-file.server.ts'
import { paymentEvidenceFile } from '#app/office/table-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/payment-pages-file.ts'

/** The evidence about payment pages, for an assessor. */
export const loader = ({ context }: Route.LoaderArgs) =>
  openFile(context, paymentEvidenceFile, { path: officePaths.officePaymentPagesFile(), asked: {} })
