/** DNS TXT records. */
export interface DnsTexts {
  /**
   * The TXT records at `name`, following aliases; empty if the name doesn't exist. `unavailable` if no server responds.
   */
  texts(name: string): Promise<{ ok: true; value: string[] } | { ok: false; reason: 'unavailable' }>
}
