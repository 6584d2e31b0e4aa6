/** The texts of the domain name system. */
export interface DnsTexts {
  /** The TXT records at `name`, aliases followed; none where there is no such name. `unavailable` if nobody answers. */
  texts(name: string): Promise<{ ok: true; value: string[] } | { ok: false; reason: 'unavailable' }>
}
