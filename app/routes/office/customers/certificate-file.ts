import { openFile } from '#app/office/open-file.server.ts'
import { certificateFile } from '#app/office/record-files.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { Route } from './+types/certificate-file.ts'

/** Sends the file of a company's tax exemption certificate. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  openFile(context, certificateFile, { path: officePaths.officeCompanies(), asked: params })
