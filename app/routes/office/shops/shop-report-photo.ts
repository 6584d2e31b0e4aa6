import { openFile } from '#app/office/open-file.server.ts'
import { reportPhotoFile } from '#app/office/record-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/shop-report-photo.ts'

/** Sends the picture that came with a report of a shop. */
export const loader = ({ context, params: { number } }: Route.LoaderArgs) =>
  openFile(context, reportPhotoFile, { path: officePaths.officeShopReport(number), asked: { id: number } })
