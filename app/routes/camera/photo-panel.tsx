import { useEffect, useRef, useState, useSyncExternalStore, type Dispatch, type SetStateAction } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { answerOf, api } from '#app/ui/store-client.ts'
import type { ReadSize } from '#domain/sidewall-reading/sidewall-reading.ts'
import { cameraProblem, problemMessages, tips, type CameraProblem } from './camera-messages.ts'
import { MiddleOfWheel, type Middle } from './middle-of-wheel.tsx'
import { closeCamera, openCamera, putOnCanvas, readCanvas } from './photo.ts'
import type { PhotoReader } from './photo-reader.ts'
import { SizesRead } from './sizes-read.tsx'

type Stage =
  | { at: 'start' | 'opening' | 'live' }
  | { at: 'reading'; share: number }
  | { at: 'read'; sizes: readonly ReadSize[] }
  | { at: 'failed'; problem: CameraProblem; hasPhoto: boolean }

/**
 * The camera or a photo, and what is read from it. `setSize` puts the surest size into the page's field, and takes it
 * out again for the next photo. Dead without script, where the field is typed into.
 */
export function PhotoPanel({ engine, setSize }: { engine: string; setSize: Dispatch<SetStateAction<string>> }) {
  const [stage, setStage] = useState<Stage>({ at: 'start' })
  const isReady = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
  const video = useRef<HTMLVideoElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const stream = useRef<MediaStream | null>(null)
  const reader = useRef<Promise<PhotoReader> | null>(null)
  const actions = useRef<HTMLDivElement>(null)
  const run = useRef<AbortController | null>(null)
  const lastRead = useRef('')

  function stop(): void {
    run.current?.abort()
    closeCamera(stream.current)
    stream.current = null
  }

  useEffect(() => {
    // The light of a camera that nobody looks through frightens people, and a phone needs its memory.
    const leave = () => {
      if (!document.hidden) return
      if (stream.current) setStage({ at: 'start' })
      closeCamera(stream.current)
      stream.current = null
    }
    document.addEventListener('visibilitychange', leave)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      run.current?.abort()
      closeCamera(stream.current)
      void reader.current?.then((opened) => opened.close()).catch(() => undefined)
      reader.current = null
    }
  }, [])

  // The button that was pressed is gone in the next stage: who came by keyboard goes on from where they were.
  useEffect(() => {
    if (stage.at !== 'start' && document.activeElement === document.body)
      actions.current?.querySelector('button')?.focus()
  }, [stage.at])

  /**
   * One reader for the page, however often it is asked for while it loads; after a failure the next photo tries again.
   */
  function openOnce(): Promise<PhotoReader> {
    const opening = (reader.current ??= import('./photo-reader.ts').then(({ openReader }) => openReader(engine)))
    opening.catch(() => {
      if (reader.current === opening) reader.current = null
    })
    return opening
  }

  async function startCamera(): Promise<void> {
    stop()
    const { signal } = (run.current = new AbortController())
    setStage({ at: 'opening' })
    try {
      const opened = await openCamera()
      if (signal.aborted || !video.current) return closeCamera(opened)
      stream.current = opened
      video.current.srcObject = opened
      await video.current.play()
      setStage({ at: 'live' })
    } catch (error) {
      if (!signal.aborted) setStage({ at: 'failed', problem: cameraProblem(error), hasPhoto: false })
    }
  }

  async function take(): Promise<void> {
    if (!video.current || !canvas.current) return
    const isDrawn = putOnCanvas(canvas.current, video.current)
    stop()
    if (isDrawn) await read()
    else setStage({ at: 'failed', problem: 'no-canvas', hasPhoto: false })
  }

  async function takeFile(file: File): Promise<void> {
    stop()
    const picture = await createImageBitmap(file).catch(() => undefined)
    if (!picture || !canvas.current) return setStage({ at: 'failed', problem: 'no-picture', hasPhoto: false })
    const isDrawn = putOnCanvas(canvas.current, picture)
    picture.close()
    if (isDrawn) await read()
    else setStage({ at: 'failed', problem: 'no-canvas', hasPhoto: false })
  }

  async function read(middle?: Middle): Promise<void> {
    run.current?.abort()
    const { signal } = (run.current = new AbortController())
    const photo = canvas.current ? readCanvas(canvas.current) : undefined
    if (!photo) return setStage({ at: 'failed', problem: 'no-canvas', hasPhoto: false })
    setStage({ at: 'reading', share: 0 })
    // What the shopper typed or corrected stays.
    setSize((inField) => (inField === lastRead.current ? '' : inField))
    try {
      const [opened, sold] = await Promise.all([openOnce(), answerOf(api.call('GET /sizes', {}, { signal }))])
      if (!sold.ok) throw new Error(sold.message)
      if (signal.aborted) return
      const sizes = await opened.read(photo, {
        known: new Set(sold.data.map(({ designation }) => designation)),
        signal,
        around: middle && { x: middle.across * photo.width, y: middle.down * photo.height },
        onProgress: (share) => setStage({ at: 'reading', share }),
      })
      if (signal.aborted) return
      if (sizes[0]) setSize((lastRead.current = sizes[0].designation))
      setStage(sizes.length > 0 ? { at: 'read', sizes } : { at: 'failed', problem: 'nothing-found', hasPhoto: true })
    } catch {
      if (!signal.aborted) setStage({ at: 'failed', problem: 'no-reader', hasPhoto: true })
    }
  }

  function startOver(): void {
    stop()
    setStage({ at: 'start' })
  }

  const hasPhoto = stage.at === 'reading' || stage.at === 'read' || (stage.at === 'failed' && stage.hasPhoto)
  return (
    <section className="camera-panel" aria-labelledby="camera-photo">
      <h2 id="camera-photo" className="visually-hidden">
        Camera or photo
      </h2>
      <div className="camera-view" data-shows={stage.at === 'live' ? 'camera' : hasPhoto ? 'photo' : 'nothing'}>
        <video ref={video} playsInline muted aria-label="What the camera sees" />
        <canvas ref={canvas} role="img" aria-label="Your photo" />
        <svg className="camera-guide" viewBox="0 0 400 300" aria-hidden="true">
          <path d="M60 10a150 150 0 0 0 280 0M95 0a112 112 0 0 0 210 0" transform="translate(0 110)" />
        </svg>
        <p className="camera-empty">
          <Icon name="search" /> The size is on the side of the tire, between rim and tread.
        </p>
      </div>
      {stage.at === 'live' ? (
        <p className="small muted">
          Bring the size between the two lines, or step back until the whole wheel is in the picture.
        </p>
      ) : null}
      <div className="camera-actions" ref={actions}>
        {stage.at === 'live' ? (
          <>
            <button className="btn primary large" type="button" onClick={() => void take()}>
              Read this
            </button>
            <button className="btn" type="button" onClick={startOver}>
              Close camera
            </button>
          </>
        ) : stage.at === 'reading' ? (
          <button className="btn" type="button" onClick={startOver}>
            Stop reading
          </button>
        ) : (
          <>
            <button
              className="btn primary large"
              type="button"
              disabled={!isReady || stage.at === 'opening'}
              onClick={() => void startCamera()}
            >
              {stage.at === 'start' || stage.at === 'opening' ? 'Use the camera' : 'Use the camera again'}
            </button>
            {/* Without `capture`: phones then offer both the camera app and the photos there are. */}
            <label className="btn camera-file">
              Choose a photo
              <input
                type="file"
                accept="image/*"
                disabled={!isReady}
                onChange={(event) => {
                  const [file] = event.currentTarget.files ?? []
                  if (file) void takeFile(file)
                  event.currentTarget.value = ''
                }}
              />
            </label>
          </>
        )}
      </div>
      <noscript>
        <p className="notice">Reading a photo takes script, which is switched off. Type the size instead.</p>
      </noscript>
      <div role="status" className="camera-status">
        <Status stage={stage} />
      </div>
      {stage.at === 'failed' && stage.problem === 'nothing-found' ? (
        <>
          <ul className="camera-tips">
            {tips.map((tip) => (
              <li key={tip}>{tip}</li>
            ))}
          </ul>
          <MiddleOfWheel onRead={(middle) => void read(middle)} />
        </>
      ) : null}
    </section>
  )
}

/** Script is there or it is not: the server says no, the browser yes. */
const neverChanges = () => () => undefined

function Status({ stage }: { stage: Stage }) {
  switch (stage.at) {
    case 'start':
    case 'live':
      return null
    case 'opening':
      return <p>Starting the camera. Your browser may ask whether it is allowed.</p>
    case 'reading':
      return (
        <>
          <p>{stage.share === 0 ? 'Reading. The first time about 5 MB are loaded.' : 'Still reading, another way.'}</p>
          <progress value={stage.share} aria-label="Reading the photo" />
        </>
      )
    case 'read':
      return <SizesRead sizes={stage.sizes} />
    case 'failed':
      return <p className="field-error">{problemMessages[stage.problem]}</p>
  }
}
