/** Fetches suppliers' files over HTTPS or SFTP, by the scheme of the address. */
import type { SupplierFiles } from '#domain/catalog/supplier-feeds/supplier-files.port.ts'
import type { Outgoing } from '#platform/outgoing-http.ts'
import { fetchOverHttps } from './https-file.ts'
import { fetchOverSftp } from './sftp-file.ts'
import { sftpAddress } from './sftp.ts'

/** How long a file may take to arrive, unless another limit is given. */
const standardTimeoutMs = 5 * 60_000

/** Reaches suppliers' servers by way of `outgoing`, which refuses private addresses. */
export function createSupplierFiles(
  outgoing: Outgoing,
  { timeoutMs = standardTimeoutMs }: { timeoutMs?: number } = {},
): SupplierFiles {
  return {
    refuse(url) {
      const address = sftpAddress(url)
      if (address === undefined) return outgoing.refuse(url)
      if (address === null) return 'bad-address'
      return outgoing.refuse(`https://${address.host}${address.port === 22 ? '' : `:${address.port}`}`)
    },
    fetch: (request, take) =>
      sftpAddress(request.url) === undefined
        ? fetchOverHttps({ outgoing, timeoutMs }, request, take)
        : fetchOverSftp({ outgoing, timeoutMs }, request, take),
  }
}
