/** Messages for everything that can go wrong between a tire and its size, each with what to do. */

export type CameraProblem =
  | 'no-camera'
  | 'not-allowed'
  | 'in-use'
  | 'no-canvas'
  | 'no-picture'
  | 'no-reader'
  | 'nothing-found'

export const problemMessages: Record<CameraProblem, string> = {
  'no-camera': 'We found no camera on this device. Choose a photo instead, or type the size.',
  'not-allowed':
    'The camera is not allowed here. Allow it for this page in your browser’s settings and try again, or choose a photo.',
  'in-use': 'The camera did not start; another app may be using it. Close that app and try again, or choose a photo.',
  'no-canvas': 'This browser cannot open a picture for reading. Type the size as printed on the tire.',
  'no-picture': 'We cannot open this file as a picture. Choose a JPEG, PNG or WebP, or type the size.',
  'no-reader': 'The photo reader did not load. Check your connection and try again, or type the size.',
  'nothing-found': 'We found no size in this photo.',
}

export const tips: readonly string[] = [
  'Wipe the sidewall. Dust hides the edges of the letters.',
  'Let light fall along the tire, not straight onto it. A lamp from the side makes raised letters stand out.',
  'Hold the camera straight in front of the wheel, or so close that the size fills the picture.',
]

/** Why `getUserMedia` failed. */
export function cameraProblem(error: unknown): CameraProblem {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'not-allowed'
  return name === 'NotReadableError' || name === 'AbortError' ? 'in-use' : 'no-camera'
}

/** The reader's confidence in words. */
export function sureWords(confidence: number): string {
  if (confidence >= 85) return `Read clearly (${confidence} of 100)`
  return confidence >= 60
    ? `Read fairly well (${confidence} of 100). Compare each digit`
    : `A guess (${confidence} of 100). Compare each digit`
}
