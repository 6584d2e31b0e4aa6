import type { FormReply } from '#app/forms/form.ts'
import { Icon } from '#app/ui/icon.tsx'
import { OfficeIcon } from '#app/ui/office/office-icon.tsx'
import { Panel } from '#app/ui/office/office-parts.tsx'
import type { BubbleView, ConversationView, FailedView } from '#app/views/office/order-conversation.server.ts'
import { ReplyBox, type ReplyDraft } from './detail-reply.tsx'

const channelNames = { email: 'email', text: 'text', note: 'note' } as const

/**
 * A conversation, with our messages on the right, the customer's on the left, and staff notes across. Below it is the
 * reply form, for users with permission. `draft` is an unsent reply.
 */
export function ConversationPanel({
  conversation: { bubbles, zone, reply, chips },
  note,
  action,
  draft,
  refused,
}: {
  conversation: ConversationView
  note: string
  action: string
  draft: ReplyDraft
  refused: FormReply | undefined
}) {
  return (
    <Panel id="conversation" title="Conversation" note={zone === null ? note : `${note} · Times in ${zone}`}>
      {chips ? (
        <nav className="office-panel-body office-chips" aria-label="Filter the conversation">
          {chips.map(({ label, path, isOn }) => (
            <a key={label} className="chip" href={path} aria-current={isOn ? 'true' : undefined}>
              {label}
            </a>
          ))}
        </nav>
      ) : null}
      {bubbles.length === 0 ? (
        <p className="office-panel-body office-note">
          {chips === null || chips[0]?.isOn ? 'No messages yet.' : 'No messages of this kind.'}
        </p>
      ) : (
        <ol className="office-thread" aria-label="Messages, oldest first">
          {bubbles.map((bubble) => (
            <Bubble key={bubble.id} bubble={bubble} />
          ))}
        </ol>
      )}
      {reply ? <ReplyBox reply={reply} action={action} draft={draft} refused={refused} /> : null}
    </Panel>
  )
}

function Bubble({ bubble }: { bubble: BubbleView }) {
  const { side, channel, who, time, title, body, path, files, state, failed } = bubble
  return (
    <li className={`office-bubble side-${side}`}>
      <span className="office-bubble-head">
        <OfficeIcon name={channel} size="s" /> {who}, {channelNames[channel]} · <time>{time}</time>
      </span>
      <div className="office-bubble-body">
        {title === null ? null : <b>{path === null ? title : <a href={path}>{title}</a>}</b>}
        {body === null ? null : <p className="office-words">{body}</p>}
        {files.map((file) => (
          <p key={file.path}>
            <a href={file.path} download>
              {file.name}
            </a>
          </p>
        ))}
      </div>
      {state === null ? null : <span className="office-bubble-head">{state}</span>}
      {failed ? <Failed failed={failed} /> : null}
    </li>
  )
}

function Failed({ failed: { why, again } }: { failed: FailedView }) {
  return (
    <div className="office-bubble-failed">
      <Icon name="warning" size="s" /> <span>{why}</span>
      {again ? (
        <form method="post" action={again.path}>
          {Object.entries(again.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button className="link">Send again</button>
        </form>
      ) : null}
    </div>
  )
}
