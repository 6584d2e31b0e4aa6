import { openFile } from '#app/office/open-file.server.ts'
import { transitFile } from '#app/office/table-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/warehouse-transit-file.ts'

/** Returns a warehouse's transit days by ZIP prefix as a CSV file. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  openFile(context, transitFile, { path: officePaths.officeWarehouseTransitFile(params.id), asked: params })
