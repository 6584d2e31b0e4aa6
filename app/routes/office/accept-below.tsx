/**
 * The box that accepts prices below a limit, and the words beside it: the refusal that asks for it (`error`), or what
 * the form does otherwise (`note`). The box is shown once something is below.
 */
export function AcceptBelow({
  label,
  isBelow,
  error,
  note,
}: {
  label: string
  isBelow: boolean
  error: string | undefined
  note?: string
}) {
  const words = error ?? note
  return (
    <>
      {isBelow ? (
        <label className="check" htmlFor="acceptsBelow">
          <input type="checkbox" id="acceptsBelow" name="acceptsBelow" value="yes" aria-describedby="accepts-note" />
          {label}
        </label>
      ) : null}
      {words === undefined ? null : (
        <p id="accepts-note" className={error === undefined ? 'small muted' : 'field-error'}>
          {words}
        </p>
      )}
    </>
  )
}
