import { found } from '#app/office/decision.server.ts'
import { openFile } from '#app/office/open-file.server.ts'
import { labelFile, packingSlipFile, zplLabelFile, type OfficeFile } from '#app/office/record-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/parcel-file.ts'

const files = new Map<string, OfficeFile>([
  ['packing-slip.pdf', packingSlipFile],
  ['label.pdf', labelFile],
  ['label.zpl', zplLabelFile],
])

/**
 * Returns a package's packing slip as `packing-slip.pdf`, or the carrier's label as `label.pdf` or `label.zpl`.
 * Responds with 403 to staff who can't see the package's address.
 */
export const loader = ({ context, params: { id, file } }: Route.LoaderArgs) =>
  openFile(context, found(files.get(file)), { path: officePaths.officeParcel(id), asked: { id } })
