/** DNS records of a host name. */
export interface HostProof {
  /**
   * Returns the TXT records at `name`, or an empty list if the name doesn't exist. `unavailable` means that DNS didn't
   * respond.
   */
  texts(name: string): Promise<{ ok: true; value: string[] } | { ok: false; reason: 'unavailable' }>
}
