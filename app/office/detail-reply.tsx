import { Options } from '#app/ui/select-options.tsx'
import { useEffect, useState, type RefObject, useRef } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { ErrorSummary } from '#app/ui/field.tsx'
import { OfficeIcon } from '#app/ui/office/office-icon.tsx'
import { TextArea } from '#app/ui/text-area.tsx'
import type { Channel, ReplyView } from '#app/views/office/order-conversation.server.ts'

/** One text message holds so many characters; more are sent and paid for as several. */
const oneText = 160

/**
 * An unsent reply. Its text if the server stores it, or its key in this browser tab's storage. `isSent` deletes the
 * latter.
 */
export type ReplyDraft = { text: string } | { key: string; isSent: boolean }

const sendNames: Readonly<Record<Channel, string>> = { text: 'Send text', email: 'Send email', note: 'Add note' }

/**
 * The reply form, for a text message, email or note. Works without script. With script the button shows its action, a
 * text message's characters are counted, Ctrl+Enter sends, and a draft is stored.
 */
export function ReplyBox({
  reply: { channels, templates, to, once, about },
  action,
  draft,
  refused,
}: {
  reply: ReplyView
  action: string
  draft: ReplyDraft
  refused: FormReply | undefined
}) {
  const area = useRef<HTMLTextAreaElement>(null)
  const [channel, setChannel] = useState(() => firstChannel(channels, refused))
  const typed = refused?.values['message'] ?? ('text' in draft ? draft.text : '')
  const [length, setLength] = useState(typed.length)
  useTabDraft(area, { draft, onLength: setLength })
  useSavedDraft(area, { draft, action })
  const write = (text: string) => {
    const box = area.current
    if (!box) return
    box.value = text
    box.dispatchEvent(new Event('input', { bubbles: true }))
    box.focus()
  }
  return (
    <form className="office-reply" method="post" action={`${action}#conversation`} noValidate>
      <ErrorSummary reply={refused} labels={{ message: 'Message' }} />
      <input type="hidden" name="once" value={refused?.values['once'] ?? once} />
      <Channels channels={channels} chosen={channel} onChoose={setChannel} />
      {about ? <About about={about} refused={refused} /> : null}
      <MessageBox
        area={area}
        label={`Message to ${to}`}
        typed={typed}
        error={refused?.errors['message']}
        onLength={setLength}
      />
      <div className="office-line">
        {channel === 'text' ? <Count length={length} /> : null}
        <Templates templates={templates} onChoose={write} />
        <button className="btn office-end" name="intent" value="write" aria-keyshortcuts="Control+Enter">
          {sendNames[channel]} <kbd aria-hidden="true">Ctrl ↵</kbd>
        </button>
      </div>
    </form>
  )
}

function firstChannel(channels: ReplyView['channels'], refused: FormReply | undefined): Channel {
  const asked = channels.find(({ channel }) => channel === refused?.values['as'])
  return (asked ?? channels.find(({ whyNot }) => whyNot === null))?.channel ?? 'note'
}

function Channels({
  channels,
  chosen,
  onChoose,
}: {
  channels: ReplyView['channels']
  chosen: Channel
  onChoose: (channel: Channel) => void
}) {
  return (
    <>
      <fieldset className="office-reply-as">
        <legend className="visually-hidden">Send as</legend>
        {channels.map(({ channel, label, whyNot }) => (
          <label key={channel}>
            <input
              type="radio"
              name="as"
              value={channel}
              defaultChecked={channel === chosen}
              disabled={whyNot !== null}
              aria-describedby={whyNot === null ? undefined : `no-${channel}`}
              onChange={() => onChoose(channel)}
            />
            <OfficeIcon name={channel} size="s" />
            {label}
          </label>
        ))}
      </fieldset>
      {channels.map(({ channel, label, whyNot }) =>
        whyNot === null ? null : (
          <p key={channel} className="office-note" id={`no-${channel}`}>
            {label}: {whyNot}
          </p>
        ),
      )}
    </>
  )
}

