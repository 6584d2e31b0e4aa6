import { useSyncExternalStore } from 'react'

/** Says over the foot of the window that there is no connection. The element is always there, so that its words are read out when they come. */
export function OfflineNote() {
  const isOffline = useSyncExternalStore(
    watch,
    () => !navigator.onLine,
    () => false,
  )
  return (
    <p className="foot-note" role="status">
      {isOffline ? 'You seem to be offline. What you choose is kept, and goes on when you are connected again.' : null}
    </p>
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
