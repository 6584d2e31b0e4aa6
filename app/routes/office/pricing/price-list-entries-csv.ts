import { openFile } from '#app/office/open-file.server.ts'
import { priceListFile } from '#app/office/table-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/price-list-entries-csv.ts'

/** The rules of a version as a CSV file, which can be uploaded again. */
export const loader = ({ context, params: { slug, version } }: Route.LoaderArgs) =>
  openFile(context, priceListFile, {
    path: officePaths.officePriceListEntriesCsv(slug, Number(version)),
    asked: { id: slug, version },
  })