/** Which order the message is about. */
function About({
  about: { options, chosen },
  refused,
}: {
  about: NonNullable<ReplyView['about']>
  refused: FormReply | undefined
}) {
  return (
    <label className="office-line">
      About
      <select className="input office-reply-about" name="about" defaultValue={refused?.values['about'] ?? chosen}>
        <Options of={options} />
      </select>
    </label>
  )
}

function MessageBox({
  area,
  label,
  typed,
  error,
  onLength,
}: {
  area: RefObject<HTMLTextAreaElement | null>
  label: string
  typed: string
  error: string | undefined
  onLength: (length: number) => void
}) {
  return (
    <>
      <label className="visually-hidden" htmlFor="message">
        {label}
      </label>
      <TextArea
        ref={area}
        className="input"
        id="message"
        name="message"
        text={typed}
        rows={5}
        maxLength={10_000}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'message-error' : undefined}
        onInput={(event) => onLength(event.currentTarget.value.length)}
      />
      {error ? (
        <p className="field-error" id="message-error">
          {error}
        </p>
      ) : null}
    </>
  )
}

/** Answers that managers keep, with the customer's name filled in; without script they can be read and copied. */
function Templates({ templates, onChoose }: { templates: ReplyView['templates']; onChoose: (text: string) => void }) {
  if (templates.length === 0) return null
  return (
    <details className="office-templates">
      <summary className="link">Templates</summary>
      <ul>
        {templates.map(({ name, body }) => (
          <li key={name}>
            <button type="button" className="link" onClick={() => onChoose(body)}>
              {name}
            </button>
            <p className="office-words">{body}</p>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Count({ length }: { length: number }) {
  const isLong = length > oneText
  return (
    <span className={isLong ? 'office-note tone-signal' : 'office-note'} aria-live="polite">
      {length} of {oneText}
      {isLong ? ', sent as several texts' : ''}
    </span>
  )
}

/**
 * Stores input in this browser tab until it is sent. A refused form's returned input is newer than any draft.
 * Skips drafts that the server stores.
 */
function useTabDraft(
  area: RefObject<HTMLTextAreaElement | null>,
  { draft, onLength }: { draft: ReplyDraft; onLength: (length: number) => void },
): void {
  const key = 'key' in draft ? `reply ${draft.key}` : null
  const isSent = 'key' in draft && draft.isSent
  useEffect(() => {
    const box = area.current
    if (!box || key === null) return
    if (isSent) sessionStorage.removeItem(key)
    const kept = sessionStorage.getItem(key)
    if (kept !== null && box.value === '') {
      fill(box, kept)
      onLength(kept.length)
    }
    const keep = () => {
      if (box.value === '') sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, box.value)
    }
    box.addEventListener('input', keep)
    return () => box.removeEventListener('input', keep)
  }, [area, key, isSent, onLength])
}

/** In milliseconds, after the last change. */
const saveAfter = 1_000

/** Saves a draft on the server a second after the last change, and when the page is left. Sending it cancels that. */
function useSavedDraft(
  area: RefObject<HTMLTextAreaElement | null>,
  { draft, action }: { draft: ReplyDraft; action: string },
): void {
  const isOn = 'text' in draft
  useEffect(() => {
    const box = area.current
    if (!box || !isOn) return
    let waiting: ReturnType<typeof setTimeout> | null = null
    const stop = () => {
      if (waiting !== null) clearTimeout(waiting)
      waiting = null
    }
    const save = () => {
      if (waiting === null) return
      stop()
      const body = new URLSearchParams({ intent: 'draft', message: box.value })
      // Not saved, it is still in the field.
      fetch(action, { method: 'POST', body, keepalive: true, redirect: 'manual' }).catch(() => {})
    }
    const wait = () => {
      stop()
      waiting = setTimeout(save, saveAfter)
    }
    const { form } = box
    box.addEventListener('input', wait)
    form?.addEventListener('submit', stop)
    window.addEventListener('pagehide', save)
    return () => {
      box.removeEventListener('input', wait)
      form?.removeEventListener('submit', stop)
      window.removeEventListener('pagehide', save)
    }
  }, [area, isOn, action])
}

function fill(box: HTMLTextAreaElement, text: string): void {
  box.value = text
}
