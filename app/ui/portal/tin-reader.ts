/** Reads the DOT code in a photo next to a job's page. */
import { answerPhotos } from '../photo-worker.ts'
import { readTinPhoto, tinLetters, tinText, weekOf } from '#domain/installer-portal/work-orders/work-orders.ts'

answerPhotos(tinLetters, async (photo, look, { day: today = '' }) => {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  const found = await readTinPhoto(photo, { now: weekOf({ year, month, day }), ...look })
  return found ? tinText(found.tin) : null
})
