import type { Database } from '#platform/db.ts'
import { inspect, type Inspection } from '../../tools/invariants.ts'

/** What is broken, warnings included: nothing for a sound database. */
export async function verify(db: Database, now: Temporal.Instant): Promise<Inspection[]> {
  return (await inspect(db, now)).filter((inspection) => inspection.broken > 0)
}
