/** A checkbox; `form` is its form's id if it is outside of it. */
export function Tick({
  name,
  form,
  isTicked,
  error,
  children,
}: {
  name: string
  form?: string
  isTicked: boolean
  error: string | undefined
  children: React.ReactNode
}) {
  return (
    <div>
      <label className="check small">
        <input
          type="checkbox"
          id={name}
          name={name}
          value="1"
          form={form}
          defaultChecked={isTicked}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${name}-error` : undefined}
        />
        <span>{children}</span>
      </label>
      {error ? (
        <p className="field-error" id={`${name}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  )
}
