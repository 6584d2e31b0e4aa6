import { storeClosedText, storeClosedTitle } from '#content/messages/store-closed.ts'

/** Above the header of every page of the store, until it opens. */
export function ClosedNote() {
  return (
    <div className="closed-note" role="note">
      <p className="wrap">
        <b>{storeClosedTitle}.</b> {storeClosedText}
      </p>
    </div>
  )
}
