/** Why a form of the back office was refused, for the reasons that recur. `noun` names its subject, such as "claim". */
import { concessionMessages } from './concessions.ts'

export const refusalMessages = {
  'not-allowed': () => 'You no longer have permission to do this.',
  'not-fresh': () => concessionMessages['not-fresh'],
  'over-your-limit': () => concessionMessages['over-your-limit'],
  'already-decided': (noun: string) => `Another team member already decided this ${noun}.`,
  'other-state': (noun: string) => `Another team member changed this ${noun}.`,
  'changed-meanwhile': (noun: string) =>
    `Another team member saved this ${noun} after you opened it. Your entries are below. Save again to replace theirs.`,
  'not-found': (noun: string) => `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found.`,
} as const
