import { useEffect, useState, useSyncExternalStore } from 'react'

/** Shown by app/ui/load-late.js while no other script is loaded. */
const offlineText = 'You seem to be offline. What you choose is kept, and continues when you are connected again.'

/**
 * A note above the bottom of the window that there is no connection, or why a form was not sent. The elements are
 * always there, so that their text is read aloud when it appears.
 */
export function OfflineNote() {
  const isOffline = useSyncExternalStore(
    watch,
    () => !navigator.onLine,
    () => false,
  )
  const [told, setTold] = useState<string | null>(null)
  useEffect(() => {
    const hear = (event: Event) => setTold((event as CustomEvent<string | null>).detail)
    window.addEventListener('told', hear)
    return () => window.removeEventListener('told', hear)
  }, [])
  return (
    <>
      <p className="foot-note" role="status" data-offline={offlineText}>
        {isOffline && told === null ? offlineText : null}
      </p>
      <p className="foot-note" role="alert">
        {told}
      </p>
    </>
  )
}

function watch(onChange: () => void): () => void {
  window.addEventListener('online', onChange)
  window.addEventListener('offline', onChange)
  return () => {
    window.removeEventListener('online', onChange)
    window.removeEventListener('offline', onChange)
  }
}
