import { openFile } from '#app/office/open-file.server.ts'
import { accountDocumentFile } from '#app/office/record-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/customer-document-file.ts'

/** Sends a document of a customer's account. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  openFile(context, accountDocumentFile, { path: officePaths.officeCustomerType(params.id), asked: params })
