import { openFile } from '#app/office/open-file.server.ts'
import { salesTaxFile } from '#app/office/table-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/sales-tax-csv.ts'

/** Exports the tax rates as a CSV file for editing and import. */
export const loader = ({ context }: Route.LoaderArgs) =>
  openFile(context, salesTaxFile, { path: officePaths.officeSalesTaxCsv(), asked: {} })
