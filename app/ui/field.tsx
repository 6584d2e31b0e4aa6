import type { InputHTMLAttributes, ReactNode } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { focusedOnLoad, useRefusalFocus } from '#app/ui/refusal-focus.ts'
import { TextArea } from '#app/ui/text-area.tsx'
import { countOf } from '#platform/count-text.ts'

type FieldProps = {
  name: string
  label: string
  reply?: FormReply | undefined
  /** The field's initial value. */
  value?: string | null | undefined
  hint?: string
  className?: string
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'value' | 'defaultValue' | 'className'>

/** A labeled input with its error message tied to it. */
export function Field({ name, label, reply, value, hint, className, ...input }: FieldProps) {
  const error = reply?.errors[name]
  return (
    <div className={className ? `field-row ${className}` : 'field-row'}>
      <label className="field" htmlFor={name}>
        <span>
          {label}
          {input.required === false ? <span className="muted"> (optional)</span> : null}
        </span>
      </label>
      <input
        className="input"
        id={name}
        name={name}
        defaultValue={input.type === 'file' ? undefined : (reply?.values[name] ?? value ?? '')}
        {...described(name, error, hint)}
        {...input}
        required={undefined}
        aria-required={input.required}
      />
      <FieldNotes name={name} error={error} hint={hint} />
    </div>
  )
}

/** The same for longer text. */
export function TextAreaField({
  name,
  label,
  reply,
  value,
  hint,
  isRequired = true,
  ...area
}: {
  name: string
  label: string
  reply?: FormReply | undefined
  value?: string | null | undefined
  hint?: string
  rows: number
  maxLength: number
  isRequired?: boolean
}) {
  const error = reply?.errors[name]
  return (
    <div className="field-row">
      <label className="field" htmlFor={name}>
        <span>
          {label}
          {isRequired ? null : <span className="muted"> (optional)</span>}
        </span>
      </label>
      <TextArea
        className="input"
        id={name}
        name={name}
        text={reply?.values[name] ?? value ?? ''}
        {...described(name, error, hint)}
        {...area}
        aria-required={isRequired}
      />
      <FieldNotes name={name} error={error} hint={hint} />
    </div>
  )
}

type SelectProps = {
  name: string
  label: string
  reply?: FormReply | undefined
  value?: string | null | undefined
  hint?: string
  className?: string
  autoComplete?: string
  children: ReactNode
  disabled?: boolean
  form?: string
}

/** A labeled select with its error message tied to it. */
export function SelectField({ name, label, reply, value, hint, className, children, ...select }: SelectProps) {
  const error = reply?.errors[name]
  return (
    <div className={className ? `field-row ${className}` : 'field-row'}>
      <label className="field" htmlFor={name}>
        {label}
      </label>
      <select
        className="input"
        id={name}
        name={name}
        defaultValue={reply?.values[name] ?? value ?? ''}
        {...described(name, error, hint)}
        {...select}
      >
        {children}
      </select>
      <FieldNotes name={name} error={error} hint={hint} />
    </div>
  )
}

/**
 * A form's error summary, shown above it, with a link to each field. Takes the focus when it appears, through the
 * attribute on a page without script, or through the hook on an open page.
 */
export function ErrorSummary({
  reply,
  labels = {},
}: {
  reply: FormReply | undefined
  labels?: Record<string, string>
}) {
  const box = useRefusalFocus(reply)
  if (!reply) return null
  const errors = Object.entries(reply.errors)
  if (errors.length === 0 && !reply.formError) return null
  return (
    <div className="error-summary" role="alert" tabIndex={-1} {...focusedOnLoad} ref={box}>
      <p className="strong">{reply.formError ?? `Fix ${countOf(errors.length, 'field')}:`}</p>
      {errors.length > 0 ? (
        <ul>
          {errors.map(([name, message]) => (
            <li key={name}>
              <a href={`#${name}`}>{labels[name] ? `${labels[name]}: ${message}` : message}</a>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function FieldNotes({ name, error, hint }: { name: string; error: string | undefined; hint: string | undefined }) {
  return (
    <>
      {error ? (
        <p className="field-error" id={`${name}-error`}>
          {error}
        </p>
      ) : null}
      {hint ? (
        <p className="field-hint" id={`${name}-hint`}>
          {hint}
        </p>
      ) : null}
    </>
  )
}

function described(name: string, error: string | undefined, hint: string | undefined) {
  const ids = [error ? `${name}-error` : '', hint ? `${name}-hint` : ''].filter(Boolean).join(' ')
  return { ...(ids ? { 'aria-describedby': ids } : {}), ...(error ? { 'aria-invalid': true as const } : {}) }
}
