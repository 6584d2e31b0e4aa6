/** Fetches a supplier's file from the supplier's server. */
export interface SupplierFiles {
  /** Why an address can't be used; null for one that may be tried. */
  refuse(url: string): 'bad-address' | 'not-https' | 'private-address' | null
  /**
   * Passes the file to `take` while it arrives. `known` is the version that was read last; an unchanged file is not
   * transferred. What `take` throws is thrown.
   */
  fetch<Value>(
    request: FileRequest,
    take: (file: FetchedFile) => Promise<Value>,
  ): Promise<{ kind: 'file'; value: Value } | { kind: 'unchanged' } | ({ kind: 'failed' } & FetchFailure)>
}

/** `hostKey` is the expected fingerprint of an SFTP server, such as "SHA256:…"; null over HTTPS. */
export type FileRequest = {
  url: string
  username: string | null
  /** The password, or the private key of an SFTP login in PEM. */
  secret: string | null
  hostKey: string | null
  known: FileVersion | null
}

export type FileVersion = { etag: string | null; lastModified: string | null }
/** `size` is in bytes, as reported by the server. Null if the server doesn't report it. */
export type FetchedFile = FileVersion & { name: string; size: number | null; bytes: AsyncIterable<Uint8Array> }

/** `detail`: the status of an HTTP server, or the fingerprint that an SFTP server showed. */
export type FetchFailure = { fault: FetchFault; detail: string | null }

export const fetchFaults = [
  'bad-address',
  'not-https',
  'private-address',
  'unresolved',
  'unreachable',
  'timeout',
  'cut-off',
  'redirects',
  'refused-login',
  'bad-key',
  'host-key',
  'not-found',
  'refused',
] as const
export type FetchFault = (typeof fetchFaults)[number]
