import { useEffect, useRef, useSyncExternalStore, type Dispatch, type SetStateAction } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { problemMessages, tips } from './camera-messages.ts'
import { MiddleOfWheel } from './middle-of-wheel.tsx'
import { SizesRead } from './sizes-read.tsx'
import { usePhotoReading, type Stage } from './use-photo-reading.ts'

/**
 * Renders the camera or a photo, and the reading. `setSize` fills the page's field with the most likely size and clears
 * it for the next photo. Disabled without JavaScript. The shopper then types the size.
 */
export function PhotoPanel({ engine, setSize }: { engine: string; setSize: Dispatch<SetStateAction<string>> }) {
  const { stage, video, canvas, startCamera, take, takeFile, read, startOver } = usePhotoReading(engine, setSize)
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
      <Actions
        at={stage.at}
        onStart={() => void startCamera()}
        onTake={() => void take()}
        onFile={(file) => void takeFile(file)}
        onStop={startOver}
      />
      <noscript>
        <p className="notice">Reading a photo needs JavaScript, which is turned off. Type the size instead.</p>
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

type ActionProps = {
  at: Stage['at']
  onStart: () => void
  onTake: () => void
  onFile: (file: File) => void
  /** Closes the camera, or stops reading. */
  onStop: () => void
}

function Actions({ at, onStart, onTake, onFile, onStop }: ActionProps) {
  const isReady = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
  const actions = useRef<HTMLDivElement>(null)

  // The clicked button disappears in the next stage, so focus moves to the next button.
  useEffect(() => {
    if (at !== 'start' && document.activeElement === document.body) actions.current?.querySelector('button')?.focus()
  }, [at])

  return (
    <div className="camera-actions" ref={actions}>
      {at === 'live' ? (
        <>
          <button className="btn primary large" type="button" onClick={onTake}>
            Read this
          </button>
          <button className="btn" type="button" onClick={onStop}>
            Close camera
          </button>
        </>
      ) : at === 'reading' ? (
        <button className="btn" type="button" onClick={onStop}>
          Stop reading
        </button>
      ) : (
        <>
          <button className="btn primary large" type="button" disabled={!isReady || at === 'opening'} onClick={onStart}>
            {at === 'start' || at === 'opening' ? 'Use the camera' : 'Use the camera again'}
          </button>
          <FileButton isReady={isReady} onFile={onFile} />
        </>
      )}
    </div>
  )
}

function FileButton({ isReady, onFile }: { isReady: boolean; onFile: (file: File) => void }) {
  return (
    // Without `capture`, phones offer both the camera app and existing photos.
    <label className="btn camera-file">
      Choose a photo
      <input
        type="file"
        accept="image/*"
        disabled={!isReady}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) onFile(file)
          event.currentTarget.value = ''
        }}
      />
    </label>
  )
}

/** Never notifies, because JavaScript support is constant (false on the server, true in the browser). */
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
          <p>
            {stage.share === 0
              ? 'Reading. The first time, about 5 MB are downloaded.'
              : 'Still reading, with another method.'}
          </p>
          <progress value={stage.share} aria-label="Reading the photo" />
        </>
      )
    case 'read':
      return <SizesRead sizes={stage.sizes} />
    case 'failed':
      return <p className="field-error">{problemMessages[stage.problem]}</p>
  }
}
