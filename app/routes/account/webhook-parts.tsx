/** Shared parts of the two webhook pages. */
import { webhookTypeNames, webhookTypes } from '#domain/channels/webhooks/webhooks.ts'

/** A form that was not sent yet has every event ticked. */
export const noTypes = webhookTypeNames.join(' ')

/** The fields with the ticked events as one. */
export function typedEvents(fields: URLSearchParams): URLSearchParams {
  const read = new URLSearchParams(fields)
  read.delete('type')
  read.set('types', fields.getAll('type').slice(0, webhookTypeNames.length).join(' ').slice(0, 1_000))
  return read
}

/** The events to choose from. */
export function EventChoice({ chosen, error }: { chosen: string; error: string | undefined }) {
  const ticked = chosen.split(' ')
  return (
    <fieldset className="webhook-events" id="types" aria-describedby={error ? 'types-error' : undefined}>
      <legend className="strong">Events</legend>
      {error ? (
        <p className="field-error" id="types-error">
          {error}
        </p>
      ) : null}
      {webhookTypeNames.map((name) => (
        <label key={name} className="check">
          <input type="checkbox" name="type" value={name} defaultChecked={ticked.includes(name)} />
          <span>
            {webhookTypes[name]} <code className="small muted">{name}</code>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
