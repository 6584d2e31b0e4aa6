/** VINs from NHTSA's data on this machine, read in a thread so that no request waits for it. */
import { Worker } from 'node:worker_threads'
import type { DecodedVin, VinDecoder } from '#domain/fleet-quotes/vin-decoder.port.ts'
import type { Clock } from '#platform/clock.ts'
import type { Log } from '#platform/log.ts'

/** The first list of a process unpacks the data, which takes about two seconds. */
const patienceMs = 20_000

/** `folder` keeps the unpacked data; `thread` is the program that reads it. */
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
  return {
    decode(vins) {
      // One list after another: a thread holds its data in memory while it reads.
      const reading = last.then(() => read(vins))
      last = reading
      return reading
    },
  }

  async function read(vins: readonly string[]): Promise<ReadonlyMap<string, DecodedVin>> {
    const { promise, resolve, reject } = Promise.withResolvers<[string, DecodedVin][]>()
    const thisYear = clock.now().toZonedDateTimeISO('UTC').year
    const worker = new Worker(thread, { workerData: { folder, vins, thisYear } })
    const late = setTimeout(() => reject(new Error('The VINs were not read in time.')), patienceMs)
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread that reads VINs ended without an answer.')))
    try {
      return new Map(await promise)
    } catch (error) {
      log.error({ err: error, vins: vins.length }, 'VINs could not be read')
      return new Map()
    } finally {
      clearTimeout(late)
      await worker.terminate()
    }
  }
}
