import { openFile } from '#app/office/open-file.server.ts'
import { stockOrderFile } from '#app/office/table-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/stock-order-file.ts'

/** Returns a stock order as a CSV file for its supplier, with a row for each tire. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  openFile(context, stockOrderFile, { path: officePaths.officeStockOrderFile(params.id), asked: params })
