/** Accounts: signing in at a provider, sessions, and what an account remembers. */
import {
  deleteOldSignIns,
  revokeSessionOf,
  revokeSessionsOf,
  selectAccountByEmail,
  selectSessions,
  type LiveSession,
} from './accounts.sql.server.ts'
import { deleteOldSearches } from './memory.sql.server.ts'
import type { AccountDeps } from './sessions.server.ts'

export { addAddress, listAddresses, removeAddress, savedContact, type SavedAddress } from './addresses.server.ts'
export { deleteAccountRow, selectAccount, selectEverySession, selectIdentities } from './account-data.sql.server.ts'
export { lockAccount, selectPersonalization, selectSearches } from './memory.sql.server.ts'
export { findAccount, findAccounts, findVerifiedAccounts, type FoundAccount } from './find-accounts.server.ts'
export {
  addVehicleAsStaff,
  listGarage,
  noteReadings,
  remindOfRotations,
  removeVehicle,
  rotationMessageValues,
  takeVehicle,
  type GarageVehicle,
} from './garage.server.ts'
export {
  bringGuest,
  forgetSearches,
  keepForAccount,
  listSearches,
  personalize,
  readPersonalization,
  type BrowserMemory,
  type Personalization,
} from './memory.server.ts'
export type { AppDoor } from '#domain/kernel/sign-in/identity-provider.port.ts'
export { findApp, isAppRevoked, listApps, setAppAccess, type AdmittedApp } from './apps.server.ts'
export type { LiveSession } from './accounts.sql.server.ts'
export { findSession, readCurrentEmail, refreshPerson, signOut, tokensPurpose } from './sessions.server.ts'
export {
  beginSignIn,
  findSignInPurpose,
  landSignIn,
  landWorkSignIn,
  type Landed,
  type WorkRequest,
} from './sign-in.server.ts'

/** Lists the browsers in which an account is signed in, most recently used first. */
export function listSessions(
  { db, clock }: Pick<AccountDeps, 'db' | 'clock'>,
  accountId: string,
): Promise<LiveSession[]> {
  return selectSessions(db, accountId, clock.now())
}

/** Signs an account out in one of its browsers; false if it is not signed in there. */
export function endSession(
  { db, clock }: Pick<AccountDeps, 'db' | 'clock'>,
  accountId: string,
  sessionId: string,
): Promise<boolean> {
  return revokeSessionOf(db, accountId, sessionId, clock.now())
}

/** Signs an account out everywhere, or everywhere but in the session `except`; returns how many sessions ended. */
export function signOutEverywhere(
  { db, clock }: Pick<AccountDeps, 'db' | 'clock'>,
  accountId: string,
  except?: string,
): Promise<number> {
  return revokeSessionsOf(db, accountId, clock.now(), except)
}

/** Finds the account with this verified email, in any case. */
export function findAccountByEmail({ db }: Pick<AccountDeps, 'db'>, email: string): Promise<string | undefined> {
  return selectAccountByEmail(db, email.toLowerCase())
}

/** Deletes account searches from before an instant; returns how many. */
export function forgetOldSearches(db: AccountDeps['db'], before: Temporal.Instant): Promise<number> {
  return deleteOldSearches(db, before)
}

/** Deletes unfinished sign-ins and expired sessions. */
export function forgetOldSignIns({ db, clock }: Pick<AccountDeps, 'db' | 'clock'>): Promise<void> {
  return deleteOldSignIns(db, clock.now())
}
