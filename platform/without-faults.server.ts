/** Saves a file completely or not at all. */
import type { Database, Tx } from './db.ts'
import { refused, type Outcome, type Refused } from './outcome.ts'

/** Runs `work` in one transaction, which is rolled back if it adds a fault to the list. */
export async function withoutFaults<Value, Refusal extends Refused<string, unknown>>(
  db: Database,
  work: (tx: Tx, faults: string[]) => Promise<Outcome<Value, Refusal>>,
): Promise<Outcome<Value, Refusal> | Refused<'faults', string[]>> {
  const faults: string[] = []
  try {
    return await db.transaction().execute(async (tx) => {
      const outcome = await work(tx, faults)
      if (faults.length > 0) throw new Faulty()
      return outcome
    })
  } catch (error) {
    if (error instanceof Faulty) return refused('faults', faults)
    throw error
  }
}

class Faulty extends Error {}
