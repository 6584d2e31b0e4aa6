/** The thread of `createVinDecoder`. Unpacks and reads the data while the process serves requests. */
import { parentPort, workerData } from 'node:worker_threads'
import { openVpic } from './vpic.ts'

const { folder, vins, thisYear } = workerData as { folder: string; vins: readonly string[]; thisYear: number }
const vpic = openVpic(folder)
const read = vins.flatMap((vin) => {
  const decoded = vpic.decode(vin, thisYear)
  return decoded ? [[vin, decoded]] : []
})
// Copies the result instead of transferring it.
parentPort?.postMessage(read, [])
