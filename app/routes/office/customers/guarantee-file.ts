import { openFile } from '#app/office/open-file.server.ts'
import { guaranteeFile } from '#app/office/record-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/guarantee-file.ts'

/** Sends the offer that came with a price guarantee request. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  openFile(context, guaranteeFile, { path: officePaths.officeGuarantee(params.number), asked: { id: params.number } })
