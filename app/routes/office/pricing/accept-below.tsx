/**
 * Renders the checkbox that accepts prices below a limit. Next to it is the refusal that requires it (`error`), or a
 * `note` about the form. Shown only if there's a price below the limit.
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
