/** Decodes VINs with NHTSA's data on this machine, in a thread, so that requests don't wait. */
import { Worker } from 'node:worker_threads'
import type { DecodedVin, VinDecoder } from '#domain/catalog/vehicles/vin-decoder.port.ts'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'
import { ok, refused } from '#platform/outcome.ts'

/** The first list of a process unpacks the data, which takes about two seconds. */
const patienceMs = 20_000
/** Lists that wait for the thread at the same time; further ones are rejected. */
const maxWaiting = 16

/** `folder` contains the unpacked data. `thread` is the program that reads it. */
export function createVinDecoder({
  folder,
  clock,
  log,
  thread = new URL('./vin-thread.ts', import.meta.url),
}: {
  folder: string
  clock: Clock
  log: Pick<Log, 'error'>
  thread?: URL
}): VinDecoder {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    async decode(vins) {
      if (waiting >= maxWaiting) return refused('unavailable')
      waiting += 1
      // Decodes one list at a time because a thread holds its data in memory.
      const reading = last.then(() => read(vins))
      last = reading
      const decoded = await reading
      waiting -= 1
      return decoded
    },
  }

  async function read(vins: readonly string[]): ReturnType<VinDecoder['decode']> {
    const { promise, resolve, reject } = Promise.withResolvers<[string, DecodedVin][]>()
    const thisYear = clock.now().toZonedDateTimeISO('UTC').year
    const worker = new Worker(thread, { workerData: { folder, vins, thisYear } })
    const late = setTimeout(() => reject(new Error('The VINs were not read in time.')), patienceMs)
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread that reads VINs ended without an answer.')))
    try {
      return ok(new Map(await promise))
    } catch (error) {
      log.error({ err: error, vins: vins.length }, 'VINs could not be read')
      return refused('unavailable')
    } finally {
      clearTimeout(late)
      await worker.terminate()
    }
  }
}
