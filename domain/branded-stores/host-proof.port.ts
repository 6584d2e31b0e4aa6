/** What the domain name system says of a host name. */
export interface HostProof {
  /** The texts at `name`; none where there is no such name. `unavailable` if nobody answers. */
  texts(name: string): Promise<{ ok: true; value: string[] } | { ok: false; reason: 'unavailable' }>
}
