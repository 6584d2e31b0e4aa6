/** Reads the VIN in a photo next to the field for it, from a barcode where the browser reads those. */
import { readVinPhoto, vinInBarcode, vinLetters } from '#domain/catalog/vehicles/vehicles.ts'
import { answerPhotos } from './photo-worker.ts'

/** The Barcode Detection API (https://wicg.github.io/shape-detection-api/), which not every browser has. */
type Detector = { detect(picture: Blob): Promise<readonly { rawValue: string }[]> }
type WithDetector = { BarcodeDetector?: new (options: { formats: readonly string[] }) => Detector }

/** Barcodes on door labels and registrations. */
const formats = ['code_39', 'code_128', 'data_matrix', 'qr_code', 'pdf417']

answerPhotos(vinLetters, async (picture, look, { photo }) => {
  return (await vinInBarcodes(photo)) ?? (await readVinPhoto(picture, look)) ?? null
})

async function vinInBarcodes(photo: Blob): Promise<string | undefined> {
  const { BarcodeDetector } = globalThis as WithDetector
  if (!BarcodeDetector) return undefined
  // A browser without some of these formats throws.
  const found = await Promise.try(() => new BarcodeDetector({ formats }).detect(photo)).catch(() => [])
  for (const { rawValue } of found) {
    const vin = vinInBarcode(rawValue.slice(0, 4_000))
    if (vin !== undefined) return vin
  }
  return undefined
}
