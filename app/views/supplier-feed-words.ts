/** Texts about supplier feeds for staff. Safe in the browser. */
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { maxUploadBytes } from '#domain/catalog/catalog-import/catalog-import.ts'
import type { FeedFault, FeedHold, FeedSchedule, FetchState } from '#domain/catalog/supplier-feeds/supplier-feeds.ts'
import { minuteText } from '#platform/time-text.ts'

export const fetchStates: Record<FetchState, { words: string; tone: Tone }> = {
  due: { words: 'Fetching', tone: 'plain' },
  failed: { words: 'Failed', tone: 'stop' },
  unchanged: { words: 'Unchanged', tone: 'plain' },
  imported: { words: 'Imported', tone: 'go' },
}

const faultWords: Record<FeedFault, string> = {
  'bad-address': 'The address can’t be used.',
  'not-https': 'The address, or one it redirects to, isn’t https://.',
  'private-address': 'The server’s address is on a private network.',
  unresolved: 'The server’s name isn’t known.',
  unreachable: 'The server couldn’t be reached, or reported an error.',
  timeout: 'The file took too long to arrive.',
  'cut-off': 'The transfer ended before the whole file arrived.',
  redirects: 'The address redirects too many times.',
  'refused-login': 'The server refused the login.',
  'bad-key': 'The private key can’t be read. Keys with a passphrase aren’t supported.',
  'host-key': 'The server showed another key than expected.',
  'not-found': 'The file isn’t on the server.',
  refused: 'The server refused the request.',
  'too-large': `The file is larger than ${maxUploadBytes / 1024 / 1024} MB.`,
  empty: 'The file is empty.',
  columns: 'The file’s columns don’t match. Import it by hand once and match its columns.',
  sealed: 'The stored password or key can’t be opened. Enter it again.',
}

/** Why a fetch failed, with the status or the key that the server showed. */
export function faultText(fault: FeedFault, detail: string | null): string {
  return detail === null ? faultWords[fault] : `${faultWords[fault]} (${detail})`
}

/** Why an import is pending review or was refused. */
export function holdText(held: FeedHold, maxPricePercent: number): string {
  switch (held) {
    case 'refused':
      return 'The file has errors and was refused.'
    case 'warnings':
      return 'The import has warnings. Someone must review and publish it.'
    case 'prices':
      return `The import changes more than ${maxPricePercent}% of the prices. Someone must review and publish it.`
    case 'not-allowed':
      return 'The import couldn’t be published automatically.'
  }
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** "Weekdays at 6:00 AM, 2:30 PM". */
export function scheduleText({ days, times }: FeedSchedule): string {
  const chosen = days.join('')
  const named = days.map((day) => dayNames[day - 1]).join(', ')
  const when = chosen === '1234567' ? 'Daily' : chosen === '12345' ? 'Weekdays' : named
  return `${when} at ${times.map(minuteText).join(', ')}`
}

const serviceFaults: Readonly<Record<string, string>> = {
  timeout: 'It doesn’t respond in time',
  unresolved: 'Its address doesn’t exist',
  unreachable: 'It can’t be reached',
  'status 401': 'It rejects the key',
  'status 403': 'It rejects the key',
  'status 429': 'It limits requests',
  'key unreadable': 'The key can’t be read. Enter it again.',
}

/** The status of a supplier's availability service. */
export function availabilityState({ fault, isAnswered }: { fault: string | null; isAnswered: boolean }): string {
  if (fault !== null) return serviceFaults[fault] ?? `Failed with ${fault}`
  return isAnswered ? 'Responding' : 'Not used yet'
}

/** The status of a supplier's EDI files. A fault can have details after its name. */
export function ediState({ fault, isRead }: { fault: string | null; isRead: boolean }): string {
  if (fault === null) return isRead ? 'Working' : 'Not used yet'
  const [name = '', ...details] = fault.split(' ')
  if (name === 'unreadable') return `Can’t read ${details.join(' ')} The files are renamed to .rejected.`
  return Object.hasOwn(faultWords, name)
    ? faultText(name as FeedFault, details.join(' ') || null)
    : `Failed with ${fault}`
}
