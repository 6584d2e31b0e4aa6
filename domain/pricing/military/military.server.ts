/** Verifying that an account's owner serves or has served, which gives the military discount for a year. */
import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeZone } from '#platform/store-zone.ts'
import type { Eligibility } from './eligibility.port.ts'
import { attemptMinutes, verifiedUntil, type Verification, type VerificationRefusal } from './military.ts'
import {
  deleteEnded,
  deleteEndedOf,
  deleteVerification,
  selectVerification,
  takeAttempt,
  upsertAttempt,
  upsertVerification,
} from './military.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type VerifyingDeps = Deps & { eligibility: Eligibility | null }

/**
 * Starts an account's verification, and returns the provider's page. `returnPath` is a path of this store, checked by
 * the caller.
 */
export async function beginVerification(
  { db, clock, eligibility }: VerifyingDeps,
  { accountId, returnPath }: { accountId: string; returnPath: string },
): Promise<Outcome<string, Refused<'not-offered'> | Refused<'unavailable'>>> {
  if (!eligibility) return refused('not-offered')
  const request = { state: randomText(), nonce: randomText(), codeVerifier: randomText() }
  const begun = await eligibility.begin({ account: accountId, ...request })
  if (!begun.ok) return refused('unavailable')
  await upsertAttempt(db, { accountId, ...request, returnPath, at: clock.now() })
  return ok(begun.value)
}

/**
 * Handles the provider's response for the requesting account, and returns the original path. Refuses a response that
 * this account did not request or that is too old (`not-ours`), a person the provider has not verified, and a person
 * verified for another account (`used-elsewhere`).
 */
export async function finishVerification(
  { db, clock, eligibility }: VerifyingDeps,
  { accountId, query }: { accountId: string; query: URLSearchParams },
): Promise<Outcome<{ returnPath: string }, Refused<VerificationRefusal>>> {
  if (!eligibility) return refused('not-offered')
  const now = clock.now()
  const state = query.get('state') ?? ''
  const attempt = await takeAttempt(db, { accountId, state, since: now.subtract({ minutes: attemptMinutes }) })
  if (!attempt) return refused('not-ours')
  const { returnPath, ...request } = attempt
  const answer = await eligibility.finish(query, { account: accountId, ...request }, now)
  if (!answer.ok) return refused(answer.reason)
  const { group, verifiedAt } = answer.value
  const subject = createHash('sha256').update(`${eligibility.issuer} ${answer.value.subject}`).digest('hex')
  try {
    await db.transaction().execute(async (tx) => {
      await deleteEndedOf(tx, subject, now)
      const endsAt = verifiedUntil(verifiedAt, storeZone)
      await upsertVerification(tx, { accountId, subject, group, verifiedAt, endsAt })
    })
  } catch (error) {
    if (violatedConstraint(error) === 'military_person_once') return refused('used-elsewhere')
    throw error
  }
  return ok({ returnPath })
}

/** The verification of an account that counts now; undefined without one. */
export async function findVerification({ db, clock }: Deps, accountId: string): Promise<Verification | undefined> {
  const verification = await selectVerification(db, accountId)
  return verification && Temporal.Instant.compare(verification.endsAt, clock.now()) > 0 ? verification : undefined
}

/** Deletes an account's verification; its owner may verify again, for any account. */
export function removeVerification({ db }: Pick<Deps, 'db'>, accountId: string): Promise<boolean> {
  return deleteVerification(db, accountId)
}

/** What is kept of an account's verification, for the export of its data. */
export async function exportVerification(db: Database, accountId: string): Promise<object[]> {
  const verification = await selectVerification(db, accountId)
  if (!verification) return []
  const { group, verifiedAt, endsAt } = verification
  return [{ group, verifiedAt: verifiedAt.toString(), endsAt: endsAt.toString() }]
}

/** Deletes verifications that ended, and unfinished attempts started, before `before`. */
export function forgetOldVerifications(db: Database, before: Temporal.Instant): Promise<number> {
  return deleteEnded(db, before)
}

function randomText(): string {
  return randomBytes(32).toString('base64url')
}
