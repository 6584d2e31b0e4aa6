/** The steps from the camera or a file to the sizes in the photo. */
import { useEffect, useRef, useState, type Dispatch, type SetStateAction } from 'react'
import { answerOf, api } from '#app/ui/store-client.ts'
import type { GrayPicture, ReadSize } from '#domain/catalog/sidewall-reading/sidewall-reading.ts'
import { cameraProblem, type CameraProblem } from './camera-messages.ts'
import type { Middle } from './middle-of-wheel.tsx'
import { putOnCanvas, readCanvas } from './photo.ts'
import type { PhotoReader } from './photo-reader.ts'
import { useCamera } from './use-camera.ts'

export type Stage =
  | { at: 'start' | 'opening' | 'live' }
  | { at: 'reading'; share: number }
  | { at: 'read'; sizes: readonly ReadSize[] }
  | { at: 'failed'; problem: CameraProblem; hasPhoto: boolean }

/**
 * Returns the stage, its actions, and the `video` and `canvas` that show the camera and the photo. `engine` is the
 * recognizer's folder; `setSize` receives the most likely size, and is cleared when another photo starts.
 */
export function usePhotoReading(engine: string, setSize: Dispatch<SetStateAction<string>>) {
  const [stage, setStage] = useState<Stage>({ at: 'start' })
  const canvas = useRef<HTMLCanvasElement>(null)
  const run = useRef<AbortController | null>(null)
  const lastRead = useRef('')
  useEffect(() => () => run.current?.abort(), [])
  const camera = useCamera(() => setStage({ at: 'start' }))
  const openOnce = useReader(engine)

  function stop(): void {
    run.current?.abort()
    camera.close()
  }

  function startOver(): void {
    stop()
    setStage({ at: 'start' })
  }

  function fail(problem: CameraProblem, hasPhoto = false): void {
    setStage({ at: 'failed', problem, hasPhoto })
  }

  async function startCamera(): Promise<void> {
    stop()
    const { signal } = (run.current = new AbortController())
    setStage({ at: 'opening' })
    try {
      if (await camera.open(signal)) setStage({ at: 'live' })
    } catch (error) {
      if (!signal.aborted) fail(cameraProblem(error))
    }
  }

  async function take(): Promise<void> {
    if (!camera.video.current || !canvas.current) return
    const isDrawn = putOnCanvas(canvas.current, camera.video.current)
    stop()
    if (isDrawn) await read()
    else fail('no-canvas')
  }

  async function takeFile(file: File): Promise<void> {
    stop()
    const picture = await createImageBitmap(file).catch(() => undefined)
    if (!picture || !canvas.current) return fail('no-picture')
    const isDrawn = putOnCanvas(canvas.current, picture)
    picture.close()
    if (isDrawn) await read()
    else fail('no-canvas')
  }

  async function read(middle?: Middle): Promise<void> {
    run.current?.abort()
    const { signal } = (run.current = new AbortController())
    const photo = canvas.current ? readCanvas(canvas.current) : undefined
    if (!photo) return fail('no-canvas')
    setStage({ at: 'reading', share: 0 })
    // What the shopper typed or corrected stays.
    setSize((inField) => (inField === lastRead.current ? '' : inField))
    try {
      const onProgress = (share: number) => setStage({ at: 'reading', share })
      const sizes = await readSizes(photo, openOnce(), { signal, middle, onProgress })
      if (signal.aborted) return
      if (sizes[0]) setSize((lastRead.current = sizes[0].designation))
      if (sizes.length > 0) setStage({ at: 'read', sizes })
      else fail('nothing-found', true)
    } catch {
      if (!signal.aborted) fail('no-reader', true)
    }
  }

  return { stage, video: camera.video, canvas, startCamera, take, takeFile, read, startOver }
}

/**
 * One recognizer per page, however often it is requested while loading; after a failure the next photo tries again. It
 * is closed with the page.
 */
function useReader(engine: string): () => Promise<PhotoReader> {
  const reader = useRef<Promise<PhotoReader> | null>(null)
  useEffect(
    () => () => {
      void reader.current?.then((opened) => opened.close()).catch(() => undefined)
      reader.current = null
    },
    [],
  )
  return () => {
    const opening = (reader.current ??= import('./photo-reader.ts').then(({ openReader }) => openReader(engine)))
    opening.catch(() => {
      if (reader.current === opening) reader.current = null
    })
    return opening
  }
}

/** Returns the sizes in `photo`, those sold first; throws if the recognizer or the list of sizes does not load. */
async function readSizes(
  photo: GrayPicture,
  opening: Promise<PhotoReader>,
  { signal, middle, onProgress }: { signal: AbortSignal; middle: Middle | undefined; onProgress(share: number): void },
): Promise<readonly ReadSize[]> {
  const [opened, sold] = await Promise.all([opening, answerOf(api.call('GET /sizes', {}, { signal }))])
  if (!sold.ok) throw new Error(sold.message)
  if (signal.aborted) return []
  return opened.read(photo, {
    known: new Set(sold.data.map(({ designation }) => designation)),
    signal,
    around: middle && { x: middle.across * photo.width, y: middle.down * photo.height },
    onProgress,
  })
}
