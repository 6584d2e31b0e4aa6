/** A field for bots, hidden from people; see `isFromProgram`. */
export function Honeypot() {
  return (
    <p className="visually-hidden" aria-hidden="true">
      <label htmlFor="website">Leave this empty</label>
      <input id="website" name="website" tabIndex={-1} autoComplete="off" />
    </p>
  )
}
