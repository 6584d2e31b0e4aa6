import { requireStaff } from '#app/server/office.server.ts'
import { storedFile } from '#app/server/stored-file.ts'
import { officePaths } from '#content/office-paths.ts'
import { findCertificate } from '#domain/customers/companies/companies.server.ts'
import type { Route } from './+types/certificate-file.ts'

/** Sends the file of a company's tax exemption certificate. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<Response> {
  const { app } = await requireStaff(context, 'certificates.read', officePaths.officeCompanies())
  return storedFile(app, await findCertificate(app, params.id))
}
