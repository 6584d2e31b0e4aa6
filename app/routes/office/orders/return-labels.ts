import { openFile } from '#app/office/open-file.server.ts'
import { returnLabelsFile } from '#app/office/record-files.server.ts'
import { orderIdOf } from '#app/views/orders.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/return-labels.ts'

/** Returns a PDF with a return's labels. Responds with 403 to staff who can't see the customer. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  openFile(context, returnLabelsFile, { path: officePaths.officeReturn(orderIdOf(params.id)), asked: params })
